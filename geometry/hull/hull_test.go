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

// must computes a hull, checks the properties of every hull, and returns it.
func must(t testing.TB, pts []vec.Vec3, opt Options) *Hull {
	t.Helper()
	h, err := Compute(pts, opt)
	if err != nil {
		t.Fatalf("Compute: %v", err)
	}
	verify(t, pts, h, opt)
	return h
}

// tolerance returns the merging tolerance in the unit of the points.
func tolerance(pts []vec.Vec3, opt Options) (tol, largest float64) {
	box := vec.EmptyBox()
	for _, p := range pts {
		box = box.With(p)
		largest = max(largest, p.MaxAbs())
	}
	if opt.Merge < 0 {
		return 0, largest
	}
	return max(opt.Merge*box.Size().MaxAbs(), RoundingLevel*largest), largest
}

// verify checks that the surface is closed, that all points are inside, and the order of vertices,
// loops and faces.
func verify(t testing.TB, pts []vec.Vec3, h *Hull, opt Options) {
	t.Helper()
	if err := h.check(); err != nil {
		t.Fatal(err)
	}
	if !slices.IsSorted(h.Verts) || len(h.Verts) < 4 || len(h.Faces) < 4 {
		t.Fatalf("vertices %v, %d faces", h.Verts, len(h.Faces))
	}
	if len(h.Normals) != len(h.Faces) || len(h.Offsets) != len(h.Faces) {
		t.Fatalf("%d faces, %d normals, %d offsets", len(h.Faces), len(h.Normals), len(h.Offsets))
	}
	tol, largest := tolerance(pts, opt)
	// Welding leaves a point at most maxWeld tolerances from another, and merging leaves that point
	// at most one tolerance above a face: three in all. The layer of a face is at most maxSpread
	// thick.
	rounding := 16 * 0x1p-53 * largest
	slack := (maxWeld+1)*tol + rounding
	for f, loop := range h.Faces {
		if f > 0 && slices.Compare(h.Faces[f-1], loop) >= 0 {
			t.Fatalf("faces %v and %v are out of order", h.Faces[f-1], loop)
		}
		if slices.Min(loop) != loop[0] {
			t.Fatalf("face %v does not start at its lowest vertex", loop)
		}
		n := h.Normals[f]
		if math.Abs(n.Norm2()-1) > 1e-15 {
			t.Fatalf("normal %v has length %v", n, n.Norm())
		}
		top := math.Inf(-1)
		for _, v := range h.Verts {
			top = max(top, n.Dot(pts[v]))
		}
		if top != h.Offsets[f] {
			t.Fatalf("face %d: offset %v, largest n·v %v", f, h.Offsets[f], top)
		}
		if opt.Merge >= 0 {
			for i, p := range pts {
				if d := n.Dot(p) - h.Offsets[f]; d > slack {
					t.Fatalf("point %d lies %g outside face %d, slack %g", i, d, f, slack)
				}
			}
		}
		for _, v := range loop {
			if d := h.Offsets[f] - n.Dot(pts[h.Verts[v]]); d > h.Spread*(1+1e-9)+16*0x1p-53*largest {
				t.Fatalf("vertex %d of face %d lies %g below its plane, spread %g", v, f, d, h.Spread)
			}
		}
	}
	if most := maxSpread*tol + rounding; h.Spread > most {
		t.Fatalf("spread %g, expected %g at most", h.Spread, most)
	}
}

func counts(h *Hull) (v, e, f int) {
	for _, loop := range h.Faces {
		e += len(loop)
	}
	return len(h.Verts), e / 2, len(h.Faces)
}

func wantCounts(t testing.TB, h *Hull, v, e, f int) {
	t.Helper()
	if gv, ge, gf := counts(h); gv != v || ge != e || gf != f {
		t.Errorf("V, E, F = %d, %d, %d, want %d, %d, %d; spread %g", gv, ge, gf, v, e, f, h.Spread)
	}
}

func boxPoints(x, y, z float64) []vec.Vec3 {
	var p []vec.Vec3
	for i := range 8 {
		p = append(p, vec.V(x*float64(i&1), y*float64(i>>1&1), z*float64(i>>2)))
	}
	return p
}

// signs returns (±x, ±y, ±z) with its cyclic permutations, each once.
func signs(x, y, z float64) []vec.Vec3 {
	var p []vec.Vec3
	for i := range 8 {
		s := func(v float64, bit int) float64 {
			if i>>bit&1 == 1 {
				return -v
			}
			return v
		}
		a, b, c := s(x, 0), s(y, 1), s(z, 2)
		p = append(p, vec.V(a, b, c), vec.V(c, a, b), vec.V(b, c, a))
	}
	return p
}

