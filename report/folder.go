package report

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/scene"
)

// Folder is the folder of a run, as it was when Open read it.
type Folder struct {
	dir     string
	every   int64 // bodies whose number it divides are shown
	frames  []frameFiles
	missing []string

	scene   string
	summary *scene.Summary      // nil: the run goes on, or was killed
	state   string              // of the run: complete, interrupted, failed, running or killed
	names   [2]map[int64]string // of bodies and walls in all frames that were read
	titles  []string            // of history.csv
}

// frameFiles is a frame of series.pvd.
type frameFiles struct {
	Step   int64   `json:"step"`
	Time   float64 `json:"time"`             // s
	Broken bool    `json:"broken,omitempty"` // a part of it cannot be read

	bodies, walls, contacts string // files; "": none
}

// head is what the page knows of a run without its frames.
type head struct {
	Format    int               `json:"format"`
	Kind      string            `json:"kind"` // run or sweep
	Title     string            `json:"title"`
	Dir       string            `json:"dir"`
	Command   string            `json:"command"`
	Version   string            `json:"version"`
	Machine   string            `json:"machine"`
	Hash      string            `json:"hash"`
	Live      bool              `json:"live"` // from a server
	Done      bool              `json:"done"`
	Run       string            `json:"run"` // another text: another run
	State     string            `json:"state"`
	History   int64             `json:"history_bytes"`
	Planar    bool              `json:"planar,omitempty"` // dim = 2
	BodyNames map[int64]string  `json:"body_names,omitempty"`
	WallNames map[int64]string  `json:"wall_names,omitempty"`
	Frames    []frameFiles      `json:"frames"`
	FramesAll int               `json:"frames_all"`
	Missing   []string          `json:"missing"`
	Warnings  []string          `json:"warnings"`
	Summary   [][2]string       `json:"summary"`
	Scene     string            `json:"scene"`
	SceneName string            `json:"scene_name"`
	Stages    []stageMark       `json:"stages"`
	Measures  []measureMark     `json:"measures"`
	Units     map[string]string `json:"units"`
	Columns   []historyColumn   `json:"columns"`
	Runs      []sweepRun        `json:"runs,omitempty"`
	Table     [][]string        `json:"table,omitempty"` // sweep.csv
}

type stageMark struct {
	Name string  `json:"name"`
	Step int64   `json:"step"`
	Time float64 `json:"time"` // s
}

// measureMark is the region of a [[measure]], m.
type measureMark struct {
	Name string    `json:"name"`
	Box  []float64 `json:"box,omitempty"`  // lower and upper corner
	Ball []float64 `json:"ball,omitempty"` // centre and radius
}

type sweepRun struct {
	Label   string `json:"label"`
	Dir     string `json:"dir"`
	Missing string `json:"missing,omitempty"`
}

// The files of a run that tell that a folder is one.
var marks = []string{"run.json", "summary.json", historyName, fileio.SeriesName}

// Open reads what the folder dir of a run holds, but no frames. Of bodies, only those whose number everyBody divides are
// shown. A folder that is none of a run is an InputError; what is damaged or absent is named on the page.
func Open(dir string, everyBody int64) (*Folder, error) {
	f := &Folder{dir: dir, every: max(everyBody, 1)}
	if stat, err := os.Stat(dir); err != nil || !stat.IsDir() {
		return nil, &fileio.InputError{File: dir, Want: "the folder of a run, as scree run writes it", Err: err}
	}
	found := false
	for _, name := range marks {
		_, err := os.Stat(filepath.Join(dir, name))
		found = found || err == nil
	}
	if !found {
		return nil, &fileio.InputError{File: dir, Want: "the folder of a run, with " + strings.Join(marks, ", ")}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "summary.json")); errors.Is(err, fs.ErrNotExist) {
		if f.state = "killed"; disk.Locked(filepath.Join(dir, "run.lock")) {
			f.state = "running"
		} else {
			f.note("summary.json: the run was killed, or this folder is a part of its folder")
		}
	} else if f.summary = new(scene.Summary); err != nil || json.Unmarshal(text, f.summary) != nil {
		f.summary, f.state = nil, "killed"
		f.note("summary.json cannot be read")
	} else {
		switch s := f.summary; {
		case s.Error != "":
			f.state = "failed"
		case s.Interrupted:
			f.state = "interrupted"
		default:
			f.state = "complete"
		}
	}
	var err error
	if f.titles, err = historyTitles(dir); err != nil {
		f.note(err.Error())
	} else if f.titles == nil {
		f.note("history.csv: it is not there")
	}
	text, err := os.ReadFile(filepath.Join(dir, "scene.toml"))
	if f.scene = string(text); err != nil {
		f.note("scene.toml: the folder does not hold the scene; earlier versions of scree did not write it")
	} else if !strings.HasPrefix(f.scene, scene.Head) {
		f.scene = ""
		f.note("scene.toml: no run has written it, so the folder does not hold the scene of this run")
	}
	parts, err := fileio.ReadSeries(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.note(err.Error())
	}
	f.list(parts)
	if files, _ := filepath.Glob(filepath.Join(dir, "bodies-*.vtp")); len(files) > len(f.frames) && f.state != "running" { // The pattern is whole.
		f.note(fmt.Sprintf("%s lists %d of %d frames", fileio.SeriesName, len(f.frames), len(files)))
	}
	return f, nil
}

