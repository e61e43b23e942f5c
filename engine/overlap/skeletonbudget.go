package overlap

import "math"

// budgetOf returns by how much the odometers of both bodies together may advance after a proof of a skeleton, m: it would be
// proven again all the while. It is not positive where the skeleton has to be proven in each step.
//
// Let the odometers advance by d. A point in both bodies moves by at most d in either one's frame. So a corner that is a vertex comes
// at most d closer to the other body's planes, and d < h - 2·clear keeps a vertex h deep.
//
// Take an edge of length L that pierces a face of a body of radius R, with its ends at heights h and h - H over the face's plane. The
// edge's point there is in both bodies. An end l away from it moves by at most d(1 + l/R), since the body turns by at most d/R. Of
// both ends the lower one, |h| over or under the plane, has l = L·|h|/H, and is the first to come to it. So d(1 + L·|h|/(H·R)) <
// |h| - 2·clear keeps the signs of both. H changes by at most d(2 + L/R), for both ends' l are L together.
//
// Let H' be a bound of H from below. The edge's point is at most d over or under the plane, and the edge meets the plane at most
// d·L/H' further along. So from a side of the face, r away, that place keeps r - d(1 + L/H'). The proof asks that this times H
// is above clear2: d < (r·H' - 2·clear2)/(H' + L). As this is below r·H/(H + L), H' = H - (2 + L/R)·r·H/(H + L) is such a bound, and so
// is H/2 where d is below H/(4 + 2·L/R).
//
// The budget is the least such d. Rounding is far below clear.
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
