package inside

import (
	"math"
	"slices"
	"sync"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

// PosedSolid is a solid at a pose. Bodies may share a solid, whose prepared data serve all poses.
type PosedSolid struct {
	Solid *Solid   // the prepared mesh
	Pose  vec.Pose // of the mesh's frame; a zero rotation means the identity
}

// Box returns an axis-aligned box that contains the body, in the frame of the world.
func (b *PosedSolid) Box() vec.Box {
	pose, own := b.pose(), b.Solid.Report.Box
	half := own.Max.Scale(0.5).Sub(own.Min.Scale(0.5))
	middle := own.Min.Scale(0.5).Add(own.Max.Scale(0.5))
	m := pose.Rot.Mat3()
	at := m.MulVec(middle).Add(pose.Pos)
	reach := vec.Vec3{X: m.R0.Abs().Dot(half), Y: m.R1.Abs().Dot(half), Z: m.R2.Abs().Dot(half)}
	room := float64(boxRounding * (at.MaxAbs() + middle.MaxAbs() + half.MaxAbs()))
	reach = reach.Add(vec.Vec3{X: room, Y: room, Z: room})
	return vec.Box{Min: at.Sub(reach), Max: at.Add(reach)}
}

// boxRounding times the coordinates exceeds the rounding of a posed box and of a node: about twenty
// roundings, and as many in the norm of the quaternion. With a smaller value, a body's box may miss
// a node, and the neighbour search a pair. With a larger one, there are more pairs without hits.
const boxRounding = 0x1p-46

// Hit is a node of one body that lies in another body, or on its surface.
type Hit struct {
	Pair  int    // index of the pair
	Of    uint32 // the body whose node it is
	In    uint32 // the body that the node lies in
	Node  uint32 // index in Nodes of the solid of body Of
	Place Place  // Inside or On
}

// Nodes returns the distinct vertices of the mesh, in the order of the mesh. Tips of spikes and of
// triangles without area are not on the surface and are left out. The caller must not modify the nodes.
func (s *Solid) Nodes() []vec.Vec3 { return s.nodes }

// Meeting finds which nodes of bodies lie in other bodies. It reuses its memory between calls. It
// is safe for concurrent use, but only one call runs at a time.
type Meeting struct {
	mu      sync.Mutex
	pool    *sched.Pool
	tasks   []meetingTask
	costs   []float64
	workers []meetingWorker
	bodies  []PosedSolid
}

// meetingTask is a run of nodes of one body that are tested against another body.
type meetingTask struct {
	pair, first, last int
	of, in            uint32
	worker            int // the worker that did the task
	from, to          int // range of its hits in that worker's list
}

// meetingWorker is the scratch of one worker.
type meetingWorker struct {
	hits   []Hit
	points [meetingNodes]vec.Vec3
	nodes  [meetingNodes]uint32
	places [meetingNodes]Place
}

// meetingNodes is how many nodes are tested together.
const meetingNodes = 1024

// NewMeeting returns a Meeting that runs on the given number of workers, at most 1024. 0 means
// GOMAXPROCS.
func NewMeeting(workers int) *Meeting {
	m := &Meeting{pool: sched.New(min(workers, maxWorkers))}
	m.workers = make([]meetingWorker, m.pool.Workers())
	return m
}

// Close stops the workers. Afterwards Find runs on the calling goroutine alone.
func (m *Meeting) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pool.Close()
}

