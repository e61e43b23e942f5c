package kernels

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// AxisGaps is a batch of axis gaps, a row a pair: by how much the plane with unit normal n, drawn through the farthest
// point of A, clears B, min over b in B of n·b, less the support of A. That is a lower bound of the gap of the two cores,
// m, and not above 0 when the axis does not separate them (certificate C2, -h_K(n)). Of a ball B the core is the centre.
// The value is
//
//	(shift - support of B along -n) - support of A
//
// n points from A to B and is given in B's frame, where it is poseB.Rot.RotateInv(N), with N = poseA.Rot.Rotate(axis) the
// stored axis in the world. The shift is N.Dot(poseB.Pos.Sub(poseA.Pos)), where the difference of the positions comes
// first so that nothing depends on the distance from the world's origin.
//
// Each dot product carries an error of at most 3u·√3·|n|·|v|, u = 2⁻⁵³, plus the rounding of n; the
// allowance for both is the caller's.
type AxisGaps struct {
	Queries           // Dir is -n, in the frame of B
	Shift   []float64 // m, n·(origin of B - origin of A)
	Support []float64 // m, the greatest n·a over A about A's origin

	Gap []float64 // m, the answer
}

// Resize sets the number of rows to n. Rows added are zero: set them.
func (g *AxisGaps) Resize(n int) {
	g.Queries.Resize(n)
	g.Shift, g.Support = soa.Resize(g.Shift, n), soa.Resize(g.Support, n)
	g.Gap = soa.Resize(g.Gap, n)
}

// Set writes row i: B is shape b, and supportA the greatest n·a over A about A's origin, m.
func (g *AxisGaps) Set(i int, shapes *soa.Shapes, b soa.Shape, n vec.Vec3, shift, supportA float64) {
	g.Queries.Set(i, shapes, b, n.Neg())
	g.Shift[i], g.Support[i] = shift, supportA
}

// Solve writes Gap, and the vertex of B nearest to A as Index, of the rows lo ≤ i < hi.
func (g *AxisGaps) Solve(shapes *soa.Shapes, lo, hi int) {
	SupportPairs(shapes, &g.Queries, lo, hi)
	gap, shift := g.Gap[lo:hi], g.Shift[lo:hi]
	value, support := g.Value[lo:hi], g.Support[lo:hi]
	for i := range gap {
		gap[i] = (shift[i] - value[i]) - support[i]
	}
}
