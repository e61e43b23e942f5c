package scene

import (
	"cmp"
	"context"
	"errors"
	"math"

	"github.com/scree-dem/scree/engine"
)

// Report describes what a run of a scene would do and need. Check returns it without a run.
type Report struct {
	Scene    string  `json:"scene"`            // name of the scene
	Bodies   int     `json:"bodies"`           // moving bodies
	Poured   int64   `json:"poured,omitempty"` // bodies that pours bring, at most
	Walls    int     `json:"walls"`            // walls, fixed or with a motion
	Pieces   int     `json:"pieces"`           // pieces of bodies and walls
	Steps    int64   `json:"steps"`            // steps of the whole run
	Dt       float64 `json:"dt"`               // s
	DtStable float64 `json:"dt_stable"`        // s, longest accepted time step; 0 if no two bodies can meet
	DtAdvise float64 `json:"dt_advised"`       // s, longest advised time step; 0 if no two bodies can meet

	Memory      uint64  `json:"memory_bytes"`      // estimate for bodies and shapes
	HeapMemory  uint64  `json:"heap_memory_bytes"` // estimate that includes the pairs of a heap
	Frames      int64   `json:"frames"`            // number of times that bodies, contacts and walls are drawn
	Rows        int64   `json:"rows"`              // rows of history.csv, states.csv and contacts.csv together; contacts as many as a heap has
	Checkpoints int64   `json:"checkpoints"`       // checkpoints at intervals and at the end
	DiskMost    uint64  `json:"disk_bytes"`        // upper estimate for frames (before compression, which more than halves them), rows and checkpoints
	Active      int     `json:"active"`            // active contacts at the start
	Deepest     float64 `json:"penetration"`       // m, deepest penetration at the start

	Clumps   []ClumpReport `json:"clumps,omitempty"` // shapes that are clumps
	Warnings []string      `json:"warnings"`         // warnings at the start of a run
}

// Approximate sizes in bytes: a row of a table, and the columns of a wall and of a measure in a row; a contact in a
// frame; a body and a contact in a checkpoint. And the number of contacts of a body in a heap.
const (
	rowBytes        = 400
	wallRowBytes    = 10 * 20
	measureRowBytes = 16 * 20
	dotBytes        = 15 * 8
	checkpointBytes = 23 * 8
	contactBytes    = 20 * 8
	heapContacts    = 6 // of a body in a heap
)

// mostCounted is the largest number of rows or bytes in a report.
const mostCounted = 1 << 62

// wallFrame returns the size of the walls in a frame before compression, in bytes: a polygon for each
// facet, and a square for a plane.
func (s *Scene) wallFrame() (sum uint64) {
	for i := range s.walls {
		if f := s.walls[i].facets; f != nil {
			sum += uint64(32*f.NCorners() + 12*f.Len())
			continue
		}
		sum += 4*32 + 12
	}
	return sum
}

// frameBytes estimates the size of a frame before compression, in bytes, and of the walls that are
// drawn once. Walls that move are in every frame.
func (s *Scene) frameBytes(contacts uint64) (frame, walls uint64) {
	frame, walls = s.frameMemory()/frameCopies+contacts*dotBytes, s.wallFrame()
	if s.moves() {
		return frame + walls, 0
	}
	return frame, walls
}

// rowsOf returns the number of rows or frames for an interval of every steps: at the first step, at
// the multiples of every, and at the last step. With every = 0 there are two.
func (r *runner) rowsOf(every int64) int64 {
	if every == 0 {
		return 2
	}
	return 1 + (r.steps+every-1)/every
}

// Check builds the world of the scene, computes the forces at the start, and reports what a run
// would do and need. It writes nothing. It returns the errors that Run would return before its
// first step. o.Steps is as in Run.
func Check(ctx context.Context, s *Scene, o Options) (*Report, error) {
	s = cmp.Or(s, &Scene{})
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
		Scene: s.Name, Bodies: r.b.moving(), Poured: s.most() - s.moving, Walls: len(r.b.walls), Pieces: r.w.Pieces().Len(),
		Steps: r.steps, Dt: s.Dt, DtStable: finite(limit.Stable), DtAdvise: finite(min(limit.Advised, limit.Packed)),
		Memory: memory.Shapes + memory.Bodies, HeapMemory: memory.Shapes + memory.Heap,
		Active: m.Active, Deepest: m.Penetration, Clumps: s.clumpReports(), Warnings: append(append([]string{}, r.early...), r.w.Warnings()...),
	}
	every, history := r.intervals()
	if every > 0 {
		rep.Frames = r.rowsOf(every)
	}
	// In float64, because the longest run has more rows and bytes than whole numbers count.
	rows := float64(r.rowsOf(history)) + float64(float64(r.rowsOf(s.output.states))*float64(s.most()))
	switch every := s.output.checkpoint; {
	case every > 0:
		rep.Checkpoints = r.rowsOf(every) - 1 // none at the first step
	case every < 0:
		rep.Checkpoints = 1
	}
	contacts := uint64(max(m.Active, heapContacts*int(s.most())))
	if every := s.output.contacts; every > 0 {
		rows += float64(float64(r.rowsOf(every)) * float64(contacts))
	}
	rep.Rows = int64(min(rows, mostCounted))
	frame, walls := s.frameBytes(contacts)
	disk := float64(rows*rowBytes) + float64(float64(r.rowsOf(history))*float64(len(s.walls)*wallRowBytes+len(s.measures)*measureRowBytes)) +
		float64(float64(rep.Checkpoints)*float64(uint64(s.most())*checkpointBytes+contacts*contactBytes))
	if rep.Frames > 0 {
		disk += float64(float64(rep.Frames)*float64(frame)) + float64(walls)
	}
	rep.DiskMost = uint64(min(disk, mostCounted))
	if err := r.w.Fault(); err != nil && !errors.Is(err, engine.ErrPairs) {
		return nil, err
	}
	return rep, nil
}
