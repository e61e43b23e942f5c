package overlap

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/soa"
)

// Walk declares the accesses of Add, or of AddHeld if held is set, and of Solve for one pair, by the features that made
// its overlap. It returns false if they are of no type, so that the pair has no row.
func (b *TypedBatches) Walk(
	w *access.Walk, row int, shapes *soa.Shapes, poseRows []float64, poseA, poseB soa.PoseRow, a, c soa.Shape, by *Features, held bool, coplanars uint8,
) bool {
	of := [2]map[string]*access.Column{shapes.WalkView(w, a), shapes.WalkView(w, c)}
	views := [2]*soa.View{shapes.View(a), shapes.View(c)}
	s := heldShape(&by.Prism, coplanars)
	if !held {
		if s = shapeBy(views[0], views[1], by); s == clipped {
			return false
		}
	}
	rows := &b.all[s].typed
	for _, column := range [...]*access.Column{access.Local(w, rows.shares.Bodies[:]...), access.Local(w, rows.shares.At[:]...), access.Local(w, rows.shares.Numbers[:]...)} {
		column.Update(row % BatchRows)
	}
	poses := access.Of(w, "pose rows", poseRows)
	poses.ReadRows(soa.PoseSize*int(poseA), soa.PoseSize*int(poseA)+7)
	poses.ReadRows(soa.PoseSize*int(poseB), soa.PoseSize*int(poseB)+7)
	planes, verts, rims := access.Of(w, "Shapes", shapes.PlaneRows), access.Of(w, "Shapes", shapes.VertRows), access.Of(w, "Shapes", shapes.RimNumbers())
	corners := access.Of(w, "Shapes", shapes.Corners)
	feature := func(c *access.Column, at uint32, numbers int) { c.ReadRows(int(at), int(at)+numbers) }
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

// Walk declares the accesses of UntypedBatch.AddHeldSkeleton for a skeleton of two shapes.
func (k *Skeleton) Walk(w *access.Walk, shapes *soa.Shapes, a, b soa.Shape) {
	access.Value(w, "skeletons", k).Read(0)
	of := [2]map[string]*access.Column{shapes.WalkView(w, a), shapes.WalkView(w, b)}
	for i, v := range k.ends[:k.nEnds] {
		body := b2i(i >= int(k.nEndsA))
		for _, name := range [...]string{"X", "Y", "Z"} {
			of[body][name].Read(int(v))
		}
	}
	for i := k.at[0]; i < k.at[2]; i++ {
		body := b2i(i < k.at[1]) // edges of A pierce faces of B
		for _, name := range [...]string{"NX", "NY", "NZ", "D"} {
			of[body][name].Read(int(k.corners[i].face))
		}
	}
	access.Seldom(false, of[0]["Rims"], of[1]["Rims"], of[0]["LoopFirst"], of[1]["LoopFirst"], of[0]["LoopLen"], of[1]["LoopLen"])
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
