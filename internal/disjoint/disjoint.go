// Package disjoint implements disjoint sets (union-find). The lowest member of a set represents it.
package disjoint

// Sets is a partition of the numbers 0 to len-1. Element k is a lower member of the set of k, or k
// if k is the lowest.
type Sets[N int | uint32] []N

// New returns n sets with one number each.
func New[N int | uint32](n int) Sets[N] {
	s := make(Sets[N], n)
	for k := range s {
		s[k] = N(k)
	}
	return s
}

// Lowest returns the lowest number of the set of k. It shortens the path by path halving.
func (s Sets[N]) Lowest(k N) N {
	for s[k] != k {
		s[k] = s[s[k]]
		k = s[k]
	}
	return k
}

// Join merges the sets of a and b.
func (s Sets[N]) Join(a, b N) {
	a, b = s.Lowest(a), s.Lowest(b)
	s[max(a, b)] = min(a, b)
}
