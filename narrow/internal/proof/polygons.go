package proof

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// insetOfFaces returns how far inside the part of K that the polygons NearA and NearB make the
// projection of the origin lies, seen along n.
func (s *Prover) insetOfFaces(n vec.Vec3) float64 {
	rho := s.insidePolygons(&s.HullA, s.NearA, &s.HullB, s.NearB, n)
	if len(s.NearB) > 1 {
		rho = min(rho, s.insidePolygons(&s.HullB, s.NearB, &s.HullA, s.NearA, n.Neg()))
	}
	return rho
}

// Corners appends the vertices of face f, in the order of its loop.
func Corners(to []uint16, v *soa.View, f int) []uint16 {
	first := v.LoopFirst[f]
	for _, k := range v.Tail[first : first+v.LoopLen[f]] {
		to = append(to, uint16(k))
	}
	return to
}

// insidePolygons returns how far inside the difference p − q of two polygons the origin lies,
// counting only the sides that the edges of p make. For each edge of p, with outward direction o
// perpendicular to the edge and to n, the distance is max over p of o·x less min over q of o·x.
// insidePolygons returns the least of these, or 0 if one is not positive. n is the outward normal
// of p. Cost: the corners of both polygons, because the lowest corner of q moves around q with the
// edges of p.
func (s *Prover) insidePolygons(hp *pair.PosedHull, p []uint16, hq *pair.PosedHull, q []uint16, n vec.Vec3) float64 {
	least := math.Inf(1)
	last := hp.At(int(p[len(p)-1]))
	at, low := 0, 0.0
	for _, k := range p {
		next := hp.At(int(k))
		out := next.Sub(last).Cross(n)
		at, low = s.LowestAround(hq, q, at, out)
		in := max(out.Dot(last), out.Dot(next)) - low
		if !(in > 0) {
			return 0
		}
		if l2 := out.Norm2(); float64(in*in) < float64(float64(least*least)*l2) {
			least = in / math.Sqrt(l2)
		}
		last = next
	}
	return least
}

const (
	// fewCorners is the number of corners up to which all corners of a polygon are tested for the
	// lowest. It is not a tolerance.
	fewCorners = 16
	// aroundTol, in length scales times the length of the direction, is how much higher than the
	// lowest known corner the walk around a polygon may climb and go on. Rounding, or the bend of a
	// face, may raise a corner that lies before a lower one. It is four times CloseTol. Smaller: a
	// corner that is lower by a rounding is missed. Larger: corners are tested needlessly.
	aroundTol = 4 * pair.CloseTol
)

// LowestAround returns the corner of polygon q that is lowest along d, and its height. If q has
// more than fewCorners corners, LowestAround walks both ways from corner from, until a corner is
// higher than the lowest by more than aroundTol. Around a convex polygon heights decrease once and
// increase once.
func (s *Prover) LowestAround(h *pair.PosedHull, q []uint16, from int, d vec.Vec3) (at int, low float64) {
	if len(q) <= fewCorners {
		low = math.Inf(1)
		for _, j := range q {
			low = min(low, d.Dot(h.At(int(j))))
		}
		return 0, low
	}
	slack := float64(float64(aroundTol*s.LengthScale) * d.Norm())
	at, low = from, d.Dot(h.At(int(q[from])))
	for _, step := range [2]int{1, len(q) - 1} {
		k := from
		for range len(q) - 1 {
			k = (k + step) % len(q)
			high := d.Dot(h.At(int(q[k])))
			if high > low+slack {
				break
			}
			if high < low {
				at, low = k, high
			}
		}
	}
	return at, low
}
