package scene

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/narrow"
)

// checkpointFormat identifies the meaning of header and columns. Any change of them must change it.
const checkpointFormat = "scree world 1"

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
}

// CheckpointName returns the name of the checkpoint file of a step, within the folder of a run.
func CheckpointName(step int64) string { return fmt.Sprintf("checkpoint-%08d.scree", step) }

// onInterval reports whether an uninterrupted run saves a checkpoint at this step.
func (r *runner) onInterval(step int64) bool {
	every := r.s.output.checkpoint
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
	if err := fileio.WriteCheckpoint(path, header, append(state, r.means.state()...)); err != nil {
		return err
	}
	r.saved = step
	return r.out.dropInterim(step)
}

// restore loads a checkpoint into the world. It rejects a checkpoint of another scene.
func (r *runner) restore(path string) error {
	if r.s.method == narrow.FDSPaper {
		return &fault{file: r.s.Path, key: "contact.method", what: `is "fds-paper", expected another method for a restart: its lists of contacts are in no checkpoint`}
	}
	raw, cols, err := fileio.ReadCheckpoint(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &fault{file: path, what: "does not exist, expected a checkpoint", cause: err}
	}
	if err != nil {
		// The error text already contains the file name.
		return mark.Errorf(ErrInput, "%w", err)
	}
	var h checkpointHeader
	if f := readObject(raw, &h); f != nil {
		return &fault{file: path, key: "header", what: f.what}
	}
	switch {
	case h.Format != checkpointFormat:
		return &fault{file: path, key: "format", what: found(h.Format, fmt.Sprintf("%q", checkpointFormat))}
	case h.Digest != r.b.digest:
		return &fault{file: path, what: fmt.Sprintf(
			"is of another scene, %q with digest %.12s, expected %q with digest %.12s; %s",
			h.Scene, h.Digest, r.s.Name, r.b.digest, partsThatDiffer(h.Parts, r.b.parts))}
	case h.Step > r.steps:
		return &fault{file: path, what: fmt.Sprintf("is of step %d, expected one of step %d at most, where the run ends; to go on, give a later time.end, or more time.steps",
			h.Step, r.steps)}
	}
	own, cols := splitRun(cols)
	if err := r.means.restore(own); err != nil {
		return &fault{file: path, what: err.Error(), cause: err}
	}
	r.b.toIDs(cols)
	if err := r.w.Restore(cols); err != nil {
		return &fault{file: path, what: mark.WithoutPackage(err.Error()), cause: err}
	}
	if err := r.checkRestored(&h); err != nil {
		return &fault{file: path, what: err.Error(), cause: err}
	}
	r.worst, r.noticed = h.WorstPenetration, h.Warnings
	if disk.SameFile(path, filepath.Join(r.o.Dir, CheckpointName(h.Step))) {
		r.saved = h.Step
	}
	return nil
}

// checkRestored rejects a state that does not belong to the step of its header, and a state with
// energies that are not finite.
func (r *runner) checkRestored(h *checkpointHeader) error {
	step, time := r.w.Steps(), r.w.Time()
	if step != h.Step || time != h.Time || step > maxSteps || math.Round(time/r.s.Dt) != float64(step) {
		return fmt.Errorf("step %d and time %g s in the header, step %d and time %g s in the columns, expected the same and a step of %g s",
			h.Step, h.Time, step, time, r.s.Dt)
	}
	m := r.w.Measure()
	return checkFinite(&m)
}
