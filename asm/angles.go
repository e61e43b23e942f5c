package asm

import "math"

// Angles is points that look at triangles, a row a point. Half the solid angle of a triangle is
// the argument of a complex number. The angles of many triangles add up as their numbers are
// multiplied: Re + i·Im is the product so far, of any length, and Turns counts how often its
// argument has passed ±π. Half the sum of the angles is 2π·Turns + atan2(Im, Re), unless the
// product is Lost.
type Angles struct {
	X, Y, Z []float64
	Re, Im  []float64
	Turns   []float64
	Doubt   []float64 // how many triangles TriangleAngles left out: those that may hold the point, or have a corner next to it
}

// FanRun is four triangles (Apex, C[j], C[j+1]) of a fan, in the frame of the points. A corner may
// repeat the one before: then the triangle has no angle. N is twice the area vector of each.
type FanRun struct {
	ApexX, ApexY, ApexZ float64
	CX, CY, CZ          [5]float64
	NX, NY, NZ          [4]float64
}

// FourTriangles is four triangles (A[j], B[j], C[j]), counter-clockwise seen from outside, in the
// frame of the points. N is twice the area vector of each, and Tol bounds the error of N as
// computed. A triangle whose corners are one place has no angle.
type FourTriangles struct {
	AX, AY, AZ, BX, BY, BZ, CX, CY, CZ [4]float64
	NX, NY, NZ, Tol                    [4]float64
}

// doubtfulDen is up to which denominator, as a share of the product of the three distances, a
// triangle near whose plane the point lies may hold it: a larger one has an angle near 0, not near
// ±2π. Where the numerator is as small too, an edge is near, and their rounding, some 2^-51, reaches
// the angle magnified. Larger: more points are asked again by exact signs. Smaller: the angle has
// fewer digits there.
const doubtfulDen = 0x1p-20

// doubtfulNum is what the rounding of a numerator may be, as a share of the product of the three
// distances. The share has no bound as the point comes near one of the last two corners. Larger:
// angles next to corners lose digits. Smaller: more points are asked again by exact signs.
const doubtfulNum = 0x1p-30

// leastProduct is the length of the product of four triangles up to which it may have lost digits, or its sign, to underflow. Points
// lie within 2⁶⁰ of the triangles, or within 8 where one of their corners is nearer than 2⁻²⁰. So a triangle of a longer product
// has its corners beyond 2⁻⁵⁰⁴, where squares of distances keep their digits. Smaller: angles may be wrong. Larger: more points
// are asked again one by one.
const leastProduct = 0x1p-470

// Lost reports whether the product of point i means nothing, since one on the way to it was too short or too long.
func (c *Angles) Lost(i int) bool { return !(math.Abs(c.Re[i])+math.Abs(c.Im[i]) <= 2) }

// FanAngles multiplies in the triangles of a fan (van Oosterom and Strackee 1983), for the points
// lo ≤ i < hi. With q the way from the point to the apex, and a, b those to two corners that
// follow each other,
//
//	num = N·q, den = ((|q||a|)|b| + (q·a)|b|) + ((q·b)|a| + (a·b)|q|)
//	Re, Im, Turns = turned(Re, Im, Turns, num, den), for each triangle in order
//	s = 1/(|Re| + |Im|), but 1/0 if the sum is up to leastProduct; Re, Im = s·Re, s·Im
//
//	turned: re, im = re·den - im·num, re·num + im·den
//	turns grows by 1 where im ≥ 0, num ≥ 0 and the new im < 0,
//	and falls by 1 where im < 0, num < 0 and the new im ≥ 0
//
//	no point lies on a triangle of the fan
//
// Exact, each product rounded.
func FanAngles(c *Angles, u *FanRun, lo, hi int) { fanAngles(c, u, lo, hi) }

// TriangleAngles is FanAngles for any triangles, with num = N·a. It leaves out those of which Doubtful says so, and adds 1 to
// Doubt for each.
func TriangleAngles(c *Angles, u *FourTriangles, lo, hi int) { triangleAngles(c, u, lo, hi) }

// Doubtful reports whether TriangleAngles leaves out triangle j about a point, to the bit. Such a triangle may hold the point:
// |num| ≤ Tol·|a| and den ≤ doubtfulDen·|a||b||c|; or its edge runs next to the point: |num| and |den| ≤ doubtfulDen·|a||b||c|;
// or rounding reaches num: Tol·|a| > doubtfulNum·|a||b||c|. The point is then within a 64th of the triangle's longest edge from it.
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
