package geometry

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/vec"
)

// TestFacesThatAreNotConvex checks that the triangles of faces with dents cover exactly those
// faces, for every first corner, orientation and position.
func TestFacesThatAreNotConvex(t *testing.T) {
	turned := vec.Quat{W: 0.3, X: -0.4, Y: 0.7, Z: 0.1}.Normalized()
	for _, c := range []struct {
		name string
		ring []ringPoint
	}{
		{"L", letterL},
		{"L with straight corners", []ringPoint{{2, 0}, {2, 0.5}, {2, 1}, {1.5, 1}, {1, 1}, {1, 1.5}, {1, 2}, {0, 2}, {0, 1}, {0, 0}, {1, 0}}},
		{"arrow", []ringPoint{{0, 0}, {2, 1}, {0, 2}, {0.5, 1}}},
		{"comb", combRing(9)}, {"star", starRing(40)}, {"spiral", spiralRing(90)},
		{"a corner twice in a row", []ringPoint{{2, 0}, {2, 1}, {1, 1}, {1, 1}, {1, 2}, {0, 2}, {0, 0}, {2, 0}}},
		{"frame with a sliver gap", []ringPoint{{0, 0}, {3, 0}, {3, 3}, {0, 3}, {0, 1e-9}, {1, 1 + 1e-9}, {1, 2}, {2, 2}, {2, 1}, {1, 1}}},
		{"dent as deep as rounding", []ringPoint{{0, 0}, {1, 0x1p-52}, {2, 0}, {2, 1}, {1, 0.5}, {0, 1}}},
	} {
		r := rand.New(rand.NewPCG(3, 4))
		for first := 0; first < len(c.ring); first += 1 + len(c.ring)/6 {
			for _, back := range []bool{false, true} {
				ring := append(slices.Clone(c.ring[first:]), c.ring[:first]...)
				if back {
					slices.Reverse(ring)
				}
				triangles, _, err := cutMesh(faceOf(ring, vec.Identity, vec.V(0, 0, 3)))
				if err != nil {
					t.Fatalf("%s from corner %d: %v", c.name, first, err)
				}
				points := 0
				if first == 0 && !back {
					points = 15
				}
				checkTriangles(t, ring, triangles, r, points)
				again, _, _ := cutMesh(faceOf(ring, vec.Identity, vec.V(0, 0, 3)))
				if !slices.Equal(triangles, again) {
					t.Fatalf("%s: not the same twice", c.name)
				}
				for _, by := range []vec.Vec3{{}, {X: 1e3, Y: -2e3, Z: 5e2}} {
					m := faceOf(ring, turned, by)
					var twice vec.Vec3
					triangles, _, err := cutMesh(m)
					if err != nil {
						t.Fatalf("%s, turned: %v", c.name, err)
					}
					norms := 0.0
					for _, tri := range triangles {
						a := hull.AreaVector(m.Verts, tri[:])
						twice, norms = twice.Add(a), norms+a.Norm()
					}
					want := hull.AreaVector(m.Verts, m.Faces[0])
					if size := want.Norm(); !(twice.Sub(want).Norm() <= 1e-11*size) || !(norms <= size*(1+1e-11)) {
						t.Errorf("%s, turned: triangles of %v, %g in all, expected %v", c.name, twice, norms, want)
					}
				}
			}
		}
	}
}

// TestStraightCornersStay checks that a face that is not convex is cut so that each side of its
// border, from corner to corner, is a side of a triangle. So neighbouring faces have the same
// sides.
func TestStraightCornersStay(t *testing.T) {
	ring := []ringPoint{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}, {0, 2}, {0, 1}}
	triangles, _, err := cutMesh(faceOf(ring, vec.Identity, vec.Vec3{}))
	if err != nil || len(triangles) != len(ring)-2 {
		t.Fatalf("%d triangles, error %v, expected %d", len(triangles), err, len(ring)-2)
	}
	there := map[[2]int]bool{}
	for _, tri := range triangles {
		for i := range 3 {
			there[[2]int{tri[i], tri[(i+1)%3]}] = true
		}
	}
	for k := range ring {
		if !there[[2]int{k, (k + 1) % len(ring)}] {
			t.Errorf("no triangle has the side from corner %d", k)
		}
	}
}

