package overlap

import (
	"math/bits"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/soa"
)

// BatchRows is how many overlaps of a type are collected before Solve: as many as fit the
// first-level cache.
const BatchRows = 32

// TypedBatch is a batch of overlaps of one type, one pair in each lane. TypedBatches.Add fills it, Solve
// computes it, At reads it, and Clear empties it. The results are bit-identical to those of
// Clipper.Share.
type TypedBatch struct {
	typed
	n  int
	of [BatchRows]uint32
}

// TypedBatches has one TypedBatch for each type. It belongs to one worker. Methods allocate nothing once the
// buffers have grown.
type TypedBatches struct {
	all   [nShapes]TypedBatch
	poses []float64
}

// NewTypedBatches returns empty batches.
func NewTypedBatches() *TypedBatches {
	b := &TypedBatches{}
	for k := range b.all {
		b.all[k].typed = newTyped(shape(k))
	}
	return b
}

// Begin sets the shapes of the pairs, and the rows of their poses
// (soa.PoseColumns.GatherPoses). The caller must call Begin before the first Add, and again whenever
// poses or shapes were added or removed. The batches must be empty then. poses must be up to date
// when Add and Solve are called.
func (b *TypedBatches) Begin(shapes *soa.Shapes, poses []float64) {
	if b.poses = poses; len(shapes.Corners) == 0 {
		return // there is no block
	}
	for k := range b.all {
		b.all[k].lookUp(shapes, poses)
	}
}

// All returns the batches of all types.
func (b *TypedBatches) All() []TypedBatch { return b.all[:] }

// Add appends a pair of pieces, with the poses in rows poseA and poseB, to the batch of the type that guess suggests, and
// returns this batch. It returns nil if guess suggests no type. radius, m, is the lesser radius of the two bodies, planes
// apart: a body whose odometer advances by radius turns by at most 1 rad. of is the number that PairNumber returns.
// If the batch is Full afterwards, the caller must solve and clear it before the next Add.
func (b *TypedBatches) Add(of uint32, poseA, poseB soa.PoseRow, va, vb *soa.View, radius float64, guess *Features) *TypedBatch {
	s := shapeBy(va, vb, guess)
	if s == clipped {
		return nil
	}
	to, i := b.next(s, of)
	clear := clearOf(va, vb, b.poses, uint32(poseA), uint32(poseB))
	if s < prism4 {
		to.facet(i, uint32(poseA), uint32(poseB), va, vb, guess.Facet, clear)
		return to
	}
	to.prism(i, uint32(poseA), uint32(poseB), va, vb, &guess.Prism, clear, radius)
	return to
}

// shapeBy returns the type of overlap that features suggest, or clipped.
func shapeBy(va, vb *soa.View, guess *Features) shape {
	if s := prismShape(va, vb, &guess.Prism); s != clipped {
		return s
	}
	return shapeOf(va, vb, guess.Facet)
}

// AddHeld is Add for a pair whose prism is still within the budget of Batch.Budget. Only the planes
// in coplanars are proven.
func (b *TypedBatches) AddHeld(of uint32, poseA, poseB soa.PoseRow, va, vb *soa.View, proven *soa.Prism, coplanars uint8) *TypedBatch {
	to, i := b.next(heldShape(proven, coplanars), of)
	to.held(i, uint32(poseA), uint32(poseB), va, vb, proven)
	if coplanars != 0 {
		to.coplanar(i, va, vb, proven, coplanars, clearOf(va, vb, b.poses, uint32(poseA), uint32(poseB)))
	}
	return to
}

// heldShape returns the type of a prism that is still proven.
func heldShape(proven *soa.Prism, coplanars uint8) shape {
	if coplanars != 0 {
		return coplanar4
	}
	return held4 + sizeOf(int(proven.Sides))
}

// next adds a row to the batch of a type. It returns the batch and the row. of is the number of the
// pair.
func (b *TypedBatches) next(s shape, of uint32) (to *TypedBatch, row int) {
	to = &b.all[s]
	row = to.n
	to.n++
	to.of[row] = of
	return to, row
}

// Full reports whether the batch has no free row.
func (b *TypedBatch) Full() bool { return b.n == BatchRows }

// Len returns the number of pairs in the batch.
func (b *TypedBatch) Len() int { return b.n }

// Clear removes all pairs.
func (b *TypedBatch) Clear() { b.n = 0 }

// WriteTo makes Solve write pair i to row first+i of to, until the next WriteTo. The columns must
// have BatchRows rows from first on.
func (b *TypedBatch) WriteTo(to *Columns, first int) {
	for k := range to {
		b.shares.Answers[answerOf(k)] = to[k][first:][:BatchRows]
	}
}

// Solve computes all pairs. Copies of the last pair fill the last register, which may be a narrow
// one.
func (b *TypedBatch) Solve() {
	if b.n == 0 {
		return
	}
	lanes := asm.MinLanes()
	end := (b.n + lanes - 1) / lanes * lanes
	for _, words := range [2][][]uint32{b.shares.Bodies[:], b.shares.At[:]} {
		for _, w := range words {
			for i := b.n; i < end; i++ {
				w[i] = w[b.n-1] // old rows may refer to bodies that were removed
			}
		}
	}
	b.solve(0, end)
}

// PairNumber returns the number that pair i was added with.
func (b *TypedBatch) PairNumber(i int) uint32 { return b.of[i] }

