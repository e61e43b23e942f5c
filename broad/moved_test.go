package broad_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/auto"
	"github.com/scree-dem/scree/broad/brute"
	"github.com/scree-dem/scree/broad/cells"
	"github.com/scree-dem/scree/broad/multilevel"
	"github.com/scree-dem/scree/vec"
)

// counted is a NearFinder that counts its searches.
type counted struct {
	broad.Method
	broad.NearFinder
	searches int
}

func (c *counted) Search(r *broad.Rows, p *broad.PairList) error {
	c.searches++
	return c.Method.Search(r, p)
}

// nearFinders lists the methods that implement NearFinder.
var nearFinders = []struct {
	name string
	make func() *counted
}{
	{"multilevel", func() *counted { m := multilevel.New(); return &counted{Method: m, NearFinder: m} }},
	{"auto", func() *counted { m := auto.New(); return &counted{Method: m, NearFinder: m} }},
	{"cells", func() *counted { m := cells.New(); return &counted{Method: m, NearFinder: m} }},
}

// shuffledSet returns a set of n balls or boxes. Their sizes differ by up to ratio. If named, the
// rows have shuffled names.
func shuffledSet(r *rand.Rand, n int, ratio, spread float64, balls, named bool) *broad.Input {
	s := &broad.Input{}
	cloud(s, n, ratio, r.Uint64())
	for i := range s.Box {
		b := &s.Box[i]
		c := b.Min.Add(b.Max).Scale(0.5 * spread)
		half := 0.5 * (b.Max.X - b.Min.X)
		if *b = (vec.Box{Min: c.Sub(vec.V(half, half, half)), Max: c.Add(vec.V(half, half, half))}); balls {
			s.Centre, s.Radius = append(s.Centre, c), append(s.Radius, half)
		}
	}
	if balls {
		s.Box = nil
	}
	if named {
		for _, k := range r.Perm(n) {
			s.ID = append(s.ID, uint32(5*k+2))
		}
	}
	return s
}

// shift moves row i of a set.
func shift(s *broad.Input, i int, by vec.Vec3) {
	if s.Box != nil {
		s.Box[i] = vec.Box{Min: s.Box[i].Min.Add(by), Max: s.Box[i].Max.Add(by)}
	} else {
		s.Centre[i] = s.Centre[i].Add(by)
	}
}

// ofMoved returns the pairs that contain a moved row.
func ofMoved(s *broad.Input, moved []int) [][2]uint32 {
	rows := make([]bool, s.Len())
	for _, i := range moved {
		rows[i] = true
	}
	return truthOf(s, func(i, j int) bool { return rows[i] || rows[j] })
}

// axesOf returns the axes whose bits are set.
func axesOf(bits uint8) [3]bool { return [3]bool{bits&1 != 0, bits&2 != 0, bits&4 != 0} }

// TestFindMoved compares the pairs of moved rows with truth. It varies boxes and balls, sizes,
// density, names, skin and Margin, and alternates with searches of all rows. A few moved rows must
// be looked up without a search, also across periodic borders. If many rows move, a search must
// follow.
func TestFindMoved(t *testing.T) {
	for _, m := range nearFinders {
		for seed := range uint64(soak(12, 200)) {
			t.Run(fmt.Sprintf("%s/seed=%d", m.name, seed), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 47))
				s := shuffledSet(r, 400, []float64{1, 20}[seed&1], []float64{1, 300}[seed/8&1], seed&2 != 0, seed&4 != 0)
				s.Skin, s.Margin = []float64{0, 0.1}[r.IntN(2)], []float64{0, 0.05}[r.IntN(2)]
				s.Domain = vec.Box{Max: vec.V(8, 8, 8)}
				s.Periodic = axesOf([]uint8{0, 2, 7}[seed%3])
				counting, found := m.make(), &broad.Found{}
				f := broad.NewFinder(counting)
				if err := f.Find(s, found); err != nil {
					t.Fatal(err)
				}
				changed := map[int]bool{}
				for frame := range 12 {
					moved := []int{}
					for range []int{1, 3, 0, 2}[frame%4] {
						moved = append(moved, r.IntN(s.Len()))
					}
					if frame == 6 {
						moved = r.Perm(s.Len())[:20]
					}
					for _, i := range moved {
						changed[i] = true
						shift(s, i, vec.V(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale([]float64{0.05, 3, 500}[r.IntN(3)]))
					}
					searches, few := counting.searches, len(changed) <= s.Len()/64
					if err := f.FindMoved(s, moved, found); err != nil {
						t.Fatal(err)
					}
					compare(t, fmt.Sprintf("frame %d", frame), found, ofMoved(s, moved))
					if looked := counting.searches == searches; looked != few {
						t.Errorf("frame %d: looked up %t, expected %t, %d rows changed", frame, looked, few, len(changed))
					}
					if !few {
						clear(changed)
					}
					if frame%5 == 4 {
						if err := f.Find(s, found); err != nil {
							t.Fatal(err)
						}
						clear(changed)
						compare(t, fmt.Sprintf("all, frame %d", frame), found, truth(s))
					}
				}
			})
		}
	}
}

