package scene

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// checkpointFormat identifies the meaning of header and columns. Any change of them must change it.
const checkpointFormat = "scree world 2"

// checkpointHeader is the header of a checkpoint, as JSON. The columns of engine.World.State
// follow.
type checkpointHeader struct {
	Format           string  `json:"format"`
	Version          string  `json:"version"` // version of the program, for people; Format decides compatibility
	Scene            string  `json:"scene"`   // name of the scene, for people
	Digest           string  `json:"digest"`  // hash of everything that determines the bits of the run
	Step             int64   `json:"step"`
	Time             float64 `json:"time"`
	WorstPenetration float64 `json:"worst_penetration"` // m, since the start of the run

	Warnings []string `json:"warnings,omitempty"` // warnings of the world since the start
	Interim  bool     `json:"interim,omitempty"`  // not on the checkpoint interval, because a run ended here

	Parts map[string]string `json:"parts,omitempty"` // hashes of the parts of the digest, for messages

	// For a restart that changes the scene.
	Stage    stageMark         `json:"stage"`
	Settings map[string]string `json:"settings"`       // texts of what is set, by key
	Kinds    map[string]string `json:"kinds"`          // of laws
	Walls    []wallMark        `json:"walls"`          // before the first forces
	Came     []string          `json:"came,omitempty"` // walls that are or were there
	Gravity  vec.Vec3          `json:"gravity"`        // m/s², of the scene at first
}

// CheckpointName returns the name of the checkpoint file of a step, within the folder of a run.
func CheckpointName(step int64) string { return fmt.Sprintf("checkpoint-%08d.scree", step) }

// onInterval reports whether an uninterrupted run saves a checkpoint at this step.
func (r *runner) onInterval(step int64) bool {
	every := r.output().checkpoint
	return every > 0 && step%every == 0
}

// save writes a checkpoint of the current state. Before that it syncs all rows and frames to disk.
func (r *runner) save() error {
	if err := r.out.settle(); err != nil {
		return err
	}
	step := r.w.Steps()
	header, err := json.Marshal(checkpointHeader{
		Format: checkpointFormat, Version: r.o.Version, Scene: r.s.Name, Digest: r.b.digest,
		Step: step, Time: r.w.Time(), WorstPenetration: r.worst,
		Warnings: r.noticed, Interim: !r.onInterval(step), Parts: r.b.parts,
		Stage: r.markNow(), Settings: r.settingTexts(), Kinds: r.s.lawsOf(r.mark.Number).kinds, Walls: r.wallMarks(), Came: r.cameNames(), Gravity: r.s.gravity,
	})
	if err != nil {
		return fmt.Errorf("scene: %w", err)
	}
	path, err := r.out.place(CheckpointName(step))
	if err != nil {
		return err
	}
	state := r.w.State()
	r.b.toNumbers(state)
	if err := fileio.WriteCheckpoint(path, header, append(state, r.saveRun()...)); err != nil {
		return err
	}
	r.saved = step
	return r.out.dropInterim(step)
}

// markNow returns the mark for a checkpoint. A run without stages has ended at its last step.
func (r *runner) markNow() stageMark {
	m := r.mark
	if len(r.s.stages) == 0 {
		m.Ended = true // Stages of another scene go on from here.
	}
	return m
}

// cameNames returns the names of the walls of the scene that are or were in the world.
func (r *runner) cameNames() (list []string) {
	for i, id := range r.b.walls {
		if id != noWall {
			list = append(list, r.s.walls[i].name)
		}
	}
	return list
}

// readCheckpoint reads the header and the columns of a checkpoint.
func (r *runner) readCheckpoint(path string) (*checkpointHeader, []engine.Column, error) {
	if r.s.method == narrow.FDSPaper {
		return nil, nil, &fault{file: r.s.Path, key: "contact.method", what: `is "fds-paper", expected another method for a restart: its lists of contacts are in no checkpoint`}
	}
	raw, cols, err := fileio.ReadCheckpoint(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, &fault{file: path, what: "does not exist, expected a checkpoint", cause: err}
	}
	if err != nil {
		// The error text already contains the file name.
		return nil, nil, mark.Errorf(ErrInput, "%w", err)
	}
	h := &checkpointHeader{}
	if f := readObject(raw, h); f != nil {
		return nil, nil, &fault{file: path, key: "header", what: f.what}
	}
	if h.Format != checkpointFormat {
		return nil, nil, &fault{file: path, key: "format", what: found(h.Format, fmt.Sprintf("%q; go on with the release that wrote it, or begin anew", checkpointFormat))}
	}
	if n := h.Stage.Number; n < 0 || n != len(h.Stage.Starts) {
		return nil, nil, &fault{file: path, key: "header", what: fmt.Sprintf("is in stage %d after %d starts of stages, expected as many", n, len(h.Stage.Starts))}
	}
	for i, start := range h.Stage.Starts {
		if start.Stage != i+1 || start.Step < 0 || start.Step > h.Step {
			return nil, nil, &fault{file: path, key: "header", what: fmt.Sprintf("has the start of stage %d at step %d as number %d, expected stages in order, up to step %d", start.Stage, start.Step, i+1, h.Step)}
		}
	}
	return h, cols, nil
}

