package clusters

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/geometry/inside/internal/winding"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

// one is a pool of one worker.
var one = sched.New(1)

// torus is a torus of radii R and r about the z axis, of 2·m·n triangles.
func torus(R, r float64, m, n int) *tri.Surface {
	s := new(tri.Surface)
	for i := range m {
		for j := range n {
			u, v := 2*math.Pi*float64(i)/float64(m), 2*math.Pi*float64(j)/float64(n)
			s.Verts = append(s.Verts, vec.V((R+r*math.Cos(v))*math.Cos(u), (R+r*math.Cos(v))*math.Sin(u), r*math.Sin(v)))
			at := func(i, j int) uint32 { return uint32(i%m*n + j%n) }
			s.Tris = append(s.Tris, [3]uint32{at(i, j), at(i+1, j), at(i+1, j+1)}, [3]uint32{at(i, j), at(i+1, j+1), at(i, j+1)})
		}
	}
	return s
}

// cube is the cube [0, 1]³.
func cube() *tri.Surface {
	s := new(tri.Surface)
	for i := range 8 {
		s.Verts = append(s.Verts, vec.V(float64(i&1), float64(i>>1&1), float64(i>>2)))
	}
	for _, q := range [][4]uint32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		s.Tris = append(s.Tris, [3]uint32{q[0], q[1], q[2]}, [3]uint32{q[0], q[2], q[3]})
	}
	return s
}

// soup is a set of unrelated triangles that may share corners.
func soup(seed uint64, n int) *tri.Surface {
	r := rand.New(rand.NewPCG(seed, 1))
	s := new(tri.Surface)
	for range n {
		s.Verts = append(s.Verts, vec.V(r.Float64(), r.Float64(), r.Float64()))
	}
	for range n {
		a, b, c := uint32(r.IntN(n)), uint32(r.IntN(n)), uint32(r.IntN(n))
		s.Tris = append(s.Tris, [3]uint32{a, b, c}, [3]uint32{c, b, uint32(r.IntN(n))})
	}
	return s
}

// plain returns the winding number by the sum over all triangles, with functions of the standard
// library.
func plain(s *tri.Surface, x vec.Vec3) float64 {
	sum := 0.0
	for t := range s.Tris {
		a, b, c := s.Corners(t)
		a, b, c = a.Sub(x), b.Sub(x), c.Sub(x)
		na, nb, nc := a.Norm(), b.Norm(), c.Norm()
		sum += math.Atan2(a.Dot(b.Cross(c)), na*nb*nc+a.Dot(b)*nc+a.Dot(c)*nb+b.Dot(c)*na)
	}
	return sum / (2 * math.Pi)
}

func scattered(seed uint64, n int, box vec.Box) []vec.Vec3 {
	r := rand.New(rand.NewPCG(seed, 2))
	d := box.Size()
	points := make([]vec.Vec3, n)
	for i := range points {
		points[i] = box.Min.Add(vec.V(d.X*r.Float64(), d.Y*r.Float64(), d.Z*r.Float64()))
	}
	return points
}

// TestWholeTree adds the root about points in and around surfaces: closed ones, open ones and
// unrelated triangles.
func TestWholeTree(t *testing.T) {
	open := torus(1, 0.4, 40, 20)
	open.Tris = open.Tris[:1100]
	surfaces := map[string]*tri.Surface{"torus": torus(1, 0.4, 40, 20), "cube": cube(), "open": open, "soup": soup(1, 300), "flat": {
		Verts: []vec.Vec3{{}, {X: 1}, {Y: 1}, {X: 1, Y: 1}}, Tris: [][3]uint32{{0, 1, 2}, {1, 3, 2}}}}
	backends.Run(t, func(t *testing.T) {
		for name, s := range surfaces {
			for _, leaf := range []int{1, 9, 5000} {
				tree, sums := New(s, leaf, 8, one), NewSums()
				points := scattered(3, RunPoints-3, s.Box().Enlarged(0.2))
				for i := range points {
					points[i] = points[i].Scale(tree.Scale)
				}
				sums.Load(points)
				tree.Add(sums, 0)
				for i, x := range points {
					want := plain(s, x.Scale(1/tree.Scale))
					if got, doubt := sums.Winding(i); doubt || math.Abs(got-want) > 1e-11 {
						t.Fatalf("%s, leaves of %d, point %v: %v, want %v (doubt %v)", name, leaf, x, got, want, doubt)
					}
					if i%16 != 0 {
						continue
					}
					if got, _ := tree.PointWinding(0, x.Scale(1/tree.Scale)); math.Abs(got-want) > 1e-11 {
						t.Fatalf("%s, leaves of %d, point %v: alone %v, want %v", name, leaf, x, got, want)
					}
				}
			}
		}
	})
}

