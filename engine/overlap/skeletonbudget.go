package overlap

import "math"

// budgetOf returns by how much the odometers of both bodies together may advance after a proof of a skeleton, m: it would be
// proven again all the while. It is not positive where the skeleton has to be proven in each step.
//
// Let the odometers advance by d. A point in both bodies moves by at most d in either one's frame. So a corner that is a vertex comes
// at most d closer to the other body's planes.
//
// Take an edge of length L that pierces a face of a body of radius R. The edge's point there is in both bodies. An end is up to L away
// from it, and the body turns by at most d/R. So the heights h of both ends over the face's plane change by at most κd, κ = 1 + L/R.
// Where κd is at most half of the lower height, the heights keep their signs, and their difference H stays above H/2. The edge's point
// is at most d over or under the plane then, and meets it at most d·L/(H/2) further along. So the distance r of the
// place from a side of the face is at least r - d(1 + 2L/H). The proof asks for r·H > clear2 there. The budget is the least of
//
//	(h/2 - clear)/(1 + L/R),  (r·H - 4·clear2)/(H + 2L),  and of vertices  h - 2·clear
//
// Rounding is far below clear.
func (p *placer) budgetOf(k *Skeleton) float64 {
	budget := p.inside - 2*p.clear
	for i := range p.slack[:k.at[2]-k.at[0]] {
		c := &p.slack[i]
		length, fall := math.Sqrt(c.length2), c.over-c.under
		ends := (0.5*min(c.over, -c.under) - p.clear) * c.radius / (c.radius + length)
		sides := (float64(c.inside*fall) - 4*p.clear2) / (fall + 2*length)
		budget = min(budget, ends, sides)
	}
	return budget
}
