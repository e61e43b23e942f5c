package kernels

import (
	"fmt"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// corner is a tetrahedron with three edges of length 1 along the axes. Its vertices are not in the
// order of its row.
func corner() *soa.Template {
	verts := []vec.Vec3{vec.V(0.75, -0.25, -0.25), vec.V(-0.25, 0.75, -0.25), vec.V(-0.25, -0.25, -0.25), vec.V(-0.25, -0.25, 0.75)}
	return template(soa.Block, verts, [][]soa.Vertex{{0, 1, 3}, {2, 1, 0}, {2, 0, 3}, {2, 3, 1}})
}

// TestTetras has two tetrahedra with obvious faces, edges and vertices, in a frame that is moved
// and turned.
func TestColdTetras(t *testing.T) {
	var shapes soa.Shapes
	add(t, &shapes, cube(), corner(), corner())
	v := shapes.View(2)
	if v.Tetra == 0 {
		t.Fatal("the tetrahedron has no row")
	}
	edge := func(p, q soa.Vertex) uint16 {
		for e, h := range v.Edge {
			if a, b := v.Tail[h], v.Head(h); a == p && b == q || a == q && b == p {
				return uint16(e)
			}
		}
		t.Fatal("no such edge")
		return 0
	}
	turn := func(x, y, z float64) vec.Quat { return vec.FromRotationVector(vec.V(x, y, z)) }
	lean := turn(0.1, -0.2, 0.05)
	tests := []struct {
		name string
		pos  vec.Vec3
		rot  vec.Quat
		want soa.FacetID
	}{
		// Vertex 2 of B, with three short edges, points back at the large face of A.
		{"vertex in face", vec.V(0.3, 0.3, 0.3), lean, soa.FacetID{Kind: soa.FaceVertex, A: 0, B: 2}},
		{"face on vertex", vec.V(-0.3, -0.3, -0.3), lean, soa.FacetID{Kind: soa.VertexFace, A: 2, B: 0}},
		{"vertices", vec.V(1.5, -0.2, -0.2), turn(0, 0.5, -0.5), soa.FacetID{Kind: soa.VertexVertex, A: 0, B: 2}},
		{"vertex and edge", vec.V(1.5, 0, -0.5), lean.Mul(turn(0, 0, -0.4)), soa.FacetID{Kind: soa.VertexEdge, A: 0, B: edge(2, 3)}},
		{"edge and vertex", vec.V(0.5, 0.05, 0.9), lean, soa.FacetID{Kind: soa.EdgeVertex, A: edge(0, 3), B: 2}},
	}
	const n = 20
	backends.Run(t, func(t *testing.T) {
		var bodies soa.Bodies
		body(&bodies, vec.IdentityPose)
		frame := vec.Pose{Pos: vec.V(3, -4, 5), Rot: turn(0.4, 0.2, -0.9)}
		for _, test := range tests {
			f := &ColdPairs{}
			f.Resize(soa.Pad(n))
			a := body(&bodies, frame)
			b := body(&bodies, vec.Pose{Pos: frame.Pos.Add(frame.Rot.Rotate(test.pos)), Rot: frame.Rot.Mul(test.rot)})
			for i := range n {
				f.Set(i, a, b, uint32(v.Tetra), uint32(shapes.View(1).Tetra))
			}
			f.Solve(shapes.Tetras, &bodies, 0, f.Fill(n))
			for i := range n {
				if id, _, known := f.Facet(i, shapes.Tetras); !known || id != test.want {
					t.Fatalf("%s: pair %d: %v, %v, want %v", test.name, i, id, known, test.want)
				}
			}
		}
	})
}

// TestColdBricks has two cubes of side 2 with obvious faces, edges and vertices.
func TestColdBricks(t *testing.T) {
	var shapes soa.Shapes
	add(t, &shapes, corner(), cube(), cube())
	v := shapes.View(2)
	if v.Brick == 0 {
		t.Fatal("the cube has no row")
	}
	edge := func(p, q soa.Vertex) uint16 {
		for e, h := range v.Edge {
			if a, b := v.Tail[h], v.Head(h); a == p && b == q || a == q && b == p {
				return uint16(e)
			}
		}
		t.Fatal("no such edge")
		return 0
	}
	turn := func(x, y, z float64) vec.Quat { return vec.FromRotationVector(vec.V(x, y, z)) }
	point := turn(0, 0.6, 0).Mul(turn(0.8, 0, 0)) // vertex 1, at 1, -1, -1, is the lowest
	deep := -point.Rotate(vec.V(1, -1, -1)).Z
	tests := []struct {
		name       string
		rotA, rotB vec.Quat
		pos        vec.Vec3
		want       soa.FacetID
	}{
		{"vertex in face", vec.Identity, point, vec.V(0.1, 0.2, 0.9+deep), soa.FacetID{Kind: soa.FaceVertex, A: 5, B: 1}},
		{"face on vertex", point, vec.Identity, vec.V(-0.1, -0.2, -0.9-deep), soa.FacetID{Kind: soa.VertexFace, A: 1, B: 5}},
		{"vertices", vec.Identity, turn(0.05, -0.08, 0.03), vec.V(2.5, 2.6, 2.7), soa.FacetID{Kind: soa.VertexVertex, A: 7, B: 0}},
		{"vertex and edge", vec.Identity, turn(0.1, 0.05, 0.1), vec.V(2.6, 2.5, 1.5), soa.FacetID{Kind: soa.VertexEdge, A: 7, B: edge(0, 4)}},
	}
	const n = 20
	backends.Run(t, func(t *testing.T) {
		var bodies soa.Bodies
		body(&bodies, vec.IdentityPose)
		frame := vec.Pose{Pos: vec.V(3, -4, 5), Rot: turn(0.4, 0.2, -0.9)}
		for _, test := range tests {
			f := &ColdPairs{Bricks: true}
			f.Resize(soa.Pad(n))
			a := body(&bodies, vec.Pose{Pos: frame.Pos, Rot: frame.Rot.Mul(test.rotA)})
			b := body(&bodies, vec.Pose{Pos: frame.Pos.Add(frame.Rot.Rotate(test.pos)), Rot: frame.Rot.Mul(test.rotB)})
			for i := range n {
				f.Set(i, a, b, uint32(v.Brick), uint32(shapes.View(1).Brick))
			}
			f.Solve(shapes.Bricks, &bodies, 0, f.Fill(n))
			for i := range n {
				if id, _, known := f.Facet(i, shapes.Bricks); !known || id != test.want {
					t.Fatalf("%s: pair %d: %v, %v, want %v", test.name, i, id, known, test.want)
				}
			}
			if allocated := testing.AllocsPerRun(10, func() { f.Solve(shapes.Bricks, &bodies, 0, n) }); allocated != 0 {
				t.Errorf("%g allocations", allocated)
			}
		}
	})
}

// BenchmarkColdPairs reports ns per pair of randomly turned shapes. Half of them are apart, most by
// less than their size.
func BenchmarkColdPairs(b *testing.B) {
	const n = 512
	before := cpu.Selected()
	defer func() {
		if err := cpu.Select(before); err != nil {
			b.Fatal(err)
		}
	}()
	for _, bricks := range []bool{false, true} {
		var shapes soa.Shapes
		kind := "tetra"
		if bricks {
			kind = "brick"
		}
		var bodies soa.Bodies
		f := &ColdPairs{Bricks: bricks}
		f.Resize(n)
		r := newRandom(31)
		for i := range n {
			if i < 16 {
				t := corner()
				if bricks {
					t = cube()
				}
				for k := range t.Verts {
					t.Verts[k] = t.Verts[k].Scale(1 / t.Radius)
				}
				for k := range t.Offsets {
					t.Offsets[k] /= t.Radius
				}
				t.Radius = 1
				add(b, &shapes, t)
			}
			va, vb := shapes.View(soa.Shape(r.IntN(min(i, 15)+1))), shapes.View(soa.Shape(r.IntN(min(i, 15)+1)))
			p, q := r.pose(), r.pose()
			q.Pos = p.Pos.Add(r.vec().Unit().Scale(0.4 + 1.4*r.Float64()))
			rows := [2]uint32{uint32(va.Tetra), uint32(vb.Tetra)}
			if bricks {
				rows = [2]uint32{uint32(va.Brick), uint32(vb.Brick)}
			}
			f.Set(i, body(&bodies, p), body(&bodies, q), rows[0], rows[1])
		}
		table := shapes.Tetras
		if bricks {
			table = shapes.Bricks
		}
		sum := func() float64 {
			s, known := 0.0, 0
			for _, code := range f.facet {
				s += code
				if code > 0 {
					known++
				}
			}
			if known < n*9/10 {
				b.Fatalf("%d of %d pairs are known", known, n)
			}
			return s
		}
		if err := cpu.Select(cpu.Generic); err != nil {
			b.Fatal(err)
		}
		f.Solve(table, &bodies, 0, n)
		want := sum()
		for backend := range backends.Each(b) {
			b.Run(fmt.Sprintf("kind=%s/backend=%s", kind, backend), func(b *testing.B) {
				for b.Loop() {
					f.Solve(table, &bodies, 0, n)
				}
				report(b, n, "pair", 4*4+2*7*8+8, sum(), want)
			})
		}
	}
}
