package proof

import (
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// rimOfFaces stores the corners of the part of K that the polygons NearA and NearB make,
// counter-clockwise about n, and returns their number. It returns 0 if there are too many, or if
// the projection of the origin is not inside every side. The sides are those of both polygons,
// merged in the order of their directions.
func (s *Prover) rimOfFaces(n vec.Vec3) int {
	x := &s.Shell
	p, q := s.NearA, s.NearB
	nA, nB := len(p), len(q)
	// A's polygon is counter-clockwise about n if it has an area, and B's about −n.
	vertexA := func(i int) soa.Vertex { return soa.Vertex(p[i%nA]) }
	vertexB := func(j int) soa.Vertex { return soa.Vertex(q[nB-1-j%nB]) }
	// Start from the corner farthest along a direction of the plane that is unlikely to be
	// perpendicular to an edge.
	e := n.Perpendicular()
	d := e.AddScaled(0.375, n.Cross(e))
	e = n.Cross(d)
	i0, j0 := 0, 0
	for i := range nA {
		if aheadOf(s.HullA.At(int(vertexA(i))).Sub(s.HullA.At(int(vertexA(i0)))), d, e) {
			i0 = i
		}
	}
	for j := range nB {
		if aheadOf(s.HullB.At(int(vertexB(j0))).Sub(s.HullB.At(int(vertexB(j)))), d, e) {
			j0 = j
		}
	}
	count := 0
	for i, j := 0, 0; i < nA || j < nB; count++ {
		if count == mostSides {
			return 0
		}
		a, b := vertexA(i0+i), vertexB(j0+j)
		from, to := s.HullA.At(int(a)), s.HullB.At(int(b))
		x.a[count], x.b[count], x.corners[count] = a, b, from.Sub(to)
		f := s.HullA.At(int(vertexA(i0 + i + 1))).Sub(from)
		g := to.Sub(s.HullB.At(int(vertexB(j0 + j + 1))))
		turn := f.Cross(g).Dot(n)
		both := f.Dot(g) > 0 && float64(turn*turn) <= pair.MinSine*pair.MinSine*f.Norm2()*g.Norm2()
		if i < nA && j < nB && both {
			i, j = i+1, j+1
		} else if j == nB || i < nA && turn > 0 {
			i++
		} else {
			j++
		}
	}
	for c := range count {
		if !(x.corners[c].Cross(x.corners[(c+1)%count]).Dot(n) > 0) {
			return 0
		}
	}
	return count
}

// aheadOf reports whether w has a positive component along d or, if that component is zero, along
// e.
func aheadOf(w, d, e vec.Vec3) bool {
	along := w.Dot(d)
	return along > 0 || along == 0 && w.Dot(e) > 0
}

// mostTurns limits the supports that turnedOver computes for one side.
const mostTurns = 8

// turnedOver returns a point of K in the plane of the facet adjacent across side i. It turns a
// plane about the side, starting from the plane through point y, until no support lies beyond the
// plane.
func (s *Prover) turnedOver(i, count int, y vec.Vec3) vec.Vec3 {
	x := &s.Shell
	v, u := x.corners[i], x.corners[(i+1)%count]
	e := v.Sub(u)
	g, ka, kb := y, x.a[i], x.b[i]
	for range mostTurns {
		c := e.Cross(g.Sub(u))
		ka, kb = pair.Climb(s.ViewA, ka, c), pair.Climb(s.ViewB, kb, s.Rot.TMulVec(c).Neg())
		to := s.pointOf(ka, kb)
		if !(c.Dot(to.Sub(u)) > s.Tol.Tie*c.Norm()) {
			break
		}
		g = to
	}
	return g
}