// TestEveryNode compares each node with its own triangles, and checks that a closed surface has no
// rim.
func TestEveryNode(t *testing.T) {
	s := torus(1, 0.4, 30, 14)
	tree, sums := New(s, 5, 6, one), NewSums()
	points := scattered(5, 40, s.Box().Enlarged(0.3))
	for i := range points {
		points[i] = points[i].Scale(tree.Scale)
	}
	if n := tree.Nodes[0]; n.RimLo != n.RimHi {
		t.Errorf("a closed surface has a rim of %d edges", n.RimHi-n.RimLo)
	}
	rows := 0
	for at := range tree.Nodes {
		n := &tree.Nodes[at]
		part := &tri.Surface{Verts: tree.Verts, Tris: tree.Tris[n.Lo:n.Hi]}
		sums.Load(points)
		tree.Add(sums, int32(at))
		for i, x := range points {
			want := plain(part, x)
			if got, _ := sums.Winding(i); math.Abs(got-want) > 1e-12 {
				t.Fatalf("node %d, point %v: %v, want %v", at, x, got, want)
			}
		}
		if n.NChild == 0 {
			rows += int(n.Hi - n.Lo)
		}
		for c := n.Child; c < n.Child+n.NChild; c++ {
			if m := &tree.Nodes[c]; m.Level != n.Level+1 || m.Cell[0]>>1 != n.Cell[0] || m.Lo < n.Lo || m.Hi > n.Hi {
				t.Errorf("node %d is no child of %d", c, at)
			}
		}
	}
	if rows != len(s.Tris) {
		t.Errorf("leaves hold %d triangles of %d", rows, len(s.Tris))
	}
}

// TestOnTheSurface checks points of a cube where the winding number is a fraction of the sphere.
func TestOnTheSurface(t *testing.T) {
	tree, sums := New(cube(), 1, 5, one), NewSums()
	tests := []struct {
		x    vec.Vec3
		want float64
	}{
		{vec.V(0.5, 0.5, 0.5), 1}, {vec.V(0.5, 0.5, 0), 0.5}, {vec.V(0.5, 0, 0), 0.25}, {vec.V(0, 0, 0), 0.125}, {vec.V(1, 1, 1), 0.125},
		{vec.V(0.3, 0.2, 1), 0.5}, {vec.V(1, 0.25, 0), 0.25}, {vec.V(2, 0.5, 0.5), 0}, {vec.V(0.5, 0.5, -1e-300), 0}, {vec.V(0.25, 0.25, 0x1p-60), 1},
		{vec.V(1+0x1p-52, 0.5, 0.25), 0}, {vec.V(1-0x1p-53, 0.5, 0.25), 1},
	}
	for _, c := range tests {
		sums.Load([]vec.Vec3{c.x.Scale(tree.Scale)})
		tree.Add(sums, 0)
		got, _ := sums.Winding(0)
		part, _ := tree.LeftOut(sums, 0, 0, c.x)
		alone, _ := tree.PointWinding(0, c.x)
		if math.Abs(got+part-c.want) > 1e-14 || math.Abs(alone-c.want) > 1e-14 {
			t.Errorf("%v: %v, alone %v, want %v", c.x, got+part, alone, c.want)
		}
	}
}

