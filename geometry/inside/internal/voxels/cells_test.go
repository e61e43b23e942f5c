package voxels

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/vec"
)

// bicone returns two cones of n sides base to base: all faces are slivers from a tip to the rim.
func bicone(n int) *tri.Surface {
	s := &tri.Surface{Verts: []vec.Vec3{{Z: -1}, {Z: 1}}}
	for k := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		s.Verts = append(s.Verts, vec.V(cos, sin, 0))
		a, b := uint32(2+k), uint32(2+(k+1)%n)
		s.Tris = append(s.Tris, [3]uint32{1, a, b}, [3]uint32{0, b, a})
	}
	return s
}

// TestSliversMakeTheGridCoarser checks that triangles that are long relative to the cells do not
// make endless lists, and that points are still located correctly.
func TestSliversMakeTheGridCoarser(t *testing.T) {
	s := bicone(8000)
	c, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	if most := maxEntered*len(s.Tris) + fewEntries + 2*entryChunk; len(c.entries) > most {
		t.Errorf("%d entries for %d triangles, expected at most %d", len(c.entries), len(s.Tris), most)
	}
	fine := newGrid(c.box, cellsFor(len(s.Tris)))
	if c.grid.n[0] >= fine.n[0] {
		t.Errorf("%v cells, expected fewer than %v", c.grid.n, fine.n)
	}
	var points []vec.Vec3
	var want []tri.Place
	for k := range 4000 {
		r, z := math.Mod(float64(k)*0.6180339887498949, 1.1), math.Mod(float64(k)*0.7548776662466927, 2.2)-1.1
		sin, cos := math.Sincos(float64(k))
		// The cones lie between |z| + r = 1 and, between the vertices of the rim, 7.8e-8 less.
		if d := math.Abs(z) + r - 1; math.Abs(d) > 1e-6 {
			points = append(points, vec.V(r*cos, r*sin, z))
			want = append(want, tri.Place(0))
			if d < 0 {
				want[len(want)-1] = tri.Inside
			}
		}
	}
	got := make([]tri.Place, len(points))
	c.Range(points, got, nil)
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%v: %v, expected %v", points[i], got[i], want[i])
		}
	}
}

// TestGridKeepsItsCells checks that the grid has about as many cells as requested, in boxes of all
// shapes, and that the reference points of a cell lie in the cell.
func TestGridKeepsItsCells(t *testing.T) {
	for _, box := range []vec.Box{
		{Max: vec.V(1, 1, 1)},
		{Min: vec.V(-3, 5, 7), Max: vec.V(-2, 6, 8)},
		{Max: vec.V(100, 1, 1)},
		{Max: vec.V(1, 1e-3, 5)},
		{Max: vec.V(1, 1, 0)},
		{Max: vec.V(1, 0, 0)},
		{},
		{Min: vec.V(1e6, 1e6, 1e6), Max: vec.V(1e6+1e-3, 1e6+1e-4, 1e6+1)},
		{Min: vec.V(1e6, 1e6, 1e6), Max: vec.V(1e6+1e-9, 1e6, 1e6)},
		{Max: vec.V(1e290, 1e290, 1e290)},
		{Max: vec.V(1e-300, 1e-290, 1e-300)},
	} {
		g := newGrid(box, 100000)
		n := g.n[0] * g.n[1] * g.n[2]
		if n < 1 || n > 200000 {
			t.Errorf("%v: %v cells", box, g.n)
		}
		lo, hi := array(box.Min), array(box.Max)
		for axis := range 3 {
			if g.cell(axis, lo[axis]) != 0 || g.cell(axis, hi[axis]) != g.n[axis]-1 {
				t.Errorf("%v: axis %d does not run from 0 to %d", box, axis, g.n[axis]-1)
			}
			for i := range 2 * g.n[axis] {
				if x := g.reference(axis, i); x < lo[axis] || x > hi[axis] || g.cell(axis, x) != i/2 {
					t.Fatalf("%v: coordinate %d of axis %d, %g, lies in cell %d", box, i, axis, x, g.cell(axis, x))
				}
			}
		}
	}
}

// TestClusters checks that a cell with thousands of triangles tests few of them for a point, and
// misses none.
func TestClusters(t *testing.T) {
	// A sphere of 8192 faces, or a bicone whose slivers all end at its tips, is the cavity of a far
	// larger bicone of four sides.
	sphere, err := surfaces.Sphere(1, 5)
	if err != nil {
		t.Fatal(err)
	}
	ball := &tri.Surface{Verts: sphere.Verts}
	for _, f := range sphere.Faces {
		ball.Tris = append(ball.Tris, [3]uint32{uint32(f[0]), uint32(f[1]), uint32(f[2])})
	}
	height := func(p vec.Vec3) float64 { return p.Norm() - 1 }
	testCluster(t, ball, height, 2e-3, 150)
	cones := func(p vec.Vec3) float64 { return math.Sqrt(float64(p.X*p.X)+float64(p.Y*p.Y)) + math.Abs(p.Z) - 1 }
	testCluster(t, bicone(3000), cones, 2e-6, 1000)
}

func testCluster(t *testing.T, hole *tri.Surface, height func(vec.Vec3) float64, within float64, most int) {
	s := bicone(4)
	at := vec.V(0.21, 0.17, 0.13)
	base := uint32(len(s.Verts))
	for _, v := range hole.Verts {
		s.Verts = append(s.Verts, v.Scale(1e-4).Add(at))
	}
	for _, k := range hole.Tris {
		s.Tris = append(s.Tris, [3]uint32{base + k[0], base + k[2], base + k[1]})
	}
	c, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	tested, n := 0, 0
	rng := geometry.NewRand(7)
	for range 3000 {
		p := vec.V(rng.Range(-1.5, 1.5), rng.Range(-1.5, 1.5), rng.Range(-1.5, 1.5))
		d := height(p)
		if math.Abs(d) < within {
			continue
		}
		want := tri.Inside
		if d < 0 {
			want = tri.Outside
		}
		p = p.Scale(1e-4).Add(at)
		var places [1]tri.Place
		c.Range([]vec.Vec3{p}, places[:], nil)
		if places[0] != want {
			t.Fatalf("%v: %v, expected %v", p, places[0], want)
		}
		cell := c.grid.address(c.grid.cell(0, p.X), c.grid.cell(1, p.Y), c.grid.cell(2, p.Z))
		rank := c.bricks[cell>>6].rankOf(uint(cell & 63))
		if c.lists[rank+1]>>references-c.lists[rank]>>references > longList {
			tested += c.crossLong(p, uint32(rank)).tested
			n++
		}
	}
	t.Logf("%d triangles: %d tested for each of %d points", len(s.Tris), tested/max(n, 1), n)
	if n < 1000 || tested > most*n {
		t.Errorf("%d triangles: %d boxes and triangles tested for %d points, expected at most %d each", len(s.Tris), tested, n, most)
	}
	for _, v := range s.Verts[base:] {
		var places [1]tri.Place
		if c.Range([]vec.Vec3{v}, places[:], nil); places[0] != tri.On {
			t.Fatalf("vertex %v is %v", v, places[0])
		}
	}
}
