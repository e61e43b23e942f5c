//go:build purego || race || !amd64

package asm

func odometerSweep(a, b []uint32, expiry, odometer []float64, lo, hi int, out []uint32) int {
	return odometerSweepGeneric(a, b, expiry, odometer, lo, hi, out)
}
