package coplanar

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/floors"
	"github.com/scree-dem/scree/vec"
	"github.com/scree-dem/scree/wall/mesh"
)

// TestOpenEdgesOfAnyRegion checks that the boundary edges of a floor are the cell sides with a cell
// on their left only, whatever cells the floor has and however they are cut.
func TestOpenEdgesOfAnyRegion(t *testing.T) {
	const n = 7
	for seed := range uint64(40) {
		r := geometry.NewRand(seed)
		var full [n + 2][n + 2]bool
		var raw floors.Facets
		for y := 1; y <= n; y++ {
			for x := 1; x <= n; x++ {
				if r.Float64() < 0.35 {
					continue
				}
				full[y][x] = true
				a, b := vec.V(float64(x), float64(y), 0), vec.V(float64(x+1), float64(y), 0)
				c, d := vec.V(float64(x+1), float64(y+1), 0), vec.V(float64(x), float64(y+1), 0)
				switch m := a.AddScaled(0.5+0.3*r.Float64(), c.Sub(a)); int(r.Float64() * 3) {
				case 0:
					raw = append(raw, []vec.Vec3{a, b, c, d})
				case 1:
					raw = append(raw, []vec.Vec3{a, c, b}, []vec.Vec3{a, c, d})
				default: // four triangles around an inner point
					raw = append(raw, []vec.Vec3{a, b, m}, []vec.Vec3{b, m, c}, []vec.Vec3{c, d, m}, []vec.Vec3{d, a, m})
				}
			}
		}
		length := 0.0
		for y := range n + 1 {
			for x := range n + 1 {
				if full[y][x] != full[y][x+1] {
					length++
				}
				if full[y][x] != full[y+1][x] {
					length++
				}
			}
		}
		merged, err := floors.Merged(raw)
		if err != nil {
			t.Fatal(err)
		}
		turn := vec.FromRotationVector(vec.V(0.2, -0.5, 0.9))
		for name, f := range map[string]floors.Facets{"raw": raw, "merged": merged} {
			if len(f) < 2 {
				continue
			}
			pose := vec.Pose{Pos: vec.V(2, 3, 4), Rot: turn}
			got := 0.0
			border, longest := stretchesOf(boundaryIn(pose, f))
			for _, e := range border {
				if dx := math.Abs(e.b.x - e.a.x); dx > longest || dx > 1.0001*n/math.Sqrt(length/n) {
					t.Errorf("seed %d, %s: an open edge of %g along x", seed, name, dx)
				}
				_, l := e.along(e.b)
				got += l
				for s := 0.01; s < l; s += 0.05 {
					p := point{e.a.x + s/l*(e.b.x-e.a.x), e.a.y + s/l*(e.b.y-e.a.y)}
					nx, ny := -(e.b.y-e.a.y)/l, (e.b.x-e.a.x)/l
					in := full[int(p.y+0.004*ny)][int(p.x+0.004*nx)]
					out := full[int(p.y-0.004*ny)][int(p.x-0.004*nx)]
					if !in || out {
						t.Fatalf("seed %d, %s: open edge %v at %v has the floor on its left %v, on its right %v", seed, name, e, p, in, out)
					}
				}
			}
			if math.Abs(got-length) > 1e-9*length {
				t.Errorf("seed %d, %s: open edges of length %.12g, expected %g", seed, name, got, length)
			}
		}
	}
}

// TestOpenEdgesOfSlivers checks slivers narrower than a seam. Sliver facets at the boundary or
// inside the group do not change the boundary edges, and gaps that narrow do not count.
func TestOpenEdgesOfSlivers(t *testing.T) {
	quad := func(x0, y0, x1, y1 float64) []vec.Vec3 {
		return []vec.Vec3{vec.V(x0, y0, 0), vec.V(x1, y0, 0), vec.V(x1, y1, 0), vec.V(x0, y1, 0)}
	}
	for _, h := range []float64{1e-9, 2e-7, 1e-3} {
		for _, c := range []struct {
			name   string
			floor  floors.Facets
			length float64
		}{
			{"open edge", floors.Facets{quad(0, 0, 4, h), quad(0, h, 3, 2), quad(3, h, 4, 2)}, 12},
			{"open edges", floors.Facets{quad(0, 0, h, 2), quad(h, 0, 4-h, h), quad(4-h, 0, 4, 2), quad(h, h, 4-h, 2)}, 12},
			{"amid", floors.Facets{quad(0, 0, 4, 1), quad(0, 1, 2, 1+h), quad(2, 1, 4, 1+h), quad(0, 1+h, 4, 2)}, 12},
			{"sliver gap", floors.Facets{quad(0, 0, 4, 1), quad(0, 1+h, 3, 2), quad(3, 1+h, 4, 2)}, 12},
		} {
			edges, slack := 4, 2.1*h
			if c.name == "sliver gap" && h > 1e-5 {
				edges, c.length = 8, 20-2*h
			}
			length, got := 0.0, boundaryIn(vec.IdentityPose, c.floor)
			for _, r := range got {
				length += away(r.a, r.b)
			}
			if len(got) != edges || math.Abs(length-c.length) > slack {
				t.Errorf("%s, %g: %d open edges %v, %.12g m, expected %d, %g m", c.name, h, len(got), got, length, edges, c.length)
			}
		}
	}
}

// boundaryIn returns the boundary edges of a floor of one group, which is placed by a pose, in the
// frame of the floor.
func boundaryIn(pose vec.Pose, floor floors.Facets) []segment {
	var placed floors.Facets
	var all []int
	for k, p := range floor {
		var q []vec.Vec3
		for _, v := range p {
			q = append(q, pose.Point(v))
		}
		placed, all = append(placed, q), append(all, k)
	}
	m := meshOf(placed)
	m.SetGroups([][]int{all}, []vec.Vec3{pose.Rot.Rotate(vec.Vec3{Z: 1})})
	m.Connect()
	return boundaryOf(m, all, pose, mesh.SeamRel*m.Extent())
}
