package scene

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/mark"
)

// checkpointFormat names the meaning of a checkpoint's header and columns; it changes with them.
const checkpointFormat = "scree world 1"

// checkpointHeader stands in front of the columns of engine.World.State, as JSON.
type checkpointHeader struct {
	Format           string  `json:"format"`
	Version          string  `json:"version"` // of the program, for people: the format decides
	Scene            string  `json:"scene"`   // its name, for people
	Digest           string  `json:"digest"`  // of what decides the bits of the run
	Step             int64   `json:"step"`
	Time             float64 `json:"time"`
	WorstPenetration float64 `json:"worst_penetration"` // m, up to here

	Warnings []string `json:"warnings,omitempty"` // of the world up to here
	Interim  bool     `json:"interim,omitempty"`  // off the interval of checkpoints: the run ended here

	Parts map[string]string `json:"parts,omitempty"` // of the digest, for messages
}

func checkpointName(step int64) string { return fmt.Sprintf("checkpoint-%08d.scree", step) }

// onInterval reports whether a run that is not interrupted saves a checkpoint at a step.
func (r *runner) onInterval(step int64) bool {
	every := r.s.output.checkpoint
	return every > 0 && step%every == 0
}

// save writes a checkpoint of the world as it is, when all else of the folder is on the disk.
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
	state := r.w.State()
	cols := make([]fileio.Column, len(state))
	for i, c := range state {
		cols[i] = fileio.Column{Name: c.Name, F64: c.F64, U32: c.U32, U16: c.U16, U8: c.U8}
	}
	path, err := r.out.place(checkpointName(step))
	if err != nil {
		return err
	}
	if err := fileio.WriteCheckpoint(path, header, cols); err != nil {
		return err
	}
	r.saved = step
	return r.out.dropInterim(step)
}

// restore puts the world of a checkpoint back. One of another scene is refused.
func (r *runner) restore(path string) error {
	raw, cols, err := fileio.ReadCheckpoint(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &fault{file: path, what: "does not exist, expected a checkpoint", cause: err}
	}
	if err != nil {
		// Its text names the file already.
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
	case h.Step >= r.steps:
		return &fault{file: path, what: fmt.Sprintf("is of step %d, expected one before step %d, where the run ends", h.Step, r.steps)}
	}
	state := make([]engine.Column, len(cols))
	for i, c := range cols {
		state[i] = engine.Column{Name: c.Name, F64: c.F64, U32: c.U32, U16: c.U16, U8: c.U8}
	}
	if err := r.w.Restore(state); err != nil {
		return &fault{file: path, what: mark.WithoutPackage(err.Error()), cause: err}
	}
	if err := r.checkRestored(&h); err != nil {
		return &fault{file: path, what: err.Error(), cause: err}
	}
	r.worst, r.noticed = h.WorstPenetration, h.Warnings
	return nil
}

// checkRestored refuses a state that is not of its header's step, and one whose energies are not
// finite.
func (r *runner) checkRestored(h *checkpointHeader) error {
	step, time := r.w.Steps(), r.w.Time()
	switch {
	case step != h.Step || time != h.Time || step > maxSteps || math.Round(time/r.s.Dt) != float64(step):
		return fmt.Errorf("step %d and time %g s in the header, step %d and time %g s in the columns, expected the same and a step of %g s",
			h.Step, h.Time, step, time, r.s.Dt)
	}
	m := r.w.Measure()
	if worst, most := h.WorstPenetration, r.w.DeepestOverlap(); !(worst >= m.Penetration && worst <= most) {
		return fmt.Errorf("the worst penetration is %g m, expected %.3g m, that of the contacts, to %.3g m", worst, m.Penetration, most)
	}
	if err := r.checkSpeeds(step); err != nil {
		return err
	}
	return checkFinite(&m)
}

// speedRoom is how much more, of the lengths at hand, than a body has moved in all it may seem to
// have moved in its last step: the odometer counts the way between stored positions, and the
// velocity of the half step is found again from that of the whole one. Smaller, and a state that
// a run has left may be refused.
const speedRoom = 0x1p-40

// checkSpeeds refuses bodies that would have moved farther in the last step than they have in all.
func (r *runner) checkSpeeds(steps int64) error {
	if steps == 0 {
		return nil
	}
	b, dt := r.w.Bodies(), r.s.Dt
	for i, inverse := range b.InvMass {
		if inverse == 0 {
			continue
		}
		v := b.Vel.At(i)
		kick := r.s.gravity.AddScaled(inverse, b.Force.At(i)).Scale(0.5 * dt)
		way := float64(dt * v.Sub(kick).Norm())
		room := float64(speedRoom * (b.Pos.At(i).Norm() + float64(dt*(v.Norm()+kick.Norm()))))
		if moved := b.Odometer[i]; !(way <= moved+room) {
			return fmt.Errorf("body %d%s has the velocity %v m/s, which took it %.3g m in its last step, expected at most the %.3g m that it has moved in all",
				i, bodyName(b.Name[i]), v, way, moved)
		}
	}
	return nil
}

// bodyName returns the name of a body for a message, if it has one.
func bodyName(name string) string {
	if name == "" {
		return ""
	}
	return " (" + name + ")"
}
