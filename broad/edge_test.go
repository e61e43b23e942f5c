package broad_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/lll"
	"github.com/scree-dem/scree/broad/multilevel"
	"github.com/scree-dem/scree/broad/vl"
	"github.com/scree-dem/scree/vec"
)

// rowOf returns n cubes along x with the given side. The first is at from, and step is the distance
// from one cube to the next.
func rowOf(n int, from, step, side float64) (boxes []vec.Box) {
	for i := range n {
		at := vec.V(from+float64(float64(i)*step), 0, 0)
		boxes = append(boxes, vec.Box{Min: at, Max: at.Add(vec.V(side, side, side))})
	}
	return boxes
}

// TestVerletListOfAnyRows checks that lists which track motion are never late. It uses points, rows
// far from the origin with a given radius, and rows so small that squares underflow. The pairs
// after motion must equal truth.
func TestVerletListOfAnyRows(t *testing.T) {
	for _, test := range []struct {
		name                     string
		from, step, side, radius float64
	}{
		{"point", 5, 0, 0, 0},
		{"points", 5, 1, 0, 0},
		{"points at the origin", 0, 0, 0, 0},
		{"far", 1e14, 1, 0.5, 2},
		{"farther", 1e139, 1e129, 1e129, 2},
		{"radius near the diagonal", 1e13, 1, 0.5, 1.0825},
		{"points that are far", 1e14, 1, 0, 2},
		{"small", 0, 2e-163, 1e-163, 0},
		{"least", 0, 1e-322, 5e-324, 0},
		{"small radius", 0, 2e-163, 1e-163, 1e-163},
	} {
		for k, build := range []broad.Method{nil, multilevel.New()} {
			s, found := &broad.Input{Box: rowOf(20, test.from, test.step, test.side)}, &broad.Found{}
			f := broad.NewFinder(vl.New(vl.Options{Radius: test.radius, Build: build}))
			for frame := range 40 {
				if err := f.Find(s, found); err != nil {
					t.Fatalf("%s, build %d, frame %d: %v", test.name, k, frame, err)
				}
				compare(t, fmt.Sprintf("%s, build %d, frame %d", test.name, k, frame), found, truth(s))
				shift(s, 0, vec.V(0.25*max(test.step, test.side), 0, 0))
			}
		}
	}
}

// TestMostPairsOfMoved checks that MaxPairs bounds the pairs of moved rows, and not those of other
// rows. It checks every method, also after a call with too many pairs.
func TestMostPairsOfMoved(t *testing.T) {
	for _, m := range methods {
		for _, balls := range []bool{false, true} {
			s, found := &broad.Input{Box: rowOf(300, 0, 1, 1)}, &broad.Found{}
			if balls {
				for i := range s.Box {
					s.Centre, s.Radius = append(s.Centre, s.Box[i].Min), append(s.Radius, 0.5)
				}
				s.Box = nil
			}
			f := broad.NewFinder(m.make())
			if err := f.Find(s, found); err != nil || len(found.A) != 299 {
				t.Fatalf("%s: %d pairs, %v, expected 299", m.name, len(found.A), err)
			}
			for call, most := range []int{10, 1, 10, 2, 1, 2} {
				s.MaxPairs = most
				err := f.FindMoved(s, []int{5}, found)
				switch {
				case most < 2 && !errors.Is(err, broad.ErrTooManyPairs):
					t.Errorf("%s, balls %t, call %d: 2 pairs, at most %d: %v, expected ErrTooManyPairs", m.name, balls, call, most, err)
				case most >= 2 && (err != nil || !slices.Equal(found.A, []uint32{4, 5}) || !slices.Equal(found.B, []uint32{5, 6})):
					t.Errorf("%s, balls %t, call %d: %v, %v, %v, expected the pairs 4, 5 and 5, 6", m.name, balls, call, found.A, found.B, err)
				}
			}
			s.MaxPairs = 10
			if err := f.Find(s, found); !errors.Is(err, broad.ErrTooManyPairs) {
				t.Errorf("%s, balls %t: 299 pairs, at most 10: %v, expected ErrTooManyPairs", m.name, balls, err)
			}
		}
	}
}

// TestLinkedListsWithoutBuild checks linked linear lists without a build method. They must compare
// all new rows, and stop when there are too many pairs.
func TestLinkedListsWithoutBuild(t *testing.T) {
	s, found := &broad.Input{}, &broad.Found{}
	f := broad.NewFinder(lll.New(nil))
	for _, n := range []int{9, 40, 60, 200, 30} {
		s.Box = nil
		cloud(s, n, 3, uint64(n))
		if err := f.Find(s, found); err != nil {
			t.Fatal(err)
		}
		compare(t, fmt.Sprintf("%d rows", n), found, truth(s))
	}
	s.Box, s.MaxPairs = rowOf(200, 0, 0, 1), 50
	if err := f.Find(s, found); !errors.Is(err, broad.ErrTooManyPairs) {
		t.Errorf("19900 pairs, at most 50: %v, expected ErrTooManyPairs", err)
	}
}

