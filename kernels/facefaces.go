package kernels

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
)

// FaceFaces is a batch of pairs of blocks that touch at two faces of four corners. The caller must
// know that these two faces make every facet of the Minkowski difference that could be the
// shallowest. Solve finds this facet, and computes gap, normal and witness points. They have the
// bits of package narrow, if that package need not scale the lengths of the pair. Rows that
// are too close to call are not Known.
//
// A worker keeps one batch and fills it again for every tile.
type FaceFaces struct {
	PairRows       // of the table of quads
	FeatureResults // undefined if a row is not Known

	vertex, ofB, known []float64

	handed asm.FaceFaceColumns // what Solve passes on; stored, because it has many columns
}

// Resize sets the number of pairs to n. New rows are zero: set them.
func (f *FaceFaces) Resize(n int) {
	f.PairRows.resize(n)
	f.FeatureResults.resize(n)
	for _, c := range []*[]float64{&f.vertex, &f.ofB, &f.known} {
		*c = soa.Resize(*c, n)
	}
}

// Known reports whether row i has a result.
func (f *FaceFaces) Known(i int) bool { return f.known[i] == 1 }

// Facet returns the facet of row i. The row must be Known.
func (f *FaceFaces) Facet(i int, shapes *soa.Shapes) soa.FacetID {
	vertex := uint16(f.vertex[i])
	if f.ofB[i] == 1 {
		return soa.FacetID{Kind: soa.VertexFace, A: vertex, B: uint16(shapes.Quads[f.RowB[i]+soa.QuadFace])}
	}
	return soa.FacetID{Kind: soa.FaceVertex, A: uint16(shapes.Quads[f.RowA[i]+soa.QuadFace]), B: vertex}
}

// Solve computes the results of the rows lo ≤ i < hi. It allocates nothing.
func (f *FaceFaces) Solve(shapes *soa.Shapes, poses *soa.PoseColumns, lo, hi int) {
	if lo == hi {
		return
	}
	pos, rot := &poses.Pos, &poses.Rot
	c := &f.handed
	c.PosX, c.PosY, c.PosZ, c.RotW, c.RotX, c.RotY, c.RotZ = pos.X, pos.Y, pos.Z, rot.W, rot.X, rot.Y, rot.Z
	c.A, c.B, c.QuadA, c.QuadB = f.A, f.B, f.RowA, f.RowB
	c.Gap, c.NormalX, c.NormalY, c.NormalZ = f.Gap, f.Normal.X, f.Normal.Y, f.Normal.Z
	c.ArmAX, c.ArmAY, c.ArmAZ, c.ArmBX, c.ArmBY, c.ArmBZ = f.ArmA.X, f.ArmA.Y, f.ArmA.Z, f.ArmB.X, f.ArmB.Y, f.ArmB.Z
	c.Vertex, c.OfB, c.Known = f.vertex, f.ofB, f.known
	if table := c.Quads[0]; len(table) != len(shapes.Quads) || &table[0] != &shapes.Quads[0] {
		for j := range c.Quads {
			c.Quads[j] = shapes.Quads[j:]
		}
	}
	asm.FaceFace(c, lo, hi)
}