// TestFindMovedOutside checks that FindMoved lists the moved rows outside the domain, sorted and
// without repetition. Invalid rows must be errors, without a search.
func TestFindMovedOutside(t *testing.T) {
	s := &broad.Input{Domain: vec.Box{Max: vec.V(1000, 10, 10)}}
	for i := range 300 {
		at := vec.V(2*float64(i), 1, 1)
		s.Box = append(s.Box, vec.Box{Min: at, Max: at.Add(vec.V(1, 1, 1))})
	}
	f, found := broad.NewFinder(multilevel.New()), &broad.Found{}
	if err := f.Find(s, found); err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{9, 3} {
		shift(s, i, vec.V(0, 50, 0))
	}
	shift(s, 4, vec.V(1, 0, 0))
	if err := f.FindMoved(s, []int{9, 3, 9, 4}, found); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(found.Outside, []int{3, 9}) || !slices.Equal(found.A, []uint32{4}) || !slices.Equal(found.B, []uint32{5}) {
		t.Errorf("%+v, expected rows 3 and 9 outside, and the pair 4, 5", found)
	}
	for _, moved := range [][]int{{-1}, {2, 300}} {
		if err := f.FindMoved(s, moved, found); err == nil {
			t.Errorf("moved %v: no error", moved)
		}
	}
	s.Box[5].Max.X = math.NaN()
	if err := f.FindMoved(s, []int{5}, found); err == nil {
		t.Error("a box that is not finite: no error")
	}
}

