package overlap

import "math"

// budgetOf returns how far the odometers of both bodies together may advance, m, after a proof of a
// skeleton, so that the proof would still succeed. If the budget is not positive, the skeleton must
// be proven in each step.
//
// Let the odometers advance by d. A point that is in both bodies moves by at most d in the frame of
// either body. Therefore a corner that is a vertex comes at most d closer to the other body's
// planes. A vertex at depth h stays proven if d < h - 2·clear.
//
// Let an edge of length L pierce a face, and let R be the radius of the face's body. The ends of
// the edge are at the heights h and h - H over the face's plane. The piercing point is in both
// bodies. An end at the distance l from this point moves by at most d(1 + l/R), because the body
// turns by at most d/R.
//
// Signs of the ends: let |h| be the smaller distance of an end from the plane. This end has l =
// L·|h|/H and can reach the plane first. The signs of both ends stay if d(1 + L·|h|/(H·R)) < |h| -
// 2·clear.
//
// Sides of the face: H changes by at most d(2 + L/R), because the distances l of both ends sum to
// L. Let H' be a lower bound of H after the motion. The old piercing point of the edge is then at
// most d from the plane, and the new one at most d·L/H' further along the edge. If the old point is
// r from a side of the face, the new one is at least r - d(1 + L/H') from the side. The proof
// demands that this distance times H exceeds clear2, which holds if d < (r·H' - 2·clear2)/(H' + L).
// This limit is below r·H/(H + L), so H' = H - (2 + L/R)·r·H/(H + L) is a valid bound. H' = H/2 is
// another, if d is below H/(4 + 2·L/R).
//
// The budget is the least of these limits of d. Rounding is far below clear.
func (p *placer) budgetOf(k *Skeleton) float64 {
	budget := p.inside - float64(2*p.clear)
	for i := range p.slack[:k.at[2]-k.at[0]] {
		c := &p.slack[i]
		length, fall, low := math.Sqrt(c.length2), c.over-c.under, min(c.over, -c.under)
		turns := 2 + length/c.radius
		least := fall - float64(turns*c.inside)*fall/(fall+length)
		if least < 0.5*fall {
			least = 0.5 * fall
			budget = min(budget, least/turns)
		}
		ends := (low - float64(2*p.clear)) * fall / (fall + float64(low*(turns-2)))
		sides := (float64(c.inside*least) - float64(2*p.clear2)) / (least + length)
		budget = min(budget, ends, sides)
	}
	return budget
}