func prism(n int) []vec.Vec3 {
	var p []vec.Vec3
	for i := range n {
		s, c := vec.Sincos(2 * math.Pi * float64(i) / float64(n))
		p = append(p, vec.V(c, s, -0.5), vec.V(c, s, 0.5))
	}
	return p
}

func sphere(n int, seed uint64) []vec.Vec3 {
	r := rand.New(rand.NewPCG(seed, 1))
	p := make([]vec.Vec3, n)
	for i := range p {
		p[i] = vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Unit()
	}
	return p
}

type solid struct {
	name    string
	pts     []vec.Vec3
	v, e, f int
}

var phi = (1 + math.Sqrt(5)) / 2

func solids() []solid {
	return []solid{
		{"tetrahedron", []vec.Vec3{{X: 1, Y: 1, Z: 1}, {X: 1, Y: -1, Z: -1}, {X: -1, Y: 1, Z: -1}, {X: -1, Y: -1, Z: 1}}, 4, 6, 4},
		{"cube", signs(1, 1, 1), 8, 12, 6},
		{"octahedron", signs(1, 0, 0), 6, 12, 8},
		{"dodecahedron", append(signs(1, 1, 1), signs(0, 1/phi, phi)...), 20, 30, 12},
		{"icosahedron", signs(0, 1, phi), 12, 30, 20},
		{"cuboctahedron", signs(0, 1, 1), 12, 24, 14},
		{"truncated octahedron", append(signs(0, 1, 2), signs(0, 2, 1)...), 24, 36, 14},
		{"prism of 64", prism(64), 128, 192, 66},
		{"prism of 7", prism(7), 14, 21, 9},
		{"sliver 1:1000", boxPoints(1000, 1000, 1), 8, 12, 6},
		{"sliver 1:1e6", boxPoints(1e6, 1e6, 1), 8, 12, 6},
		{"needle 1:1e6", boxPoints(1e6, 1, 1), 8, 12, 6},
	}
}

// someRotation is an arbitrary rotation: its matrix has no zero and no equal entries.
func someRotation(p []vec.Vec3) []vec.Vec3 {
	q := vec.FromRotationVector(vec.V(0.3, -0.7, 1.1))
	out := make([]vec.Vec3, len(p))
	for i, v := range p {
		out[i] = q.Rotate(v)
	}
	return out
}

func moved(p []vec.Vec3, scale float64, by vec.Vec3) []vec.Vec3 {
	out := make([]vec.Vec3, len(p))
	for i, v := range p {
		out[i] = v.Scale(scale).Add(by)
	}
	return out
}

func TestSolids(t *testing.T) {
	far := vec.V(1e6, -1e6, 1e6)
	for _, s := range solids() {
		for _, c := range []struct {
			name string
			pts  []vec.Vec3
		}{
			{"as is", s.pts},
			{"rotated", someRotation(s.pts)},
			{"tiny", moved(someRotation(s.pts), 1e-9, vec.Vec3{})},
			{"huge", moved(someRotation(s.pts), 1e9, vec.Vec3{})},
			{"tiniest", moved(someRotation(s.pts), 1e-290, vec.Vec3{})},
			{"hugest", moved(someRotation(s.pts), 1e290, vec.Vec3{})},
			{"far", moved(someRotation(s.pts), 1, far)},
			{"with duplicates", slices.Concat(s.pts, s.pts, s.pts[:2])},
			{"with its middle", append(slices.Clone(s.pts), vec.Vec3{}.Add(s.pts[0].Add(s.pts[len(s.pts)-1]).Scale(0.5)))},
		} {
			t.Run(s.name+"/"+c.name, func(t *testing.T) {
				wantCounts(t, must(t, c.pts, Options{}), s.v, s.e, s.f)
			})
		}
	}
}

