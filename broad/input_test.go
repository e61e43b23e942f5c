package broad_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/vec"
)

func unitBox(x float64) vec.Box { return vec.Box{Min: vec.V(x, 0, 0), Max: vec.V(x+1, 1, 1)} }

// Invalid sets are rejected, with an error that names the row, its value and what was expected.
func TestRefusesSets(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	box := func(b vec.Box) broad.Input { return broad.Input{Box: []vec.Box{unitBox(0), b}} }
	ball := func(c vec.Vec3, r float64) broad.Input {
		return broad.Input{Centre: []vec.Vec3{{}, c}, Radius: []float64{1, r}}
	}
	tests := []struct {
		name string
		set  broad.Input
		want string
	}{
		{"NaN in a box", box(vec.Box{Min: vec.V(0, nan, 0), Max: vec.V(1, 1, 1)}), "row 1 has the box"},
		{"infinite box", box(vec.Box{Min: vec.V(0, 0, 0), Max: vec.V(1, 1, inf)}), "row 1 has the box"},
		{"inverted box", box(vec.Box{Min: vec.V(0, 0, 0), Max: vec.V(1, -1, 1)}), "row 1 has the box"},
		{"box too far", box(vec.Box{Min: vec.V(0, 0, 0), Max: vec.V(1, 1, 1e200)}), "row 1 has the box"},
		{"NaN in a centre", ball(vec.V(0, 0, nan), 1), "row 1 has the centre"},
		{"radius zero", ball(vec.V(0, 0, 1), 0), "row 1 has the radius 0 m"},
		{"radius below zero", ball(vec.V(0, 0, 1), -2), "row 1 has the radius -2 m"},
		{"radius NaN", ball(vec.V(0, 0, 1), nan), "row 1 has the radius NaN m"},
		{"radius infinite", ball(vec.V(0, 0, 1), inf), "row 1 has the radius +Inf m"},
		{"radii missing", broad.Input{Centre: make([]vec.Vec3, 2), Radius: []float64{1}}, "2 centres and 1 radii"},
		{"names missing", broad.Input{Box: []vec.Box{unitBox(0)}, ID: []uint32{1, 2}}, "2 names for 1 rows"},
		{"names twice", broad.Input{Box: []vec.Box{unitBox(0), unitBox(1), unitBox(2)}, ID: []uint32{4, 2, 4}}, "rows 0 and 2 are both named 4"},
		{"skin", broad.Input{Skin: -1}, "skin -1 m"},
		{"margin", broad.Input{Margin: nan}, "margin NaN m"},
		{"no domain", broad.Input{Periodic: [3]bool{true}}, "without a domain"},
		{"flat domain", broad.Input{Domain: vec.Box{Max: vec.V(1, 1, 0)}, Periodic: [3]bool{false, false, true}}, "periodic axis z"},
		{"boxes and balls", broad.Input{Box: []vec.Box{unitBox(0)}, Centre: make([]vec.Vec3, 1)}, "expected only one of the two"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := broad.NewFinder(methods[0].make()).Find(&test.set, &broad.Found{})
			if !errors.Is(err, broad.ErrSet) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, expected an ErrSet with %q", err, test.want)
			}
		})
	}
}

// A row outside the domain is searched like others, and listed.
func TestOutsideIsListed(t *testing.T) {
	s := &broad.Input{
		Box:    []vec.Box{unitBox(0), unitBox(9), unitBox(9.5), unitBox(-400)},
		Domain: vec.Box{Max: vec.V(10, 1, 1)},
	}
	for _, m := range methods {
		found := &broad.Found{}
		if err := broad.NewFinder(m.make()).Find(s, found); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(found.Outside, []int{3}) {
			t.Errorf("%s: rows %v are outside, expected 3", m.name, found.Outside)
		}
		s.Domain.Max.X = 9.75
		if err := broad.NewFinder(m.make()).Find(s, found); err != nil {
			t.Fatal(err)
		}
		if s.Domain.Max.X = 10; !slices.Equal(found.Outside, []int{2, 3}) {
			t.Errorf("%s: rows %v are outside, expected 2 and 3", m.name, found.Outside)
		}
		compare(t, m.name, found, [][2]uint32{{1, 2}})
	}
}

// If there are more pairs than allowed, Find returns an error and no pairs.
func TestSetsAreBounded(t *testing.T) {
	s := &broad.Input{Box: slices.Repeat([]vec.Box{unitBox(0)}, 200)}
	for _, m := range methods {
		f, found := broad.NewFinder(m.make()), &broad.Found{}
		s.MaxPairs = 199*100 - 1
		if err := f.Find(s, found); !errors.Is(err, broad.ErrTooManyPairs) {
			t.Errorf("%s: %v, expected ErrTooManyPairs", m.name, err)
		}
		s.MaxPairs = 199 * 100
		if err := f.Find(s, found); err != nil || len(found.A) != 199*100 {
			t.Errorf("%s: %d pairs and %v, expected %d", m.name, len(found.A), err, 199*100)
		}
	}
}

// MaxPairs counts pairs of balls, not of the boxes around them.
func TestMaxPairsCountsBalls(t *testing.T) {
	s := &broad.Input{}
	for i := range 6 * 6 * 6 {
		// Neighbours along an axis touch. Diagonal neighbours are apart, but their boxes overlap.
		s.Centre = append(s.Centre, vec.V(float64(i%6), float64(i/6%6), float64(i/36)))
		s.Radius = append(s.Radius, 0.5)
	}
	const touching = 3 * 5 * 6 * 6
	for _, m := range methods {
		f, found := broad.NewFinder(m.make()), &broad.Found{}
		s.MaxPairs = touching
		if err := f.Find(s, found); err != nil || len(found.A) != touching {
			t.Errorf("%s: %d pairs and %v, expected %d", m.name, len(found.A), err, touching)
		}
		s.MaxBoxPairs = touching
		if err := f.Find(s, found); !errors.Is(err, broad.ErrTooManyPairs) {
			t.Errorf("%s: %v with more pairs of boxes, expected ErrTooManyPairs", m.name, err)
		}
		s.MaxPairs, s.MaxBoxPairs = touching-1, 0
		if err := f.Find(s, found); !errors.Is(err, broad.ErrTooManyPairs) {
			t.Errorf("%s: %v, expected ErrTooManyPairs", m.name, err)
		}
	}
}

// A search with images across periodic borders allocates only the first time.
func TestImagesTakeMemoryOnce(t *testing.T) {
	for _, m := range methods {
		s, found, f := &broad.Input{Domain: vec.Box{Max: vec.V(6, 6, 6)}, Periodic: [3]bool{true, true, true}}, &broad.Found{}, broad.NewFinder(m.make())
		cloud(s, 200, 1, 3)
		find := func() {
			if err := f.Find(s, found); err != nil {
				t.Fatal(err)
			}
		}
		find()
		if n := testing.AllocsPerRun(10, find); n != 0 {
			t.Errorf("%s: a search allocates %g times", m.name, n)
		}
	}
}
