package engine

import (
	"cmp"
	"slices"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
)

// squareMaterials is the largest number of materials for which TimeStep evaluates every pair of
// materials.
const squareMaterials = 256

// overPairs adds the limits of all pairs of materials. With more than squareMaterials materials it
// evaluates only some pairs. These are the pairs with a law of their own and, for each material,
// the pairs with the base law that have the largest value in one field of lightest. This gives the
// same Stable and Contact, with two exceptions. For a base law with a dashpot of ζ above 1/√2, a
// heavier pair may have a shorter contact. If friction bounds a tangential dashpot, two fields
// count at the same time. The cost is then that of sorting the materials and evaluating the pairs
// with laws of their own.
//
// lightestOf returns the lightest bodies of each material for laws with an area exponent
// (force.Needs.Growth).
func (t *TimeStep) overPairs(law *force.Table, lightestOf func(growth float64) []lightest, overlap float64) {
	byGrowth := map[float64][]lightest{}
	grown := func(n *force.Needs) []lightest {
		if byGrowth[n.Growth] == nil {
			byGrowth[n.Growth] = lightestOf(n.Growth)
		}
		return byGrowth[n.Growth]
	}
	base := law.Base().Needs()
	of := grown(&base)
	var all []soa.Material
	for m := range of {
		if of[m].bodies > 0 {
			all = append(all, soa.Material(m))
		}
	}
	add := func(a, b soa.Material) bool {
		of, l, first := grown(law.NeedsOf(a, b)), law.At(a, b), true
		return of[a].with(&of[b], func(x, y inverseMass) {
			if first {
				t.impact(l, 1/(of[a].lightest+of[b].lightest), overlap)
				first = false
			}
			t.add(l, x, y, overlap)
		})
	}
	if len(all) <= squareMaterials {
		for i, a := range all {
			for _, b := range all[i:] {
				add(a, b)
			}
		}
		return
	}
	for _, p := range law.Pairs() {
		add(p.A, p.B)
	}
	for k := range len(criteria) + 1 {
		criterion := func(l *lightest) float64 {
			if k == len(criteria) {
				return l.lightest
			}
			return criteria[k](&l.of[k].first)
		}
		heaviest := slices.Clone(all)
		slices.SortStableFunc(heaviest, func(a, b soa.Material) int { return cmp.Compare(criterion(&of[b]), criterion(&of[a])) })
		for _, a := range all {
			for _, b := range heaviest {
				if law.Row(a, b) == 0 && add(a, b) {
					break
				}
			}
		}
	}
}