// TestScales checks that surfaces scaled by a power of two have the bits of a surface of 1 m.
func TestScales(t *testing.T) {
	s := torus(1, 0.4, 30, 14)
	points := scattered(7, 64, s.Box())
	winding := func(scale float64) (w [64]float64) {
		m := &tri.Surface{Tris: s.Tris}
		for _, v := range s.Verts {
			m.Verts = append(m.Verts, v.Scale(scale))
		}
		tree, sums := New(m, 8, 8, one), NewSums()
		var at [64]vec.Vec3
		for i, x := range points {
			at[i] = x.Scale(scale).Scale(tree.Scale)
		}
		sums.Load(at[:])
		tree.Add(sums, 0)
		for i := range w {
			w[i], _ = sums.Winding(i)
		}
		return w
	}
	want := winding(1)
	for _, e := range []int{-300, -20, 20, 300} {
		if winding(math.Ldexp(1, e)) != want {
			t.Errorf("a scale of 2^%d changes bits", e)
		}
	}
}

// TestSameTree checks that the tree does not depend on the number of workers.
func TestSameTree(t *testing.T) {
	s := torus(1, 0.4, 60, 30)
	want := New(s, 8, 8, one)
	pool := sched.New(3)
	defer pool.Close()
	got := New(s, 8, 8, pool)
	if len(got.Nodes) != len(want.Nodes) || len(got.fans) != len(want.fans) {
		t.Fatalf("%d nodes and %d fans, want %d and %d", len(got.Nodes), len(got.fans), len(want.Nodes), len(want.fans))
	}
	for i := range want.Nodes {
		if got.Nodes[i] != want.Nodes[i] {
			t.Fatalf("node %d differs", i)
		}
	}
	for i := range want.fans {
		if got.fans[i] != want.fans[i] {
			t.Fatalf("fan %d differs", i)
		}
	}
}

