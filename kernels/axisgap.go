package kernels

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// AxisGaps is a batch of axis gaps, one row a pair. An axis gap is the distance, along the unit
// normal n, from the farthest point of A to the nearest point of B: the least n·b over B minus the
// support of A. It is a lower bound of the gap of the two cores, in m. If the axis does not
// separate them it is at most 0 (certificate C2, -h_K(n)). The core of a ball is its centre. The
// value is
//
//	(shift - support of B along -n) - support of A
//
// n points from A to B and is given in B's frame, as poseB.Rot.RotateInv(N). N =
// poseA.Rot.Rotate(axis) is the stored axis in the world frame. The shift is
// N.Dot(poseB.Pos.Sub(poseA.Pos)). The difference of the positions comes first, so no rounding
// depends on the distance from the world's origin.
//
// Each dot product has an error of at most 3u·√3·|n|·|v|, u = 2⁻⁵³, plus the rounding of n. The
// caller must allow for both.
type AxisGaps struct {
	Queries           // Dir is -n, in the frame of B
	Shift   []float64 // m, n·(origin of B - origin of A)
	Support []float64 // m, the greatest n·a over A about A's origin

	Gap []float64 // m, the result
}

// Resize sets the number of rows to n. New rows are zero: set them.
func (g *AxisGaps) Resize(n int) {
	g.Queries.Resize(n)
	g.Shift, g.Support = soa.Resize(g.Shift, n), soa.Resize(g.Support, n)
	g.Gap = soa.Resize(g.Gap, n)
}

// Set writes row i. B has shape b, and supportA, m, is the greatest n·a over A about A's origin.
func (g *AxisGaps) Set(i int, shapes *soa.Shapes, b soa.Shape, n vec.Vec3, shift, supportA float64) {
	g.Queries.Set(i, shapes, b, n.Neg())
	g.Shift[i], g.Support[i] = shift, supportA
}

// Solve computes Gap for the rows lo ≤ i < hi, and in Index the vertex of B that is nearest to A.
func (g *AxisGaps) Solve(shapes *soa.Shapes, lo, hi int) {
	SupportPairs(shapes, &g.Queries, lo, hi)
	gap, shift := g.Gap[lo:hi], g.Shift[lo:hi]
	value, support := g.Value[lo:hi], g.Support[lo:hi]
	for i := range gap {
		gap[i] = (shift[i] - value[i]) - support[i]
	}
}
