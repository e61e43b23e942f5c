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
	recordFormat = "scree run 1" // changes with the meaning of the record
)

// record says whose the rows and frames of a folder are: all that decides them but the length of
// the run. A run writes it before its first row. A restart goes on with a folder whose record is
// its own.
type record struct {
	Format    string       `json:"format"`
	Scene     string       `json:"scene"`      // its name, for people; it may change
	Digest    string       `json:"digest"`     // of what decides the bits of the run
	FirstStep int64        `json:"first_step"` // of the rows and frames: 0, or that of a checkpoint from elsewhere
	Names     string       `json:"names"`      // SHA-256 of the bodies' names
	Walls     []string     `json:"walls"`      // their names
	Counts    []string     `json:"counts"`     // their names and regions
	Output    outputRecord `json:"output"`

	Parts map[string]string `json:"parts,omitempty"` // of the digest, for messages
}

// outputRecord is the [output] of a scene, with its defaults.
type outputRecord struct {
	Every           int64    `json:"every"`
	HistoryEvery    int64    `json:"history_every"`
	StatesEvery     int64    `json:"states_every"`
	CheckpointEvery int64    `json:"checkpoint_every"`
	Fields          []string `json:"fields"`
}

// newRecord returns that of a run.
func (r *runner) newRecord(first int64, frameEvery, historyEvery int64) *record {
	s := r.s
	k := &record{
		Format: recordFormat, Scene: s.Name, Digest: r.b.digest, FirstStep: first, Names: r.b.names(), Walls: []string{}, Counts: []string{},
		Output: outputRecord{frameEvery, historyEvery, s.output.states, s.output.checkpoint, []string{}},
		Parts:  r.b.parts,
	}
	for i := range s.walls {
		k.Walls = append(k.Walls, s.walls[i].name)
	}
	for i := range s.counts {
		k.Counts = append(k.Counts, s.counts[i].String())
	}
	for _, name := range frameFields {
		if s.output.fields[name] {
			k.Output.Fields = append(k.Output.Fields, name)
		}
	}
	return k
}

// names returns a SHA-256 of the names of the bodies that move.
func (b *Built) names() string {
	sum := sha256.New()
	d := digester{w: bufio.NewWriterSize(sum, 1<<16)}
	for _, name := range b.World.Bodies().Name[:b.moving] {
		d.text(name)
	}
	_ = d.w.Flush() // A hash takes everything.
	return hex.EncodeToString(sum.Sum(nil))
}

// readRecord reads the record of the folder, nil if it has none.
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
		return nil, &fault{file: path, line: f.lineIn(text), what: f.what + ": the record of the run is damaged"}
	}
	if k.Format != recordFormat {
		return nil, &fault{file: path, key: "format", what: found(k.Format, strconv.Quote(recordFormat))}
	}
	return &k, nil
}

const (
	namesItem   = "names of the bodies" // whose value tells a reader nothing
	everyItem   = "output.every"        // these two may depend on the length of the run
	historyItem = "output.history_every"
)

// items returns what has to be the same in every run that writes to a folder, under the keys of a
// scene.
func (k *record) items() [][2]string {
	list := [][2]string{{"digest", k.Digest}, {namesItem, k.Names}}
	for i, name := range k.Walls {
		list = append(list, [2]string{fmt.Sprintf("walls[%d]", i), name})
	}
	for i, count := range k.Counts {
		list = append(list, [2]string{fmt.Sprintf("counts[%d]", i), count})
	}
	o := &k.Output
	return append(list, [][2]string{
		{everyItem, fmt.Sprint(o.Every)}, {historyItem, fmt.Sprint(o.HistoryEvery)}, {"output.states_every", fmt.Sprint(o.StatesEvery)},
		{"output.checkpoint_every", fmt.Sprint(o.CheckpointEvery)}, {"output.fields", strings.Join(o.Fields, " ")},
	}...)
}

// differs says by name in what the run of a folder is another than this one, "" where it is this
// one.
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

// named quotes a value that is there.
func named(value string) string {
	if value == "" {
		return "none"
	}
	return strconv.Quote(shorten(value))
}

// writeJSON writes a value under a name.
func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("scene: %s: %w", path, err)
	}
	return fileio.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}