// restore loads a checkpoint into the world. It rejects a checkpoint of another scene.
func (r *runner) restore(path string, h *checkpointHeader, cols []engine.Column) error {
	fail := func(err error) error { return &fault{file: path, what: mark.WithoutPackage(err.Error()), cause: err} }
	if n := r.o.UntilStage; n > 0 && n < h.Stage.Number {
		return fail(fmt.Errorf("is of stage %d, expected one of stage %d at most, after which the run is to end", h.Stage.Number, n))
	}
	switch {
	case r.o.Changed:
		if err := r.checkChanged(h); err != nil {
			return fail(err)
		}
	case h.Digest != r.b.digest:
		return &fault{file: path, what: fmt.Sprintf(
			"is of another scene, %q with digest %.12s, expected %q with digest %.12s; %s",
			h.Scene, h.Digest, r.s.Name, r.b.digest, partsThatDiffer(h.Parts, r.b.parts))}
	case h.Step > r.steps:
		return &fault{file: path, what: fmt.Sprintf("is of step %d, expected one of step %d at most, where the run ends; to go on, give a later time.end, or more time.steps",
			h.Step, r.steps)}
	}
	var own []engine.Column
	cols = slices.DeleteFunc(cols, func(c engine.Column) bool {
		isOwn := strings.HasPrefix(c.Name, runPrefix)
		if isOwn {
			own = append(own, c)
		}
		return isOwn
	})
	r.b.toIDs(cols)
	r.mark = h.Stage
	to, forgotten := r.s.lawsOf(r.mark.Number), map[string]bool{}
	var err error
	if r.o.Changed && h.Settings["law"] != to.text {
		err = r.w.RestoreUnder(cols, r.keptFrom(h.Kinds, to, forgotten))
	} else {
		err = r.w.Restore(cols)
	}
	if err != nil {
		return fail(err)
	}
	r.s.findWalls(r.b, h.Came)
	if err := cmp.Or(r.checkRestored(h), r.restoreRun(own)); err != nil {
		return fail(err)
	}
	r.worst, r.noticed = h.WorstPenetration, h.Warnings
	for _, pair := range inOrder(forgotten) {
		r.early = append(r.early, r.s.at.fault("law", "contacts of "+pair+" have another kind of law from now on, and forget their friction springs").Error())
	}
	if g := r.present(); g != nil {
		r.dt = g.dt
	}
	if disk.SameFile(path, filepath.Join(r.o.Dir, CheckpointName(h.Step))) {
		r.saved = h.Step
	}
	if r.o.Changed {
		if r.o.Steps > 0 {
			r.steps = r.o.Steps
		} else if len(r.s.stages) == 0 { // to time.end, with the present step
			r.steps = h.Step + max(int64(math.Ceil((float64(float64(r.s.Steps)*r.s.Dt)-h.Time)/r.s.Dt*(1-1e-12))), 0)
		} else {
			r.steps = r.latestStep(h.Step, h.Time)
		}
		return r.settleChanges(h)
	}
	return nil
}

// checkRestored rejects a state that does not belong to the step of its header, and a state with
// energies that are not finite.
func (r *runner) checkRestored(h *checkpointHeader) error {
	step, time := r.w.Steps(), r.w.Time()
	steady := len(r.s.stages) == 0 && !r.o.Changed && h.Stage.Number == 0
	if step != h.Step || time != h.Time || step > maxSteps || steady && math.Round(time/r.s.Dt) != float64(step) {
		return fmt.Errorf("step %d and time %g s in the header, step %d and time %g s in the columns, expected the same and a step of %g s",
			h.Step, h.Time, step, time, r.s.Dt)
	}
	m := r.w.Measure()
	return checkFinite(&m)
}
