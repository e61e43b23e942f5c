package asm

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/scree-dem/scree/internal/backends"
)

// latticeScene is boxes in nine consecutive lines of cells, and an empty line.
type latticeScene struct {
	lo, hi   [][3]uint64
	row      []uint32
	from, to []uint32
	start    []uint32
	lines    [9]uint32
}

const lineCells = 3

func newLatticeScene(s *source, n int) *latticeScene {
	c := &latticeScene{start: make([]uint32, 10*lineCells+1)}
	corner := func() (c [3]uint64) {
		for k := range c {
			c[k] = uint64(s.byte() % 4)
			if s.byte() == 0 {
				c[k] = 1<<LatticeLane - 1
			}
		}
		return c
	}
	for i := range n {
		c.lo, c.hi = append(c.lo, corner()), append(c.hi, corner())
		c.row = append(c.row, uint32(s.byte()%8)<<6|uint32(i))
		from := uint32(s.byte() % (lineCells + 1))
		c.from, c.to = append(c.from, from), append(c.to, from+uint32(int(s.byte())%(lineCells+1-int(from))))
		c.start[1+int(s.byte())%(9*lineCells)]++
	}
	for k := 1; k < len(c.start); k++ {
		c.start[k] += c.start[k-1]
	}
	for k := range c.lines {
		c.lines[k] = uint32(k * lineCells)
		if s.byte()%4 == 0 {
			c.lines[k] = 9 * lineCells
		}
	}
	return c
}

// near returns the names that an entry finds, and whether it is in doubt, computed from
// coordinates.
func (c *latticeScene) near(i int) (names []uint32, unsure bool) {
	for _, line := range c.lines {
		for j := c.start[line+c.from[i]]; j < c.start[line+c.to[i]]; j++ {
			least := int64(1)
			for axis := range 3 {
				least = min(least, int64(c.hi[i][axis])-int64(c.lo[j][axis]), int64(c.hi[j][axis])-int64(c.lo[i][axis]))
			}
			if least >= 0 && c.row[j] > c.row[i] {
				names = append(names, c.row[j])
				unsure = unsure || least == 0
			}
		}
	}
	return names, unsure
}

// place returns the grid of the scene in the pen.
func (c *latticeScene) place(p *pen) *LatticeGrid {
	n := len(c.row)
	lower, upper := make([]uint64, n+latticeRoom), make([]uint64, n+latticeRoom)
	row := make([]uint32, n+latticeRoom)
	for i := range c.lo {
		lower[i], upper[i] = latticeCorner(c.lo[i]), latticeCorner(c.hi[i])|LatticeGuards
	}
	copy(row, c.row)
	return &LatticeGrid{
		Lower: place(p, lower), Upper: place(p, upper), Row: place(p, row),
		From: place(p, c.from), To: place(p, c.to), Start: place(p, c.start),
	}
}

func checkLatticeRows(t *testing.T, s *source, c *latticeScene) {
	t.Helper()
	n := len(c.row)
	first := int(s.byte()) % (n + 1)
	last := first + int(s.byte())%(n-first+1)
	const chunk = 7
	var want, wantDoubt []uint32
	var wantLists []NameList
	for i := first; i < last; i++ {
		names, unsure := c.near(i)
		wantLists = append(wantLists, NameList{chunk, uint32(len(want)), uint32(len(names))})
		want = append(want, names...)
		if unsure {
			wantDoubt = append(wantDoubt, uint32(i))
		}
	}
	room := n*n + LatticeListSlack
	short := int(s.byte()) % (len(want) + 2*latticeRoom)
	bothEnds(t, func(p *pen) {
		g := c.place(p)
		const names = 512
		words := output[uint32](p, 3*names)
		lists := unsafe.Slice((*NameList)(unsafe.Pointer(&words[0])), names)
		same := func() bool {
			for i, want := range wantLists {
				if lists[c.row[first+i]] != want {
					return false
				}
			}
			return true
		}
		out, doubt := output[uint32](p, room), output[uint32](p, last-first)
		done, next, doubts := LatticeRows(g, &c.lines, first, last, 0, chunk, out, lists, doubt)
		if done != last || next != len(want) || !slices.Equal(out[:next], want) || !same() || !slices.Equal(doubt[:doubts], wantDoubt) {
			t.Errorf("%d boxes, %d to %d: got %d, %v, %v, doubt %v, want %v, %v, doubt %v",
				n, first, last, done, out[:next], lists, doubt[:doubts], want, wantLists, wantDoubt)
		}
		// If the output is short, the kernel stops before an entry, and the next call continues
		// there.
		clear(lists)
		at, next := first, 0
		var got, gotDoubt []uint32
		for room := short; at < last; room++ {
			little := output[uint32](p, room)
			copy(little, got)
			if next > room {
				continue
			}
			done, next, doubts = LatticeRows(g, &c.lines, at, last, next, chunk, little, lists, doubt)
			got = append(got[:0], little[:next]...)
			gotDoubt = append(gotDoubt, doubt[:doubts]...)
			at = done
		}
		if !slices.Equal(got, want) || !same() || !slices.Equal(gotDoubt, wantDoubt) {
			t.Errorf("%d boxes, %d to %d, little room: got %v, %v, doubt %v, want %v, %v, doubt %v",
				n, first, last, got, lists, gotDoubt, want, wantLists, wantDoubt)
		}
	})
}

