package broad_test

import (
	"errors"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/vl"
	"github.com/scree-dem/scree/vec"
)

// TestStoredPairsAreBounded lets searches store candidates and lists of all pairs of 800 boxes, of
// which few overlap. The bound of pairs also bounds what is stored. Yet exactly as many pairs as the
// bound are no error, and one more is.
func TestStoredPairsAreBounded(t *testing.T) {
	boxes := make([]vec.Box, 800)
	for i := range boxes {
		at := vec.V(float64(i%100), float64(i/100), 0).Scale(0.9)
		boxes[i] = vec.Box{Min: at, Max: at.Add(vec.V(1, 1, 1))}
	}
	want := truth(&broad.Input{Box: boxes})
	rows := broad.Rows{Box: boxes, Margin: 1e3, Most: int64(len(want))}
	if stored := rows.MostStored(); int64(len(boxes)*len(boxes)/2) < 2*stored {
		t.Fatalf("%d pairs may be stored", stored)
	}
	for _, m := range methods {
		for _, most := range []int{len(want), len(want) - 1} {
			method := m.make()
			if m.name == "vl" {
				method = vl.New(vl.Options{Radius: 1e3})
			}
			set := broad.Input{Box: boxes, Margin: 1e3, MaxPairs: most}
			for range 2 {
				var found broad.Found
				err := broad.NewFinder(method).Find(&set, &found)
				if most < len(want) {
					if !errors.Is(err, broad.ErrTooManyPairs) {
						t.Errorf("%s: %v with %d pairs of %d", m.name, err, most, len(want))
					}
					continue
				}
				if err != nil {
					t.Fatalf("%s: %v", m.name, err)
				}
				compare(t, m.name, &found, want)
			}
		}
	}
}
