package asm

// odometerSweepGeneric writes every index and moves on only if the pair has expired, which the
// compiler can do without a branch: the same time a pair whatever their order. A branch around the
// write is quicker while hardly any pair has expired and several times slower once many have, as in a
// heap at rest, where every touching pair has to be looked at in every step.
func odometerSweepGeneric(a, b []uint32, expiry, odometer []float64, lo, hi int, out []uint32) int {
	a, b, expiry = a[lo:hi], b[lo:hi], expiry[lo:hi]
	b, expiry = b[:len(a)], expiry[:len(a)]
	n := 0
	for i, p := range a {
		moved := odometer[p] + odometer[b[i]]
		out[n] = uint32(lo + i)
		if !(moved < expiry[i]) {
			n++
		}
	}
	return n
}
