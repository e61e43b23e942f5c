package facets

import (
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/vec"
)

// split returns a point a of A such that a − b = x for some point b of B. x must be a point of K up
// to rounding. ok reports whether a − b equals x to projectionTol.
//
// split runs GJK towards x instead of the origin and applies the weights of the last simplex. It is
// needed for facets that tie. For example, let an edge leave a face by a nanoradian. The plane of
// the facet with the lowest id is then as shallow as its neighbour's to the last bit, but the
// projection of the origin lies in the neighbour.
func (s *Facets) split(x vec.Vec3) (a vec.Vec3, ok bool) {
	stop := s.Tol.Tie
	v := x.Neg()
	d, n := pair.Length(v)
	if d == 0 {
		n = vec.Vec3{X: 1}
	}
	n = n.Neg()
	s.N = 0
	for range pair.MaxGJK {
		c := s.VertexAlong(n)
		if s.Has(c.A, c.B) {
			break
		}
		c.P = c.P.Sub(x)
		s.C[s.N] = c
		s.N++
		w, inside := s.Closest()
		e := w.Norm()
		if inside || e <= stop || (s.N > 1 && e >= d) {
			break
		}
		d, n = e, w.Scale(-1/e)
	}
	var b vec.Vec3
	weights := s.weights()
	for i := range s.N {
		a = a.AddScaled(weights[i], s.HullA.At(int(s.C[i].A)))
		b = b.AddScaled(weights[i], s.HullB.At(int(s.C[i].B)))
	}
	return a, a.Sub(b).Sub(x).Norm() <= s.Tol.Projection
}

// weights returns the barycentric coordinates of the point of the simplex nearest to the origin.
// They are not negative and sum to 1. The simplex must be as Closest left it.
func (s *Simplex) weights() (w [4]float64) {
	p, q, r, u := s.C[0].P, s.C[1].P, s.C[2].P, s.C[3].P
	switch s.N {
	case 2:
		d := q.Sub(p)
		w[1] = -p.Dot(d) / d.Norm2()
		w[0] = 1 - w[1]
	case 3:
		n := q.Sub(p).Cross(r.Sub(p))
		w = [4]float64{q.Cross(r).Dot(n), r.Cross(p).Dot(n), p.Cross(q).Dot(n)}
	case 4:
		rxu, pxq := r.Cross(u), p.Cross(q)
		w = [4]float64{q.Dot(rxu), -p.Dot(rxu), u.Dot(pxq), -r.Dot(pxq)}
		if w[0]+w[1]+w[2]+w[3] < 0 {
			w = [4]float64{-w[0], -w[1], -w[2], -w[3]}
		}
	default:
		return [4]float64{1}
	}
	sum := 0.0
	for i := range w {
		w[i] = max(w[i], 0)
		sum += w[i]
	}
	if !(sum > 0) {
		return [4]float64{1}
	}
	for i := range w {
		w[i] /= sum
	}
	return w
}