// note says what cannot be shown.
func (f *Folder) note(text string) { f.missing = append(f.missing, text) }

var bodiesName = regexp.MustCompile(`^bodies-(\d+)\.vtp$`)

// list makes frames of the parts that series.pvd names.
func (f *Folder) list(parts []fileio.SeriesFrame) {
	for _, p := range parts {
		if m := bodiesName.FindStringSubmatch(p.File); m != nil {
			if step, err := strconv.ParseInt(m[1], 10, 64); err == nil && !notFinite(p.Time) {
				f.frames = append(f.frames, frameFiles{Step: step, Time: p.Time, bodies: p.File})
			}
			continue
		}
		if len(f.frames) == 0 || filepath.Base(p.File) != p.File {
			continue
		}
		switch last := &f.frames[len(f.frames)-1]; p.Part {
		case "walls":
			last.walls = p.File
		case "contacts":
			last.contacts = p.File
		}
	}
}

// head returns the head of the page.
func (f *Folder) head() *head {
	dir, err := filepath.Abs(f.dir)
	if err != nil {
		dir = f.dir
	}
	h := &head{
		Format: 1, Kind: "run", Title: disk.Stem(dir), Dir: dir, Done: f.state != "running" && f.state != "", State: f.state, Frames: f.frames, FramesAll: len(f.frames),
		Missing: f.missing, Scene: f.scene, SceneName: disk.Stem(dir), Units: fieldUnits, Columns: []historyColumn{},
		Stages: []stageMark{}, Warnings: []string{}, Summary: [][2]string{}, BodyNames: f.names[0], WallNames: f.names[1],
	}
	h.Measures, h.Planar = f.fromScene()
	if stat, err := os.Stat(filepath.Join(f.dir, historyName)); err == nil {
		h.History = stat.Size()
	}
	record := filepath.Join(f.dir, "run.json")
	if stat, err := os.Stat(record); err == nil {
		h.Run = stat.ModTime().UTC().String()
	}
	var of struct{ Scene string }
	if text, err := os.ReadFile(record); err == nil && json.Unmarshal(text, &of) == nil && of.Scene != "" {
		h.Title, h.SceneName = of.Scene, of.Scene
	}
	if f.scene != "" {
		h.Command = fmt.Sprintf("scree run %s -o again.out", disk.ForShell(filepath.Join(dir, "scene.toml")))
	}
	if h.Frames == nil {
		h.Frames = []frameFiles{}
	}
	for _, title := range f.titles {
		h.Columns = append(h.Columns, describeColumn(title))
	}
	if s := f.summary; s != nil {
		h.Version, h.Hash = s.Version, s.StateHash
		h.Machine = fmt.Sprintf("%s, %d workers, %s", cmp.Or(s.Processor, "unknown processor"), s.Workers, s.Backend)
		if h.Command != "" {
			h.Command += fmt.Sprintf(" --steps %d", s.Steps)
		}
		if h.Command != "" && s.ChangedFrom != "" {
			h.Command += " --changed --restart " + disk.ForShell(s.ChangedFrom)
		}
		for _, g := range s.StageStarts {
			h.Stages = append(h.Stages, stageMark{fmt.Sprintf("stage %d", g.Stage), g.Step, g.Time})
		}
		h.Warnings = append(h.Warnings, s.Warnings...)
		ended := "complete"
		if s.Interrupted {
			ended = "interrupted by a signal"
		}
		h.Summary = append([][2]string{{"run", cmp.Or(s.Error, ended)}}, Words(s)...)
	}
	return h
}

// fromScene returns the regions of the measures of the scene, and whether it has two dimensions.
func (f *Folder) fromScene() (list []measureMark, planar bool) {
	var d struct {
		Dim     int
		Measure []struct {
			Name string
			Box  [][]float64
			Ball *struct {
				Centre []float64
				Radius float64
			}
		}
	}
	list = []measureMark{}
	if toml.Unmarshal([]byte(f.scene), &d) != nil {
		return list, false
	}
	for _, m := range d.Measure {
		switch {
		case len(m.Box) == 2 && len(m.Box[0]) == 3 && len(m.Box[1]) == 3:
			list = append(list, measureMark{Name: m.Name, Box: append(m.Box[0], m.Box[1]...)})
		case m.Ball != nil && len(m.Ball.Centre) == 3:
			list = append(list, measureMark{Name: m.Name, Ball: append(m.Ball.Centre, m.Ball.Radius)})
		}
	}
	return list, d.Dim == 2
}
