package asm

// OdometerSweep finds the pairs lo ≤ i < hi whose odometers have reached their expiry (certificate
// C1). It writes their indices to out in rising order, and returns how many there are.
//
//	n := 0
//	for i := lo; i < hi; i++ {
//		if !(odometer[a[i]]+odometer[b[i]] < expiry[i]) {
//			out[n] = uint32(i)
//			n++
//		}
//	}
//
//	len(a) == len(b) == len(expiry) <= math.MaxUint32; 0 <= lo <= hi <= len(a)
//	a[i], b[i] < len(odometer) for each i
//	len(out) >= hi - lo
//
// Exact. A pair with a NaN counts as expired, because it is not proven apart. expiry and odometer
// share one unit. The elements out[n:hi-lo] are undefined afterwards.
func OdometerSweep(a, b []uint32, expiry, odometer []float64, lo, hi int, out []uint32) int {
	if len(b) != len(a) || len(expiry) != len(a) {
		panic("asm: OdometerSweep: columns of unequal length")
	}
	if lo < 0 || hi < lo || hi > len(a) {
		panic("asm: OdometerSweep: range outside the pairs")
	}
	if len(out) < hi-lo {
		panic("asm: OdometerSweep: out is shorter than the range")
	}
	return odometerSweep(a, b, expiry, odometer, lo, hi, out)
}
