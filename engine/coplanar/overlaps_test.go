package coplanar

import (
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// scattered returns triangles at random positions, with sides of length 1 and width. Slivers
// connect random positions.
func scattered(n int, width float64, slivers bool) (polygons [][]point) {
	r := geometry.NewRand(5)
	for range n {
		a := point{r.Range(-1, 1), r.Range(-1, 1)}
		b, c := point{a.x + 1, a.y}, point{a.x, a.y + width}
		if slivers {
			b = point{r.Range(-1, 1), r.Range(-1, 1)}
			c = point{a.x + width, a.y - width}
		}
		polygons = append(polygons, outline([]vec.Vec3{{X: a.x, Y: a.y}, {X: b.x, Y: b.y}, {X: c.x, Y: c.y}}, vec.IdentityPose))
	}
	return polygons
}

// TestOverlapsAreRefusedEarly checks that too many overlapping or crossing facets are rejected
// after a number of comparisons that grows with the allowed overlaps, not with the square of the
// number of facets.
func TestOverlapsAreRefusedEarly(t *testing.T) {
	const most = maxOverlaps / 16
	for _, c := range []struct {
		name    string
		width   float64
		slivers bool
		n       int
		text    string
		looks   int64 // largest number of comparisons
	}{
		{"triangles", 1, false, 20_000, "pairs of the wall's facets overlap", 4 * most},
		{"triangles", 1, false, 40_000, "pairs of the wall's facets overlap", 4 * most},
		{"strips", 0.1, false, 20_000, "pairs of the wall's facets overlap", 4 * most},
		{"slivers", 1e-3, true, 20_000, "pairs of the wall's facets overlap", 8 * most},
		{"some slivers", 1e-3, true, 800, "cross so often", 256 * most},
	} {
		polygons := scattered(c.n, c.width, c.slivers)
		work := workloadOf(polygons)
		work.mostOverlaps = most
		edges := boundaryOf(polygons, 1e-5, work)
		t.Logf("%d %s: %d looks at pairs, %d at edges: %s", c.n, c.name, work.paired, work.looks, work.tangle)
		if edges != nil || !strings.Contains(work.tangle, c.text) {
			t.Errorf("%d %s: %q, expected that it has %q", c.n, c.name, work.tangle, c.text)
		}
		if work.paired+work.looks > c.looks {
			t.Errorf("%d %s: %d looks, expected %d at most", c.n, c.name, work.paired+work.looks, c.looks)
		}
	}
}

// TestOverlapsAreCounted checks that each overlapping pair of facets is counted once, and that
// pairs that only touch are not counted.
func TestOverlapsAreCounted(t *testing.T) {
	quad := func(x, y float64) []point { return []point{{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}} }
	for _, c := range []struct {
		name     string
		polygons [][]point
		want     int
	}{
		{"side by side", [][]point{quad(0, 0), quad(1, 0.3), quad(2, 0.7), quad(0, 1)}, 0},
		{"a lap as narrow as a seam", [][]point{quad(0, 0), quad(1-5e-6, 0.3)}, 0},
		{"in a row", [][]point{quad(0, 0), quad(0.8, 0.3), quad(1.6, 0.6), quad(2.4, 0.9)}, 3},
		{"on each other", [][]point{quad(0, 0), quad(0.1, 0), quad(0.2, 0), quad(0.3, 0.1)}, 6},
		{"windows alone overlap", [][]point{{{0, 0}, {3, 3}, {0, 1}}, {{1, 0}, {3, 2}, {2.5, 2}}}, 0},
		{"crossed", [][]point{{{0, 0}, {3, 3}, {0, 1}}, {{0, 3}, {3, 0}, {3, 1}}}, 1},
	} {
		work := workloadOf(c.polygons)
		if boundaryOf(c.polygons, 1e-5, work); work.overlaps != c.want {
			t.Errorf("%s: %d pairs, expected %d", c.name, work.overlaps, c.want)
		}
	}
}
