//go:build !purego && !race

package asm

func odometerSweep(a, b []uint32, expiry, odometer []float64, lo, hi int, out []uint32) int {
	n, next := 0, lo
	// The kernels compare indices as 32-bit numbers, and gather with signed 32-bit indices.
	if last := uint(len(odometer) - 1); last < 1<<31 {
		if useAVX512 {
			n, next = odometerSweepAVX512(a, b, expiry, odometer, lo, hi, out)
		} else if useAVX2 {
			n, next = odometerSweepAVX2(a, b, expiry, odometer, lo, hi, out)
		}
	}
	return n + odometerSweepGeneric(a, b, expiry, odometer, next, hi, out[n:])
}

// odometerSweepAVX2 does the same as OdometerSweep for the pairs lo ≤ i < next, whose number is a
// multiple of 4. It stops if fewer than four pairs remain, or before four pairs if one has no
// odometer.
//
//	for next = lo; next+4 <= hi && max(a[next:next+4], b[next:next+4]) < len(odometer); next += 4 {
//		n += OdometerSweep(a, b, expiry, odometer, next, next+4, out[n:])
//	}
//
//	as OdometerSweep, but without a[i], b[i] < len(odometer); 0 < len(odometer) <= 1<<31
//
//go:noescape
func odometerSweepAVX2(a, b []uint32, expiry, odometer []float64, lo, hi int, out []uint32) (n, next int)

// odometerSweepAVX512 does the same as odometerSweepAVX2, with eight pairs for four.
//
//go:noescape
func odometerSweepAVX512(a, b []uint32, expiry, odometer []float64, lo, hi int, out []uint32) (n, next int)
