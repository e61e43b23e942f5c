package oracle

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// Result is the result of Gap.
type Result struct {
	// Gap is the distance, or minus the penetration depth, m.
	Gap float64
	// Normal is a unit vector from A to B in whose direction the gap is attained.
	Normal vec.Vec3
	// PointA lies on A and PointB on B, up to rounding, and PointB - PointA = Gap·Normal. If
	// features are parallel, these are one choice of many.
	PointA, PointB vec.Vec3
	// Ties counts the normals that differ by more than tolSameNormal and have this gap to within
	// tolTie·size. If there is more than one, Normal is one of them.
	Ties int
}

const (
	// tolTie, relative to the larger size, is the difference below which two gaps count as equal.
	// Only Ties uses it.
	tolTie = 1e-12
	// tolSameNormal is a length of the difference of unit vectors. Directions this close to the
	// optimum of a smooth h_K change it by less than tolTie if the gap is at most 1e-4·size.
	tolSameNormal = 1e-4
)

// Gap returns the signed gap of two convex polyhedra and a direction that attains it.
//
// With h_K(n) = h_A(n) + h_B(-n) the gap is the maximum of -h_K(n) over unit vectors n, whether the
// bodies overlap or not. The maximum is at the normal of a facet of K = A ⊖ B (a face of A, a face
// of B, or two edges). Only if the bodies are apart, it may be at the direction between two
// vertices, or from a vertex perpendicular to an edge. Gap tries all these directions with the
// support over all vertices. Every direction is a valid bound, so nothing is pruned and nothing
// depends on a tolerance. Cost EA·EB·(VA+VB).
//
// The error is a few roundings of the larger size. Normals are computed from exact differences, so
// nearly parallel edges keep their accuracy.
func Gap(a, b ConvexBody) Result {
	origin := a.Verts[0]
	a, b = a.Moved(origin.Neg()), b.Moved(origin.Neg())
	var s search
	s.a, s.b = a, b
	s.facets()
	if s.best < 0 {
		s.corners()
	}
	r := Result{Gap: -s.best, Normal: s.normal, Ties: s.ties(tolTie * max(a.Size(), b.Size()))}
	// Translate B along the normal until the bodies touch. The contact is at the closest points.
	shift := r.Normal.Scale(-r.Gap)
	_, pa, pb := Distance(a, b.Moved(shift))
	r.PointA, r.PointB = pa.Add(origin), pb.Sub(shift).Add(origin)
	return r
}

// search collects directions n and their h_K(n).
type search struct {
	a, b    ConvexBody
	best    float64
	normal  vec.Vec3
	normals []vec.Vec3
	heights []float64
}

func (s *search) try(n vec.Vec3) {
	n = n.Unit()
	if n == (vec.Vec3{}) {
		return
	}
	h := s.a.Support(n) + s.b.Support(n.Neg())
	if len(s.heights) == 0 || h < s.best {
		s.best, s.normal = h, n
	}
	s.normals, s.heights = append(s.normals, n), append(s.heights, h)
}

func (s *search) facets() {
	for _, n := range s.a.faceNormals() {
		s.try(n)
	}
	for _, n := range s.b.faceNormals() {
		s.try(n.Neg())
	}
	edgesB := s.b.Edges()
	for _, e := range s.a.Edges() {
		for _, f := range edgesB {
			n := CrossOfDifferences(s.a.Verts[e[0]], s.a.Verts[e[1]], s.b.Verts[f[0]], s.b.Verts[f[1]])
			s.try(n)
			s.try(n.Neg())
		}
	}
}

func (s *search) corners() {
	for _, va := range s.a.Verts {
		for _, vb := range s.b.Verts {
			s.try(vb.Sub(va))
		}
	}
	for _, e := range s.a.Edges() {
		for _, vb := range s.b.Verts {
			s.try(squareTo(vb, s.a.Verts[e[0]], s.a.Verts[e[1]]))
		}
	}
	for _, e := range s.b.Edges() {
		for _, va := range s.a.Verts {
			s.try(squareTo(va, s.b.Verts[e[0]], s.b.Verts[e[1]]).Neg())
		}
	}
}

func (s *search) ties(tol float64) int {
	var distinct []vec.Vec3
next:
	for i, n := range s.normals {
		if s.heights[i] > s.best+tol {
			continue
		}
		for _, m := range distinct {
			if m.Sub(n).Norm() <= tolSameNormal {
				continue next
			}
		}
		distinct = append(distinct, n)
	}
	return len(distinct)
}

// faceNormals returns the outward normal of each face's area. For faces with up to six sides it
// also returns the normals of all triangles of their vertices: if rounding bends a face, the facets
// of the hull are among these triangles.
func (b ConvexBody) faceNormals() []vec.Vec3 {
	var normals []vec.Vec3
	for f, loop := range b.Faces {
		normals = append(normals, b.areaVector(f))
		if len(loop) > 6 {
			continue
		}
		for k := range loop {
			for j := range k {
				for i := range j {
					p, q, r := b.Verts[loop[i]], b.Verts[loop[j]], b.Verts[loop[k]]
					normals = append(normals, CrossOfDifferences(p, q, p, r))
				}
			}
		}
	}
	return normals
}

// squareTo returns the part of p-q0 perpendicular to the edge from q0 to q1. The second pass
// removes the rounding error along the edge, which matters if p is close to the line of the edge.
func squareTo(p, q0, q1 vec.Vec3) vec.Vec3 {
	d := q1.Sub(q0).Unit()
	w := p.Sub(q0)
	w = w.AddScaled(-w.Dot(d), d)
	return w.AddScaled(-w.Dot(d), d)
}

// dd is an unevaluated sum hi + lo, where lo is at most half a unit in the last place of hi.
type dd struct{ hi, lo float64 }

// difference returns a-b without rounding (Knuth 1997, vol. 2, theorem 4.2.2B).
func difference(a, b float64) dd {
	s := a - b
	t := a - s
	return dd{s, (a - (s + t)) + (t - b)}
}

func (a dd) mul(b dd) dd {
	p := float64(a.hi * b.hi)
	e := math.FMA(a.hi, b.hi, -p) + (float64(a.hi*b.lo) + float64(a.lo*b.hi))
	s := p + e
	return dd{s, e - (s - p)}
}

func (a dd) sub(b dd) float64 {
	d := difference(a.hi, b.hi)
	return d.hi + (d.lo + (a.lo - b.lo))
}

// CrossOfDifferences returns (a1-a0) × (b1-b0), computed with about twice the precision. The
// direction of the product of almost parallel vectors is therefore accurate to the last places.
func CrossOfDifferences(a0, a1, b0, b1 vec.Vec3) vec.Vec3 {
	ax, ay, az := difference(a1.X, a0.X), difference(a1.Y, a0.Y), difference(a1.Z, a0.Z)
	bx, by, bz := difference(b1.X, b0.X), difference(b1.Y, b0.Y), difference(b1.Z, b0.Z)
	return vec.Vec3{
		X: ay.mul(bz).sub(az.mul(by)),
		Y: az.mul(bx).sub(ax.mul(bz)),
		Z: ax.mul(by).sub(ay.mul(bx)),
	}
}
