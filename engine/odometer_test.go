package engine

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// ulp returns the unit in the last place of x, or of 1e-3 for smaller values.
func ulp(x float64) float64 {
	x = max(math.Abs(x), 1e-3)
	return math.Nextafter(x, math.Inf(1)) - x
}

// somewhere returns a position with coordinates of about the size of x, the first one exactly.
func somewhere(r *rand.Rand, x float64) vec.Vec3 {
	return vec.V(x, x*r.Float64(), x*(r.Float64()-0.5)*float64(r.IntN(2)))
}

func direction(r *rand.Rand) vec.Vec3 {
	return vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Unit()
}

// stock holds the shapes of many worlds.
type stock struct{ cube, slab, rock, stone, ball, bead, facet, plane *soa.Template }

func newStock(t testing.TB) *stock {
	return &stock{
		cube: box(t, 1, 1, 1), slab: box(t, 0.4, 0.5, 0.3), rock: rock(t, 7, 16, 0.7), stone: rock(t, 5, 12, 0.3),
		ball: ball(t, 0.5), bead: ball(t, 0.2), facet: facet(t, vec.V(0, -2, -2), vec.V(0, 2, -2), vec.V(0, 0, 3)), plane: PlaneTemplate(),
	}
}

// clump returns pieces whose distance from their centre exceeds their size.
func (s *stock) clump(t testing.TB, w *World) []Part {
	t.Helper()
	turned := func(x, y, z float64) vec.Quat { return vec.FromRotationVector(vec.V(x, y, z)) }
	return []Part{
		{Shape: addShape(t, w, s.slab), Density: 1, Local: vec.Pose{Pos: vec.V(-2.1, 0.3, 0), Rot: turned(0.1, 0.2, 0.3)}},
		{Shape: addShape(t, w, s.stone), Density: 1, Local: vec.Pose{Pos: vec.V(1.7, 0.1, 0.9), Rot: turned(1, 0, 2)}},
		{Shape: addShape(t, w, s.bead), Density: 1, Local: vec.Pose{Pos: vec.V(0.1, 0.3, -1.3), Rot: vec.Identity}},
	}
}

// crawlers returns bodies and walls of all kinds about x m from the origin, far from each other.
// They move by 0.1 to 4 units in the last place per step of dt and turn by at least 1e-17 rad.
func crawlers(t *testing.T, shapes *stock, r *rand.Rand, x, dt float64) *World {
	w := newWorld(t, Config{}, force.Linear{Kn: 1})
	turned := func() vec.Quat { return vec.FromRotationVector(direction(r).Scale(3 * r.Float64())) }
	slow := func() (vel, spin vec.Vec3) {
		vel = direction(r).Scale((0.1 + 3.9*r.Float64()) * ulp(x) / dt)
		return vel, direction(r).Scale(math.Pow(10, -17+14*r.Float64()) / dt)
	}
	clump := shapes.clump(t, w)
	kinds := [][]Part{
		one(addShape(t, w, shapes.cube), 1), one(addShape(t, w, shapes.rock), 1), one(addShape(t, w, shapes.ball), 1), clump,
		{{Shape: clump[0].Shape, Density: 1, Local: vec.Pose{Rot: turned()}}},
	}
	for i := range 19 { // more than two vector registers
		vel, spin := slow()
		at := somewhere(r, x).Add(vec.V(20*float64(i), 0, 0))
		addBody(t, w, BodySpec{Parts: kinds[i%len(kinds)], Pose: vec.Pose{Pos: at, Rot: turned()}, Vel: vel, Spin: spin})
	}
	for i := range 3 {
		vel, spin := slow()
		m := Motion{Velocity: vel, Spin: spin, Centre: somewhere(r, x), Amplitude: direction(r).Scale(30 * ulp(x)), Frequency: 0.02 / dt}
		if i == 0 {
			m.Spin, m.Centre = vec.Vec3{}, vec.Vec3{}
		}
		at := somewhere(r, x).Add(vec.V(0, 30+20*float64(i), 0))
		// No wall may pass through a body in a step.
		m.Spin = m.Spin.Scale(min(1, 100/(m.Spin.Norm()*at.Sub(m.Centre).Norm()+1e-300)))
		addWall(t, w, WallSpec{Motion: m, Pose: vec.Pose{Pos: at, Rot: turned()}, Parts: []Part{
			{Shape: clump[0].Shape}, {Shape: addShape(t, w, shapes.facet)},
		}})
	}
	return w
}

