package overlap

import (
	"math/bits"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
)

// BatchRows is how many overlaps of a type are collected before they are answered: as many as stay
// in the first-level cache.
const BatchRows = 32

// Batch is overlaps of one type on their way to their answers, a pair a lane. It is filled by
// Batches.Add, answered by Solve, read by At, and empty again after Clear. Its answers have the
// bits of Clipper.Share.
type Batch struct {
	typed
	n  int
	of [BatchRows]uint32
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
		b.all[k].typed = newTyped(shape(k))
	}
	return b
}

// Begin says which bodies the pairs are of, which shapes these have, and the rows of their poses (soa.Bodies.GatherPoses), which must be
// up to date when Solve is called. It is called before the first Add, and again whenever bodies or shapes were added or removed; there must
// be none in the batches.
func (b *Batches) Begin(shapes *soa.Shapes, bodies *soa.Bodies, poses []float64) {
	if b.bodies = bodies; len(shapes.Corners) == 0 {
		return // no block
	}
	for k := range b.all {
		b.all[k].lookUp(shapes, poses)
	}
}

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
	to, i := b.next(s, of)
	clear := b.clearOf(va, bodyA, vb, bodyB)
	if s < prism4 {
		to.facet(i, uint32(bodyA), uint32(bodyB), va, vb, guess.Facet, clear)
		return to
	}
	radius := b.bodies.Radius[bodyA]
	if vb.Kind != soa.Plane { // which does not turn
		radius = min(radius, b.bodies.Radius[bodyB])
	}
	to.prism(i, uint32(bodyA), uint32(bodyB), &guess.Prism, firstPlanes(va, vb), noPlane, facesOf(va), facesOf(vb), clear, radius)
	return to
}

// AddHeld is Add for the prism of a pair that Batch.Budget holds proven, but for coplanar planes.
func (b *Batches) AddHeld(of uint32, bodyA, bodyB soa.Body, va, vb *soa.View, proven *soa.Prism, coplanars uint8) *Batch {
	s, first := held4+sizeOf(int(proven.Sides)), firstPlanes(va, vb)
	if coplanars != 0 {
		s = coplanar4
	}
	to, i := b.next(s, of)
	to.held(i, uint32(bodyA), uint32(bodyB), proven, first)
	if coplanars != 0 {
		to.coplanar(i, proven, first, coplanars, facesOf(va), facesOf(vb), b.clearOf(va, bodyA, vb, bodyB))
	}
	return to
}

// next returns the next row of a type's batch, and the batch; of is the number of the pair.
func (b *Batches) next(s shape, of uint32) (to *Batch, row int) {
	to = &b.all[s]
	row = to.n
	to.n++
	to.of[row] = of
	return to, row
}

// clearOf is that of a Clipper.
func (b *Batches) clearOf(va *soa.View, a soa.Body, vb *soa.View, g soa.Body) float64 {
	if vb.Kind == soa.Plane {
		return clearOfPlane(va, b.bodies.Pos.At(int(a)), b.bodies.Pos.At(int(g)))
	}
	return float64(shareClear * (va.Radius + vb.Radius))
}

// Full reports whether there is no room for another pair.
func (b *Batch) Full() bool { return b.n == BatchRows }

// Len returns how many pairs there are.
func (b *Batch) Len() int { return b.n }

// Clear takes all pairs out.
func (b *Batch) Clear() { b.n = 0 }

// WriteTo has the next Solve write to rows of columns, of which BatchRows are there from the first: of pair i to row first+i.
func (b *Batch) WriteTo(to *Columns, first int) {
	for k := range to {
		b.shares.Answers[answerOf(k)] = to[k][first:][:BatchRows]
	}
}

// Solve answers the pairs. The last one fills the last register, which may be a narrow one.
func (b *Batch) Solve() {
	if b.n == 0 {
		return
	}
	lanes := asm.LeastLanes()
	end := (b.n + lanes - 1) / lanes * lanes
	for _, words := range [2][][]uint32{b.shares.Bodies[:], b.shares.At[:]} {
		for _, w := range words {
			for i := b.n; i < end; i++ {
				w[i] = w[b.n-1] // Other rows may be of bodies that are gone.
			}
		}
	}
	b.solve(0, end)
}

// Of returns the number that pair i was added with.
func (b *Batch) Of(i int) uint32 { return b.of[i] }

// At writes the overlap of pair i to s if it is known, and reports whether it is. Where it is not,
// Clipper.Share has to be asked.
func (b *Batch) At(i int, s *Shared) (known bool) { return b.get(i, s) }

// Known reports whether the overlap of pair i is known.
func (b *Batch) Known(i int) bool { return b.shares.Answers[asm.ShareKnown][i] != 0 }

// Thickness returns Shared.Thickness of pair i, which is known.
func (b *Batch) Thickness(i int) float64 { return b.shares.Answers[asm.ShareThickness][i] }

// Drop takes pair i out, and its answers. The last pair becomes pair i.
func (b *Batch) Drop(i int) {
	b.n--
	for _, answers := range b.shares.Answers {
		answers[i] = answers[b.n]
	}
	b.of[i], b.shares.Budget[i], b.shares.Coplanars[i] = b.of[b.n], b.shares.Budget[b.n], b.shares.Coplanars[b.n]
}

// Held reports whether the pairs are prisms that were proven before.
func (b *Batch) Held() bool { return b.shape >= held4 }

// Budget returns by how much the odometers of pair i, which is known, may advance before its
// features are proven anew; 0 where that is due in each step. coplanars has a bit for each plane that AddHeld
// proves in each step all the same: one of B that is that of a face of A, but for rounding.
func (b *Batch) Budget(i int) (budget float64, coplanars uint8) {
	if b.shape < prism4 || b.Held() {
		return 0, 0
	}
	coplanars = uint8(b.shares.Coplanars[i])
	if coplanars != 0 && (b.shape != prism4 || bits.OnesCount8(coplanars) > asm.ShareCoplanars) {
		return 0, 0
	}
	return max(b.shares.Budget[i], 0), coplanars
}

// Tried returns those of a pair's features that the batch asks for.
func (b *Batch) Tried(guess *Features) Features {
	if b.shape >= prism4 {
		return Features{Prism: guess.Prism}
	}
	return Features{Facet: guess.Facet}
}
