package coplanar

import (
	"testing"

	"github.com/scree-dem/scree/geometry"
)

// TestOpenEdgesOfManyOnEachOther bounds the comparisons and the stored intervals for facets on top
// of each other. All but the first are covered, and a covered facet is not compared with all
// others.
func TestOpenEdgesOfManyOnEachOther(t *testing.T) {
	const n = 1200
	r := geometry.NewRand(5)
	var nested, random [][]point
	for k := range n {
		h := 1 + float64(k)/n
		nested = append(nested, []point{{-h, -h}, {2 * h, -h}, {-h, 2 * h}})
		a := point{r.Range(-1, 1), r.Range(-1, 1)}
		random = append(random, []point{a, {a.x + 1, a.y}, {a.x, a.y + 1}})
	}
	for _, c := range []struct {
		name     string
		polygons [][]point
		least    int // number of boundary edges
	}{{"nested", nested, 3}, {"random", random, 6}} {
		work := workloadOf(c.polygons)
		edges := boundaryOf(c.polygons, 1e-5, work)
		if work.tangle != "" || len(edges) < c.least || c.name == "nested" && len(edges) != c.least {
			t.Errorf("%s: %d open edges after %d of %d looks; %s", c.name, len(edges), work.looks, work.most, work.tangle)
		}
		// Edges that share some x make 3n(3n-1)/2 comparisons; comparing each with all polygons
		// would make 24n² more.
		if most := int64(8 * n * n); work.looks > most {
			t.Errorf("%s: %d looks, expected %d at most", c.name, work.looks, most)
		}
	}
}

// TestSpansStayFew checks that the stored coverage of an edge does not grow with the number of
// parts that cover it, and does not depend on their order.
func TestSpansStayFew(t *testing.T) {
	var s coverage
	for k := range 100_000 {
		from := float64((k*7919)%99_991) / 1e5
		s.add([2]float64{from, from + 5e-5}, 1, 1e-9)
		if most := 200_000; len(s.intervals) > most {
			t.Fatalf("%d parts after %d", len(s.intervals), k+1)
		}
	}
	if s.merge(1, 1e-9); len(s.intervals) != 1 || s.intervals[0] != [2]float64{0, 99_990.0/1e5 + 5e-5} || s.full {
		t.Errorf("parts %v, full %v", s.intervals, s.full)
	}
	for range 1000 {
		s.add([2]float64{0.5, 1}, 1, 1e-9)
	}
	if !s.full || len(s.intervals) > 2*fewIntervals {
		t.Errorf("%d parts, full %v", len(s.intervals), s.full)
	}
}
