package multilevel

import (
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/vec"
)

// rows returns boxes at random places in a cube of 20 m. Their sides are the given ones in turn.
func rows(n int, sides ...float64) []vec.Box {
	r := rand.New(rand.NewPCG(2, 2))
	boxes := make([]vec.Box, n)
	for i := range boxes {
		s := sides[i%len(sides)]
		at := vec.V(r.Float64(), r.Float64(), r.Float64()).Scale(20)
		boxes[i] = vec.Box{Min: at, Max: at.Add(vec.V(s, s, s))}
	}
	return boxes
}

func search(t *testing.T, boxes []vec.Box) *Method {
	t.Helper()
	m := New()
	if err := m.Search(&broad.Rows{Box: boxes, Most: broad.MaxPairs}, &broad.PairList{}); err != nil {
		t.Fatal(err)
	}
	return m
}

// Rows far away change neither the kind of the others' grid nor its size, except for a cell or two
// at its border.
func TestFarRowsKeepTheGrid(t *testing.T) {
	boxes := rows(8000, 1)
	all := search(t, boxes)
	for _, far := range []float64{1e2, 1e6, 1e30} {
		for _, k := range []int{5, 700, 7999} {
			at := vec.V(far, -far, 0)
			boxes[k] = vec.Box{Min: at, Max: at.Add(vec.V(1, 1, 1))}
		}
		m := search(t, boxes)
		if len(m.grids.Levels) != 1 || m.grids.Levels[0].Hashed {
			t.Fatalf("%d levels, hashed %v, with three rows at %g m", len(m.grids.Levels), m.grids.Levels[0].Hashed, far)
		}
		if got, want := float64(m.grids.Levels[0].Cells), float64(all.grids.Levels[0].Cells); got > 1.5*want || got < want/1.5 {
			t.Errorf("%.0f cells with three rows at %g m, %.0f without", got, far, want)
		}
	}
}

// Sizes share a level as long as its cells are not crowded. Otherwise they have their own levels.
func TestLevels(t *testing.T) {
	for _, test := range []struct {
		n     int
		sides []float64
		want  int
	}{
		{8000, []float64{1}, 1},
		{8000, []float64{1, 0.5, 0.25, 0.1}, 1},           // one per cell of 1 m in total
		{30000, []float64{2, 0.5, 0.5, 0.5, 0.5, 0.5}, 2}, // thirty per cell of 2 m
		{100, []float64{1, 1e-300, 1e10}, 2},              // all of them in one cell of the largest
	} {
		if m := search(t, rows(test.n, test.sides...)); len(m.grids.Levels) != test.want {
			t.Errorf("%d rows of sides %v: %d levels, expected %d", test.n, test.sides, len(m.grids.Levels), test.want)
		}
	}
}