// TestConvexFacesAreFans checks that convex faces, including straight corners with rounding, are
// cut as the fan about their first corner.
func TestConvexFacesAreFans(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		var ring []ringPoint
		sides := 3 + r.IntN(9)
		for k := range sides {
			s, c := vec.Sincos(2 * math.Pi * (float64(k) + 0.6*r.Float64()) / float64(sides))
			ring = append(ring, ringPoint{c, s})
			for range r.IntN(3) {
				ring = append(ring, ring[len(ring)-1]) // the straight corners lie here
			}
		}
		for i := 0; i < len(ring); {
			j := i
			for j < len(ring) && ring[j] == ring[i] {
				j++
			}
			a, b := ring[i], ring[j%len(ring)]
			for k := i + 1; k < j; k++ {
				s := float64(k-i) / float64(j-i)
				ring[k] = ringPoint{a.x + s*(b.x-a.x), a.y + s*(b.y-a.y)}
			}
			i = j
		}
		q := vec.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalized()
		for name, m := range map[string]*Mesh{
			"as is":        faceOf(ring, vec.Identity, vec.Vec3{}),
			"turned":       faceOf(ring, q, vec.V(1, 2, 3)),
			"single prec.": rounded(faceOf(ring, q, vec.Vec3{})),
		} {
			var fan [][3]int
			for j := 2; j < len(ring); j++ {
				fan = append(fan, [3]int{0, j - 1, j})
			}
			if got, _, err := cutMesh(m); err != nil || !slices.Equal(got, fan) {
				t.Fatalf("%s: %v, error %v, expected the fan", name, got, err)
			}
		}
	}
}

// TestRandomFaces cuts random simple polygons with many collinear corners.
func TestRandomFaces(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	made := 0
	for range 150 {
		ring, ok := untangled(r, 4+r.IntN(14), 6)
		if !ok {
			continue
		}
		made++
		triangles, _, err := cutMesh(faceOf(ring, vec.Identity, vec.Vec3{}))
		if err != nil {
			t.Fatalf("%v: %v", ring, err)
		}
		checkTriangles(t, ring, triangles, r, 6)
	}
	if t.Logf("%d polygons", made); made < 30 {
		t.Errorf("%d polygons, expected more", made)
	}
}

// TestFacesRefused checks that a polygon that is no surface is rejected. The error names the mesh,
// the face, and the corners at fault.
func TestFacesRefused(t *testing.T) {
	gear := starRing(maxCorners/2 + 1)
	for _, c := range []struct {
		name string
		ring []ringPoint
		want error
		text string
	}{
		{"bow tie", []ringPoint{{0, 0}, {1, 1}, {1, 0}, {0, 1}}, ErrFlat, "its area is 0"},
		{"uneven bow tie", []ringPoint{{0, 0}, {2, 2}, {2, 0}, {0, 1}}, ErrSelfIntersecting, "vertex 0 to 1 and from vertex 2 to 3 cross"},
		{"pentagram", []ringPoint{{0, 3}, {2, -3}, {-3, 1}, {3, 1}, {-2, -3}}, ErrSelfIntersecting, "cross"},
		{"there and back", []ringPoint{{0, 0}, {1, 0}, {3, 4}, {1, 0}}, ErrFlat, "its area is 0"},
		{"a spike without width", []ringPoint{{0, 0}, {4, 0}, {4, 2}, {2, 2}, {2, 1}, {2, 3}, {0, 3}}, ErrSelfIntersecting, "cross or touch"},
		{"a hole and a way there", []ringPoint{{0, 0}, {3, 0}, {3, 3}, {0, 3}, {0, 0}, {1, 1}, {1, 2}, {2, 2}, {2, 1}, {1, 1}}, ErrSelfIntersecting, "cross or touch"},
		{"twice around", []ringPoint{{3, 0}, {0, 3}, {-3, 0}, {0, -3}, {2, 0}, {0, 2}, {-2, 0}, {0, -2}}, ErrSelfIntersecting, "cross or touch"},
		{"too many corners", gear, ErrTooLarge, "10002 corners, expected at most 10000"},
	} {
		m := faceOf(c.ring, vec.Identity, vec.Vec3{})
		m.Verts = append(m.Verts, vec.V(0, 0, 1))
		m.Faces = [][]int{{0, 1, len(c.ring)}, m.Faces[0]}
		p, _, err := mergeFacets(m)
		if p != nil || !errors.Is(err, c.want) || !strings.Contains(err.Error(), `mesh "polygon": face 1: `) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, expected %v with %q", c.name, err, c.want, c.text)
		}
	}
	row := faceOf([]ringPoint{{0, 0}, {1, 0}, {2, 0}, {0.5, 0}}, vec.Identity, vec.Vec3{})
	if p, flat, err := mergeFacets(row); err != nil || len(p) != 0 || flat != 2 {
		t.Errorf("corners in a row: %d facets, %d flat, error %v, expected to be left out like triangles", len(p), flat, err)
	}
}