// Find appends the hits of each pair of bodies a[k] and b[k] to hits, and returns the extended
// slice. For each pair, it first appends the nodes of a[k] that lie in b[k] or on its surface, then
// the nodes of b[k] in a[k]. Pairs come from a neighbour search of the bodies' boxes
// (broad). Each node is transformed into the other body's frame, which rounds it, and is
// located there by that body's method. The hits do not depend on the number of workers.
//
// Errors wrap geometry.ErrValue or geometry.ErrNotFinite, and name the pair or body.
func (m *Meeting) Find(bodies []PosedSolid, a, b []uint32, hits []Hit) ([]Hit, error) {
	if len(a) != len(b) {
		return hits, mark.Errorf(geometry.ErrValue, "inside: %d and %d bodies of pairs, expected the same length", len(a), len(b))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tasks, m.costs = m.tasks[:0], m.costs[:0]
	for k := range a {
		for _, body := range [2]uint32{a[k], b[k]} {
			if int(body) >= len(bodies) {
				return hits, mark.Errorf(geometry.ErrValue, "inside: pair %d names body %d, expected 0 to %d", k, body, len(bodies)-1)
			}
			if err := bodies[body].check(int(body)); err != nil {
				return hits, err
			}
		}
		m.divide(bodies, k, a[k], b[k])
		m.divide(bodies, k, b[k], a[k])
	}
	for w := range m.workers {
		m.workers[w].hits = m.workers[w].hits[:0]
	}
	m.bodies = bodies
	m.pool.ForTasks(m.costs, m)
	m.bodies = nil
	n := 0
	for _, t := range m.tasks {
		n += t.to - t.from
	}
	hits = slices.Grow(hits, n)
	for _, t := range m.tasks {
		hits = append(hits, m.workers[t.worker].hits[t.from:t.to]...)
	}
	return hits, nil
}

// RotTolerance is the largest accepted deviation of a quaternion's norm from 1. Accepted
// quaternions are normalised, as in package engine.
// Smaller: short input is refused. Larger: mistakes pass.
const RotTolerance = 1e-3

// pose returns the pose with a unit quaternion.
func (b *PosedSolid) pose() vec.Pose {
	p := b.Pose.OrIdentity()
	p.Rot = p.Rot.Normalized()
	return p
}

// check rejects bodies that cannot be tested.
func (b *PosedSolid) check(row int) error {
	if b.Solid == nil {
		return mark.Errorf(geometry.ErrValue, "inside: body %d has no solid", row)
	}
	if !b.Pose.Pos.Finite() || !b.Pose.Rot.Finite() {
		return mark.Errorf(geometry.ErrNotFinite, "inside: body %d has pose %v, expected finite values", row, b.Pose)
	}
	if q := b.Pose.OrIdentity().Rot; math.Abs(q.Norm()-1) > RotTolerance {
		return mark.Errorf(geometry.ErrValue, "inside: body %d has rotation %v, expected a unit quaternion", row, q)
	}
	return nil
}

// divide makes the tasks that test the nodes of body of against body in.
func (m *Meeting) divide(bodies []PosedSolid, pair int, of, in uint32) {
	n := len(bodies[of].Solid.nodes)
	for first := 0; first < n; first += meetingNodes {
		last := min(first+meetingNodes, n)
		m.tasks = append(m.tasks, meetingTask{pair: pair, of: of, in: in, first: first, last: last})
		m.costs = append(m.costs, float64(last-first))
	}
}

// Task locates the nodes of one task. Nodes outside the other body's box are skipped.
func (m *Meeting) Task(task, worker int) {
	t, w := &m.tasks[task], &m.workers[worker]
	of, in := &m.bodies[t.of], &m.bodies[t.in]
	// The difference of the positions is rounded, not the positions: far from the origin they have
	// fewer digits than the bodies.
	own, to := of.pose(), in.pose()
	way, box := to.Rot.RotateInv(own.Pos.Sub(to.Pos)), &in.Solid.Report.Box
	turn := to.Rot.Conj().Mul(own.Rot).Mat3()
	n := 0
	for k, node := range of.Solid.nodes[t.first:t.last] {
		p := turn.MulVec(node).Add(way)
		w.points[n], w.nodes[n] = p, uint32(t.first+k)
		if box.Holds(p) {
			n++
		}
	}
	t.worker, t.from = worker, len(w.hits)
	in.Solid.with.Range(w.points[:n], w.places[:n], nil)
	for k, place := range w.places[:n] {
		if place != Outside {
			w.hits = append(w.hits, Hit{t.pair, t.of, t.in, w.nodes[k], place})
		}
	}
	t.to = len(w.hits)
}