// TestSmallRows checks that each method finds boxes as small as floats allow, also while they move.
// Balls are accepted from the least radius on, and smaller ones are rejected.
func TestSmallRows(t *testing.T) {
	for _, m := range methods {
		for _, size := range []float64{1e-140, 1e-163, 1e-300} {
			f, found := broad.NewFinder(m.make()), &broad.Found{}
			s := &broad.Input{Box: rowOf(30, 0, 1.5*size, size), Margin: 0.1 * size}
			for frame := range 10 {
				if err := f.Find(s, found); err != nil {
					t.Fatal(err)
				}
				compare(t, fmt.Sprintf("%s, boxes of %g m, frame %d", m.name, size, frame), found, truth(s))
				shift(s, 3, vec.V(0.25*size, 0, 0))
			}
		}
		f, found, s := broad.NewFinder(m.make()), &broad.Found{}, &broad.Input{}
		for i := range 30 {
			s.Centre, s.Radius = append(s.Centre, vec.V(float64(i)*1e-140, 0, 0)), append(s.Radius, 1e-140)
		}
		if err := f.Find(s, found); err != nil {
			t.Fatal(err)
		}
		compare(t, m.name+", balls", found, truth(s))
		for _, r := range []float64{math.Nextafter(1e-140, 0), 1e-163, 0} {
			s.Radius[7] = r
			says := fmt.Sprintf("row 7 has the radius %g m, expected 1e-140 to 1e+140", r)
			for _, err := range []error{f.Find(s, found), f.FindMoved(s, []int{7}, found)} {
				if !errors.Is(err, broad.ErrSet) || !strings.Contains(err.Error(), says) {
					t.Errorf("%s: %v, expected %q", m.name, err, says)
				}
			}
		}
	}
}

// TestRoundedPairs checks that each method finds two balls, or points with a skin, whose gap rounds
// to the limit of the set's test. The numbers come from a random search. The boxes of each pair
// would be apart if corners were moved outwards by less than least·2⁻⁵² of |coordinate| + growth.
func TestRoundedPairs(t *testing.T) {
	for _, pair := range []struct{ least, ra, rb, skin, ca, cb float64 }{
		{0.53, 0x1.0000000000007p+02, 0x1.0000000000002p-15, 0x1.403b2584dc334p-01, -0x1.0800000000007p+02, 0x1.003f2584dc33cp-01},
		{0.60, 0x1.ffffffffffffcp+01, 0x1.0000000004p-02, 0x1.ffffffffffffap+01, -0x1.7fffffffffffbp+02, 0x1.2000000000804p+01},
		{0.62, 0x1.00008p-32, 0x1.0000000000005p-54, 0x1.ffffffffffff9p-03, -0x1.000000080003cp-03, 0x1.0000000000001p-03},
		{0.71, 0x1.0000000000003p-32, 0x1.ffffffffffff9p+00, 0x1.ffp-12, -0x1.e7b5cfcb1a078p+00, 0x1.86a2035e5f82fp-04},
		{0.73, 0x1.ffffffffffffdp-02, 0x1.0000000000005p-49, 0x1.ffffffffffff8p-25, -0x1.000001p-01, 0x1.000000f78000cp-25},
		{0.83, 0x1.ffffffffffffbp-06, 0x1.0000000000001p-29, 0x1.45da92966642p-23, -0x1.000028bb5252ap-05, 0x1.4dda92973c00fp-24},
		{0.87, 0x1.000000000008p-02, 0x1.8p-54, 0x1.0000000000007p-55, -0x1.000000000007fp-02, 0x1.1ffffffffff92p-52},
	} {
		for _, periodic := range []bool{false, true} { // a periodic set makes its boxes by other code
			s := &broad.Input{Radius: []float64{pair.ra, pair.rb}, Skin: pair.skin, Periodic: [3]bool{1: periodic}}
			s.Centre = []vec.Vec3{{X: pair.ca}, {X: pair.cb}}
			s.Domain = vec.Box{Min: vec.V(-64, -64, -64), Max: vec.V(64, 64, 64)}
			isOnePair(t, fmt.Sprintf("least %g, periodic %t", pair.least, periodic), s)
		}
	}
	for _, skin := range []float64{5e-324, 1.5e-323, 0.1, 3} {
		isOnePair(t, fmt.Sprintf("points %g m apart", skin), &broad.Input{Box: rowOf(2, 0, skin, 0), Skin: skin})
	}
}

func isOnePair(t *testing.T, name string, s *broad.Input) {
	t.Helper()
	if want := truth(s); len(want) != 1 {
		t.Fatalf("%s: %v in truth, expected a pair", name, want)
	}
	for _, m := range methods {
		found := &broad.Found{}
		if err := broad.NewFinder(m.make()).Find(s, found); err != nil || len(found.A) != 1 {
			t.Errorf("%s, %s: %d pairs, %v", m.name, name, len(found.A), err)
		}
	}
}
