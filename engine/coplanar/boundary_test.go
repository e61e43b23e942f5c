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
		// The same region with some triangles and rectangles twice.
		doubled := append(floors.Facets{}, raw...)
		for y := 1; y <= n; y++ {
			for x := 1; x < n; x++ {
				to := x
				for most := x + 3; to < most && full[y][to]; to++ {
				}
				if to > x {
					a, b, c := vec.V(float64(x), float64(y), 0), vec.V(float64(to), float64(y), 0), vec.V(float64(to), float64(y+1), 0)
					doubled = append(doubled, []vec.Vec3{a, c, b}, []vec.Vec3{a, b, c, a.Add(c.Sub(b))})
				}
			}
		}
		merged, err := floors.Merged(raw)
		if err != nil {
			t.Fatal(err)
		}
		turn := vec.FromRotationVector(vec.V(0.2, -0.5, 0.9))
		for name, f := range map[string]floors.Facets{"raw": raw, "merged": merged, "doubled": doubled} {
			if len(f) < 2 {
				continue
			}
			var facing [][]point
			pose := vec.Pose{Pos: vec.V(2, 3, 4), Rot: turn}
			for _, p := range f {
				var q []vec.Vec3
				for _, v := range p {
					q = append(q, pose.Point(v))
				}
				facing = append(facing, outline(q, pose))
			}
			got := 0.0
			border, longest := stretchesOf(foundBoundary(facing, 1e-5))
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
// inside the group do not change the boundary edges, and neither does an equally narrow part of the
// group. Gaps and overlaps that narrow do not count.
func TestOpenEdgesOfSlivers(t *testing.T) {
	const seam = 1e-5
	quad := func(x0, y0, x1, y1 float64) []point { return []point{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}} }
	for _, h := range []float64{1e-9, 2e-7, 3e-6, 9e-6, 2e-5, 1e-3} {
		for _, c := range []struct {
			name     string
			polygons [][]point
			edges    int
			length   float64
		}{
			{"open edge", [][]point{quad(0, 0, 4, h), quad(0, h, 3, 2), quad(3, h, 4, 2)}, 4, 12},
			{"open edges", [][]point{quad(0, 0, h, 2), quad(h, 0, 4-h, h), quad(4-h, 0, 4, 2), quad(h, h, 4-h, 2)}, 4, 12},
			{"fan", [][]point{{{0, 0}, {4, 0}, {1, h}}, {{1, h}, {4, 0}, {4, 2}}, {{1, h}, {4, 2}, {0, 2}}, {{0, 2}, {0, 0}, {1, h}}}, 4, 12},
			{"amid", [][]point{quad(0, 0, 4, 1), quad(0, 1, 2, 1+h), quad(2, 1, 4, 1+h), quad(0, 1+h, 4, 2)}, 4, 12},
			{"twice", [][]point{quad(0, 0, 4, 2), quad(1, 0, 2, h), quad(1, 1, 2, 1+h), quad(0, 0, h, 1)}, 4, 12},
			{"narrow", [][]point{quad(0, 0, 3, h), quad(3, 0, 4, h)}, 4, 8 + 2*h},
			{"lap", [][]point{quad(0, 0, 4, 1+h), quad(0, 1, 3, 2), quad(3, 1, 4, 2)}, 4, 12},
			{"sliver gap", [][]point{quad(0, 0, 4, 1), quad(0, 1+h, 3, 2), quad(3, 1+h, 4, 2)}, 4, 12},
		} {
			slack := 1e-12
			switch {
			case c.name != "sliver gap":
			case h > seam:
				c.edges, c.length = 8, 20-2*h
			case h > seam/16: // its ends are open and have no width
				c.edges, slack = 6, 2.1*h
			default:
				slack = 2.1 * h
			}
			got := foundBoundary(c.polygons, seam)
			length := 0.0
			for _, r := range got {
				length += away(r.a, r.b)
			}
			if len(got) != c.edges || math.Abs(length-c.length) > slack {
				t.Errorf("%s, %g: %d open edges %v, %.12g m, expected %d, %g m", c.name, h, len(got), got, length, c.edges, c.length)
			}
		}
	}
}

// TestOpenEdgesInSinglePrecision checks that the boundary edges of a region are those of its cells,
// to single precision, however the region is cut. In single precision, corners on an edge are
// rounded off the edge.
func TestOpenEdgesInSinglePrecision(t *testing.T) {
	const seam = 1.5 * mesh.SeamRel
	for seed := range uint64(300) {
		r := geometry.NewRand(seed)
		names, cuts := floors.RandomQuads(r).Cuts(r)
		find := func(name string, round func(x float64) float64) (out []segment, length float64) {
			var facing [][]point
			for _, p := range cuts[name] {
				var q []vec.Vec3
				for _, v := range p {
					q = append(q, vec.V(round(v.X), round(v.Y), 0))
				}
				facing = append(facing, outline(q, vec.IdentityPose))
			}
			for _, e := range foundBoundary(facing, seam) {
				out, length = append(out, e), length+away(e.a, e.b)
			}
			return out, length
		}
		want, length := find("diagonal", func(x float64) float64 { return x })
		for _, name := range names {
			if got, l := find(name, func(x float64) float64 { return float64(float32(x)) }); len(got) != len(want) || math.Abs(l-length) > 4e-6 {
				t.Errorf("seed %d, %s: %d open edges of %.9g m, expected %d of %.9g", seed, name, len(got), l, len(want), length)
			}
		}
	}
}

// workloadOf returns the bounds of a wall that consists of these polygons.
func workloadOf(polygons [][]point) *workload {
	edges := 0
	for _, p := range polygons {
		edges += len(p)
	}
	return newWorkload(edges)
}

// foundBoundary returns the boundary edges of polygons, which must stay within the bounds.
func foundBoundary(polygons [][]point, seam float64) []segment {
	work := workloadOf(polygons)
	edges := boundaryOf(polygons, seam, work)
	if work.tangle != "" {
		panic(work.tangle)
	}
	return edges
}
