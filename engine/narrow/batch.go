package narrow

import (
	"math"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// BatchPairs is how many pairs a Batch takes before it has to be solved: enough to fill registers, few enough to stay
// in the first-level cache.
const BatchPairs = 128

// leastLanes is the lanes from which trying all facets of two tetrahedra beats a search for one: with two lanes it takes
// as long.
const leastLanes = 4

// Batch answers pairs of blocks about which nothing is known, many at once, a pair a lane: of two tetrahedra, or two
// bricks. The answers are those of Search.Resolve to the bit, but for Axis and AxisSupport, which are left zero; what is
// too close to call is left to it:
//
//	if batch.Add(a, pa, b, pb) { … batch.Solve() … ok = batch.Take(k, reach, &answer) }
//	if !ok { search.Resolve(a, pa, b, pb, reach, &answer) }
//
// It copies what it needs of the shapes, which may be of any arena. A worker keeps one; after a first use it allocates
// nothing. The zero value is ready.
type Batch struct {
	n      int
	pairs  [BatchPairs]batchPair
	bodies soa.Bodies // poses: of pair k in the rows 2k and 2k+1
	known  [shapeSlots]batchShape
	arena  soa.Shapes           // rows, vertices and planes of the shapes met
	cold   [2]kernels.ColdPairs // tetrahedra and bricks
	rows   [2]int
	facets [6]kernels.Facets    // by kind, from FaceVertex
	ofKind [7][BatchPairs]uint8 // the pairs of each, from NoFacet
	lanes  int                  // 0 before the first use
}

// shapeSlots is the number of shapes that are found again. It is a power of two.
const shapeSlots = 64

// batchPair is a pair and where its answer is.
type batchPair struct {
	a, b          *soa.View
	vertA, planeA uint32
	vertB, planeB uint32
	id            soa.FacetID // NoFacet: nowhere
	sign          float64     // of two edges, see kernels.Facets
	table, row    uint32      // of tetrahedra or bricks; once solved row is of the facets
}

// batchShape is where a shape's rows start: in the table of tetrahedra, or of bricks, and among the vertices and planes.
type batchShape struct {
	of          *soa.View
	table, row  uint32
	vert, plane uint32
}

// Batched reports whether Batch knows pairs of two shapes, which are not rounded. It takes them where the processor has lanes for them.
func Batched(a, b *soa.View) bool {
	return (a.Tetra != 0 && b.Tetra != 0 || a.Brick != 0 && b.Brick != 0) && a.Round == 0 && b.Round == 0
}

// Len returns the number of pairs.
func (b *Batch) Len() int { return b.n }

// Reset forgets all pairs.
func (b *Batch) Reset() {
	b.n, b.rows = 0, [2]int{}
	if b.lanes == 0 {
		b.bodies.Pos.Resize(2 * BatchPairs)
		b.bodies.Rot.Resize(2 * BatchPairs)
		for i := range b.cold {
			b.cold[i].Bricks = i == 1
			b.cold[i].Resize(soa.Pad(BatchPairs))
		}
		resizeFacets(&b.facets, BatchPairs)
	}
	b.known = [shapeSlots]batchShape{}
	b.arena.Tetras, b.arena.Bricks = b.arena.Tetras[:0], b.arena.Bricks[:0]
	b.arena.Verts.Resize(0)
	b.arena.Planes.Resize(0)
	b.lanes = asm.Lanes()
}

// resizeFacets makes room for n pairs in a batch of each kind.
func resizeFacets(batches *[6]kernels.Facets, n int) {
	for i := range batches {
		batches[i].Kind = soa.FaceVertex + soa.FacetKind(i)
		batches[i].Resize(soa.Pad(n))
	}
}

// Add takes a pair as number Len, and returns false where it is none for a batch, or the batch is full. The views must stay as
// they are until Reset. A zero rotation is the identity. It panics on nil views.
func (b *Batch) Add(a *soa.View, pa vec.Pose, c *soa.View, pc vec.Pose) bool {
	if b.lanes == 0 {
		b.Reset()
	}
	if !Batched(a, c) || b.lanes < leastLanes || b.n == BatchPairs {
		return false
	}
	k := b.n
	b.n++
	p := &b.pairs[k]
	// One after the other: the second may take the place of the first.
	u := b.shape(a)
	rowA := u.row
	p.table, p.vertA, p.planeA = u.table, u.vert, u.plane
	v := b.shape(c)
	p.vertB, p.planeB = v.vert, v.plane
	p.a, p.b = a, c
	p.row = uint32(b.rows[p.table])
	b.rows[p.table]++
	b.cold[p.table].Set(int(p.row), soa.Body(2*k), soa.Body(2*k+1), rowA, v.row)
	orIdentity(&pa, &pc)
	b.setPose(2*k, &pa)
	b.setPose(2*k+1, &pc)
	return true
}

// setPose writes the pose of a row number by number: a copy of more waits for what has just been written to leave the store
// buffer.
func (b *Batch) setPose(row int, p *vec.Pose) {
	pos, rot := &b.bodies.Pos, &b.bodies.Rot
	pos.X[row], pos.Y[row], pos.Z[row] = p.Pos.X, p.Pos.Y, p.Pos.Z
	rot.W[row], rot.X[row], rot.Y[row], rot.Z[row] = p.Rot.W, p.Rot.X, p.Rot.Y, p.Rot.Z
}

// shape returns the rows of a shape, which it copies where it does not find it: one of which another has taken the slot is
// copyShape anew. They stay there until the next is asked for.
func (b *Batch) shape(v *soa.View) *batchShape {
	slot := &b.known[v.Shape%shapeSlots]
	if slot.of != v {
		b.copyShape(slot, v)
	}
	return slot
}

// copyShape fills a slot with a shape that it copies.
func (b *Batch) copyShape(s *batchShape, v *soa.View) {
	verts, planes := len(b.arena.Verts.X), len(b.arena.Planes.D)
	s.of, s.table, s.vert, s.plane = v, 0, uint32(verts), uint32(planes)
	if v.Tetra != 0 {
		s.row = uint32(len(b.arena.Tetras))
		b.arena.Tetras = append(b.arena.Tetras, v.Tetras[v.Tetra:][:soa.TetraSize]...)
	} else {
		s.table, s.row = 1, uint32(len(b.arena.Bricks))
		b.arena.Bricks = append(b.arena.Bricks, v.Bricks[v.Brick:][:soa.BrickSize]...)
	}
	b.arena.Verts.Resize(verts + v.NVerts)
	for i := range v.NVerts {
		b.arena.Verts.Set(verts+i, v.Vert(soa.Vertex(i)))
	}
	b.arena.Planes.Resize(planes + v.NFaces)
	for f := range v.NFaces {
		b.arena.Planes.N.Set(planes+f, v.Normal(soa.Face(f)))
		b.arena.Planes.D[planes+f] = v.D[f]
	}
}

// Solve answers the pairs added since Reset.
func (b *Batch) Solve() {
	if b.n == 0 {
		return
	}
	tables := [2][]float64{b.arena.Tetras, b.arena.Bricks}
	for i, n := range b.rows {
		b.cold[i].Solve(tables[i], &b.bodies, 0, b.cold[i].Fill(n))
	}
	// Kind by kind: one after the other no branch could foresee what kind the next pair is of.
	var rows [len(b.facets) + 1]int
	for k := range b.pairs[:b.n] {
		p := &b.pairs[k]
		p.id, p.sign, _ = b.cold[p.table].Facet(int(p.row), tables[p.table])
		kind := p.id.Kind
		b.ofKind[kind][rows[kind]] = uint8(k)
		rows[kind]++
	}
	for kind := range b.facets {
		f := &b.facets[kind]
		n := rows[soa.FaceVertex+soa.FacetKind(kind)]
		for i, k := range b.ofKind[soa.FaceVertex+soa.FacetKind(kind)][:n] {
			b.pairs[k].row = uint32(i)
			b.setFacetRow(f, &b.pairs[k], uint32(2*int(k)))
		}
		f.Solve(&b.arena, &b.bodies, 0, f.Fill(n))
	}
}

// setFacetRow writes a row of a batch of facets.
func (b *Batch) setFacetRow(f *kernels.Facets, p *batchPair, body uint32) {
	i := int(p.row)
	f.A[i], f.B[i], f.Sign[i] = body, body+1, p.sign
	switch f.Kind {
	case soa.FaceVertex:
		f.P[i], f.Q[i] = p.planeA+uint32(p.id.A), p.vertB+uint32(p.id.B)
	case soa.VertexFace:
		f.P[i], f.Q[i] = p.vertA+uint32(p.id.A), p.planeB+uint32(p.id.B)
	default:
		f.Put(i, soa.Body(body), soa.Body(body+1), kernels.CornerRows(p.a, p.b, p.vertA, p.vertB, p.id), p.sign)
	}
}

// Take writes the answer of pair k, whose gap matters up to reach. It returns false where a search has to answer; out is then
// undefined. k has to be less than Len, and Solve to have run since the pair was added: otherwise it panics, or the answer is
// that of another pair.
func (b *Batch) Take(k int, reach float64, out *Answer) bool {
	p := &b.pairs[k]
	if p.id.Kind == soa.NoFacet {
		return false
	}
	f := &b.facets[p.id.Kind-soa.FaceVertex]
	i := int(p.row)
	gap := f.Gap[i]
	// A pair beyond reach is answered with the bound that the search meets first.
	if gap > 0 && !(reach > math.MaxFloat64 || gap < reach-b.tieOf(k)) {
		return false
	}
	out.AnsweredBy, out.Exact, out.Facet = BySearch, true, p.id
	out.Normal, out.ArmA, out.ArmB = f.Normal.At(i), f.ArmA.At(i), f.ArmB.At(i)
	out.Axis, out.AxisSupport = vec.Vec3{}, 0
	out.SetGap(gap)
	return true
}

// tieOf returns a tie of pair k, m. The way from A to B has no more than twice its largest component in any other frame.
func (b *Batch) tieOf(k int) float64 {
	way := b.bodies.Pos.At(2*k + 1).Sub(b.bodies.Pos.At(2 * k))
	return float64(TieTol * max(b.pairs[k].a.Radius, b.pairs[k].b.Radius, 2*way.MaxAbs()))
}