func TestCubeInFull(t *testing.T) {
	h := must(t, boxPoints(1, 2, 3), Options{})
	faces := [][]int{{0, 1, 5, 4}, {0, 2, 3, 1}, {0, 4, 6, 2}, {1, 3, 7, 5}, {2, 6, 7, 3}, {4, 5, 7, 6}}
	normals := []vec.Vec3{{Y: -1}, {Z: -1}, {X: -1}, {X: 1}, {Y: 1}, {Z: 1}}
	offsets := []float64{0, 0, 0, 1, 2, 3}
	if !slices.Equal(h.Verts, []int{0, 1, 2, 3, 4, 5, 6, 7}) {
		t.Errorf("vertices %v", h.Verts)
	}
	for i := range faces {
		if !slices.Equal(h.Faces[i], faces[i]) || h.Normals[i] != normals[i] || h.Offsets[i] != offsets[i] {
			t.Errorf("face %d is %v, %v, %v, want %v, %v, %v", i, h.Faces[i], h.Normals[i], h.Offsets[i],
				faces[i], normals[i], offsets[i])
		}
	}
	if h.Spread != 0 {
		t.Errorf("spread %g", h.Spread)
	}
}

// TestFullFaces puts many points into the faces and edges of a box, as they are and rotated.
func TestFullFaces(t *testing.T) {
	var p []vec.Vec3
	const n = 18
	for i := range n {
		for j := range n {
			for k := range n {
				if i%(n-1) == 0 || j%(n-1) == 0 || k%(n-1) == 0 {
					p = append(p, vec.V(0.1*float64(i), 0.1*float64(j), 0.1*float64(k)))
				}
			}
		}
	}
	wantCounts(t, must(t, p, Options{}), 8, 12, 6)
	wantCounts(t, must(t, someRotation(p), Options{}), 8, 12, 6)
	wantCounts(t, must(t, moved(someRotation(p), 1, vec.V(1e6, 1e6, -1e6)), Options{}), 8, 12, 6)
}

func TestNearDuplicates(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, s := range solids()[:8] {
		var p []vec.Vec3
		for _, v := range someRotation(s.pts) {
			for range 5 {
				d := vec.V(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5)
				p = append(p, v.AddScaled(1e-15, d))
			}
		}
		t.Run(s.name, func(t *testing.T) { wantCounts(t, must(t, p, Options{}), s.v, s.e, s.f) })
	}
}

// TestMergeTolerance dents a box by known amounts.
func TestMergeTolerance(t *testing.T) {
	p := append(boxPoints(1, 1, 1), vec.V(0.5, 0.5, 1.001))
	wantCounts(t, must(t, p, Options{}), 9, 16, 9)
	wantCounts(t, must(t, p, Options{Merge: 1e-4}), 9, 16, 9)
	h := must(t, p, Options{Merge: 2e-3})
	wantCounts(t, h, 8, 12, 6)
	if math.Abs(h.Spread-0.001) > 1e-12 {
		t.Errorf("spread %v, the dent is 0.001", h.Spread)
	}
}

func TestExactMerge(t *testing.T) {
	for _, s := range solids() {
		h := must(t, s.pts, Options{Merge: -1})
		if h.Spread > 1e-9 {
			t.Errorf("%s: spread %g without merging", s.name, h.Spread)
		}
	}
	wantCounts(t, must(t, boxPoints(1, 1, 1), Options{Merge: -1}), 8, 12, 6)
	p := append(boxPoints(1, 1, 1), vec.V(0.5, 0.5, 1+0x1p-52))
	wantCounts(t, must(t, p, Options{Merge: -1}), 9, 16, 9)
}

func TestErrors(t *testing.T) {
	line := func(n int) (p []vec.Vec3) {
		for i := range n {
			p = append(p, vec.V(0.1, 0.2, 0.3).Scale(float64(i)))
		}
		return p
	}
	nan := math.NaN()
	for _, c := range []struct {
		name string
		pts  []vec.Vec3
		opt  Options
		want []error
	}{
		{"none", nil, Options{}, []error{ErrTooFew}},
		{"three", line(3), Options{}, []error{ErrTooFew}},
		{"NaN", append(boxPoints(1, 1, 1), vec.V(0, nan, 0)), Options{}, []error{ErrNotFinite}},
		{"infinite", append(boxPoints(1, 1, 1), vec.V(0, 0, math.Inf(-1))), Options{}, []error{ErrNotFinite}},
		{"tolerance NaN", boxPoints(1, 1, 1), Options{Merge: nan}, []error{ErrNotFinite}},
		{"coincident", []vec.Vec3{{X: 1}, {X: 1}, {X: 1}, {X: 1}}, Options{}, []error{ErrCoincident, ErrFlat}},
		{"all zero", make([]vec.Vec3, 5), Options{}, []error{ErrCoincident, ErrFlat}},
		{"nearly coincident", moved(boxPoints(1, 1, 1), 1e-12, vec.V(1e6, 0, 0)), Options{}, []error{ErrCoincident, ErrFlat}},
		{"collinear", line(9), Options{}, []error{ErrCollinear, ErrFlat}},
		{"collinear, far", moved(line(9), 1, vec.V(1e6, 1e6, 1e6)), Options{}, []error{ErrCollinear, ErrFlat}},
		{"coplanar", boxPoints(1, 1, 0), Options{}, []error{ErrCoplanar, ErrFlat}},
		{"coplanar, rotated", someRotation(boxPoints(1, 1, 0)), Options{}, []error{ErrCoplanar, ErrFlat}},
		{"coplanar, exact", boxPoints(1, 1, 0), Options{Merge: -1}, []error{ErrCoplanar, ErrFlat}},
		{"thinner than the tolerance", boxPoints(1, 1, 1e-4), Options{Merge: 1e-3}, []error{ErrCoplanar, ErrFlat}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, err := Compute(c.pts, c.opt)
			for _, want := range c.want {
				if h != nil || !errors.Is(err, want) {
					t.Errorf("error %v, want %v", err, want)
				}
			}
		})
	}
}

