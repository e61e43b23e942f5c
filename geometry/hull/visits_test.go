package hull

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// cone has one face of n corners and n triangles, some of which lie in one layer.
func cone(n int) []vec.Vec3 {
	pts := []vec.Vec3{{Z: 1}}
	for i := range n {
		a := 2 * math.Pi * float64(i) / float64(n)
		pts = append(pts, vec.V(math.Cos(a), math.Sin(a), 0))
	}
	return pts
}

// turnedCylinder has coordinates of single precision: rounding bends its two ends of n corners, and
// the hull has about 2·n facets there.
func turnedCylinder(n int) []vec.Vec3 {
	var pts []vec.Vec3
	for i := range n {
		a := 2 * math.Pi * float64(i) / float64(n)
		pts = append(pts, vec.V(math.Cos(a), math.Sin(a), 0.5), vec.V(math.Cos(a), math.Sin(a), -0.5))
	}
	pts = someRotation(pts)
	for i, p := range pts {
		pts[i] = vec.V(float64(float32(p.X)), float64(float32(p.Y)), float64(float32(p.Z)))
	}
	return pts
}

// surfaceOf returns the hull of points before faces merge.
func surfaceOf(t *testing.T, pts []vec.Vec3, opt Options) *mergedFaces {
	t.Helper()
	c, err := prepare(pts, opt)
	if err != nil {
		t.Fatal(err)
	}
	tris, err := c.build()
	if err != nil {
		t.Fatal(err)
	}
	facets, err := c.facets(tris)
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.newSurface(facets)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestMergingLooksAtFewCorners checks that four times as many corners of one face take at most ten
// times as many visits. The face either loses corners to its neighbours or consists of as many
// facets. Visiting all of the face for each corner would take sixteen times as many. The support
// tree alone visits about the square root of the number of its vertices.
func TestMergingLooksAtFewCorners(t *testing.T) {
	for name, shape := range map[string]func(n int) []vec.Vec3{"cone": cone, "turned cylinder": turnedCylinder} {
		visits := func(n int) int {
			m := float64(n)
			s := surfaceOf(t, shape(n), Options{Merge: 27 / m / m}) // as many sides merge into one
			before := len(s.faces)
			if err := s.merge(); err != nil {
				t.Fatal(err)
			}
			h := s.result()
			if len(h.Faces) > before*9/10 {
				t.Fatalf("%s: %d of %d faces are left, expected that a tenth merge at least", name, len(h.Faces), before)
			}
			return s.visits + s.tree.visits
		}
		few, many := visits(3000), visits(12000)
		t.Logf("%s: %d and %d visits", name, few, many)
		if many > 10*few {
			t.Errorf("%s: %d visits at 3000 corners, %d at 12 000, expected at most ten times as many", name, few, many)
		}
	}
}

// TestLayerProofsChangeNothing checks that the hull is the same if each neighbouring face is
// checked in full.
func TestLayerProofsChangeNothing(t *testing.T) {
	for _, c := range []struct {
		name  string
		pts   []vec.Vec3
		merge float64
	}{
		{"cone", cone(3000), 3e-6}, {"turned cone", someRotation(cone(2000)), 3e-6}, {"cylinder", turnedCylinder(700), 1e-6},
		{"coarse cylinder", turnedCylinder(300), 1e-4}, {"near the rounding", someRotation(cone(500)), 1e-13},
		{"ball", sphere(500, 1), 0.01},
	} {
		proven, full := surfaceOf(t, c.pts, Options{Merge: c.merge}), surfaceOf(t, c.pts, Options{Merge: c.merge})
		full.plain = true
		if err := errors.Join(proven.merge(), full.merge()); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(proven.result(), full.result()) {
			t.Errorf("%s: other faces with proofs than without", c.name)
		}
		if c.name == "cone" && proven.visits > full.visits/10 {
			t.Errorf("%s: %d visits with proofs, %d without, expected a tenth at most", c.name, proven.visits, full.visits)
		}
	}
}

// TestLayersKeepThePromise checks that facets merged at once satisfy the guarantees of Compute.
func TestLayersKeepThePromise(t *testing.T) {
	for _, merge := range []float64{1e-7, 3e-7, 1e-6, 1e-5, 1e-3} {
		opt := Options{Merge: merge}
		pts := turnedCylinder(400)
		verify(t, pts, must(t, pts, opt), opt)
	}
}

// TestMergingEnds checks that merging stops with an error if it exceeds its number of visits.
func TestMergingEnds(t *testing.T) {
	s := surfaceOf(t, cone(2000), Options{Merge: 1e-5})
	s.most = 10_000
	if err := s.merge(); !errors.Is(err, ErrTooLong) {
		t.Fatalf("%v, expected ErrTooLong", err)
	}
	if s.visits+s.tree.visits > 4*s.most {
		t.Errorf("%d visits, expected an end soon after %d", s.visits, s.most)
	}
}