// TestOdometersBoundTheWay checks the odometers of slowly moving bodies at the origin and far from
// it. They must bound the paths of the vertices of all pieces between any two steps, in exact
// arithmetic, for the poses that the narrow phase reads. For a piece with a pose of its own, the
// rounding of the pose is allowed for in addition.
func TestOdometersBoundTheWay(t *testing.T) {
	const n, dt, trials = 30, 1e-3, 8
	backends.Run(t, func(t *testing.T) {
		moved := 0
		for seed, x := range []float64{0, 1, 1e3, 1e6, 1e9} {
			r := rand.New(rand.NewPCG(83, uint64(seed)))
			w := crawlers(t, newStock(t), r, x, dt)
			pieces := w.space.Pieces.Len()
			poses, odometers, room := make([][]vec.Pose, n), make([][]float64, n), make([][]float64, n)
			for k := range n {
				steps(t, w, 1, dt)
				for p := range soa.Piece(pieces) {
					poses[k] = append(poses[k], w.space.Pieces.Pose(&w.bodies, p))
					odometers[k] = append(odometers[k], w.bodies.Odometer[w.space.Pieces.Body[p]])
					room[k] = append(room[k], w.space.Internals().PosedAllowance(p))
				}
			}
			for range trials {
				from, to := r.IntN(n), r.IntN(n)
				if to == from {
					continue
				} else if to < from {
					from, to = to, from
				}
				for p := range pieces {
					v := w.space.Shapes.View(w.space.Pieces.Shape[p])
					point := direction(r).Scale(v.Radius * (1 - 1e-15))
					if v.NVerts > 0 {
						point = v.Vert(soa.Vertex(r.IntN(v.NVerts)))
					}
					way := oracle.Way(point, poses[from][p], poses[to][p])
					if way.Sign() > 0 {
						moved++
					}
					b := oracle.Reals(odometers[to][p], odometers[from][p], room[from][p])
					if bound := b[0].Add(b[0].Sub(b[0], b[1]), b[2]); way.Cmp(bound) > 0 {
						t.Fatalf("%g m from the origin, piece %d (%v, own place %v), steps %d to %d: a point goes %.6g m, the odometer counts %.6g, with %g for rounding",
							x, p, w.space.Pieces.Kind[p], w.space.Pieces.Offset[p], from, to, way, new(big.Float).Sub(bound, b[2]), room[from][p])
					}
				}
			}
		}
		if moved < 1000 {
			t.Errorf("%d ways are not zero, expected more", moved)
		}
	})
}

// approach is a world of two bodies with the same parts, or a rock and a wall. The second
// approaches the first.
type approach struct {
	name  string
	parts func(t *testing.T, s *stock, w *World) []Part
	wall  bool
	rot   []vec.Quat // of the two bodies; nil means random
	turns bool       // approaches by turning, not by moving
}

func (s *stock) approaches() []approach {
	only := func(shape *soa.Template) func(*testing.T, *stock, *World) []Part {
		return func(t *testing.T, _ *stock, w *World) []Part { return one(addShape(t, w, shape), 1) }
	}
	clump := func(t *testing.T, s *stock, w *World) []Part { return s.clump(t, w) }
	opposite := []vec.Quat{vec.Identity, {Z: 1}}
	return []approach{
		{name: "cubes", parts: only(s.cube), rot: []vec.Quat{vec.Identity, vec.Identity}},
		{name: "rocks", parts: only(s.rock)},
		{name: "balls", parts: only(s.ball)},
		{name: "clumps", parts: clump, rot: opposite},
		{name: "turning clumps", parts: clump, rot: opposite, turns: true},
		{name: "wall of blocks", parts: only(s.slab), wall: true},
		{name: "wall of facets", parts: only(s.facet), wall: true},
		{name: "plane", parts: only(s.plane), wall: true},
	}
}

