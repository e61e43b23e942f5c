// Package disjoint keeps sets of numbers that are joined. Each set is named by its lowest member.
package disjoint

// Sets of the numbers from 0 to len-1: of each another one of its set that is not higher, or itself
// where it is the lowest.
type Sets[N int | uint32] []N

// New returns n sets of one number each.
func New[N int | uint32](n int) Sets[N] {
	s := make(Sets[N], n)
	for k := range s {
		s[k] = N(k)
	}
	return s
}

// Lowest returns the lowest number of the set of k, and halves the way to it.
func (s Sets[N]) Lowest(k N) N {
	for s[k] != k {
		s[k] = s[s[k]]
		k = s[k]
	}
	return k
}

// Join makes one set of those of a and b.
func (s Sets[N]) Join(a, b N) {
	a, b = s.Lowest(a), s.Lowest(b)
	s[max(a, b)] = min(a, b)
}
