package overlap

import "github.com/scree-dem/scree/soa"

// Proof says for how long a prism is proven.
type Proof struct {
	Budget float64 // m, by how much the odometers of both bodies may advance; 0 where it is to be proven in each step
	Until  float64 // m, the sum of both that they may come to
	// Flushes has a bit for each plane that is proven in each step all the same: one of B that is that of a face of A, but for rounding.
	Flushes uint8
}

// Place is where a pair is in Batches: the type, and the row of its batch. 0 is nowhere.
type Place uint32

// rowBits is how many bits of a Place are the row.
const rowBits = 24

// Batch is pairs whose overlaps are supposed to be of one type, a row each. Rows stay from step to step, until one is taken out. A Solver
// answers them.
type Batch struct {
	rows
	n        int
	of       []uint32  // the number of the pair
	proofs   []Proof   // of prisms
	radius   []float64 // m, of a block on a plane, whose margin of rounding follows its place; 0 for others
	onPlanes bool      // some have such a radius
	padded   bool      // rows behind the last pair are as the last one, to the end of a register
}

// Batches has a batch for each type. A tile of pairs keeps one.
type Batches struct {
	all    [nShapes]Batch
	bodies *soa.Bodies
}

// NewBatches returns empty batches, for pairs of some bodies.
func NewBatches(bodies *soa.Bodies) *Batches {
	b := &Batches{bodies: bodies}
	for k := range b.all {
		b.all[k].shape = shape(k)
	}
	return b
}

// All returns the batches.
func (b *Batches) All() []Batch { return b.all[:] }

// At returns the batch of a place; nil for nowhere.
func (b *Batches) At(p Place) *Batch {
	if p == 0 {
		return nil
	}
	return &b.all[p>>rowBits]
}

// Clear takes all pairs out.
func (b *Batches) Clear() {
	for k := range b.all {
		b.all[k].Clear()
	}
}

// Add puts a pair of bodies of one piece each, and of a number, into the batch of the type that
// its features suppose, and returns where; nowhere if they suppose none.
func (b *Batches) Add(of uint32, bodyA, bodyB soa.Body, va, vb *soa.View, facet soa.FacetID, prism *soa.Prism) Place {
	s := prismShape(va, vb, prism)
	if s == clipped {
		if s = shapeOf(va, vb, facet); s == clipped {
			return 0
		}
	}
	to := &b.all[s]
	i, clear := to.next(of), b.margin(to, bodyA, bodyB, va, vb)
	if s < prism4 {
		to.facet(i, uint32(bodyA), uint32(bodyB), va, vb, facet, clear)
		return to.place(i)
	}
	radius := b.bodies.Radius[bodyA]
	if vb.Kind != soa.Plane { // which does not turn
		radius = min(radius, b.bodies.Radius[bodyB])
	}
	to.prism(i, uint32(bodyA), uint32(bodyB), prism, firstPlanes(va, vb), noPlane, facesOf(va), facesOf(vb), clear, radius)
	return to.place(i)
}

// AddHeld is Add for a prism as long as it is proven.
func (b *Batches) AddHeld(of uint32, bodyA, bodyB soa.Body, va, vb *soa.View, proven *soa.Prism, by Proof) Place {
	s, first := held4+sizeOf(int(proven.Sides)), firstPlanes(va, vb)
	if by.Flushes != 0 {
		s = flush4
	}
	to := &b.all[s]
	i := to.next(of)
	to.proofs[i] = by
	to.held(i, uint32(bodyA), uint32(bodyB), proven, first)
	if by.Flushes != 0 {
		to.flush(i, proven, first, by.Flushes, facesOf(va), facesOf(vb), b.margin(to, bodyA, bodyB, va, vb))
	}
	return to.place(i)
}

// Remove takes the pair at a place out. The last pair of its batch comes there: its number is returned, and ok, if there is one.
func (b *Batches) Remove(at Place) (last uint32, ok bool) {
	from, i := b.At(at), int(at&(1<<rowBits-1))
	from.n, from.padded = from.n-1, false
	from.move(i, from.n)
	from.of[i], from.proofs[i], from.radius[i] = from.of[from.n], from.proofs[from.n], from.radius[from.n]
	return from.of[i], i < from.n
}

func (b *Batch) place(row int) Place { return Place(b.shape)<<rowBits | Place(row) }

// margin returns by how much the signs that prove the last pair of a batch must be clear of zero, m.
func (b *Batches) margin(of *Batch, bodyA, bodyB soa.Body, va, vb *soa.View) float64 {
	if vb.Kind == soa.Plane {
		of.radius[of.n-1], of.onPlanes = va.Radius, true
		return clearOfPlane(va.Radius, b.bodies.Pos.At(int(bodyA)), b.bodies.Pos.At(int(bodyB)))
	}
	return float64(shareClear * (va.Radius + vb.Radius))
}

// next adds a row, whose features are still to be written.
func (b *Batch) next(of uint32) (row int) {
	if b.n == len(b.of) {
		n := b.n + max(b.n/2, 32)
		n -= n % soa.Lanes
		b.grow(n, b.n)
		widen(n, b.n, &b.of)
		widen(n, b.n, &b.proofs)
		widen(n, b.n, &b.radius)
	}
	row = b.n
	b.n, b.padded = b.n+1, false
	b.of[row], b.proofs[row], b.radius[row] = of, Proof{}, 0
	return row
}

// Len returns how many pairs there are.
func (b *Batch) Len() int { return b.n }

// Room returns how many rows of columns Solver.Solve may write for the batch.
func (b *Batch) Room() int { return len(b.of) }

// Clear takes all pairs out.
func (b *Batch) Clear() { b.n, b.onPlanes = 0, false }

// Of returns the number of pair i.
func (b *Batch) Of(i int) uint32 { return b.of[i] }

// Prisms says whether the pairs are prisms.
func (b *Batch) Prisms() bool { return b.shape >= prism4 }

// Held says whether the pairs are prisms that were proven before.
func (b *Batch) Held() bool { return b.shape >= held4 }

// Proof returns the proof of prism i, which the caller sets.
func (b *Batch) Proof(i int) *Proof { return &b.proofs[i] }

// Tried returns those of a pair's features that the batch asks for.
func (b *Batch) Tried(guess *Features) Features {
	if b.Prisms() {
		return Features{Prism: guess.Prism}
	}
	return Features{Facet: guess.Facet}
}
