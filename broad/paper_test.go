package broad_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/brute"
	"github.com/scree-dem/scree/broad/lc"
	"github.com/scree-dem/scree/broad/lll"
	"github.com/scree-dem/scree/broad/multilevel"
	"github.com/scree-dem/scree/broad/vl"
	"github.com/scree-dem/scree/vec"
)

func square(x0, x1, y0, y1 float64) vec.Box {
	return vec.Box{Min: vec.V(x0, y0, 0), Max: vec.V(x1, y1, 0)}
}

// The printed example of Muth et al. 2007, Fig. 7: of four boxes, (1/2), (1/3) and (3/4) collide.
func TestPaperExample(t *testing.T) {
	s := &broad.Input{
		ID: []uint32{1, 2, 3, 4},
		Box: []vec.Box{
			square(0, 3, 2, 5), square(-1, 1, 4.5, 6), square(2, 5, 0, 2.5), square(4, 6, -1, 1),
		},
	}
	for _, m := range methods {
		found := &broad.Found{}
		if err := broad.NewFinder(m.make()).Find(s, found); err != nil {
			t.Fatal(err)
		}
		compare(t, m.name, found, [][2]uint32{{1, 2}, {1, 3}, {3, 4}})
	}
}

// Fig. 5 of the same paper: along x, only e3 and b4 are swapped. Along y, (3/4) and (1/2) overlap.
// So (3/4) becomes a pair, which is the fourth case of Swaps. Moving back removes the pair, which
// is the third case.
func TestPaperSwap(t *testing.T) {
	m := lll.New(brute.New())
	boxes := []vec.Box{square(0, 6, 5, 8), square(1, 7, 6, 9), square(2, 3.5, 0, 3), square(4, 8, 1, 4)}
	p := &broad.PairList{}
	at := func(x float64, swaps [4]int, want ...[2]int) {
		t.Helper()
		boxes[3].Min.X = x
		if err := m.Search(&broad.Rows{Box: boxes, Most: 10}, p); err != nil {
			t.Fatal(err)
		}
		ok := p.Len() == len(want)
		for k, w := range want {
			ok = ok && int(p.A[k]) == w[0] && int(p.B[k]) == w[1]
		}
		if !ok || m.Swaps != swaps {
			t.Errorf("b4 at %g: pairs %v with %v, swaps %v, expected %v and %v", x, p.A, p.B, m.Swaps, want, swaps)
		}
	}
	at(4, [4]int{}, [2]int{0, 1})
	at(3, [4]int{3: 1}, [2]int{0, 1}, [2]int{2, 3})
	at(3, [4]int{}, [2]int{0, 1}, [2]int{2, 3})
	at(3.75, [4]int{2: 1}, [2]int{0, 1})
	// A beginning passes two other beginnings; the pairs do not change.
	at(0.5, [4]int{0: 2, 3: 1}, [2]int{0, 1}, [2]int{2, 3})
	// An end passes another end.
	boxes[3].Max.X = 6.5
	at(0.5, [4]int{1: 1}, [2]int{0, 1}, [2]int{2, 3})
}

// scattered returns rows of the given size at random places in a box of n cells of side 1 along
// each axis.
func scattered(n int, perCell, size float64, dim int) []vec.Box {
	r := rand.New(rand.NewPCG(4, uint64(dim)))
	side := float64(n)
	boxes := make([]vec.Box, int(perCell*math.Pow(side, float64(dim))))
	for i := range boxes {
		c := vec.V(r.Float64()*side, r.Float64()*side, r.Float64()*side)
		h := vec.V(size/2, size/2, size/2)
		if dim == 2 {
			c.Z, h.Z = 0, 0
		}
		boxes[i] = vec.Box{Min: c.Sub(h), Max: c.Add(h)}
	}
	return boxes
}

// In a system of 36 cells per side, linked cells must compare as many pairs as eq. (3) of Muth et
// al. 2007, (3^d n_c²/2 - n_c/2) m^d, within 5 %.
func TestLinkedCellChecks(t *testing.T) {
	for _, dim := range []int{2, 3} {
		const n, perCell = 36, 2.0
		boxes := scattered(n, perCell, 0.999, dim)
		m, p := lc.New(lc.Options{}), &broad.PairList{}
		if err := m.Search(&broad.Rows{Box: boxes, Most: broad.MaxPairs}, p); err != nil {
			t.Fatal(err)
		}
		want := (math.Pow(3, float64(dim))*perCell*perCell/2 - perCell/2) * math.Pow(n, float64(dim))
		if ratio := float64(m.Checked) / want; math.Abs(ratio-1) > 0.05 {
			t.Errorf("%d dimensions: %d pairs compared, eq. (3) has %.0f: ratio %.3f", dim, m.Checked, want, ratio)
		}
	}
}

