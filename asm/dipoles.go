package asm

// Dipoles holds points at which the solid angles of clusters of triangles are summed, one row a
// point.
type Dipoles struct {
	X, Y, Z []float64
	Sum     []float64 // sr
}

// DipoleCluster holds the moments of a cluster of triangles about a place C, to second order, and
// its area vector. Let n dA be the elements of area, and d their positions relative to C:
//
//	N = ∫ n dA, Q = -3 ∫ sym(d n) dA without its trace, T = 15/2 ∫ sym(d d n) dA without its traces
//
// Q and T hold the coefficients of polynomials of r, in the order xx, xy, xz, yy, yz, zz, and xxx,
// xxy, xxz, xyy, xyz, xzz, yyy, yyz, yzz, zzz.
type DipoleCluster struct {
	CX, CY, CZ float64
	N          [3]float64
	Q          [6]float64
	T          [10]float64
}

// DipoleAngles adds the solid angle of a cluster about the points lo ≤ i < hi to Sum. The points
// must be far from the cluster. With r = C - (X, Y, Z) and w = 1/r²,
//
//	Sum += (w·√w)·(N·r + w·(Q(r) + w·T(r)))
//
//	Q(r) = x·((Qxx·x + Qxy·y) + Qxz·z) + (y·(Qyy·y + Qyz·z) + Qzz·(z·z))
//	T(r) = x·(x·((Txxx·x + Txxy·y) + Txxz·z) + (y·(Txyy·y + Txyz·z) + Txzz·(z·z))) +
//	       (y·(y·(Tyyy·y + Tyyz·z) + Tyzz·(z·z)) + Tzzz·(z·(z·z)))
//
// Exact: each product is rounded.
func DipoleAngles(c *Dipoles, u *DipoleCluster, lo, hi int) { dipoleAngles(c, u, lo, hi) }
