package voxels

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/geometry/inside/internal/tri"
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

// TestSliversMakeTheGridCoarser: triangles that are long against the cells do not make lists without
// end, and are answered all the same.
func TestSliversMakeTheGridCoarser(t *testing.T) {
	s := bicone(20000)
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
		// The cones lie between |z| + r = 1 and, between the vertices of the rim, 1.3e-8 less.
		if d := math.Abs(z) + r - 1; math.Abs(d) > 1e-7 {
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

// TestGridKeepsItsCells: the grid has about as many cells as asked for, in boxes of all forms, and the
// reference points of a cell lie in it.
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