// A Verlet list that tracks motion is never late, and is not made at each search. Both ways to
// build it must find the same pairs.
func TestVerletListIsNeverLate(t *testing.T) {
	for _, ball := range []bool{false, true} {
		all, over := vl.New(vl.Options{}), vl.New(vl.Options{Build: multilevel.New()})
		finders := []*broad.Finder{broad.NewFinder(all), broad.NewFinder(over)}
		r := rand.New(rand.NewPCG(6, 6))
		s := &broad.Input{}
		for range 60 {
			c := vec.V(r.Float64(), r.Float64(), r.Float64()).Scale(4)
			if ball {
				s.Centre, s.Radius = append(s.Centre, c), append(s.Radius, 0.3)
			} else {
				s.Box = append(s.Box, vec.Box{Min: c, Max: c.Add(vec.V(0.6, 0.5, 0.6))})
			}
		}
		const searches = 150
		for k := range searches {
			for i := range 60 {
				// One row runs away from the others, and one jumps.
				by := vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(0.01)
				if i == 7 {
					by = vec.V(0.03, 0, 0)
				}
				if i == 9 && k%50 == 30 {
					by = vec.V(2, -1, 0)
				}
				if ball {
					s.Centre[i] = s.Centre[i].Add(by)
				} else {
					s.Box[i] = vec.Box{Min: s.Box[i].Min.Add(by), Max: s.Box[i].Max.Add(by)}
				}
			}
			want := truth(s)
			for n, f := range finders {
				found := &broad.Found{}
				if err := f.Find(s, found); err != nil {
					t.Fatal(err)
				}
				compare(t, []string{"all pairs", "over a grid"}[n], found, want)
			}
		}
		if all.Made != over.Made || all.Made < 3 || all.Made > searches/3 {
			t.Errorf("lists were made %d and %d times in %d searches", all.Made, over.Made, searches)
		}
	}
}

// A list that is made every so many searches, as in the paper, must report an error if it is made
// too late.
func TestLateListIsAFault(t *testing.T) {
	boxes := []vec.Box{unitBox(0), unitBox(7)}
	m := vl.New(vl.Options{Every: 10})
	p := &broad.PairList{}
	search := func() error { return m.Search(&broad.Rows{Box: boxes, Most: 10}, p) }
	for k := range 12 {
		if err := search(); err != nil {
			t.Fatalf("search %d: %v", k, err)
		}
	}
	if m.Made != 2 {
		t.Errorf("lists were made %d times in 12 searches, expected 2", m.Made)
	}
	// The radius is 5 r_max = 2.5 m. Subtracting both half diagonals leaves 0.768 m, for two rows.
	boxes[1] = unitBox(6.62)
	if err := search(); err != nil {
		t.Errorf("moved 0.38 m: %v", err)
	}
	boxes[1] = unitBox(6.61)
	if err := search(); !errors.Is(err, broad.ErrLate) {
		t.Errorf("moved 0.39 m: %v, expected ErrLate", err)
	}
	m = vl.New(vl.Options{Radius: 1.7})
	if err := search(); err != nil {
		t.Errorf("radius below the diagonal: %v, expected a larger one", err)
	}
}

// Options that allow no valid list must be rejected with an error that names them.
func TestVerletListOptions(t *testing.T) {
	boxes := []vec.Box{unitBox(0), unitBox(7)}
	for _, test := range []struct {
		o    vl.Options
		says string
	}{
		{vl.Options{Radius: -1}, "Options.Radius is -1 m, expected a finite length"},
		{vl.Options{Radius: math.NaN()}, "Options.Radius is NaN m"},
		{vl.Options{Radius: math.Inf(1)}, "Options.Radius is +Inf m"},
		{vl.Options{Every: -1}, "Options.Every is -1, expected 0 or more"},
	} {
		m := vl.New(test.o)
		for range 2 { // the second search must fail, too
			err := m.Search(&broad.Rows{Box: boxes, Most: 10}, &broad.PairList{})
			if !errors.Is(err, vl.ErrOption) || errors.Is(err, broad.ErrLate) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%+v: %v, expected %q", test.o, err, test.says)
			}
		}
	}
}

