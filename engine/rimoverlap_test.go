package engine

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// scattered are triangles at random places, of sides 1 and width; slivers go from anywhere to
// anywhere.
func scattered(n int, width float64, slivers bool) (polygons [][]flat) {
	r := geometry.NewRand(5)
	for range n {
		a := flat{r.Range(-1, 1), r.Range(-1, 1)}
		b, c := flat{a.x + 1, a.y}, flat{a.x, a.y + width}
		if slivers {
			b = flat{r.Range(-1, 1), r.Range(-1, 1)}
			c = flat{a.x + width, a.y - width}
		}
		polygons = append(polygons, outline([]vec.Vec3{{X: a.x, Y: a.y}, {X: b.x, Y: b.y}, {X: c.x, Y: c.y}}, vec.IdentityPose))
	}
	return polygons
}

// TestOverlapsAreRefusedEarly: facets of which too many overlap, or cross, are refused after a
// number of looks that does not grow with the square of theirs, but with the overlaps there may
// be.
func TestOverlapsAreRefusedEarly(t *testing.T) {
	const most = maxOverlaps / 16
	for _, c := range []struct {
		name    string
		width   float64
		slivers bool
		n       int
		text    string
		looks   int64 // at most
	}{
		{"triangles", 1, false, 20_000, "pairs of the wall's facets overlap", 4 * most},
		{"triangles", 1, false, 40_000, "pairs of the wall's facets overlap", 4 * most},
		{"strips", 0.1, false, 20_000, "pairs of the wall's facets overlap", 4 * most},
		{"slivers", 1e-3, true, 20_000, "pairs of the wall's facets overlap", 8 * most},
		{"some slivers", 1e-3, true, 800, "cross so often", 256 * most},
	} {
		polygons := scattered(c.n, c.width, c.slivers)
		work := rimWorkOf(polygons)
		work.mostOverlaps = most
		rims := rimsOf(polygons, 1e-5, work)
		t.Logf("%d %s: %d looks at pairs, %d at edges: %s", c.n, c.name, work.paired, work.looks, work.tangle)
		if rims != nil || !strings.Contains(work.tangle, c.text) {
			t.Errorf("%d %s: %q, expected that it has %q", c.n, c.name, work.tangle, c.text)
		}
		if work.paired+work.looks > c.looks {
			t.Errorf("%d %s: %d looks, expected %d at most", c.n, c.name, work.paired+work.looks, c.looks)
		}
	}
}

// TestOverlapsAreCounted: pairs of facets that overlap are counted once, and those that only touch
// are not.
func TestOverlapsAreCounted(t *testing.T) {
	quad := func(x, y float64) []flat { return []flat{{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}} }
	for _, c := range []struct {
		name     string
		polygons [][]flat
		want     int
	}{
		{"side by side", [][]flat{quad(0, 0), quad(1, 0.3), quad(2, 0.7), quad(0, 1)}, 0},
		{"a lap as narrow as a seam", [][]flat{quad(0, 0), quad(1-5e-6, 0.3)}, 0},
		{"in a row", [][]flat{quad(0, 0), quad(0.8, 0.3), quad(1.6, 0.6), quad(2.4, 0.9)}, 3},
		{"on each other", [][]flat{quad(0, 0), quad(0.1, 0), quad(0.2, 0), quad(0.3, 0.1)}, 6},
		{"windows alone overlap", [][]flat{{{0, 0}, {3, 3}, {0, 1}}, {{1, 0}, {3, 2}, {2.5, 2}}}, 0},
		{"crossed", [][]flat{{{0, 0}, {3, 3}, {0, 1}}, {{0, 3}, {3, 0}, {3, 1}}}, 1},
	} {
		work := rimWorkOf(c.polygons)
		if rimsOf(c.polygons, 1e-5, work); work.overlaps != c.want {
			t.Errorf("%s: %d pairs, expected %d", c.name, work.overlaps, c.want)
		}
	}
}

// TestOverlapsAreNamed: the refusal names the wall, how many facets overlap, where in its frame,
// and what to do.
func TestOverlapsAreNamed(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1e5})
	const n = 2900 // 4 203 550 pairs
	var nested triangles
	for k := range n {
		h := 1 + float64(k)/n
		nested = append(nested, []vec.Vec3{vec.V(3-h, 4-h, 5), vec.V(3+2*h, 4-h, 5), vec.V(3-h, 4+2*h, 5)})
	}
	_, err := w.AddWall(Wall{Name: "chute", Parts: nested.parts(t, w), Pose: at(1, 2, 3)})
	if !errors.Is(err, ErrBody) {
		t.Fatalf("error %v, expected %v", err, ErrBody)
	}
	for _, text := range []string{`wall 0 "chute"`, "2900 facets in one plane", ", 5) m of the wall's frame", "more than 4194304 pairs of the wall's facets overlap, 2899 of these with the facet there", "leave out facets"} {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("error %v, expected that it has %q", err, text)
		}
	}
	if w.bodies.Len() != 0 || w.pieces.Len() != 0 || len(w.sheets.all) != 0 {
		t.Errorf("%d bodies, %d pieces, %d sheets after a wall that was refused", w.bodies.Len(), w.pieces.Len(), len(w.sheets.all))
	}
}

// TestFaceWithDentsIsOneSheet: a wall of one face with many dents ends where the face does.
func TestFaceWithDentsIsOneSheet(t *testing.T) {
	const teeth = 60
	comb := &geometry.Mesh{Name: "comb", Faces: [][]int{nil}}
	around := 0.0
	for k := range 4 * teeth {
		comb.Verts = append(comb.Verts, vec.V(float64((k+1)/2), 5*float64((k+1)/2%2), 0))
	}
	comb.Verts = append(comb.Verts, vec.V(2*teeth, -1, 0), vec.V(0, -1, 0))
	for k, v := range comb.Verts {
		comb.Faces[0] = append(comb.Faces[0], k)
		around += comb.Verts[(k+1)%len(comb.Verts)].Sub(v).Norm()
	}
	polygons, _, err := geometry.MergeFacets(comb)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, Config{}, force.Linear{Kn: 1e5})
	triangles(polygons).wall(t, w, vec.IdentityPose, Motion{})
	if len(w.sheets.all) != 1 {
		t.Fatalf("%d sheets, expected 1", len(w.sheets.all))
	}
	length := 0.0
	for _, r := range w.sheets.all[0].rims {
		length += away(r.a, r.b)
	}
	if math.Abs(length-around) > 1e-9*around {
		t.Errorf("rims of %.12g m, expected %.12g", length, around)
	}
}
