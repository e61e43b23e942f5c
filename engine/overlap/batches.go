package overlap

import (
	"math"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// BatchRows is how many overlaps of a type are collected before they are answered: as many as stay
// in the first-level cache.
const BatchRows = 32

// Batch is overlaps of one type on their way to their answers, a pair a lane. It is filled by
// Batches.Add, answered by Solve, read by At, and empty again after Clear. Its answers have the
// bits of Clipper.Share.
type Batch struct {
	shape shape
	n     int
	of    [BatchRows]uint32

	at     *asm.SharesAt // of corners and crossings, whose rows say where features stand
	prisms Typed         // of prisms, whose rows have the numbers
}

// Batches has a batch for each type. A worker keeps one. Methods allocate nothing once it is warm.
type Batches struct {
	all    [nShapes]Batch
	bodies *soa.Bodies
}

// NewBatches returns empty batches.
func NewBatches() *Batches {
	b := &Batches{}
	for k := range b.all {
		if b.all[k].shape = shape(k); b.all[k].looksUp() {
			b.all[k].at = asm.NewSharesAt(BatchRows)
		}
	}
	return b
}

// Begin says which bodies the pairs are of, and which shapes these have. It is called before the first
// Add, and again whenever bodies or shapes were added or removed; there must be none in the batches.
func (b *Batches) Begin(shapes *soa.Shapes, bodies *soa.Bodies) {
	b.bodies = bodies
	rims := shapes.RimNumbers()
	if len(rims) == 0 {
		return // no block
	}
	for k := range b.all {
		if !b.all[k].looksUp() {
			continue
		}
		s, v := b.all[k].at, &shapes.Verts
		s.Pos = [3][]float64{bodies.Pos.X, bodies.Pos.Y, bodies.Pos.Z}
		s.Rot = [4][]float64{bodies.Rot.W, bodies.Rot.X, bodies.Rot.Y, bodies.Rot.Z}
		s.Verts = [3][]float64{v.X, v.Y, v.Z}
		if len(s.Fans[0]) != len(shapes.Fans) || &s.Fans[0][0] != &shapes.Fans[0] || len(s.Rims[0]) != len(rims) || &s.Rims[0][0] != &rims[0] {
			s.SetTables(shapes.Fans, rims)
		}
	}
}

// looksUp says whether rows say where features stand.
func (b *Batch) looksUp() bool { return clipped < b.shape && b.shape < prism4 }

// All returns the batches.
func (b *Batches) All() []Batch { return b.all[:] }

// Add puts a pair of bodies of one piece each, number of of its tile, into the batch of the type that
// its features suppose, and returns this; nil where they suppose none. Where it is Full, it must be
// answered and cleared before the next.
func (b *Batches) Add(of uint32, bodyA, bodyB soa.Body, va, vb *soa.View, guess *Features) *Batch {
	s := prismShape(va, vb, &guess.Prism)
	if s == clipped {
		if s = shapeOf(va, vb, guess.Facet); s == clipped {
			return nil
		}
	}
	to := &b.all[s]
	i := to.n
	to.n++
	to.of[i] = of
	switch id := guess.Facet; {
	case s >= prism4:
		to.prisms.begin(s, BatchRows)
		to.prisms.setPrism(i, va, b.bodies.Pose(bodyA), vb, b.bodies.Pose(bodyB), &guess.Prism)
	case s == crossing:
		to.setCrossing(i, bodyA, bodyB, va, vb, id)
	case id.Kind == soa.FaceVertex:
		to.setCorner(i, bodyB, bodyA, vb, va, soa.Vertex(id.B), soa.Face(id.A), -1, b.bodies)
	default:
		to.setCorner(i, bodyA, bodyB, va, vb, soa.Vertex(id.A), soa.Face(id.B), 1, b.bodies)
	}
	return to
}

// setCorner writes row i: corner k of v on face f of g. sign is 1 where v is A's.
func (b *Batch) setCorner(i int, bodyV, bodyG soa.Body, v, g *soa.View, k soa.Vertex, f soa.Face, sign float64, bodies *soa.Bodies) {
	s, numbers := b.at, &b.at.Numbers
	s.Bodies[0][i], s.Bodies[1][i] = uint32(bodyV), uint32(bodyG)
	s.At[0][i] = v.FanOfVertex[k]
	numbers[7][i] = sign
	if g.Kind == soa.Plane {
		for side := range mostSides {
			s.At[1+side][i] = 0
		}
		numbers[0][i], numbers[1][i], numbers[2][i], numbers[3][i] = 0, 0, 1, 0
		numbers[4][i], numbers[5][i] = -math.MaxFloat64, math.MaxFloat64 // no side bounds it
		numbers[6][i] = clearOfPlane(v, bodies.Pos.At(int(bodyV)), bodies.Pos.At(int(bodyG)))
		return
	}
	first, last := rimAt(g, g.LoopFirst[f]), asm.RimNumbers*uint32(g.LoopLen[f]-1)
	for side := range mostSides {
		s.At[1+side][i] = first + min(asm.RimNumbers*uint32(side), last)
	}
	numbers[0][i], numbers[1][i], numbers[2][i], numbers[3][i] = g.NX[f], g.NY[f], g.NZ[f], g.D[f]
	numbers[4][i], numbers[5][i] = g.Rooms[f].Cot, g.Rooms[f].Depth
	numbers[6][i] = float64(shareClear * (v.Radius + g.Radius))
}

// setCrossing writes row i: two edges.
func (b *Batch) setCrossing(i int, bodyA, bodyB soa.Body, va, vb *soa.View, id soa.FacetID) {
	s := b.at
	s.Bodies[0][i], s.Bodies[1][i] = uint32(bodyA), uint32(bodyB)
	g, h := va.Edge[id.A], vb.Edge[id.B]
	s.At[0][i], s.At[1][i] = va.FirstVert+uint32(va.Tail[g]), va.FirstVert+uint32(va.Head(g))
	s.At[2][i], s.At[3][i] = vb.FirstVert+uint32(vb.Tail[h]), vb.FirstVert+uint32(vb.Head(h))
	s.At[4][i], s.At[5][i] = rimAt(va, g), rimAt(va, va.Twin[g])
	s.At[6][i], s.At[7][i] = rimAt(vb, h), rimAt(vb, vb.Twin[h])
	s.Numbers[6][i] = float64(shareClear * (va.Radius + vb.Radius))
}

// rimAt returns where the row of a half-edge starts in the table of rims.
func rimAt(v *soa.View, h soa.HalfEdge) uint32 { return asm.RimNumbers * (v.FirstHalf + uint32(h)) }

// Full says whether there is no room for another pair.
func (b *Batch) Full() bool { return b.n == BatchRows }

// Len returns how many pairs there are.
func (b *Batch) Len() int { return b.n }

// Clear takes all pairs out.
func (b *Batch) Clear() { b.n = 0 }

// Solve answers the pairs. What stands behind them fills the last register.
func (b *Batch) Solve() {
	if b.n == 0 {
		return
	}
	lanes := asm.Lanes()
	end := (b.n + lanes - 1) / lanes * lanes
	if !b.looksUp() {
		b.prisms.solve(0, end)
		return
	}
	for _, words := range [2][][]uint32{b.at.Bodies[:], b.at.At[:]} {
		for _, w := range words {
			for i := b.n; i < end; i++ {
				w[i] = w[b.n-1] // Other rows may be of bodies that are gone.
			}
		}
	}
	switch b.shape {
	case corner4:
		asm.ShareCornersAt4(b.at, 0, end)
	case corner8:
		asm.ShareCornersAt8(b.at, 0, end)
	case crossing:
		asm.ShareCrossingsAt(b.at, 0, end)
	}
}

// Of returns the number that pair i was added with.
func (b *Batch) Of(i int) uint32 { return b.of[i] }

// At writes the overlap of pair i to s if it is known, and says whether it is. Where it is not,
// Clipper.Share has to be asked.
func (b *Batch) At(i int, s *Shared) (known bool) {
	if !b.looksUp() {
		if known = b.prisms.known(i); known {
			b.prisms.get(i, false, vec.Vec3{}, s)
			s.thicken()
		}
		return known
	}
	c := &b.at.Answers
	if c[asm.ShareAnswers-1][i] == 0 {
		return false
	}
	three := func(k int) vec.Vec3 { return vec.Vec3{X: c[k][i], Y: c[k+1][i], Z: c[k+2][i]} }
	s.Volume, s.Centroid, s.Variance = c[0][i], three(1), c[10][i]
	s.Spread = vec.Sym3{XX: c[4][i], YY: c[5][i], ZZ: c[6][i], XY: c[7][i], XZ: c[8][i], YZ: c[9][i]}
	s.VariancePush, s.VarianceTurn, s.VolumePush, s.VolumeTurn = three(11), three(14), three(17), three(20)
	s.Thickness, s.Along = c[asm.ShareAtThickness][i], three(asm.ShareAtAlong)
	return true
}

// Tried returns those of a pair's features that the batch asks for.
func (b *Batch) Tried(guess *Features) Features {
	if !b.looksUp() {
		return Features{Prism: guess.Prism}
	}
	return Features{Facet: guess.Facet}
}
