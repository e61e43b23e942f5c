package boxtree

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// TestOver compares the boxes that contain a point with a check of every box. It includes points on
// borders and nested boxes. For disjoint boxes few nodes are visited.
func TestOver(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	at := func(n int) float64 { return float64(r.IntN(n)) }
	for _, n := range []int{1, 2, 4, 5, 100, 1000} {
		boxes := make([]vec.Box, n)
		for i := range boxes {
			min := vec.V(at(12), at(12), at(3))
			boxes[i] = vec.Box{Min: min, Max: min.Add(vec.V(at(3), at(3), at(2)))}
		}
		tree := New(boxes)
		for range 300 {
			p := vec.V(at(29)/2, at(29)/2, at(9)/2)
			var want []int
			for i := range boxes {
				if boxes[i].Holds(p) {
					want = append(want, i)
				}
			}
			if got := slices.Sorted(tree.Over(vec.Box{Min: p, Max: p})); !slices.Equal(got, want) {
				t.Fatalf("%d boxes, %v: %v, expected %v", n, p, got, want)
			}
		}
	}
}

// TestShallow: a point in one of many disjoint boxes is found by visiting few nodes.
func TestShallow(t *testing.T) {
	boxes := make([]vec.Box, 20000)
	for i := range boxes {
		min := vec.V(float64(i%100), float64(i/100%100), float64(i/10000)).Scale(2)
		boxes[i] = vec.Box{Min: min, Max: min.Add(vec.V(1, 1, 1))}
	}
	tree := New(boxes)
	looked := 0
	for k := range tree.nodes {
		if tree.nodes[k].box.Holds(vec.V(100.5, 60.5, 0.5)) {
			looked++
		}
	}
	if looked > 60 {
		t.Errorf("%d of %d nodes hold a point of one box, expected a path or two", looked, len(tree.nodes))
	}
}
