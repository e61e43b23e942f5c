//go:build !purego && !race && (amd64 || arm64)

package asm

import "testing"

// machineCode is the kernels of a backend for a single query. Dispatch calls them only for larger
// sets.
type machineCode struct {
	support  func(x, y, z []float64, dx, dy, dz float64) (int, float64)
	interval func(x, y, z []float64, dx, dy, dz float64) (lo, hi float64, kLo, kHi int)
	plane    func(nx, ny, nz, d []float64, px, py, pz float64) (int, float64)
}

// checkShort compares them with the Go loops on sets that are too small for dispatch.
func checkShort(t *testing.T, code machineCode) {
	for n := range 2 * 16 {
		for seed := range uint64(10) {
			s := &source{data: noise(seed*100+uint64(n), 1000)}
			x, y, z := s.points(n)
			d := s.floats(n)
			dx, dy, dz := s.float(), s.float(), s.float()
			bothEnds(t, func(p *pen) {
				px, py, pz, pd := place(p, x), place(p, y), place(p, z), place(p, d)
				k, v := code.support(px, py, pz, dx, dy, dz)
				if wantK, want := supportGeneric(x, y, z, dx, dy, dz); k != wantK || !sameBits(v, want) {
					t.Errorf("support of %d: got %d, %v; want %d, %v", n, k, v, wantK, want)
				}
				lo, hi, kLo, kHi := code.interval(px, py, pz, dx, dy, dz)
				wantLo, wantHi, wantKLo, wantKHi := intervalGeneric(x, y, z, dx, dy, dz)
				if kLo != wantKLo || kHi != wantKHi || !sameBits(lo, wantLo) || !sameBits(hi, wantHi) {
					t.Errorf("interval of %d: got %v at %d, %v at %d; want %v at %d, %v at %d",
						n, lo, kLo, hi, kHi, wantLo, wantKLo, wantHi, wantKHi)
				}
				k, v = code.plane(px, py, pz, pd, dx, dy, dz)
				if wantK, want := planeDistanceGeneric(x, y, z, d, dx, dy, dz); k != wantK || !sameBits(v, want) {
					t.Errorf("plane of %d: got %d, %v; want %d, %v", n, k, v, wantK, want)
				}
			})
		}
	}
}
