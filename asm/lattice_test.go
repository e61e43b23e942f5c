package asm

import (
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

// latticeCorner packs three coordinates below 2²⁰.
func latticeCorner(c [3]uint64) uint64 { return c[0] | c[1]<<21 | c[2]<<42 }

func TestLatticeSpans(t *testing.T) {
	const top = 1<<LatticeLane - 1
	q := [2][3]uint64{{5, 0, top}, {9, 0, top}}
	tests := []struct {
		name string
		box  [2][3]uint64
		want bool
	}{
		{"the same", q, true},
		{"a point in it", [2][3]uint64{{7, 0, top}, {7, 0, top}}, true},
		{"around", [2][3]uint64{{0, 0, 0}, {top, top, top}}, true},
		{"touches at +x", [2][3]uint64{{9, 0, top}, {20, 0, top}}, true},
		{"touches at -x", [2][3]uint64{{0, 0, top}, {5, 0, top}}, true},
		{"beyond +x", [2][3]uint64{{10, 0, top}, {20, 0, top}}, false},
		{"beyond -x", [2][3]uint64{{0, 0, top}, {4, 0, top}}, false},
		{"beyond +y", [2][3]uint64{{5, 1, top}, {9, 1, top}}, false},
		{"beyond -z", [2][3]uint64{{5, 0, 0}, {9, 0, top - 1}}, false},
		{"beyond all", [2][3]uint64{{10, 1, 0}, {11, 2, 0}}, false},
	}
	backends.Run(t, func(t *testing.T) {
		lower, upper := make([]uint64, len(tests)+latticeRoom), make([]uint64, len(tests)+latticeRoom)
		var want []uint32
		for i, test := range tests {
			lower[i], upper[i] = latticeCorner(test.box[0]), latticeCorner(test.box[1])|LatticeGuards
			if test.want {
				want = append(want, uint32(i))
			}
		}
		span, box := make([]uint32, 2*len(tests)+latticeRoom), make([]uint32, 2*len(tests)+latticeRoom)
		s := LatticeSpan{Lower: latticeCorner(q[0]), Upper: latticeCorner(q[1]) | LatticeGuards, Hi: uint32(len(tests))}
		for i, test := range tests {
			one := s
			one.Lo, one.Hi = uint32(i), uint32(i+1)
			if _, n := LatticeSpans(lower, upper, []LatticeSpan{one}, span, box); (n == 1) != test.want {
				t.Errorf("%s: %d overlaps, want %v", test.name, n, test.want)
			}
		}
		done, n := LatticeSpans(lower, upper, []LatticeSpan{s, s}, span, box)
		if done != 2 || !slices.Equal(box[:n], slices.Concat(want, want)) || span[0] != 0 || span[n-1] != 1 {
			t.Errorf("two spans: got %d, %v of %v, want %v twice", done, box[:n], span[:n], want)
		}
		// The output can hold the range of one span.
		short := len(tests) + len(want) + latticeRoom - 1
		if done, n := LatticeSpans(lower, upper, []LatticeSpan{s, s}, span[:short], box[:short]); done != 1 || n != len(want) {
			t.Errorf("no room: got %d spans and %d overlaps, want 1 and %d", done, n, len(want))
		}
	})
	for name, s := range map[string]LatticeSpan{"reversed": {Lo: 2, Hi: 1}, "beyond": {Hi: 3}} {
		f := func() {
			c := make([]uint64, 10)
			LatticeSpans(c, c, []LatticeSpan{s}, make([]uint32, 20), make([]uint32, 20))
		}
		if panics(f) == "" {
			t.Errorf("%s: no panic", name)
		}
	}
}

func checkLatticeSpans(t *testing.T, s *source, n int) {
	t.Helper()
	corner := func() (c [3]uint64) {
		for k := range c {
			c[k] = uint64(s.byte() % 4)
			if s.byte() == 0 {
				c[k] = 1<<LatticeLane - 1
			}
		}
		return c
	}
	lo, hi := make([][3]uint64, n), make([][3]uint64, n)
	for i := range lo {
		lo[i], hi[i] = corner(), corner()
	}
	var spans []LatticeSpan
	var wantSpan, wantBox []uint32
	all := 0
	for k := range int(s.byte() % 5) {
		from, to := corner(), corner()
		q := LatticeSpan{Lower: latticeCorner(from), Upper: latticeCorner(to) | LatticeGuards, Lo: uint32(int(s.byte()) % (n + 1))}
		q.Hi = q.Lo + uint32(int(s.byte())%(n-int(q.Lo)+1))
		for i := q.Lo; i < q.Hi; i++ {
			if overlap := lo[i][0] <= to[0] && from[0] <= hi[i][0] && lo[i][1] <= to[1] && from[1] <= hi[i][1] &&
				lo[i][2] <= to[2] && from[2] <= hi[i][2]; overlap {
				wantSpan, wantBox = append(wantSpan, uint32(k)), append(wantBox, i)
			}
		}
		all += int(q.Hi - q.Lo)
		spans = append(spans, q)
	}
	bothEnds(t, func(p *pen) {
		lower, upper := make([]uint64, n+latticeRoom), make([]uint64, n+latticeRoom)
		for i := range lo {
			lower[i], upper[i] = latticeCorner(lo[i]), latticeCorner(hi[i])|LatticeGuards
		}
		lower, upper = place(p, lower), place(p, upper)
		span, box := output[uint32](p, all+latticeRoom), output[uint32](p, all+latticeRoom)
		done, k := LatticeSpans(lower, upper, spans, span, box)
		if done != len(spans) || !slices.Equal(span[:k], wantSpan) || !slices.Equal(box[:k], wantBox) {
			t.Errorf("%d boxes, %d spans: got %d, %v of %v, want %v of %v", n, len(spans), done, box[:k], span[:k], wantBox, wantSpan)
		}
	})
}

func TestLatticeSpansLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 40 {
			checkLatticeSpans(t, &source{data: noise(uint64(n), 2000)}, n)
		}
	})
}

func FuzzLatticeSpans(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkLatticeSpans(t, s, int(s.byte()%70))
		})
	})
}
