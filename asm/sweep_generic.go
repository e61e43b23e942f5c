package asm

// odometerSweepGeneric is the Go loop of OdometerSweep. It writes every index and advances only if
// the pair has expired, which the compiler does without a branch. So the time of a pair does not
// depend on the order of the pairs. A branch around the write is faster while hardly any pair has
// expired. It is several times slower once many have expired: in a heap at rest every touching pair
// expires in every step.
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