// TestFaceWork counts the comparisons of cutting large faces.
func TestFaceWork(t *testing.T) {
	for _, c := range []struct {
		name string
		ring []ringPoint
	}{{"comb", combRing(500)}, {"star", starRing(1000)}, {"spiral", spiralRing(2000)}} {
		n := len(c.ring)
		triangles, looks, err := cutMesh(faceOf(c.ring, vec.Identity, vec.Vec3{}))
		if err != nil || len(triangles) != n-2 || looks > n*n {
			t.Errorf("%s of %d corners: %d triangles, %d looks, error %v, expected %d looks at most", c.name, n, len(triangles), looks, err, n*n)
		}
		t.Logf("%s of %d corners: %.2f looks for each pair", c.name, n, 2*float64(looks)/float64(n*n))
	}
}

// TestMergedFacesKeepTheirArea checks that the convex polygons of faces with dents have the area of
// the faces, and cover no point of a gap.
func TestMergedFacesKeepTheirArea(t *testing.T) {
	for _, c := range []struct {
		ring         []ringPoint
		area         float64
		pieces       int // at most
		inside, free ringPoint
	}{
		{letterL, 3, 2, ringPoint{0.5, 1.5}, ringPoint{1.5, 1.5}},
		{combRing(100), 199 + 500, 201, ringPoint{2.5, 4}, ringPoint{1.5, 4}},
		{starRing(50), 0.1 * 50 * math.Sin(math.Pi/50), 100, ringPoint{0.5, 0}, ringPoint{0.5 * math.Cos(math.Pi/50), 0.5 * math.Sin(math.Pi/50)}},
	} {
		got, flat, err := mergeFacets(faceOf(c.ring, vec.Identity, vec.Vec3{}))
		if err != nil || flat != 0 || len(got) > c.pieces || math.Abs(fanArea(got)-c.area) > 1e-9*c.area {
			t.Errorf("%d corners: %d pieces, %d flat, area %.12g, error %v, expected %d pieces at most, %.12g",
				len(c.ring), len(got), flat, fanArea(got), err, c.pieces, c.area)
		}
		for p, want := range map[ringPoint]bool{c.inside: true, c.free: false} {
			in := slices.ContainsFunc(got, func(q []vec.Vec3) bool { return inPolygon(q, vec.V(p.x, p.y, 0)) })
			if in != want {
				t.Errorf("%d corners: %v is covered: %v, expected %v", len(c.ring), p, in, want)
			}
		}
	}
}

// FuzzCutFace checks that a polygon of a lattice is rejected only if it is not simple or has no
// area. Otherwise its triangles must cover it exactly.
func FuzzCutFace(f *testing.F) {
	f.Add([]byte{0x20, 0x21, 0x11, 0x12, 0x02, 0x00}, false)
	f.Add([]byte{0x00, 0x11, 0x10, 0x01}, false)
	f.Add([]byte{0x00, 0x10, 0x20, 0x30, 0x33, 0x23, 0x21, 0x11, 0x13, 0x03, 0x02, 0x01}, true)
	f.Fuzz(func(t *testing.T, b []byte, upright bool) {
		var ring []ringPoint
		for _, k := range b[:min(len(b), 40)] {
			ring = append(ring, ringPoint{float64(k >> 4), float64(k & 15)})
		}
		if len(ring) < 3 {
			return
		}
		m := faceOf(ring, vec.Identity, vec.Vec3{})
		if upright {
			for k, v := range m.Verts {
				m.Verts[k] = vec.V(v.Y, 3+v.X, v.X)
			}
		}
		var p []rat
		for k, q := range ring {
			if q != ring[(k+1)%len(ring)] {
				p = append(p, exactly(q))
			}
		}
		triangles, _, err := cutMesh(m)
		if err != nil {
			if !errors.Is(err, ErrFlat) && !errors.Is(err, ErrSelfIntersecting) {
				t.Fatal(err)
			}
			if isSimple(p) {
				t.Fatalf("%v is simple: %v", ring, err)
			}
			return
		}
		if twiceRat(p).Sign() != 0 {
			checkTriangles(t, ring, triangles, rand.New(rand.NewPCG(uint64(len(b)), 9)), 20)
		}
	})
}