// build adds the bodies to the world, the second shift m beyond the first along x.
func (a *approach) build(t *testing.T, s *stock, w *World, r *rand.Rand, from, vel, spin vec.Vec3, shift float64) {
	parts, q, second := a.parts(t, s, w), a.rot, from.Add(vec.V(shift, 0, 0))
	if q == nil {
		q = []vec.Quat{vec.FromRotationVector(direction(r)), vec.FromRotationVector(direction(r).Scale(2))}
	}
	if !a.wall {
		addBody(t, w, BodySpec{Parts: parts, Pose: vec.Pose{Pos: from, Rot: q[0]}})
		addBody(t, w, BodySpec{Parts: parts, Pose: vec.Pose{Pos: second, Rot: q[1]}, Vel: vel, Spin: spin})
		return
	}
	addBody(t, w, BodySpec{Parts: one(addShape(t, w, s.rock), 1), Pose: vec.Pose{Pos: from, Rot: q[0]}})
	pose := vec.Pose{Pos: second, Rot: vec.FromRotationVector(vec.V(0.1, 0, 0))}
	if w.space.Shapes.Kind[parts[0].Shape] == soa.Plane {
		pose = PlanePose(second, vec.V(-1, 0, 0))
	}
	addWall(t, w, WallSpec{Parts: parts, Pose: pose, Motion: Motion{Velocity: vel}})
}

// leastGap returns the smallest gap of any two pieces of different bodies, by searches from
// scratch. If it exceeds reach, the result is a bound.
func (w *World) leastGap(search *narrow.Search, reach float64) float64 {
	least := math.Inf(1)
	for a := range soa.Piece(w.space.Pieces.Len()) {
		for b := range soa.Piece(w.space.Pieces.Len()) {
			if w.space.Pieces.Body[a] == w.space.Pieces.Body[b] || w.space.Pieces.Kind[a] > w.space.Pieces.Kind[b] || w.space.Pieces.Kind[a] == w.space.Pieces.Kind[b] && a > b {
				continue
			}
			var out narrow.Answer
			search.Resolve(w.space.Shapes.View(w.space.Pieces.Shape[a]), w.space.Pieces.Pose(&w.bodies, a), w.space.Shapes.View(w.space.Pieces.Shape[b]), w.space.Pieces.Pose(&w.bodies, b),
				reach, &out)
			least = min(least, out.Gap)
		}
	}
	return least
}

// TestContactsBeginInTheirStepFarFromTheOrigin lets bodies approach by 0.51 to 4 units in the last
// place per step. In every step there must be exactly the contacts that a search from scratch
// finds. A world restored from the state before the step, without any proofs, must have the same
// hash after the step.
func TestContactsBeginInTheirStepFarFromTheOrigin(t *testing.T) {
	s := newStock(t)
	backends.Run(t, func(t *testing.T) {
		for _, kind := range s.approaches() {
			t.Run(kind.name, func(t *testing.T) {
				unseen := int64(0)
				for seed, far := range []struct{ x, odometer float64 }{{1e3, 0}, {1e6, 0}, {1e9, 0}, {1e9, 1e9}, {1e3, 1e9}} {
					unseen += meet(t, s, &kind, uint64(seed), far.x, far.odometer)
				}
				if unseen < 50 && !kind.turns {
					t.Errorf("odometers have answered %d pairs, expected more", unseen)
				}
			})
		}
	})
}