// At writes the overlap of pair i to s, and reports whether it is known. If it is not, the caller
// must call Clipper.Share.
func (b *TypedBatch) At(i int, s *Moments) (known bool) { return b.get(i, s) }

// Known reports whether the overlap of pair i is proven to be of the batch's type.
func (b *TypedBatch) Known(i int) bool { return b.shares.Answers[asm.ShareKnown][i] != 0 }

// Thickness returns Shared.Thickness of pair i, which must be known.
func (b *TypedBatch) Thickness(i int) float64 { return b.shares.Answers[asm.ShareThickness][i] }

// Drop removes pair i and its results. The last pair becomes pair i.
func (b *TypedBatch) Drop(i int) {
	b.n--
	for _, answers := range b.shares.Answers {
		answers[i] = answers[b.n]
	}
	b.of[i], b.shares.Budget[i], b.shares.Coplanars[i] = b.of[b.n], b.shares.Budget[b.n], b.shares.Coplanars[b.n]
}

// Held reports whether the pairs are prisms that were proven in an earlier step.
func (b *TypedBatch) Held() bool { return b.shape >= held4 }

// Budget returns how far the odometers of both bodies together may advance, m, before the features
// of pair i must be proven anew. Pair i must be known. The budget is 0 if the proof is due in each
// step. coplanars has a bit for each plane of B that is coplanar with a face of A but for rounding.
// AddHeld proves these planes in each step nevertheless.
func (b *TypedBatch) Budget(i int) (budget float64, coplanars uint8) {
	if b.shape < prism4 || b.Held() {
		return 0, 0
	}
	coplanars = uint8(b.shares.Coplanars[i])
	if coplanars != 0 && (b.shape != prism4 || bits.OnesCount8(coplanars) > asm.ShareCoplanars) {
		return 0, 0
	}
	return max(b.shares.Budget[i], 0), coplanars
}

// Tried returns the features of guess that the batch tries.
func (b *TypedBatch) Tried(guess *Features) Features {
	if b.shape >= prism4 {
		return Features{Prism: guess.Prism}
	}
	return Features{Facet: guess.Facet}
}

// Walk declares the accesses of Add, or of AddHeld if held is set, and of Solve for one pair, by the features that made
// its overlap. It returns false if they are of no type, so that the pair has no row.
func (b *TypedBatches) Walk(
	w *access.Walk, row int, shapes *soa.Shapes, poseRows []float64, poseA, poseB soa.PoseRow, a, c soa.Shape, by *Features, held bool, coplanars uint8,
) bool {
	of := [2]map[string]*access.Declared{shapes.WalkView(w, a), shapes.WalkView(w, c)}
	views := [2]*soa.View{shapes.View(a), shapes.View(c)}
	s := heldShape(&by.Prism, coplanars)
	if !held {
		if s = shapeBy(views[0], views[1], by); s == clipped {
			return false
		}
	}
	rows := &b.all[s].typed
	for _, column := range [...]*access.Declared{access.Local(w, rows.shares.Bodies[:]...), access.Local(w, rows.shares.At[:]...), access.Local(w, rows.shares.Numbers[:]...)} {
		column.Update(row % BatchRows)
	}
	poses := access.Of(w, "pose rows", poseRows)
	poses.ReadRows(soa.PoseSize*int(poseA), soa.PoseSize*int(poseA)+7)
	poses.ReadRows(soa.PoseSize*int(poseB), soa.PoseSize*int(poseB)+7)
	planes, verts, rims := access.Of(w, "Shapes", shapes.PlaneRows), access.Of(w, "Shapes", shapes.VertRows), access.Of(w, "Shapes", shapes.RimNumbers())
	corners := access.Of(w, "Shapes", shapes.Corners)
	feature := func(c *access.Declared, at uint32, numbers int) { c.ReadRows(int(at), int(at)+numbers) }
	if s >= prism4 {
		first := firstPlanes(views[0], views[1])
		plane := func(code uint8) {
			feature(planes, first[code/soa.OfB&1]+soa.FeatureSize*uint32(code%soa.OfB), soa.FeatureSize)
		}
		plane(by.Prism.Base)
		plane(by.Prism.Top)
		for _, code := range by.Prism.Side[:min(by.Prism.Sides, soa.PrismSides)] {
			plane(code)
		}
		return true
	}
	if s == crossing {
		for k, e := range [2]uint16{by.Facet.A, by.Facet.B} {
			v := views[k]
			h := v.Edge[e]
			for _, side := range [2]soa.HalfEdge{h, v.Twin[h]} {
				of[k]["Tail"].Read(int(side))
				of[k]["Twin"].Read(int(side))
				feature(verts, vertAt(v, v.Tail[side]), soa.FeatureSize)
				feature(rims, rimAt(v, side), asm.RimNumbers)
			}
		}
		return true
	}
	corner, face, k, f := 0, 1, by.Facet.A, by.Facet.B
	if by.Facet.Kind == soa.FaceVertex {
		corner, face, k, f = 1, 0, by.Facet.B, by.Facet.A
	}
	v, g := views[corner], views[face]
	of[corner]["CornerOfVertex"].Read(int(k))
	feature(corners, v.CornerOfVertex[k], soa.CornerSize)
	if !g.Kind.IsEndless() {
		for _, name := range [...]string{"LoopFirst", "LoopLen", "Clearances", "NX", "NY", "NZ", "D"} {
			of[face][name].Read(int(f))
		}
		feature(rims, rimAt(g, g.LoopFirst[f]), asm.RimNumbers*int(g.LoopLen[f]))
	}
	return true
}