func TestAddAllocatesNothing(t *testing.T) {
	s := torus(1, 0.4, 40, 20)
	tree, sums := New(s, 8, 8, one), NewSums()
	points := scattered(3, RunPoints, s.Box())
	for i := range points {
		points[i] = points[i].Scale(tree.Scale)
	}
	if n := testing.AllocsPerRun(5, func() { sums.Load(points); tree.Add(sums, 0) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestShortRims checks points as near to a box as its rim may be used, next to rim edges far
// shorter than the box. Only the digits that the distance costs may be lost.
func TestShortRims(t *testing.T) {
	for _, short := range []float64{0x1p-4, 0x1p-12, 0x1p-20, 0x1p-28, 0x1p-40} {
		// Triangles from a far corner to short edges along the opposite corner of the box.
		s := &tri.Surface{Verts: []vec.Vec3{{}}}
		const n = 40
		for k := range n + 1 {
			at := float64(k) / n
			s.Verts = append(s.Verts, vec.V(1-short*at*at, 0.9-short*(1-at), 0.7+0.3*short*at))
		}
		for k := range uint32(n) {
			s.Tris = append(s.Tris, [3]uint32{0, k + 1, k + 2})
		}
		tree, sums := New(s, 1000, 4, one), NewSums()
		var points []vec.Vec3
		beyond := 1.01 * rimMargin * s.Box().Size().Norm()
		for k := range 64 {
			at := s.Verts[1+k%n]
			points = append(points, vec.V(s.Box().Max.X+beyond, at.Y+float64(k%7)*0x1p-22, at.Z-float64(k%5)*0x1p-21).Scale(tree.Scale))
		}
		sums.Load(points)
		tree.Add(sums, 0)
		worst := 0.0
		for i, x := range points {
			want := 0.0
			for k := range tree.Tris {
				c := tree.Tris[k]
				half, _ := winding.Half(tree.Verts[c[0]], tree.Verts[c[1]], tree.Verts[c[2]], x)
				want += half / (2 * math.Pi)
			}
			got, _ := sums.Winding(i)
			worst = max(worst, math.Abs(got-want))
		}
		t.Logf("edges of %.2g: off by %.2g", short, worst)
		if worst > fanRounding {
			t.Errorf("edges of %.2g of the box: off by %.2g, expected at most %.2g", short, worst, fanRounding)
		}
	}
}

// fanRounding is the error of FanAngles. For an edge of length l at the distances a and b from the
// point, the error is about 2^-53·D·l/(a·b), where a and b are at least rimMargin times the box's
// diagonal D.
const fanRounding = 0x1p-30

// TestNextToEdges checks points on edges and corners, and points so near to them that the sum of
// angles loses digits, down to rounding. Triangles are then left out of the sum; with their part,
// the sum must equal that of PointWinding. Few points farther away may be in doubt.
func TestNextToEdges(t *testing.T) {
	for _, leaf := range []int{1000, 2} {
		tree, sums := New(torus(1, 0.4, 12, 9), leaf, 6, one), NewSums()
		r := rand.New(rand.NewPCG(9, 9))
		doubts, ons, worst := 0, 0, 0.0
		for exponent := -60; exponent < 0; exponent += 5 {
			var points []vec.Vec3
			for k := range RunPoints {
				tri := tree.Tris[r.IntN(len(tree.Tris))]
				a, b := tree.Verts[tri[0]], tree.Verts[tri[1]]
				off := vec.V(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(math.Ldexp(1, exponent))
				x := a.AddScaled(r.Float64(), b.Sub(a))
				if k%16 == 0 {
					x = a // the corner itself, or points next to it
				}
				if k%32 != 0 {
					x = x.Add(off)
				}
				points = append(points, x)
			}
			sums.Load(points)
			tree.Add(sums, 0)
			for i, x := range points {
				want, on := tree.PointWinding(0, x.Scale(1/tree.Scale))
				got, doubtful := sums.Winding(i)
				part, here := tree.LeftOut(sums, 0, i, x.Scale(1/tree.Scale))
				if doubtful {
					doubts++
				} else if part != 0 || here {
					t.Errorf("%v: %v left out without a doubt", x, part)
				}
				if on {
					ons++
				}
				worst = max(worst, math.Abs(got+part-want))
				if on != here || math.Abs(got+part-want) > fanRounding {
					t.Errorf("2^%d from an edge, %v: %v, on %v, expected %v, on %v", exponent, x, got+part, here, want, on)
				}
			}
		}
		t.Logf("leaves of %d: %d of %d in doubt, %d on the surface, all off by %.2g at most", leaf, doubts, 12*RunPoints, ons, worst)
		if doubts > 10*RunPoints || ons < 12*RunPoints/32 {
			t.Errorf("%d of %d in doubt, expected those within 2^-20 of an edge, and %d on the surface", doubts, 12*RunPoints, ons)
		}
	}
}

// FuzzLeftOut compares the sum and the part that it left out with PointWinding, for points on and
// about unrelated triangles.
func FuzzLeftOut(f *testing.F) {
	f.Add(uint64(1), uint8(20), int8(-30), uint8(3))
	f.Add(uint64(2), uint8(200), int8(-55), uint8(16))
	f.Fuzz(func(t *testing.T, seed uint64, n uint8, exponent int8, leaf uint8) {
		r := rand.New(rand.NewPCG(seed, 8))
		grid := func() vec.Vec3 { return vec.V(float64(r.IntN(9)), float64(r.IntN(9)), float64(r.IntN(9))).Scale(0.125) }
		s := new(tri.Surface)
		for range int(n) + 1 {
			k := uint32(len(s.Verts))
			s.Verts = append(s.Verts, grid(), grid(), grid())
			s.Tris = append(s.Tris, [3]uint32{k, k + 1, k + 2})
		}
		tree, sums := New(s, int(leaf)+1, 6, one), NewSums()
		var points []vec.Vec3
		for range 60 {
			k := tree.Tris[r.IntN(len(tree.Tris))]
			a, b, c := tree.Verts[k[0]], tree.Verts[k[1]], tree.Verts[k[2]]
			x := a.AddScaled(0.25*float64(r.IntN(5)), b.Sub(a)).AddScaled(0.25*float64(r.IntN(5)), c.Sub(a))
			if r.IntN(2) == 0 {
				x = x.Add(vec.V(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(math.Ldexp(1, int(exponent)/2)))
			}
			points = append(points, x)
		}
		sums.Load(points)
		tree.Add(sums, 0)
		for i, x := range points {
			if sums.Lost(i) {
				continue // the methods use PointWinding for these points
			}
			want, on := tree.PointWinding(0, x.Scale(1/tree.Scale))
			got, _ := sums.Winding(i)
			part, here := tree.LeftOut(sums, 0, i, x.Scale(1/tree.Scale))
			if on != here || math.Abs(got+part-want) > float64(len(tree.Tris))*fanRounding {
				t.Errorf("%v: %v, on %v, expected %v, on %v", x, got+part, here, want, on)
			}
		}
	})
}
