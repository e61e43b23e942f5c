package broad_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/brute"
	"github.com/scree-dem/scree/broad/cells"
	"github.com/scree-dem/scree/broad/lc"
	"github.com/scree-dem/scree/broad/multilevel"
	"github.com/scree-dem/scree/broad/vl"
	"github.com/scree-dem/scree/vec"
)

// TestExtremeOptions checks that methods with extreme options find the pairs of rows in a line, of
// which neighbours touch.
func TestExtremeOptions(t *testing.T) {
	for _, x := range []float64{1e150, math.MaxFloat64, math.Inf(1), math.NaN()} {
		methods := []broad.Method{lc.New(lc.Options{Cell: x})}
		if x <= math.MaxFloat64 { // vl refuses other radii
			methods = append(methods, vl.New(vl.Options{Radius: x}), vl.New(vl.Options{Radius: x, Build: cells.New()}),
				vl.New(vl.Options{Radius: x, Build: multilevel.New()}))
		}
		for k, m := range methods {
			for _, side := range []float64{0, 1} {
				var boxes []vec.Box
				for i := range 20 {
					boxes = append(boxes, vec.Box{Min: vec.V(float64(i)*side, 0, 0), Max: vec.V(float64(i+1)*side, 0, 0)})
				}
				want := 19
				if side == 0 {
					want = 190
				}
				var out broad.Found
				if err := broad.NewFinder(m).Find(&broad.Input{Box: boxes}, &out); err != nil || len(out.A) != want {
					t.Errorf("method %d with %g, side %g: %d pairs, expected %d; error %v", k, x, side, len(out.A), want, err)
				}
			}
		}
	}
}

// TestCellWidth checks that linked cells of a given width find all pairs of brute force, compare the
// more rows the wider they are, and refuse a width that would miss pairs.
func TestCellWidth(t *testing.T) {
	boxes := scattered(8, 1, 1, 3)
	longest := 0.0
	for _, b := range boxes {
		s := b.Max.Sub(b.Min)
		longest = max(longest, s.X, s.Y, s.Z)
	}
	find := func(m broad.Method) (found broad.Found, err error) {
		err = broad.NewFinder(m).Find(&broad.Input{Box: boxes}, &found)
		return found, err
	}
	want, err := find(brute.New())
	if err != nil || len(want.A) == 0 {
		t.Fatal(len(want.A), err)
	}
	checked := int64(0)
	for _, width := range []float64{longest, 1.5 * longest, 3 * longest, 1e3 * longest, math.MaxFloat64} {
		m := lc.New(lc.Options{Width: width, Cell: 7})
		got, err := find(m)
		if err != nil || !slices.Equal(got.A, want.A) || !slices.Equal(got.B, want.B) {
			t.Errorf("width %g: %d pairs, expected %d; error %v", width, len(got.A), len(want.A), err)
		}
		if m.Checked < checked {
			t.Errorf("width %g: %d rows compared, expected at least the %d of narrower cells", width, m.Checked, checked)
		}
		checked = m.Checked
	}
	if n := int64(len(boxes)); checked != n*(n-1)/2 {
		t.Errorf("one cell: %d rows compared, expected all %d", checked, n*(n-1)/2)
	}
	for _, width := range []float64{-1, 1e-300, 0.999 * longest, math.Inf(1), math.NaN()} {
		if _, err := find(lc.New(lc.Options{Width: width})); !errors.Is(err, lc.ErrOption) {
			t.Errorf("width %g: %v, expected ErrOption", width, err)
		}
	}
}
