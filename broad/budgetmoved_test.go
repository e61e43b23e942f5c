package broad_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/auto"
	"github.com/scree-dem/scree/broad/multilevel"
	"github.com/scree-dem/scree/vec"
)

// TestMovedAfterAnotherBudget checks FindMoved after a search without a motion budget, between two
// searches that have one. The last search may use the candidates of the first one, whereas the
// cells are those of the second one. auto chooses such budgets by how far the boxes move.
func TestMovedAfterAnotherBudget(t *testing.T) {
	type search struct{ moved, budget float64 } // how far the boxes move before it, and its budget, m
	for _, test := range []struct {
		name     string
		method   broad.Method
		searches []search
	}{
		{"multilevel", multilevel.New(), []search{{0, 0.5}, {0, 0}, {0.4, 0.5}}},
		{"auto", auto.New(), []search{{0, 0}, {0.01, 0}, {0.25, 0}, {0.06, 0}, {0.045, 0}}},
	} {
		r := rand.New(rand.NewPCG(4, 2))
		boxes := make([]vec.Box, 3000)
		move := func(i int, by float64) {
			d := vec.V(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(2 * by)
			boxes[i].Min, boxes[i].Max = boxes[i].Min.Add(d), boxes[i].Max.Add(d)
		}
		for i := range boxes {
			at := vec.V(r.Float64(), r.Float64(), r.Float64()).Scale(9)
			boxes[i] = vec.Box{Min: at, Max: at.Add(vec.V(1, 1, 1))}
		}
		set, f := broad.Input{Box: boxes}, broad.NewFinder(test.method)
		var found broad.Found
		for _, search := range test.searches {
			for i := range boxes {
				move(i, search.moved)
			}
			set.Margin = search.budget
			if err := f.Find(&set, &found); err != nil {
				t.Fatal(err)
			}
		}
		for range 40 {
			i := r.IntN(len(boxes))
			move(i, 0.5)
			if err := f.FindMoved(&set, []int{i}, &found); err != nil {
				t.Fatal(err)
			}
			var a, b []uint32
			for k := range boxes {
				if k != i && boxes[k].Overlaps(boxes[i]) {
					a, b = append(a, uint32(min(i, k))), append(b, uint32(max(i, k)))
				}
			}
			if !slices.Equal(found.A, a) || !slices.Equal(found.B, b) {
				t.Errorf("%s: %d pairs of row %d, expected %d", test.name, len(found.A), i, len(a))
			}
		}
	}
}
