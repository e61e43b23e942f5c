package hull

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// oracleFaces finds the facets of the hull by brute force: the plane of each triple of points. If
// no point lies on one side, the plane has a facet. Its vertices are the points on the plane,
// except points inside edges or the facet. It returns each facet as its sorted vertices; of equal
// points it uses the lowest index. Cost: n⁴ exact predicates.
func oracleFaces(pts []vec.Vec3) (faces []string, nVerts int) {
	var ids []int
	for i, p := range pts {
		if !slices.ContainsFunc(ids, func(j int) bool { return pts[j] == p }) {
			ids = append(ids, i)
		}
	}
	verts := map[int]bool{}
	for _, a := range ids {
		for _, b := range ids {
			for _, c := range ids {
				if a >= b || b >= c || vec.Collinear(pts[a], pts[b], pts[c]) {
					continue
				}
				var on []int
				above, below := 0, 0
				for _, d := range ids {
					switch vec.Orient3D(pts[a], pts[b], pts[c], pts[d]) {
					case 1:
						above++
					case -1:
						below++
					default:
						on = append(on, d)
					}
				}
				if above > 0 && below > 0 {
					continue
				}
				on = slices.DeleteFunc(on, func(v int) bool { return !corner(pts, on, v) })
				name := fmt.Sprint(on)
				if !slices.Contains(faces, name) {
					faces = append(faces, name)
				}
				for _, v := range on {
					verts[v] = true
				}
			}
		}
	}
	slices.Sort(faces)
	return faces, len(verts)
}

// corner reports whether v is a corner of the convex hull of coplanar points: v lies in no segment
// and in no triangle of the other points.
func corner(pts []vec.Vec3, on []int, v int) bool {
	for _, a := range on {
		for _, b := range on {
			if a >= b || a == v || b == v {
				continue
			}
			if vec.Collinear(pts[a], pts[b], pts[v]) && between(pts[a], pts[v], pts[b]) {
				return false
			}
			for _, c := range on {
				if b < c && c != v && !vec.Collinear(pts[a], pts[b], pts[c]) && inTriangle(pts[a], pts[b], pts[c], pts[v]) {
					return false
				}
			}
		}
	}
	return true
}

func between(a, v, b vec.Vec3) bool {
	lo, hi := a.Min(b), a.Max(b)
	return v.Min(lo) == lo && v.Max(hi) == hi
}

// inTriangle is for coplanar points: v is inside if in no projection it is on the outer side of an
// edge.
func inTriangle(a, b, c, v vec.Vec3) bool {
	flat := func(p, q, r vec.Vec3) [3]int {
		return [3]int{
			vec.Orient2D(p.X, p.Y, q.X, q.Y, r.X, r.Y),
			vec.Orient2D(p.Y, p.Z, q.Y, q.Z, r.Y, r.Z),
			vec.Orient2D(p.Z, p.X, q.Z, q.X, r.Z, r.X),
		}
	}
	whole, ab, bc, ca := flat(a, b, c), flat(a, b, v), flat(b, c, v), flat(c, a, v)
	for k := range 3 {
		if whole[k] != 0 && (ab[k] == -whole[k] || bc[k] == -whole[k] || ca[k] == -whole[k]) {
			return false
		}
	}
	return true
}

