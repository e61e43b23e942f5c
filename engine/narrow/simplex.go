package narrow

import "github.com/scree-dem/scree/vec"

// corner is a vertex of K = A ⊖ B: p = a − b, with the indices of the two vertices.
type corner struct {
	p    vec.Vec3
	a, b uint16
}

// simplex is GJK's current simplex and what it has found.
type simplex struct {
	c      [4]corner
	n      int
	axis   vec.Vec3 // unit, A to B: the axis with the largest lower bound so far
	lower  float64  // lower bound of the gap along axis, rounding allowed for
	upper  float64  // distance of the nearest point found in K
	nearby vec.Vec3 // that point
}

// closest replaces the simplex by the smallest of its faces that holds its point nearest to the origin,
// and returns that point. inside says that the origin lies in the tetrahedron, which is then kept.
//
// Source: the signed volumes of Montanari et al. 2017. Signs of volumes, areas and lengths decide the
// face; no ratio of nearly equal small numbers is taken. Where a sign says the origin lies beyond
// several faces, all of these are tried and the nearest wins, which is what the paper's recursion does.
// A flat tetrahedron or a triangle without area is answered by its faces. Cost: at most 4 triangles.
func (s *simplex) closest() (v vec.Vec3, inside bool) {
	switch s.n {
	case 1:
		return s.c[0].p, false
	case 2:
		v, keep := closestOnSegment(s.c[0].p, s.c[1].p)
		s.keep(keep)
		return v, false
	case 3:
		v, keep := closestOnTriangle(s.c[0].p, s.c[1].p, s.c[2].p)
		s.keep(keep)
		return v, false
	}
	return s.closestOfTetrahedron()
}

// keep drops the corners whose bit is not set.
func (s *simplex) keep(mask uint8) {
	n := 0
	for i := range s.n {
		if mask&(1<<i) != 0 {
			s.c[n] = s.c[i]
			n++
		}
	}
	s.n = n
}

func (s *simplex) closestOfTetrahedron() (v vec.Vec3, inside bool) {
	p, q, r, u := s.c[0].p, s.c[1].p, s.c[2].p, s.c[3].p
	// Six times the signed volumes with one vertex replaced by the origin; they add up to the whole.
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
	// The four faces, by the corner they leave out.
	faces := [4][3]int{{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}
	best, mask, found := 0.0, uint8(0), false
	// In a flat one the signs mean nothing: all faces are tried.
	flat := whole*whole <= flatVolume*flatVolume*q.Sub(p).Norm2()*r.Sub(p).Norm2()*u.Sub(p).Norm2()
	for i, f := range faces {
		if beyond&(1<<i) == 0 && !flat {
			continue
		}
		w, keep := closestOnTriangle(s.c[f[0]].p, s.c[f[1]].p, s.c[f[2]].p)
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

// closestOnSegment returns the point of the segment pq nearest to the origin and the ends it needs, as
// bits 0 and 1.
func closestOnSegment(p, q vec.Vec3) (vec.Vec3, uint8) {
	d := q.Sub(p)
	dd := d.Norm2()
	from := -p.Dot(d)
	if !(from > 0) || dd == 0 {
		return p, 1
	}
	if from >= dd {
		return q, 2
	}
	return p.AddScaled(from/dd, d), 3
}

// closestOnTriangle returns the point of the triangle pqr nearest to the origin and the corners it
// needs, as bits 0 to 2.
func closestOnTriangle(p, q, r vec.Vec3) (vec.Vec3, uint8) {
	return closestAlong(q.Sub(p).Cross(r.Sub(p)), p, q, r)
}

// closestAlong is closestOnTriangle for one whose normal is known, of any length.
func closestAlong(n, p, q, r vec.Vec3) (vec.Vec3, uint8) {
	nn := n.Norm2()
	beyond := uint8(7)
	if nn > 0 {
		foot := n.Scale(p.Dot(n) / nn)
		// Signed areas of the foot with two corners, seen along the largest component of n.
		pf, qf, rf := p.Sub(foot), q.Sub(foot), r.Sub(foot)
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
			return foot, 7
		}
	}
	// The edges opposite to the corners whose area is not positive.
	var v vec.Vec3
	best, mask := -1.0, uint8(0)
	if beyond&1 != 0 {
		w, keep := closestOnSegment(q, r)
		v, best, mask = w, w.Norm2(), keep<<1
	}
	if beyond&2 != 0 {
		w, keep := closestOnSegment(p, r)
		if d := w.Norm2(); best < 0 || d < best {
			v, best, mask = w, d, keep&1|keep&2<<1
		}
	}
	if beyond&4 != 0 {
		w, keep := closestOnSegment(p, q)
		if d := w.Norm2(); best < 0 || d < best {
			v, mask = w, keep
		}
	}
	return v, mask
}

func area(ax, ay, bx, by float64) float64 { return float64(ax*by) - float64(ay*bx) }