// The pairs of many new rows are found together: the number of comparisons grows linearly with the
// rows.
func TestBatchInsertion(t *testing.T) {
	cells := lc.New(lc.Options{})
	m, p, want := lll.New(cells), &broad.PairList{}, &broad.PairList{}
	var checks []int64
	for _, side := range []int{8, 16} {
		boxes := scattered(side, 1, 1, 3)
		for _, n := range []int{len(boxes) / 2, len(boxes)} {
			if err := m.Search(&broad.Rows{Box: boxes[:n], Most: broad.MaxPairs}, p); err != nil {
				t.Fatal(err)
			}
		}
		checks = append(checks, cells.Checked)
		if err := brute.New().Search(&broad.Rows{Box: boxes, Most: broad.MaxPairs}, want); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p.A, want.A) || !slices.Equal(p.B, want.B) {
			t.Errorf("%d rows: %d pairs, expected %d", len(boxes), p.Len(), want.Len())
		}
	}
	if ratio := float64(checks[1]) / float64(checks[0]); ratio > 8*1.3 {
		t.Errorf("8 times the rows: %d and %d pairs compared, %.1f times", checks[0], checks[1], ratio)
	}
}

// With a Margin of 30 steps, the grid is searched once in 30 steps. A search whose memory is
// allocated must not allocate again.
func TestMarginSparesSearches(t *testing.T) {
	s, found, f := &broad.Input{Margin: 0.03}, &broad.Found{}, broad.NewFinder(multilevel.New())
	counted := &counting{Method: multilevel.New()}
	list := broad.Candidates{}
	cloud(s, 120, 2, 1)
	p := &broad.PairList{}
	for range 100 {
		for i := range s.Box {
			by := vec.V(1e-3, 0, 0)
			if i%2 == 0 {
				by = vec.V(0, -1e-3, 0)
			}
			s.Box[i] = vec.Box{Min: s.Box[i].Min.Add(by), Max: s.Box[i].Max.Add(by)}
		}
		if err := f.Find(s, found); err != nil {
			t.Fatal(err)
		}
		compare(t, "multilevel", found, truth(s))
		if err := list.Search(&broad.Rows{Box: s.Box, Margin: s.Margin, Most: broad.MaxPairs}, p, counted.Search); err != nil {
			t.Fatal(err)
		}
	}
	if counted.n < 3 || counted.n > 5 || list.Made != counted.n {
		t.Errorf("%d searches in 100 steps, expected 4", counted.n)
	}
	for _, margin := range []float64{0, 0.03} {
		s.Margin = margin
		find := func() {
			if err := f.Find(s, found); err != nil {
				t.Fatal(err)
			}
		}
		find()
		if n := testing.AllocsPerRun(20, find); n != 0 {
			t.Errorf("margin %g: a search allocates %g times", margin, n)
		}
	}
}

// counting counts the searches of a method.
type counting struct {
	broad.Method
	n int
}

func (c *counting) Search(r *broad.Rows, p *broad.PairList) error {
	c.n++
	return c.Method.Search(r, p)
}

// FuzzMethods compares all methods with truth, over three frames of rows made from bytes. Many of
// the rows touch exactly.
func FuzzMethods(f *testing.F) {
	seed := make([]byte, 160)
	r := rand.New(rand.NewPCG(8, 8))
	for i := range seed {
		seed[i] = byte(r.Uint32())
	}
	for k := range uint8(8) {
		f.Add(seed, k)
	}
	f.Fuzz(func(t *testing.T, data []byte, kind uint8) {
		data = data[:min(len(data), 160)]
		s := &broad.Input{Skin: float64(kind&1) * 0.25, Margin: float64(kind>>1&1) * 0.5}
		if kind&4 != 0 {
			s.Domain = vec.Box{Max: vec.V(16, 8, 4)}
			s.Periodic = [3]bool{true, kind&8 != 0, kind&16 != 0}
		}
		var finders []*broad.Finder
		for _, m := range methods {
			finders = append(finders, broad.NewFinder(m.make()))
		}
		found := &broad.Found{}
		for frame := range 3 {
			s.Box = s.Box[:0]
			for k := 0; k+4 <= len(data); k += 4 {
				d := data[k : k+4]
				at := vec.V(float64(int8(d[0]))/8, float64(int8(d[1]))/8, float64(int8(d[2]))/8)
				at.X += float64(frame*int(d[3]&3)) / 8
				if d[3]&0xF0 == 0xF0 {
					at = at.Scale(1e6)
				}
				size := math.Ldexp(1, int(d[3]>>2&7)-5)
				s.Box = append(s.Box, vec.Box{Min: at, Max: at.Add(vec.V(size, size, size*float64(kind>>5&1)))})
			}
			want := truth(s)
			for k, m := range methods {
				if err := finders[k].Find(s, found); err != nil {
					t.Fatal(err)
				}
				compare(t, m.name, found, want)
			}
		}
	})
}
