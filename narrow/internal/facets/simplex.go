package facets

import (
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/vec"
)

// Thicker reports whether the volume of the four corners exceeds share times the product of three
// edge lengths.
func (s *Simplex) Thicker(share float64) bool {
	e, f, g := s.C[1].P.Sub(s.C[0].P), s.C[2].P.Sub(s.C[0].P), s.C[3].P.Sub(s.C[0].P)
	v := e.Cross(f).Dot(g)
	return v*v > share*share*e.Norm2()*f.Norm2()*g.Norm2()
}

// VertexAlong returns the vertex of K farthest along d.
func (s *Facets) VertexAlong(d vec.Vec3) Corner {
	ia, _ := s.HullA.Highest(d)
	ib, _ := s.HullB.Lowest(d)
	return Corner{s.HullA.At(ia).Sub(s.HullB.At(ib)), uint16(ia), uint16(ib)}
}

// Has reports whether the simplex contains the corner of vertices a and b.
func (s *Simplex) Has(a, b uint16) bool {
	for i := range s.N {
		if s.C[i].A == a && s.C[i].B == b {
			return true
		}
	}
	return false
}

// Corner is a vertex of K = A ⊖ B: P = a − b, with the indices of the two vertices.
type Corner struct {
	P    vec.Vec3
	A, B uint16
}

// Simplex is the current simplex of GJK with its results.
type Simplex struct {
	C      [4]Corner
	N      int
	Axis   vec.Vec3 // unit, A to B: the axis with the largest lower bound so far
	Lower  float64  // lower bound of the gap along Axis, rounding allowed for
	Upper  float64  // distance of the nearest point found in K
	Nearby vec.Vec3 // that point
}

// Closest replaces the simplex by the smallest of its faces that contains its point nearest to the
// origin, and returns that point. If the tetrahedron contains the origin, inside is true and the
// tetrahedron stays as it is.
//
// Source: the signed volumes of Montanari et al. 2017. Signs of volumes, areas and lengths select
// the face. No ratio of nearly equal small numbers is used. If the signs place the origin beyond
// several faces, all of these are tried and the nearest wins, which is equivalent to the recursion
// of the paper. A flat tetrahedron is answered by its faces, and a triangle without area by its
// edges. Cost: at most 4 triangles.
func (s *Simplex) Closest() (v vec.Vec3, inside bool) {
	switch s.N {
	case 1:
		return s.C[0].P, false
	case 2:
		v, keep := pair.ClosestOnSegment(s.C[0].P, s.C[1].P)
		s.keep(keep)
		return v, false
	case 3:
		v, keep := closestOnTriangle(s.C[0].P, s.C[1].P, s.C[2].P)
		s.keep(keep)
		return v, false
	}
	return s.closestOfTetrahedron()
}

// keep removes the corners whose bit in mask is not set.
func (s *Simplex) keep(mask uint8) {
	n := 0
	for i := range s.N {
		if mask&(1<<i) != 0 {
			s.C[n] = s.C[i]
			n++
		}
	}
	s.N = n
}

func (s *Simplex) closestOfTetrahedron() (v vec.Vec3, inside bool) {
	p, q, r, u := s.C[0].P, s.C[1].P, s.C[2].P, s.C[3].P
	// Six times the signed volumes with one vertex replaced by the origin. They sum to the whole.
	rxu, pxq := r.Cross(u), p.Cross(q)
	part := [4]float64{q.Dot(rxu), -p.Dot(rxu), u.Dot(pxq), -r.Dot(pxq)}
	whole := q.Sub(p).Dot(r.Sub(p).Cross(u.Sub(p)))
	sign := 1.0
	if whole < 0 {
		sign = -1
	}
	beyond := uint8(0)
	for i, x := range part {
		if !(x*sign > 0) {
			beyond |= 1 << i
		}
	}
	if beyond == 0 {
		return vec.Vec3{}, true
	}
	// The four faces, indexed by the corner that each leaves out.
	faces := [4][3]int{{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}
	best, mask, found := 0.0, uint8(0), false
	// In a flat tetrahedron the signs are meaningless, so all faces are tried.
	flat := whole*whole <= pair.FlatVolume*pair.FlatVolume*q.Sub(p).Norm2()*r.Sub(p).Norm2()*u.Sub(p).Norm2()
	for i, f := range faces {
		if beyond&(1<<i) == 0 && !flat {
			continue
		}
		w, keep := closestOnTriangle(s.C[f[0]].P, s.C[f[1]].P, s.C[f[2]].P)
		if d := w.Norm2(); !found || d < best {
			best, v, found, mask = d, w, true, 0
			for k := range f {
				if keep&(1<<k) != 0 {
					mask |= 1 << f[k]
				}
			}
		}
	}
	s.keep(mask)
	return v, false
}

// closestOnTriangle returns the point of the triangle pqr nearest to the origin, and the corners
// that span it as bits 0 to 2.
func closestOnTriangle(p, q, r vec.Vec3) (vec.Vec3, uint8) {
	return ClosestAlong(q.Sub(p).Cross(r.Sub(p)), p, q, r)
}

// ClosestAlong is closestOnTriangle for a triangle with a known normal n of any length.
func ClosestAlong(n, p, q, r vec.Vec3) (vec.Vec3, uint8) {
	nn := n.Norm2()
	beyond := uint8(7)
	if nn > 0 {
		projection := n.Scale(p.Dot(n) / nn)
		// Signed areas of the projection with two corners, seen along the largest component of n.
		pf, qf, rf := p.Sub(projection), q.Sub(projection), r.Sub(projection)
		var a [3]float64
		sign := 1.0
		m := n.Abs()
		switch {
		case m.X >= m.Y && m.X >= m.Z:
			a = [3]float64{area(qf.Y, qf.Z, rf.Y, rf.Z), area(rf.Y, rf.Z, pf.Y, pf.Z), area(pf.Y, pf.Z, qf.Y, qf.Z)}
			sign = n.X
		case m.Y >= m.Z:
			a = [3]float64{area(qf.Z, qf.X, rf.Z, rf.X), area(rf.Z, rf.X, pf.Z, pf.X), area(pf.Z, pf.X, qf.Z, qf.X)}
			sign = n.Y
		default:
			a = [3]float64{area(qf.X, qf.Y, rf.X, rf.Y), area(rf.X, rf.Y, pf.X, pf.Y), area(pf.X, pf.Y, qf.X, qf.Y)}
			sign = n.Z
		}
		beyond = 0
		for i, x := range a {
			if !(x*sign > 0) {
				beyond |= 1 << i
			}
		}
		if beyond == 0 {
			return projection, 7
		}
	}
	// The edges opposite to the corners whose area is not positive.
	var v vec.Vec3
	best, mask := -1.0, uint8(0)
	if beyond&1 != 0 {
		w, keep := pair.ClosestOnSegment(q, r)
		v, best, mask = w, w.Norm2(), keep<<1
	}
	if beyond&2 != 0 {
		w, keep := pair.ClosestOnSegment(p, r)
		if d := w.Norm2(); best < 0 || d < best {
			v, best, mask = w, d, keep&1|keep&2<<1
		}
	}
	if beyond&4 != 0 {
		w, keep := pair.ClosestOnSegment(p, q)
		if d := w.Norm2(); best < 0 || d < best {
			v, mask = w, keep
		}
	}
	return v, mask
}

func area(ax, ay, bx, by float64) float64 { return float64(ax*by) - float64(ay*bx) }
