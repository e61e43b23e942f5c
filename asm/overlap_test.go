package asm

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

// boxColumns lays boxes out as columns.
func boxColumns(boxes []Box) *Boxes {
	b := newBoxes(len(boxes))
	for i, q := range boxes {
		b.MinX[i], b.MinY[i], b.MinZ[i] = q[0], q[1], q[2]
		b.MaxX[i], b.MaxY[i], b.MaxZ[i] = q[3], q[4], q[5]
	}
	return b
}

func newBoxes(n int) *Boxes {
	c := make([]float64, 6*n)
	return &Boxes{
		MinX: c[:n], MinY: c[n : 2*n], MinZ: c[2*n : 3*n],
		MaxX: c[3*n : 4*n], MaxY: c[4*n : 5*n], MaxZ: c[5*n:],
	}
}

func TestBoxOverlap(t *testing.T) {
	nan := math.NaN()
	q := Box{0, 0, 0, 1, 1, 1}
	tests := []struct {
		name string
		box  Box
		want bool
	}{
		{"the same", q, true},
		{"inside", Box{0.25, 0.25, 0.25, 0.5, 0.5, 0.5}, true},
		{"around", Box{-1, -1, -1, 2, 2, 2}, true},
		{"touches at +x", Box{1, 0, 0, 2, 1, 1}, true},
		{"touches at -y", Box{0, -1, 0, 1, 0, 1}, true},
		{"touches at a corner", Box{1, 1, 1, 2, 2, 2}, true},
		{"just beyond +x", Box{1 + 0x1p-52, 0, 0, 2, 1, 1}, false},
		{"just beyond -x", Box{-1, 0, 0, -5e-324, 1, 1}, false},
		{"just beyond +y", Box{0, 1 + 0x1p-52, 0, 1, 2, 1}, false},
		{"just beyond -y", Box{0, -1, 0, 1, -5e-324, 1}, false},
		{"just beyond +z", Box{0, 0, 1 + 0x1p-52, 1, 1, 2}, false},
		{"just beyond -z", Box{0, 0, -1, 1, 1, -5e-324}, false},
		{"negative zero touches", Box{-1, -1, -1, negZero, negZero, negZero}, true},
		{"infinite", Box{math.Inf(-1), math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(1), math.Inf(1)}, true},
		{"NaN in a lower side", Box{0, nan, 0, 1, 1, 1}, false},
		{"NaN in an upper side", Box{0, 0, 0, 1, 1, nan}, false},
	}
	var boxes []Box
	var want []uint32
	for i, test := range tests {
		boxes = append(boxes, test.box)
		if test.want {
			want = append(want, uint32(i))
		}
	}
	backends.Run(t, func(t *testing.T) {
		b := boxColumns(boxes)
		for i, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				var out [1]uint32
				n := BoxOverlap(b, i, i+1, &q, out[:])
				if (n == 1) != test.want || n == 1 && out[0] != uint32(i) {
					t.Errorf("got %d, %v; want overlap %v of box %d", n, out, test.want, i)
				}
			})
		}
		out := make([]uint32, len(boxes))
		if n := BoxOverlap(b, 0, len(boxes), &q, out); !slices.Equal(out[:n], want) {
			t.Errorf("all at once: got %v, want %v", out[:n], want)
		}
		if n := BoxOverlap(b, 5, 5, &q, nil); n != 0 {
			t.Errorf("empty range: got %d", n)
		}
	})
	for name, f := range map[string]func(){
		"reversed":  func() { BoxOverlap(boxColumns(boxes), 3, 2, &q, nil) },
		"beyond":    func() { BoxOverlap(boxColumns(boxes), 0, len(boxes)+1, &q, make([]uint32, 99)) },
		"short out": func() { BoxOverlap(boxColumns(boxes), 0, 3, &q, make([]uint32, 2)) },
	} {
		if panics(f) == "" {
			t.Errorf("%s: no panic", name)
		}
	}
}

func checkBoxOverlap(t *testing.T, s *source, n int) {
	t.Helper()
	boxes := make([]Box, n)
	for i := range boxes {
		copy(boxes[i][:], s.floats(6))
	}
	var q Box
	copy(q[:], s.floats(6))
	lo := int(s.byte()) % (n + 1)
	hi := lo + int(s.byte())%(n-lo+1)
	var want []uint32
	for i := lo; i < hi; i++ {
		// Two intervals share a point exactly when the larger of the lower ends is in both; a NaN makes
		// max and min NaN, and the comparison false.
		apart := false
		for axis := range 3 {
			if !(max(boxes[i][axis], q[axis]) <= min(boxes[i][3+axis], q[3+axis])) {
				apart = true
			}
		}
		// The contract does not ask whether a box is itself in order.
		inverted := false
		for axis := range 3 {
			if boxes[i][axis] > boxes[i][3+axis] || q[axis] > q[3+axis] {
				inverted = true
			}
		}
		if inverted {
			apart = !(boxes[i][0] <= q[3] && boxes[i][1] <= q[4] && boxes[i][2] <= q[5] &&
				boxes[i][3] >= q[0] && boxes[i][4] >= q[1] && boxes[i][5] >= q[2])
		}
		if !apart {
			want = append(want, uint32(i))
		}
	}
	bothEnds(t, func(p *pen) {
		b := boxColumns(boxes)
		for _, c := range []*[]float64{&b.MinX, &b.MinY, &b.MinZ, &b.MaxX, &b.MaxY, &b.MaxZ} {
			*c = place(p, *c)
		}
		out := output[uint32](p, hi-lo)
		if k := BoxOverlap(b, lo, hi, &q, out); !slices.Equal(out[:k], want) {
			t.Errorf("boxes %d to %d of %d: got %v, want %v", lo, hi, n, out[:k], want)
		}
	})
}

func TestBoxOverlapLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 67 {
			checkBoxOverlap(t, &source{data: noise(uint64(n), 4000)}, n)
		}
	})
}

func FuzzBoxOverlap(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkBoxOverlap(t, s, int(s.byte()%70))
		})
	})
}
