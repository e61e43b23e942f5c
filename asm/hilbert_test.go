package asm

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

// grid returns the coordinates of all cells of a cube of 1<<bits a side.
func grid(bits int) (x, y, z []uint32) {
	side := uint32(1) << bits
	for i := range side {
		for j := range side {
			for k := range side {
				x, y, z = append(x, i), append(y, j), append(z, k)
			}
		}
	}
	return x, y, z
}

// TestHilbertCurve walks whole curves: every key is that of one cell, and each cell shares a face with the next.
func TestHilbertCurve(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for bits := 1; bits <= 5; bits++ {
			x, y, z := grid(bits)
			keys := make([]uint64, len(x))
			HilbertKeys(x, y, z, bits, keys)
			at := make([]int, len(x))
			for i := range at {
				at[i] = -1
			}
			for i, k := range keys {
				if k >= uint64(len(at)) || at[k] >= 0 {
					t.Fatalf("%d bits: key %d of cell %d is out of range or taken", bits, k, i)
				}
				at[k] = i
			}
			if i, j := at[0], at[len(at)-1]; x[i] != 0 || y[i] != 0 || z[i] != 0 || x[j] != 1<<bits-1 || y[j] != 0 || z[j] != 0 {
				t.Errorf("%d bits: from cell %d to cell %d", bits, i, j)
			}
			step := func(a, b uint32) int { return max(int(a)-int(b), int(b)-int(a)) }
			for k := 1; k < len(at); k++ {
				i, j := at[k-1], at[k]
				if step(x[i], x[j])+step(y[i], y[j])+step(z[i], z[j]) != 1 {
					t.Fatalf("%d bits: cells %d and %d follow each other and share no face", bits, i, j)
				}
			}
		}
	})
}

// TestHilbertFine looks at curves too long to walk: of the six neighbours of a cell, just two have the keys next to
// its own, and eight cells of one coarser cell have eight keys in a row.
func TestHilbertFine(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 9))
		for bits := 2; bits <= HilbertBits; bits++ {
			for range 40 {
				inner := func() uint32 { return 1 + r.Uint32N(1<<bits-2) }
				cell := [3]uint32{inner(), inner(), inner()}
				var x, y, z []uint32
				add := func(c [3]uint32) { x, y, z = append(x, c[0]), append(y, c[1]), append(z, c[2]) }
				add(cell)
				for axis := range 3 {
					for _, d := range []uint32{1, ^uint32(0)} {
						c := cell
						c[axis] += d
						add(c)
					}
				}
				for corner := range uint32(8) {
					add([3]uint32{cell[0]&^1 | corner&1, cell[1]&^1 | corner>>1&1, cell[2]&^1 | corner>>2})
				}
				keys := make([]uint64, len(x))
				HilbertKeys(x, y, z, bits, keys)
				next := 0
				for _, k := range keys[1:7] {
					if k == keys[0]+1 || k+1 == keys[0] {
						next++
					}
				}
				if next != 2 {
					t.Errorf("%d bits, cell %v: %d neighbours follow or go before", bits, cell, next)
				}
				family := slices.Clone(keys[7:])
				slices.Sort(family)
				for j, k := range family {
					if k != family[0]&^7+uint64(j) {
						t.Errorf("%d bits, cell %v: keys %x of a coarser cell", bits, cell, family)
						break
					}
				}
				if keys[0]>>(3*bits) != 0 {
					t.Errorf("%d bits: key %x", bits, keys[0])
				}
			}
		}
	})
}

func checkHilbert(t *testing.T, s *source, n int) {
	t.Helper()
	bits := 1 + int(s.byte())%HilbertBits
	var cell [3][]uint32
	for j := range cell {
		cell[j] = make([]uint32, n)
		for i := range cell[j] {
			cell[j][i] = uint32(s.byte()) | uint32(s.byte())<<8 | uint32(s.byte())<<16 | uint32(s.byte())<<24
		}
	}
	want := make([]uint64, n)
	hilbertKeysGeneric(cell[0], cell[1], cell[2], bits, want)
	bothEnds(t, func(p *pen) {
		keys := output[uint64](p, n)
		HilbertKeys(place(p, cell[0]), place(p, cell[1]), place(p, cell[2]), bits, keys)
		if !slices.Equal(keys, want) {
			t.Errorf("%d cells, %d bits: got %x, want %x", n, bits, keys, want)
		}
	})
}

func TestHilbertLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 70 {
			checkHilbert(t, &source{data: noise(uint64(n), 1000)}, n)
		}
	})
}

func FuzzHilbert(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkHilbert(t, s, int(s.byte()%70))
		})
	})
}

func TestHilbertPanics(t *testing.T) {
	one, two := make([]uint32, 1), make([]uint32, 2)
	for name, f := range map[string]func(){
		"length":        func() { HilbertKeys(one, two, one, 3, make([]uint64, 1)) },
		"keys":          func() { HilbertKeys(one, one, one, 3, make([]uint64, 2)) },
		"no bits":       func() { HilbertKeys(one, one, one, 0, make([]uint64, 1)) },
		"too many bits": func() { HilbertKeys(one, one, one, HilbertBits+1, make([]uint64, 1)) },
	} {
		if panics(f) == "" {
			t.Errorf("%s: no panic", name)
		}
	}
}

func BenchmarkHilbertKeys(b *testing.B) {
	const n = 4096
	r := rand.New(rand.NewPCG(10, 10))
	var cell [3][]uint32
	for j := range cell {
		cell[j] = make([]uint32, n)
		for i := range cell[j] {
			cell[j][i] = r.Uint32()
		}
	}
	for _, bits := range []int{10, 21} {
		keys := make([]uint64, n)
		hilbertKeysGeneric(cell[0], cell[1], cell[2], bits, keys)
		want := 0.0
		for _, k := range keys {
			want += float64(k)
		}
		for backend := range backends.Each(b) {
			b.Run(fmt.Sprintf("bits=%d/backend=%s/data=L2", bits, backend), func(b *testing.B) {
				for b.Loop() {
					HilbertKeys(cell[0], cell[1], cell[2], bits, keys)
				}
				got := 0.0
				for _, k := range keys {
					got += float64(k)
				}
				report(b, n, 20, got, want)
			})
		}
	}
}