// compareWithOracle fails unless the hull without tolerance is exactly the polyhedron of the
// oracle.
func compareWithOracle(t testing.TB, pts []vec.Vec3) {
	t.Helper()
	want, nVerts := oracleFaces(pts)
	h, err := Compute(pts, Options{Merge: -1})
	if errors.Is(err, ErrFlat) {
		if len(want) > 2 {
			t.Fatalf("%v, but the oracle has %d faces", err, len(want))
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	verify(t, pts, h, Options{Merge: -1})
	var got []string
	for _, loop := range h.Faces {
		var on []int
		for _, v := range loop {
			on = append(on, h.Verts[v])
		}
		slices.Sort(on)
		got = append(got, fmt.Sprint(on))
		// Exact test: no point lies above any three vertices of the face.
		a, b, c := pts[h.Verts[loop[0]]], pts[h.Verts[loop[1]]], pts[h.Verts[loop[2]]]
		for i, p := range pts {
			if vec.Orient3D(a, b, c, p) > 0 {
				t.Fatalf("point %d lies outside face %v", i, loop)
			}
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) || len(h.Verts) != nVerts {
		t.Fatalf("faces %v\nwant %v", got, want)
	}
}

func TestAgainstOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for range 120 {
		n := 4 + r.IntN(9)
		general, grid, cosphere := make([]vec.Vec3, n), make([]vec.Vec3, n), make([]vec.Vec3, n)
		for i := range n {
			general[i] = vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
			grid[i] = vec.V(float64(r.IntN(3)), float64(r.IntN(3)), float64(r.IntN(3)))
			cosphere[i] = signs(1, 2, 3)[r.IntN(24)]
		}
		compareWithOracle(t, general)
		compareWithOracle(t, grid)
		compareWithOracle(t, cosphere)
		// Rounding makes the planes and lines of this grid inexact.
		compareWithOracle(t, someRotation(grid))
		compareWithOracle(t, moved(grid, 0.1, vec.V(1e6, 0.3, -1e-3)))
	}
	for _, s := range solids() {
		if len(s.pts) <= 16 {
			compareWithOracle(t, s.pts)
		}
	}
}

// fuzzPoints turns bytes into points: one byte of format, then coordinates of few bits, so that
// many points are equal, collinear or coplanar, exactly or nearly.
func fuzzPoints(data []byte) []vec.Vec3 {
	if len(data) == 0 {
		return nil
	}
	format := data[0]
	var p []vec.Vec3
	for d := data[1:]; len(d) >= 3 && len(p) < 12; d = d[3:] {
		c := func(b byte) float64 {
			x := float64(int8(b) >> (format & 7))
			if format&8 != 0 {
				x *= 0.1
			}
			return x
		}
		p = append(p, vec.V(c(d[0]), c(d[1]), c(d[2])))
	}
	if format&16 != 0 {
		p = someRotation(p)
	}
	if format&32 != 0 {
		p = moved(p, 1, vec.V(1e6, 1e3, -1e6))
	}
	if format&64 != 0 {
		for i := 1; i < len(p); i += 2 {
			p[i] = p[i-1].AddScaled(1e-15, p[i])
		}
	}
	if format&128 != 0 {
		p = moved(p, 1e-9, vec.Vec3{})
	}
	return p
}

// FuzzCompute compares with the oracle if nothing is merged. If faces are merged, it checks
// closedness, convexity, containment and independence of the order.
func FuzzCompute(f *testing.F) {
	f.Add([]byte{5, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 255, 255, 0})
	f.Add([]byte("\x1ftwelve points of this text, rotated!!"))
	f.Add([]byte("\x7fand nearly equal ones, far away, too.."))
	f.Add([]byte("\xc6aaabbbaabbbaabaabbbbaaabababab"))
	f.Fuzz(func(t *testing.T, data []byte) {
		pts := fuzzPoints(data)
		compareWithOracle(t, pts4(pts))
		for _, opt := range []Options{{}, {Merge: 1e-6}, {Merge: 0.03}} {
			h, err := Compute(pts, opt)
			back := slices.Clone(pts)
			slices.Reverse(back)
			g, backErr := Compute(back, opt)
			if (err == nil) != (backErr == nil) {
				t.Fatalf("forward %v, backward %v", err, backErr)
			}
			if err != nil {
				if !errors.Is(err, ErrFlat) && !errors.Is(err, ErrTooFew) {
					t.Fatal(err)
				}
				continue
			}
			verify(t, pts, h, opt)
			verify(t, back, g, opt)
			if len(g.Faces) != len(h.Faces) || len(g.Verts) != len(h.Verts) || g.Spread != h.Spread {
				t.Fatalf("merge %g: %d vertices and %d faces, or %d and %d backwards", opt.Merge,
					len(h.Verts), len(h.Faces), len(g.Verts), len(g.Faces))
			}
		}
	})
}

// pts4 repeats the origin until there are four points, for which Compute reports flatness.
func pts4(p []vec.Vec3) []vec.Vec3 {
	p = slices.Clone(p)
	for len(p) < 4 {
		p = append(p, vec.Vec3{})
	}
	return p
}

// TestBits pins results. It fails if an architecture or compiler rounds differently.
func TestBits(t *testing.T) {
	sum := uint64(14695981039346656037)
	put := func(x uint64) { sum = (sum ^ x) * 1099511628211 }
	r := rand.New(rand.NewPCG(10, 11))
	for range 200 {
		pts := make([]vec.Vec3, 20)
		for i := range pts {
			pts[i] = vec.V(float64(r.IntN(7))*0.1, float64(r.IntN(7))*0.3, r.Float64())
		}
		h := must(t, someRotation(pts), Options{Merge: 0.02 * float64(r.IntN(2))})
		for f, n := range h.Normals {
			put(math.Float64bits(n.X))
			put(math.Float64bits(n.Y))
			put(math.Float64bits(n.Z))
			put(math.Float64bits(h.Offsets[f]))
			put(uint64(len(h.Faces[f])))
		}
		put(math.Float64bits(h.Spread))
	}
	const want = 0x8acb86bc857e7305
	if sum != want {
		t.Errorf("hash of the bits is %#x, want %#x", sum, uint64(want))
	}
}
