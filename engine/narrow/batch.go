package narrow

import (
	"math"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// BatchPairs is the capacity of a Batch. The size is large enough to fill vector registers and
// small enough to stay in the first-level cache.
const BatchPairs = 128

// leastLanes is the number of lanes from which a test of all facets of two tetrahedra is faster
// than a search. With two lanes both take equally long.
const leastLanes = 4

// Batch answers many pairs of blocks about which nothing is known, one pair per lane. Both blocks
// must be tetrahedra, or both bricks. The answers have the same bits as those of Search.Resolve,
// except that Axis and AxisSupport are zero. If a pair is too close to a tie to decide, Take
// returns false and the caller resolves the pair:
//
//	if batch.Add(a, pa, b, pb) { … batch.Solve() … ok = batch.Take(k, reach, &answer) }
//	if !ok { search.Resolve(a, pa, b, pb, reach, &answer) }
//
// A Batch copies the shape data that it needs, so the shapes of a batch may come from different
// arenas. Each worker has its own Batch. A Batch allocates nothing after its first use. The zero
// value is ready.
type Batch struct {
	n      int
	pairs  [BatchPairs]batchPair
	bodies soa.Bodies             // poses; pair k uses rows 2k and 2k+1
	known  [shapeSlots]batchShape // a direct-mapped cache of the shapes in arena
	arena  soa.Shapes             // rows, vertices and planes of the copied shapes
	cold   [2]kernels.ColdPairs   // of tetrahedra, and of bricks
	rows   [2]int                 // rows in use of each
	facets [6]kernels.Facets      // one for each kind of facet, from FaceVertex on
	ofKind [7][BatchPairs]uint8   // indices of the pairs of each kind, from NoFacet on
	lanes  int                    // 0 before the first use
}

// shapeSlots is the number of slots in the cache of copied shapes. It is a power of two.
const shapeSlots = 64

// batchPair is one pair and the rows of its query and answer.
type batchPair struct {
	a, b          *soa.View
	vertA, planeA uint32
	vertB, planeB uint32
	id            soa.FacetID // NoFacet if the kernel found no answer
	sign          float64     // sign of the normal of two edges, see kernels.Facets
	table, row    uint32      // row of cold[table]; table is 0 for tetrahedra, 1 for bricks
	answer        uint32      // row of the answer in facets, after Solve
}

// batchShape holds the rows at which a copied shape starts: in the table of tetrahedra (0) or
// bricks (1), among the vertices and among the planes.
type batchShape struct {
	of          *soa.View
	table, row  uint32
	vert, plane uint32
}

// Batched reports whether Batch can answer pairs of these two shapes: both tetrahedra or both
// bricks, neither rounded. Add also requires a processor with enough lanes.
func Batched(a, b *soa.View) bool {
	return (a.Tetra != 0 && b.Tetra != 0 || a.Brick != 0 && b.Brick != 0) && a.Round == 0 && b.Round == 0
}

// Len returns the number of pairs added since Reset.
func (b *Batch) Len() int { return b.n }

// Reset removes all pairs.
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

// resizeFacets allocates space for n pairs in the batch of each kind.
func resizeFacets(batches *[6]kernels.Facets, n int) {
	for i := range batches {
		batches[i].Kind = soa.FaceVertex + soa.FacetKind(i)
		batches[i].Resize(soa.Pad(n))
	}
}

// Add adds a pair with index Len. It returns false if the shapes are not Batched, if the processor
// has too few lanes, or if the batch is full. The views must not change until Reset. A zero
// rotation is the identity; any other one must be a unit quaternion, which Add does not check. Add
// panics on nil views.
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
	// Copy u before the second call, which may overwrite the slot of the first shape.
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

// setPose writes a pose to a row, one number at a time. A wider copy would wait until the numbers
// just written have left the store buffer.
func (b *Batch) setPose(row int, p *vec.Pose) {
	pos, rot := &b.bodies.Pos, &b.bodies.Rot
	pos.X[row], pos.Y[row], pos.Z[row] = p.Pos.X, p.Pos.Y, p.Pos.Z
	rot.W[row], rot.X[row], rot.Y[row], rot.Z[row] = p.Rot.W, p.Rot.X, p.Rot.Y, p.Rot.Z
}

// shape returns the rows of a shape and copies the shape if its slot holds another one. The result
// is valid until the next call.
func (b *Batch) shape(v *soa.View) *batchShape {
	slot := &b.known[v.Shape%shapeSlots]
	if slot.of != v {
		b.copyShape(slot, v)
	}
	return slot
}

// copyShape copies a shape into the arena and stores its rows in slot s.
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

// Solve answers all pairs added since Reset.
func (b *Batch) Solve() {
	if b.n == 0 {
		return
	}
	tables := [2][]float64{b.arena.Tetras, b.arena.Bricks}
	for i, n := range b.rows {
		b.cold[i].Solve(tables[i], &b.bodies, 0, b.cold[i].Fill(n))
	}
	// Group the pairs by kind: in mixed order, branches on the kind would be mispredicted.
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
			b.pairs[k].answer = uint32(i)
			b.setFacetRow(f, &b.pairs[k], uint32(2*int(k)))
		}
		f.Solve(&b.arena, &b.bodies, 0, f.Fill(n))
	}
}

// setFacetRow writes the query of pair p, whose A is body and whose B is body+1, to a batch of
// facets.
func (b *Batch) setFacetRow(f *kernels.Facets, p *batchPair, body uint32) {
	i := int(p.answer)
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

// Take writes the answer of pair k to out. reach, m, is the gap up to which the pair matters. Take
// returns false if a search must answer the pair; out is then undefined. k must be less than Len,
// and Solve must have run since the pair was added. Otherwise Take panics or writes the answer of
// another pair.
func (b *Batch) Take(k int, reach float64, out *Answer) bool {
	p := &b.pairs[k]
	if p.id.Kind == soa.NoFacet {
		return false
	}
	f := &b.facets[p.id.Kind-soa.FaceVertex]
	i := int(p.answer)
	gap := f.Gap[i]
	// A search answers a pair beyond reach by the first lower bound that it finds, not by the gap.
	if gap > 0 && !(reach > math.MaxFloat64 || gap < reach-b.tieOf(k)) {
		return false
	}
	out.AnsweredBy, out.Exact, out.Facet = BySearch, true, p.id
	out.Normal, out.ArmA, out.ArmB = f.Normal.At(i), f.ArmA.At(i), f.ArmB.At(i)
	out.Axis, out.AxisSupport = vec.Vec3{}, 0
	out.SetGap(gap)
	return true
}

// tieOf returns the difference of depths that counts as a tie of pair k, m. The vector from A to B
// has, in any frame, no component above twice its largest component here.
func (b *Batch) tieOf(k int) float64 {
	way := b.bodies.Pos.At(2*k + 1).Sub(b.bodies.Pos.At(2 * k))
	return float64(TieTol * max(b.pairs[k].a.Radius, b.pairs[k].b.Radius, 2*way.MaxAbs()))
}
