package proof

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// insetOfFaces is how far inside the part of K that the polygons NearA and NearB make, seen along n, the foot lies.
func (s *Prover) insetOfFaces(n vec.Vec3) float64 {
	rho := s.insidePolygons(&s.HullA, s.NearA, &s.HullB, s.NearB, n)
	if len(s.NearB) > 1 {
		rho = min(rho, s.insidePolygons(&s.HullB, s.NearB, &s.HullA, s.NearA, n.Neg()))
	}
	return rho
}

// Corners appends the vertices of a face, in the order of its loop.
func Corners(to []uint16, v *soa.View, f int) []uint16 {
	first := v.LoopFirst[f]
	for _, k := range v.Tail[first : first+v.LoopLen[f]] {
		to = append(to, uint16(k))
	}
	return to
}

// insidePolygons returns the least, over the edges of a polygon p whose outward normal is n, of
// how far the origin lies inside the difference of p and q on that side: max over p less min over
// q along the edge's outward direction at right angles to n. Cost: the corners of both, as the
// lowest of q turns with the edges of p.
func (s *Prover) insidePolygons(hp *pair.Hull, p []uint16, hq *pair.Hull, q []uint16, n vec.Vec3) float64 {
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
	// fewCorners is up to how many corners of a polygon all are asked for the lowest. It is no
	// tolerance.
	fewCorners = 16
	// aroundTol is how much higher than the lowest, in units times the length of the direction, a
	// corner of a polygon may seem to lie by rounding and by the bend of a face, with a lower one
	// behind it. It is four times CloseTol. Smaller: a corner that is lower by a rounding is
	// missed. Larger: corners are asked needlessly.
	aroundTol = 4 * pair.CloseTol
)

// LowestAround returns which corner of a polygon is lowest along d, and its height: of more than
// fewCorners, by going both ways from one at hand until corners are higher than the lowest by
// more than aroundTol. Heights fall once and rise once around a polygon.
func (s *Prover) LowestAround(h *pair.Hull, q []uint16, from int, d vec.Vec3) (at int, low float64) {
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