// meet runs one of these approaches x m from the origin, with bodies whose odometers start at
// odometer. It returns how many pairs were answered by odometers alone.
func meet(t *testing.T, s *stock, kind *approach, seed uint64, x, odometer float64) int64 {
	t.Helper()
	const dt = 1e-3
	r, search := rand.New(rand.NewPCG(89, seed)), narrow.NewSearch()
	from := somewhere(r, x)
	speed := []float64{0.51, 1.51, 0.6, 0.51 + 3.4*r.Float64(), 0.7}[seed] * ulp(x)
	vel, spin := vec.V(-speed/dt, 0, 0), vec.Vec3{}
	if kind.turns {
		vel, spin = vec.Vec3{}, direction(r).Scale(0.01*ulp(x)/dt)
	}
	skin := []float64{0, 3 * ulp(x)}[r.IntN(2)]
	build := func(shift float64) *World {
		w := newWorld(t, Config{Skin: skin, NoLedger: true}, force.Linear{Kn: 1e-3})
		kind.build(t, s, w, rand.New(rand.NewPCG(97, seed)), from, vel, spin, shift)
		for i := range w.bodies.Odometer {
			w.bodies.Odometer[i] = odometer
		}
		return w
	}
	// Slightly farther apart than certificates allow for rounding.
	w, room := build(9), 1e-11
	for p := range soa.Piece(w.space.Pieces.Len()) {
		room = max(room, 2*w.space.Internals().PosedAllowance(p))
	}
	gap := room + float64(10+r.IntN(30))*ulp(x)
	if kind.turns {
		gap = 2 * ulp(x) * r.Float64()
	}
	shift := 9.0
	for more := shift; math.Abs(more) > ulp(x); w = build(shift) {
		more = w.leastGap(search, math.Inf(1)) - gap
		shift -= more
	}
	touched := 0
	for k := 0; touched < 5 && k < 2000 && !(kind.turns && k > 300); k++ {
		var state []Column
		if r.IntN(8) == 0 || touched > 0 {
			state = w.State()
		}
		steps(t, w, 1, dt)
		active, now := slices.Contains(w.space.Contacts.Active, true), w.leastGap(search, 0)
		if active != (now <= 0) {
			t.Fatalf("%g m from the origin at %g units in the last place a step, gap %g m at first: at a gap of %g after step %d contacts are %v",
				x, speed/ulp(x), gap, now, k, active)
		}
		if active {
			touched++
		}
		if state == nil {
			continue
		}
		fresh := build(shift)
		if err := fresh.Restore(state); err != nil {
			t.Fatal(err)
		}
		if steps(t, fresh, 1, dt); fresh.Hash() != w.Hash() {
			t.Fatalf("%g m from the origin at %g units in the last place a step, gap %g m at first: after step %d the hash is %016x, after a restart before it %016x",
				x, speed/ulp(x), gap, k, w.Hash(), fresh.Hash())
		}
	}
	if touched == 0 && !kind.turns {
		t.Errorf("%g m from the origin at %g units in the last place a step: the gap of %g does not close: %g", x, speed/ulp(x), gap, w.leastGap(search, 0))
	}
	return w.AnsweredBy().By[narrow.ByOdometer]
}

// TestWallsThatStopNeedNoRebuild checks that a wall's odometer stops with its motion, so that the
// candidate pairs remain valid.
func TestWallsThatStopNeedNoRebuild(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1})
	addWall(t, w, WallSpec{Pose: vec.IdentityPose, Parts: []Part{{Shape: addShape(t, w, box(t, 1, 1, 1))}},
		Motion: Motion{Velocity: vec.V(1, 0, 0), Spin: vec.V(0, 0.1, 3), To: 0.05}})
	addBody(t, w, BodySpec{Parts: one(addShape(t, w, ball(t, 0.1)), 1), Pose: at(0, 5, 0)})
	steps(t, w, 70, 1e-3)
	w.space.Broad().Forget() // the next rebuild finds the wall at rest
	steps(t, w, 1, 1e-3)
	before, odometer := w.AnsweredBy().Rebuilds, w.bodies.Odometer[0]
	if odometer < 0.05 {
		t.Fatalf("the wall's odometer is at %g m, expected one that has moved", odometer)
	}
	steps(t, w, 100, 1e-3)
	if n := w.AnsweredBy().Rebuilds - before; n > 0 || w.bodies.Odometer[0] != odometer {
		t.Errorf("%d rebuilds in 100 steps at rest, odometer from %v to %v", n, odometer, w.bodies.Odometer[0])
	}
}
