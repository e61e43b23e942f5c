package scene

import (
	"context"
	"errors"
	"math"

	"github.com/scree-dem/scree/engine"
)

// Report is what a scene would be as a run, as Check found it without one.
type Report struct {
	Scene    string  `json:"scene"`      // its name
	Bodies   int     `json:"bodies"`     // that move
	Walls    int     `json:"walls"`      // moved or fixed
	Pieces   int     `json:"pieces"`     // of both
	Steps    int64   `json:"steps"`      // of the whole run
	Dt       float64 `json:"dt"`         // s
	DtStable float64 `json:"dt_stable"`  // s, the longest step that is accepted; 0 where no two bodies can meet
	DtAdvise float64 `json:"dt_advised"` // s, at most; 0 likewise

	Memory      uint64  `json:"memory_bytes"`      // of bodies and shapes, estimated
	HeapMemory  uint64  `json:"heap_memory_bytes"` // with the pairs of a heap
	Frames      int64   `json:"frames"`            // times that bodies, contacts and walls are drawn
	Rows        int64   `json:"rows"`              // of history.csv and states.csv together
	Checkpoints int64   `json:"checkpoints"`       // on the interval, and at the end; 0 for a scene without an interval
	DiskMost    uint64  `json:"disk_bytes"`        // that frames, rows and checkpoints take at most, estimated; frames shrink by more than half
	Active      int     `json:"active"`            // contacts at the start
	Deepest     float64 `json:"penetration"`       // m, the worst at the start

	Warnings []string `json:"warnings"` // those that a run would begin with
}

// Bytes, about: of a row of the tables, and of the columns of a wall in it; of a contact in a frame; of a body and of a contact
// in a checkpoint.
const (
	rowBytes        = 400
	wallRowBytes    = 6 * 20
	dotBytes        = 15 * 8
	checkpointBytes = 23 * 8
	contactBytes    = 20 * 8
)

// wallFrame returns what the walls of a frame take before they are compressed, bytes: a polygon for
// each facet, and a square for a plane.
func (s *Scene) wallFrame() (sum uint64) {
	for i := range s.walls {
		for _, t := range s.walls[i].templates {
			corners := max(len(t.Verts), 4)
			sum += uint64(32*corners + 12)
		}
	}
	return sum
}

// rowsOf returns how many rows, or frames, an interval makes: at the first step, at its
// multiples, and at the last step.
func (r *runner) rowsOf(every int64) int64 {
	if every == 0 {
		return 2
	}
	return 1 + (r.steps+every-1)/every
}

// Check writes nothing: it builds the world of the scene, computes the forces at the start, and
// tells what a run would be. Errors are those that Run has before its first step; steps is as in
// Options.
func Check(ctx context.Context, s *Scene, o Options) (*Report, error) {
	r := &runner{s: s, o: o, report: silent{}, steps: s.Steps}
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	defer r.b.Close()
	m, memory, limit := r.w.Measure(), s.Memory(), r.w.TimeStep()
	finite := func(x float64) float64 {
		if math.IsInf(x, 0) {
			return 0
		}
		return x
	}
	rep := &Report{
		Scene: s.Name, Bodies: r.b.moving, Walls: len(r.b.walls), Pieces: r.w.Pieces().Len(),
		Steps: r.steps, Dt: s.Dt, DtStable: finite(limit.Stable), DtAdvise: finite(limit.Advised),
		Memory: memory.Shapes + memory.Bodies, HeapMemory: memory.Shapes + memory.Heap,
		Active: m.Active, Deepest: m.Penetration, Warnings: append(append([]string{}, r.early...), r.w.Warnings()...),
	}
	every, history := r.intervals()
	if every > 0 {
		rep.Frames = r.rowsOf(every)
	}
	rep.Rows = r.rowsOf(history) + r.rowsOf(s.output.states)*int64(r.b.moving)
	if s.output.checkpoint > 0 {
		rep.Checkpoints = r.rowsOf(s.output.checkpoint) - 1 // none at the first step
	}
	contacts := uint64(max(m.Active, 6*r.b.moving)) // as in a heap
	frame, walls := memory.Frame/frameCopies+contacts*dotBytes, s.wallFrame()
	if s.moves() {
		frame += walls
		walls = 0
	}
	rep.DiskMost = uint64(rep.Rows)*rowBytes + uint64(r.rowsOf(history))*uint64(len(s.walls))*wallRowBytes +
		uint64(rep.Checkpoints)*(uint64(r.b.moving)*checkpointBytes+contacts*contactBytes)
	if rep.Frames > 0 {
		rep.DiskMost += uint64(rep.Frames)*frame + walls
	}
	if err := r.w.Fault(); err != nil && !errors.Is(err, engine.ErrPairs) {
		return nil, err
	}
	return rep, nil
}