func TestLatticeRowsLengths(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		for n := range 40 {
			for seed := range uint64(20) {
				s := &source{data: noise(100*seed+uint64(n), 2000)}
				checkLatticeRows(t, s, newLatticeScene(s, n))
			}
		}
	})
}

// TestLatticeRowsCrowded: each entry finds up to four names in each of nine lines, more than fit at
// the end of the output.
func TestLatticeRowsCrowded(t *testing.T) {
	const each = 4
	backends.Run(t, func(t *testing.T) {
		for seed := range uint64(50) {
			c := newLatticeScene(&source{}, 9*each)
			for k := range c.start {
				c.start[k] = uint32(each * min((k+lineCells-1)/lineCells, 9))
			}
			for k := range c.lines {
				c.lines[k] = uint32(k * lineCells)
			}
			for i := range c.to {
				c.from[i], c.to[i] = 0, 1
			}
			checkLatticeRows(t, &source{data: noise(seed, 100)}, c)
		}
	})
}

// fullLines is a scene whose last entry finds all boxes of nine lines, which have so many each.
func fullLines(counts [9]int) *latticeScene {
	n := 1
	for _, count := range counts {
		n += count
	}
	c := newLatticeScene(&source{}, n)
	clear(c.start)
	for k, count := range counts {
		c.lines[k] = uint32(k * lineCells)
		for cell := k*lineCells + 1; cell < len(c.start); cell++ {
			c.start[cell] += uint32(count)
		}
	}
	for i := range c.row {
		c.row[i] = uint32(i + 1)
	}
	c.row[n-1], c.from[n-1], c.to[n-1] = 0, 0, 1
	return c
}

// TestLatticeRowsRoom varies the number of free elements at the end of the output. An entry is
// always done or unchanged, and nothing is written after the end. Either each of nine lines fills a
// register of four or eight lanes, or one line has many names: more than the elements that are
// checked before an entry.
func TestLatticeRowsRoom(t *testing.T) {
	scenes := [][9]int{{4, 4, 4, 4, 4, 4, 4, 4, 4}, {8, 8, 8, 8, 8, 8, 8, 8, 8}}
	for k := range 9 {
		var one [9]int
		one[k] = LatticeListSlack + 21
		scenes = append(scenes, one)
	}
	backends.Run(t, func(t *testing.T) {
		for _, counts := range scenes {
			c := fullLines(counts)
			i := len(c.row) - 1
			want, _ := c.near(i)
			if len(want) != i {
				t.Fatalf("%v: the entry finds %d boxes, expected %d", counts, len(want), i)
			}
			bothEnds(t, func(p *pen) {
				g, out, doubt := c.place(p), output[uint32](p, i+2*LatticeListSlack), output[uint32](p, 1)
				lists := make([]NameList, i+1)
				for n := range len(out) + 1 {
					done, next, _ := LatticeRows(g, &c.lines, i, i+1, n, 3, out, lists, doubt)
					listed := done == i+1 && next == n+i && slices.Equal(out[n:next], want) && lists[0] == NameList{3, uint32(n), uint32(i)}
					if left := done == i && next == n && len(out)-n < i+LatticeListSlack; !listed && !left {
						t.Fatalf("%v, room for %d: got %d, %d, %v", counts, len(out)-n, done, next, lists[0])
					}
				}
			})
		}
	})
}

func FuzzLatticeRows(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		backends.Run(t, func(t *testing.T) {
			s := &source{data: data}
			checkLatticeRows(t, s, newLatticeScene(s, int(s.byte()%40)))
		})
	})
}

func TestLatticeRowsRefuses(t *testing.T) {
	grid := func() *LatticeGrid {
		return &LatticeGrid{
			Lower: make([]uint64, 10), Upper: make([]uint64, 10), Row: make([]uint32, 10),
			From: make([]uint32, 2), To: make([]uint32, 2), Start: make([]uint32, 2),
		}
	}
	for name, f := range map[string]func(g *LatticeGrid, first, last, n *int){
		"a short column":     func(g *LatticeGrid, _, _, _ *int) { g.Row = g.Row[:9] },
		"a range reversed":   func(_ *LatticeGrid, first, last, _ *int) { *first, *last = 2, 1 },
		"a range beyond":     func(_ *LatticeGrid, _, last, _ *int) { *last = 3 },
		"output beyond room": func(_ *LatticeGrid, _, _, n *int) { *n = 41 },
	} {
		g, first, last, n := grid(), 0, 2, 0
		f(g, &first, &last, &n)
		if panics(func() {
			LatticeRows(g, &[9]uint32{}, first, last, n, 0, make([]uint32, 40), make([]NameList, 2), make([]uint32, 2))
		}) == "" {
			t.Errorf("%s: no panic", name)
		}
	}
}