// TestFindMovedAllocatesNothing calls FindMoved a hundred times, each time for one of many rows,
// with and without periodic axes. The calls must not allocate.
func TestFindMovedAllocatesNothing(t *testing.T) {
	for _, axes := range []uint8{0, 7} {
		s := &broad.Input{Domain: vec.Box{Max: vec.V(16, 16, 16)}, Periodic: axesOf(axes)}
		cloud(s, 5000, 1, 3)
		f, found := broad.NewFinder(multilevel.New()), &broad.Found{}
		if err := f.Find(s, found); err != nil {
			t.Fatal(err)
		}
		moved, by := []int{17, 4000}, vec.V(1e-3, 0, 0)
		if n := testing.AllocsPerRun(100, func() {
			shift(s, 17, by)
			shift(s, 4000, by)
			if err := f.FindMoved(s, moved, found); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%g allocations, axes %d", n, axes)
		}
	}
}

// strict is a method whose Near returns only rows that overlap the box.
type strict struct {
	broad.Method
	box []vec.Box
}

func (m *strict) Search(r *broad.Rows, p *broad.PairList) error {
	m.box = slices.Clone(r.Box)
	return m.Method.Search(r, p)
}

func (m *strict) Near(box *vec.Box, runs [][]uint32) ([][]uint32, bool) {
	for k := range m.box {
		if m.box[k].Overlaps(*box) {
			runs = append(runs, []uint32{uint32(k)})
		}
	}
	return runs, true
}

// TestFindMovedAcross moves a row across a periodic border. It must be looked up, and must pair
// with rows at the other end that come before or after it in the set. This includes a pair that
// touches only after the image's place is rounded. A row that grows beyond the images of the last
// search must cause a full search. So must another domain.
func TestFindMovedAcross(t *testing.T) {
	s := &broad.Input{Domain: vec.Box{Max: vec.V(1000, 10, 10)}, Periodic: axesOf(1)}
	for i := range 200 {
		s.Centre, s.Radius = append(s.Centre, vec.V(5*float64(i)+1, 5, 5)), append(s.Radius, 1)
	}
	s.Centre[199].X, s.Radius[199] = 0.25+4e-14, 0.25
	look := &strict{Method: brute.New()}
	counting, found := &counted{Method: look, NearFinder: look}, &broad.Found{}
	f := broad.NewFinder(counting)
	for _, move := range []struct {
		row       int
		x, radius float64
		searches  int
	}{
		{100, 999.75, 0.25, 0}, {199, 0.25 + 3e-14, 0.25, 0}, {100, 1, 1, 0}, {100, -0.5, 1, 0}, {100, 999.5, 1, 0},
		{0, 999.75, 1, 0}, {199, 1000.25, 1, 0}, {100, 2999.5, 1, 0}, {100, 999.5, 9, 1}, {100, 4.5, 1, 0},
	} {
		if err := f.Find(s, found); err != nil {
			t.Fatal(err)
		}
		s.Centre[move.row].X, s.Radius[move.row] = move.x, move.radius
		searches := counting.searches
		if err := f.FindMoved(s, []int{move.row}, found); err != nil {
			t.Fatal(err)
		}
		compare(t, fmt.Sprint(move), found, ofMoved(s, []int{move.row}))
		if searches = counting.searches - searches; len(found.A) == 0 || searches != move.searches {
			t.Errorf("%v: %d pairs, %d searches", move, len(found.A), searches)
		}
	}
	s.Domain.Max.X = 996
	searches := counting.searches
	if err := f.FindMoved(s, []int{100}, found); err != nil || counting.searches != searches+1 {
		t.Errorf("another domain: %d searches, %v, expected one", counting.searches-searches, err)
	}
	compare(t, "another domain", found, ofMoved(s, []int{100}))
}

// FuzzFindMoved moves rows by bytes, four per motion: which row, and where to. One byte in eight
// causes a search of all rows.
func FuzzFindMoved(f *testing.F) {
	f.Add([]byte{3, 5, 200, 9, 3, 1, 1, 1, 80, 255, 255, 255}, uint8(0), uint8(0))
	f.Add([]byte{3, 127, 127, 9, 3, 128, 1, 99, 80, 100, 128, 127}, uint8(3), uint8(7))
	f.Add([]byte{3, 127, 127, 9, 3, 128, 1, 99, 80, 100, 128, 127}, uint8(48), uint8(5))
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}, uint8(7), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, kind, periods uint8) {
		r := rand.New(rand.NewPCG(uint64(kind), 48))
		s := shuffledSet(r, 260, []float64{1, 20}[kind&1], []float64{1, 300}[kind>>3&1], kind&2 != 0, kind&4 != 0)
		s.Skin, s.Margin = []float64{0, 0.1}[kind>>4&1], []float64{0, 0.05}[kind>>5&1]
		s.Domain, s.Periodic = vec.Box{Max: vec.V(8, 7, 6)}, axesOf(periods)
		finder, found := broad.NewFinder(nearFinders[int(kind>>6)%len(nearFinders)].make()), &broad.Found{}
		if err := finder.Find(s, found); err != nil {
			t.Fatal(err)
		}
		for data = data[:min(len(data), 60)]; len(data) >= 4; data = data[4:] {
			i := int(data[0])
			shift(s, i, vec.V(float64(int8(data[1])), float64(int8(data[2])), float64(int8(data[3]))).Scale(1.0/16))
			if data[1]%8 == 7 {
				if err := finder.Find(s, found); err != nil {
					t.Fatal(err)
				}
			}
			if err := finder.FindMoved(s, []int{i}, found); err != nil {
				t.Fatal(err)
			}
			compare(t, "moved", found, ofMoved(s, []int{i}))
		}
	})
}