// relabelled maps the hull of permuted points back: perm[k] is the original index of point k.
func relabelled(h *Hull, perm []int) (verts []int, faces []string) {
	for _, v := range h.Verts {
		verts = append(verts, perm[v])
	}
	for f, loop := range h.Faces {
		named := make([]int, len(loop))
		for i, v := range loop {
			named[i] = verts[v]
		}
		named = slices.Concat(named[slices.Index(named, slices.Min(named)):], named[:slices.Index(named, slices.Min(named))])
		faces = append(faces, fmt.Sprintf("%v %x %x", named, h.Normals[f], h.Offsets[f]))
	}
	slices.Sort(verts)
	slices.Sort(faces)
	return verts, faces
}

func TestOrderOfPointsDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	for _, s := range append(solids(), solid{name: "sphere", pts: sphere(300, 3)}) {
		pts := someRotation(s.pts)
		if s.name == "cube" {
			// signs returns each of them three times; equal points may swap names.
			pts = someRotation(boxPoints(2, 2, 2))
		}
		seen := map[vec.Vec3]bool{}
		pts = slices.DeleteFunc(pts, func(v vec.Vec3) bool { old := seen[v]; seen[v] = true; return old })
		id := make([]int, len(pts))
		for i := range id {
			id[i] = i
		}
		wantV, wantF := relabelled(must(t, pts, Options{}), id)
		for range 5 {
			perm := r.Perm(len(pts))
			mixed := make([]vec.Vec3, len(pts))
			for k, i := range perm {
				mixed[k] = pts[i]
			}
			v, f := relabelled(must(t, mixed, Options{}), perm)
			if !slices.Equal(v, wantV) || !slices.Equal(f, wantF) {
				t.Errorf("%s: the hull depends on the order of the points", s.name)
			}
		}
	}
}

func TestPowersOfTwoScaleExactly(t *testing.T) {
	for _, s := range append(solids(), solid{name: "sphere", pts: sphere(300, 4)}) {
		pts := someRotation(s.pts)
		h := must(t, pts, Options{})
		for _, e := range []int{-900, -30, 1, 30, 900} {
			k := math.Ldexp(1, e)
			g := must(t, moved(pts, k, vec.Vec3{}), Options{})
			same := slices.Equal(g.Verts, h.Verts) && slices.Equal(g.Normals, h.Normals) &&
				slices.EqualFunc(g.Faces, h.Faces, slices.Equal) && g.Spread == k*h.Spread
			for f := range h.Offsets {
				same = same && g.Offsets[f] == k*h.Offsets[f]
			}
			if !same {
				t.Errorf("%s: the hull changes with a scale of 2^%d", s.name, e)
			}
		}
	}
}

func BenchmarkCompute(b *testing.B) {
	var grid []vec.Vec3
	for i := range 10000 {
		grid = append(grid, vec.V(float64(i%10), float64(i/10%10), float64(i/100)))
	}
	for _, c := range []struct {
		name string
		pts  []vec.Vec3
	}{
		{"sphere/points=100", sphere(100, 1)}, {"sphere/points=10000", sphere(10000, 1)},
		{"prism/points=128", someRotation(prism(64))}, {"grid/points=10000", grid},
		{"rotatedgrid/points=10000", someRotation(grid)},
	} {
		b.Run("shape="+c.name, func(b *testing.B) {
			var h *Hull
			for b.Loop() {
				h, _ = Compute(c.pts, Options{})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(c.pts)), "ns/point")
			b.ReportMetric(float64(len(h.Verts)+len(h.Faces)), "checksum")
		})
	}
}
