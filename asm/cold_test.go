package asm

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"

	"github.com/scree-dem/scree/vec"
)

func (f *ColdPairs) coldColumns() []*[]float64 {
	c := []*[]float64{&f.PosX, &f.PosY, &f.PosZ, &f.RotW, &f.RotX, &f.RotY, &f.RotZ}
	for j := range f.Rows {
		c = append(c, &f.Rows[j])
	}
	return c
}

func (f *ColdPairs) wordColumns() []*[]uint32 { return []*[]uint32{&f.A, &f.B, &f.RowA, &f.RowB} }

// newCold returns n pairs over so many poses and a table.
func newCold(poses int, table []float64, n int) *ColdPairs {
	f := &ColdPairs{Facet: make([]float64, n)}
	for j, c := range f.coldColumns() {
		if j < 7 {
			*c = make([]float64, poses)
		} else {
			*c = table[j-7:]
		}
	}
	for _, c := range f.wordColumns() {
		*c = make([]uint32, n)
	}
	return f
}

func (f *ColdPairs) setPose(i int, pos vec.Vec3, rot vec.Quat) {
	f.PosX[i], f.PosY[i], f.PosZ[i] = pos.X, pos.Y, pos.Z
	f.RotW[i], f.RotX[i], f.RotY[i], f.RotZ[i] = rot.W, rot.X, rot.Y, rot.Z
}

// checkCold compares every backend with the Go loop, on bodies near each other and on noise. row
// makes a random shape. corners reports which results are of corners and edges.
func checkCold(
	t *testing.T, s *source, n int, generic, call func(f *ColdPairs, lo, hi int), row func(number func() float64) []float64,
	corners func(code int) bool,
) (known [2]int) {
	t.Helper()
	poses, rows := 2+int(s.byte())%8, 1+int(s.byte())%4
	number := func() float64 { return float64(int(s.byte())-128) / 128 }
	var table []float64
	for range rows {
		table = append(table, row(number)...)
	}
	from := newCold(poses, table, n)
	for i := range poses {
		far := 2.0
		if s.byte()%4 == 0 {
			far = 4
		}
		from.setPose(i, vec.V(number(), number(), number()).Scale(far), vec.FromRotationVector(vec.V(number(), number(), number()).Scale(3)))
	}
	if s.byte()%4 == 0 {
		for _, c := range from.coldColumns()[:7] {
			*c = s.floats(poses)
		}
		copy(table, s.floats(len(table)))
	}
	for i := range n {
		from.A[i], from.B[i] = uint32(int(s.byte())%poses), uint32(int(s.byte())%poses)
		from.RowA[i], from.RowB[i] = uint32(int(s.byte())%rows*ColdNumbers), uint32(int(s.byte())%rows*ColdNumbers)
	}
	lo := int(s.byte()) % (n + 1)
	hi := lo + int(s.byte())%(n-lo+1)
	want := *from
	want.Facet = slices.Clone(want.Facet)
	generic(&want, lo, hi)
	bothEnds(t, func(p *pen) {
		f := &ColdPairs{Facet: output[float64](p, n)}
		clear(f.Facet)
		source, quads := from.coldColumns(), place(p, table)
		for j, c := range f.coldColumns() {
			if j < 7 {
				*c = place(p, *source[j])
			} else {
				*c = quads[j-7:]
			}
		}
		words := from.wordColumns()
		for j, c := range f.wordColumns() {
			*c = place(p, *words[j])
		}
		call(f, lo, hi)
		for i, v := range f.Facet {
			if !sameBits(v, want.Facet[i]) {
				t.Errorf("%d to %d: facet of row %d: got %v, want %v", lo, hi, i, v, want.Facet[i])
			}
		}
	})
	for _, code := range want.Facet[lo:hi] {
		switch {
		case corners(int(code)):
			known[1]++
		case code > 0:
			known[0]++
		}
	}
	return known
}

func checkTetras(t *testing.T, s *source, n int) (known [2]int) {
	row := func(number func() float64) []float64 {
		v := regularTetra()
		for k := range v {
			v[k] = v[k].Add(vec.V(number(), number(), number()).Scale(0.5))
		}
		return tetraRow(v)
	}
	return checkCold(t, s, n, tetraFacetGeneric, TetraFacet, row, func(code int) bool { return code >= tetraCorners })
}

func checkBricks(t *testing.T, s *source, n int) (known [2]int) {
	row := func(number func() float64) []float64 {
		at := []float64{number() / 8, number() / 8, number() / 8}
		for k := range 3 {
			for j := range 3 {
				side := number() / 4
				if j == k {
					side += 1
				}
				at = append(at, side)
			}
		}
		return append(at, 2)
	}
	// A facet leaves two half edges free; corners and edges leave at most one.
	corners := func(code int) bool {
		free, digits := 0, (code-1)%brickFlip
		for range 6 {
			if digits%3 == 1 {
				free++
			}
			digits /= 3
		}
		return code > 0 && free < 2
	}
	return checkCold(t, s, n, brickFacetGeneric, BrickFacet, row, corners)
}

func TestColdLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for name, check := range map[string]func(t *testing.T, s *source, n int) [2]int{"tetrahedra": checkTetras, "bricks": checkBricks} {
			facets, corners := 0, 0
			for n := range 40 {
				for seed := range uint64(4) {
					known := check(t, &source{data: noise(4*uint64(n)+seed+1000, 4000)}, n)
					facets, corners = facets+known[0], corners+known[1]
				}
			}
			if facets < 300 || corners < 50 {
				t.Errorf("%s: %d facets and %d corners, too few to prove anything", name, facets, corners)
			}
		}
	})
}

func FuzzCold(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			if s.byte()%2 == 0 {
				checkTetras(t, s, int(s.byte()%40))
			} else {
				checkBricks(t, s, int(s.byte()%40))
			}
		})
	})
}

func TestColdPanic(t *testing.T) {
	row := tetraRow(regularTetra())
	backends.Run(t, func(t *testing.T) {
		for name, f := range map[string]func(f *ColdPairs){
			"range":        func(f *ColdPairs) { TetraFacet(f, 0, 21) },
			"turned":       func(f *ColdPairs) { TetraFacet(f, 3, 2) },
			"short answer": func(f *ColdPairs) { f.Facet = f.Facet[:4]; TetraFacet(f, 0, 4) },
			"short table":  func(f *ColdPairs) { f.Rows[7] = f.Rows[7][:1]; TetraFacet(f, 0, 4) },
			"short poses":  func(f *ColdPairs) { f.RotY = f.RotY[:1]; TetraFacet(f, 0, 4) },
			"body A":       func(f *ColdPairs) { f.A[3] = 2; TetraFacet(f, 0, 20) },
			"body B":       func(f *ColdPairs) { f.B[13] = 1 << 31; TetraFacet(f, 0, 20) },
			"row of A":     func(f *ColdPairs) { f.RowA[7] = 2; TetraFacet(f, 0, 20) },
			"brick of A":   func(f *ColdPairs) { f.RowA[7] = 2; BrickFacet(f, 0, 20) },
			"brick range":  func(f *ColdPairs) { BrickFacet(f, 0, 21) },
			"row of B":     func(f *ColdPairs) { f.RowB[19] = math.MaxUint32; TetraFacet(f, 0, 20) },
		} {
			if panics(func() { f(newCold(2, row, 20)) }) == "" {
				t.Errorf("%s: no panic", name)
			}
		}
	})
}
