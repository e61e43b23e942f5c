package scene

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/mark"
)

const (
	recordName   = "run.json"
	recordFormat = "scree run 2" // any change of the record's meaning must change it
)

// record identifies the run that the rows and frames of a folder belong to. It contains everything
// that determines them, except the length of the run. A run writes its record before its first row.
// A restart continues a folder only if the record of the folder matches.
type record struct {
	Format    string       `json:"format"`
	Scene     string       `json:"scene"`      // name of the scene, for people; may change
	Digest    string       `json:"digest"`     // hash of everything that determines the bits of the run
	FirstStep int64        `json:"first_step"` // first step of the rows: 0, or the step of a checkpoint from another folder
	Names     string       `json:"names"`      // SHA-256 of the names of the bodies
	Walls     []string     `json:"walls"`      // names of the walls
	Counts    []string     `json:"counts"`     // names and regions of the counts
	Measures  []string     `json:"measures"`   // names and regions of the measures
	Output    outputRecord `json:"output"`

	Parts map[string]string `json:"parts,omitempty"` // hashes of the parts of the digest, for messages
}

// outputRecord is the [output] table of a scene with the defaults filled in.
type outputRecord struct {
	Every           int64    `json:"every"`
	HistoryEvery    int64    `json:"history_every"`
	StatesEvery     int64    `json:"states_every"`
	ContactsEvery   int64    `json:"contacts_every"`
	CheckpointEvery int64    `json:"checkpoint_every"`
	Fields          []string `json:"fields"`
}

// newRecord returns the record of the run.
func (r *runner) newRecord(first int64, frameEvery, historyEvery int64) *record {
	s := r.s
	k := &record{
		Format: recordFormat, Scene: s.Name, Digest: r.b.digest, FirstStep: first, Names: r.b.names, Walls: []string{}, Counts: []string{}, Measures: []string{},
		Output: outputRecord{frameEvery, historyEvery, s.output.states, s.output.contacts, max(s.output.checkpoint, 0), []string{}},
		Parts:  r.b.parts,
	}
	for i := range s.walls {
		k.Walls = append(k.Walls, s.walls[i].name)
	}
	for i := range s.counts {
		k.Counts = append(k.Counts, s.counts[i].String())
	}
	for i := range s.measures {
		k.Measures = append(k.Measures, s.measures[i].text)
	}
	for _, name := range frameFields {
		if s.output.fields[name] {
			k.Output.Fields = append(k.Output.Fields, name)
		}
	}
	return k
}

// hashNames returns the SHA-256 of the names of the moving bodies.
func (b *Built) hashNames() string {
	sum := sha256.New()
	d := digester{w: bufio.NewWriterSize(sum, 1<<16)}
	for _, row := range b.rows(false) {
		d.text(b.World.Bodies().Name[row])
	}
	_ = d.w.Flush() // Writing to a hash never fails.
	return hex.EncodeToString(sum.Sum(nil))
}

// readRecord reads the record of the folder. It returns nil if there is none.
func (f *folder) readRecord() (*record, error) {
	path := f.path(recordName)
	if err := disk.Regular(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, mark.Errorf(ErrInput, "%w", err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, mark.Errorf(ErrInput, "%w", err)
	}
	var k record
	if f := readObject(text, &k); f != nil {
		return nil, &fault{file: path, line: f.line, what: f.what + ": the record of the run is damaged"}
	}
	if k.Format != recordFormat {
		return nil, &fault{file: path, key: "format", what: found(k.Format, strconv.Quote(recordFormat))}
	}
	return &k, nil
}

const (
	namesItem   = "names of the bodies" // a hash, not shown to users
	everyItem   = "output.every"        // may depend on the length of the run
	historyItem = "output.history_every"
)

// items returns the values that all runs in a folder must share, with the keys of a scene file.
func (k *record) items() [][2]string {
	list := [][2]string{{"digest", k.Digest}, {namesItem, k.Names}}
	for i, name := range k.Walls {
		list = append(list, [2]string{fmt.Sprintf("walls[%d]", i), name})
	}
	for i, count := range k.Counts {
		list = append(list, [2]string{fmt.Sprintf("counts[%d]", i), count})
	}
	for i, measure := range k.Measures {
		list = append(list, [2]string{fmt.Sprintf("measure[%d]", i), measure})
	}
	o := &k.Output
	return append(list, [][2]string{
		{everyItem, fmt.Sprint(o.Every)}, {historyItem, fmt.Sprint(o.HistoryEvery)}, {"output.states_every", fmt.Sprint(o.StatesEvery)},
		{"output.contacts_every", fmt.Sprint(o.ContactsEvery)},
		{"output.checkpoint_every", fmt.Sprint(o.CheckpointEvery)}, {"output.fields", strings.Join(o.Fields, " ")},
	}...)
}

// differs returns a message with the first difference between the record of a folder and the record
// want of this run, or "" if both belong to the same run.
func (k *record) differs(want *record) string {
	if k.Digest != want.Digest {
		return fmt.Sprintf("these are results of another run, of scene %q with digest %.12s, expected %q with digest %.12s; %s",
			k.Scene, k.Digest, want.Scene, want.Digest, partsThatDiffer(k.Parts, want.Parts))
	}
	was, now := map[string]string{}, map[string]string{}
	for _, item := range k.items() {
		was[item[0]] = item[1]
	}
	for _, item := range want.items() {
		now[item[0]] = item[1]
	}
	for _, item := range append(want.items(), k.items()...) {
		switch key := item[0]; {
		case was[key] == now[key]:
		case key == namesItem:
			return "these are results of another run: the " + key + " are others"
		case key == everyItem || key == historyItem:
			return fmt.Sprintf("these are results of another run: %s: found %s, expected %s (one that a scene does not give goes by the number of steps)",
				key, named(was[key]), named(now[key]))
		default:
			return fmt.Sprintf("these are results of another run: %s: found %s, expected %s", key, named(was[key]), named(now[key]))
		}
	}
	return ""
}

// named returns a quoted value, or "none" for "".
func named(value string) string {
	if value == "" {
		return "none"
	}
	return strconv.Quote(shorten(value))
}

// writeJSON writes v as JSON to the file path.
func writeJSON(path string, v any) error {
	return fileio.WriteFile(path, func(w io.Writer) error {
		to := json.NewEncoder(w)
		to.SetIndent("", "  ")
		return to.Encode(v)
	})
}
