package overlap

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/soa"
)

// TestKindsOfOverlaps counts overlaps of hulls in random contact, 0 to 1 % of the size deep, by
// what the next step knows about them: a type, or a skeleton with its numbers of faces of either
// body and corners. Almost all must have one of both.
func TestKindsOfOverlaps(t *testing.T) {
	n := 2000
	if *soakOverlaps > 0 {
		n = *soakOverlaps
	}
	for _, verts := range []int{12, 32, 64} {
		r := rand.New(rand.NewPCG(251, uint64(verts)))
		var shapes []*soa.View
		for range 16 {
			shapes = append(shapes, view(t, rockBody(r, verts)))
		}
		c, kinds, types, skeletons := NewClipper(), map[string]int{}, 0, 0
		for range n {
			a, b := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
			o := meet(c, a, b, turn(r), turn(r), direction(r), 0.01*a.Radius*r.Float64())
			c.Share(o.a, o.pa, o.b, o.pb, o.along)
			if c.Named() != (Features{}) {
				types++
				continue
			}
			if k, _ := c.Skeleton(); k != nil {
				skeletons++
			}
			ofB := 0
			for _, isCap := range c.body.isCap {
				if isCap {
					ofB++
				}
			}
			ofA := len(c.body.end) - ofB
			kinds[fmt.Sprintf("%d+%d faces, %d corners", min(ofA, ofB), max(ofA, ofB), len(c.body.verts))]++
		}
		most := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int { return kinds[b] - kinds[a] })
		t.Logf("%d vertices: %d of %d are of a type, %d others have a skeleton, %d not", verts, types, n, skeletons, n-types-skeletons)
		for _, kind := range most[:min(8, len(most))] {
			t.Logf("  %5d  %s", kinds[kind], kind)
		}
		if 200*(n-types-skeletons) > n {
			t.Errorf("%d vertices: %d of %d overlaps are of no type and have no skeleton", verts, n-types-skeletons, n)
		}
	}
}
