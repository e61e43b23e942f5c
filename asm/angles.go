package asm

import "math"

// Angles holds points about which the solid angle of triangles is summed, one row a point. Each
// triangle has a complex number whose argument is half of its solid angle. Kernels multiply these
// numbers, so their arguments add up. Re + i·Im is the product so far, scaled to any length. Turns
// counts how often the argument of the product has passed ±π. Half of the sum of the solid angles
// is 2π·Turns + atan2(Im, Re), unless Lost reports true.
type Angles struct {
	X, Y, Z []float64
	Re, Im  []float64
	Turns   []float64
	Doubt   []float64 // how many triangles TriangleAngles left out because they may contain the point, or have a corner next to it
}

// FanRun holds four triangles (Apex, C[j], C[j+1]) of a fan, in the frame of the points. A corner
// may repeat the previous one: the solid angle of that triangle is zero. N is twice the area vector
// of each triangle.
type FanRun struct {
	ApexX, ApexY, ApexZ float64
	CX, CY, CZ          [5]float64
	NX, NY, NZ          [4]float64
}

// FourTriangles holds four triangles (A[j], B[j], C[j]), counter-clockwise seen from outside, in
// the frame of the points. N is twice the area vector of each triangle, and Tol bounds the error of
// the computed N. A triangle whose corners coincide has the solid angle zero.
type FourTriangles struct {
	AX, AY, AZ, BX, BY, BZ, CX, CY, CZ [4]float64
	NX, NY, NZ, Tol                    [4]float64
}

// doubtfulDen is the limit of a denominator, as a share of the product of the three distances from
// the point to the corners. If the point is near the plane of a triangle and the denominator is at
// most this share, the triangle may contain the point. With a larger denominator its angle is near
// 0, not near ±2π. If the numerator is also at most this share, an edge passes near the point. The
// rounding of both, about 2^-51 of the product, is then magnified in the angle. Larger: more points
// need exact tests. Smaller: the angle has fewer correct digits near edges.
const doubtfulDen = 0x1p-20

// doubtfulNum is the largest accepted rounding error of a numerator, as a share of the product of
// the three distances. This share has no bound as the point approaches one of the last two corners.
// Larger: angles near corners lose digits. Smaller: more points need exact tests.
const doubtfulNum = 0x1p-30

// leastProduct is the least length of the product after four triangles at which the product is
// certain to keep its digits. Up to this length it may have lost digits, or its sign, to underflow.
// Points lie within 2⁶⁰ of the triangles, or within 8 if a corner of a triangle is nearer than
// 2⁻²⁰. So if the product is longer than leastProduct, all corners are farther than 2⁻⁵⁰⁴ from the
// point, and squares of distances keep their digits. Smaller: angles may be wrong. Larger: more
// points need a computation one by one.
const leastProduct = 0x1p-470

// Lost reports whether the product of point i is meaningless because an intermediate product was
// too short or too long.
func (c *Angles) Lost(i int) bool { return !(math.Abs(c.Re[i])+math.Abs(c.Im[i]) <= 2) }

// FanAngles multiplies the numbers of the triangles of a fan (van Oosterom and Strackee 1983) into
// the products of the points lo ≤ i < hi. Let q be the vector from the point to the apex, and a and
// b the vectors from the point to two consecutive corners:
//
//	num = N·q, den = ((|q||a|)|b| + (q·a)|b|) + ((q·b)|a| + (a·b)|q|)
//	Re, Im, Turns = turned(Re, Im, Turns, num, den), for each triangle in order
//	s = 1/(|Re| + |Im|), or 1/0 if that sum is at most leastProduct; Re, Im = s·Re, s·Im
//
//	turned: re, im = re·den - im·num, re·num + im·den
//	turns increases by 1 if im ≥ 0, num ≥ 0 and the new im < 0,
//	and decreases by 1 if im < 0, num < 0 and the new im ≥ 0
//
//	no point lies on a triangle of the fan
//
// Exact: each product is rounded.
func FanAngles(c *Angles, u *FanRun, lo, hi int) { fanAngles(c, u, lo, hi) }

// TriangleAngles does the same as FanAngles for any four triangles, with num = N·a. It leaves out
// each triangle for which Doubtful reports true, and adds 1 to Doubt.
func TriangleAngles(c *Angles, u *FourTriangles, lo, hi int) { triangleAngles(c, u, lo, hi) }

// Doubtful reports whether TriangleAngles leaves out triangle j about the point (x, y, z); it
// computes the same bits. A triangle is left out in three cases:
//
//   - The triangle may contain the point: |num| ≤ Tol·|a| and den ≤ doubtfulDen·|a||b||c|.
//   - An edge passes near the point: |num| and |den| ≤ doubtfulDen·|a||b||c|.
//   - Rounding may decide num: Tol·|a| > doubtfulNum·|a||b||c|.
//
// In each case the distance from the point to the triangle is at most 1/64 of its longest edge.
func (u *FourTriangles) Doubtful(j int, x, y, z float64) bool {
	ax, ay, az := u.AX[j]-x, u.AY[j]-y, u.AZ[j]-z
	bx, by, bz := u.BX[j]-x, u.BY[j]-y, u.BZ[j]-z
	cx, cy, cz := u.CX[j]-x, u.CY[j]-y, u.CZ[j]-z
	dot := func(ux, uy, uz, vx, vy, vz float64) float64 { return float64(ux*vx) + float64(uy*vy) + float64(uz*vz) }
	na, nb, nc := math.Sqrt(dot(ax, ay, az, ax, ay, az)), math.Sqrt(dot(bx, by, bz, bx, by, bz)), math.Sqrt(dot(cx, cy, cz, cx, cy, cz))
	num, all := math.Abs(dot(u.NX[j], u.NY[j], u.NZ[j], ax, ay, az)), float64(float64(na*nb)*nc)
	den := (all + float64(dot(ax, ay, az, bx, by, bz)*nc)) + (float64(dot(ax, ay, az, cx, cy, cz)*nb) + float64(dot(bx, by, bz, cx, cy, cz)*na))
	rounding, share := float64(u.Tol[j]*na), float64(doubtfulDen*all)
	return num <= rounding && den <= share || num <= share && math.Abs(den) <= share || float64(doubtfulNum*all) < rounding
}
