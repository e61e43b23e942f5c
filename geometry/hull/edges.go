package hull

import (
	"cmp"
	"slices"
)

// edgeUse is one directed use of an edge, by a half-edge of number id.
type edgeUse struct {
	low, high int
	forward   bool // from low to high
	id        int
}

func newEdgeUse(from, to, id int) edgeUse {
	if from < to {
		return edgeUse{from, to, true, id}
	}
	return edgeUse{to, from, false, id}
}

// pairEdges sorts the uses so that the two of one edge are neighbours, forward first. It returns false
// unless every edge is used exactly once in each direction.
func pairEdges(uses []edgeUse) bool {
	slices.SortFunc(uses, func(a, b edgeUse) int {
		if c := cmp.Compare(a.low, b.low); c != 0 {
			return c
		}
		if c := cmp.Compare(a.high, b.high); c != 0 {
			return c
		}
		switch {
		case a.forward == b.forward:
			return cmp.Compare(a.id, b.id)
		case a.forward:
			return -1
		}
		return 1
	})
	if len(uses)%2 != 0 {
		return false
	}
	for i := 0; i < len(uses); i += 2 {
		a, b := uses[i], uses[i+1]
		if a.low != b.low || a.high != b.high || !a.forward || b.forward {
			return false
		}
		if i > 0 && uses[i-1].low == a.low && uses[i-1].high == a.high {
			return false
		}
	}
	return true
}
