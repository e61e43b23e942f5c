package soa

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// tetraTemplate returns a tetrahedron with the given corners, whose faces and edges are numbered in
// irregular order.
func tetraTemplate(corners ...vec.Vec3) *Template {
	t := &Template{Kind: Block, Verts: corners}
	middle := corners[0].Add(corners[1]).Add(corners[2]).Add(corners[3]).Scale(0.25)
	for _, p := range corners {
		t.Radius = max(t.Radius, p.Norm())
	}
	of := map[[2]Vertex]HalfEdge{}
	for _, loop := range [][]Vertex{{3, 1, 0}, {1, 2, 0}, {2, 3, 1}, {0, 3, 2}} {
		t.LoopFirst = append(t.LoopFirst, HalfEdge(len(t.Tail)))
		p, q, r := corners[loop[0]], corners[loop[1]], corners[loop[2]]
		n := q.Sub(p).Cross(r.Sub(p)).Unit()
		if n.Dot(middle.Sub(p)) > 0 {
			n, loop[1], loop[2] = n.Neg(), loop[2], loop[1]
		}
		t.Normals, t.Offsets, t.Caps = append(t.Normals, n), append(t.Offsets, max(n.Dot(p), n.Dot(q), n.Dot(r))), append(t.Caps, 0.1)
		for i, k := range loop {
			of[[2]Vertex{k, loop[(i+1)%3]}] = HalfEdge(len(t.Tail))
			t.Tail = append(t.Tail, k)
		}
	}
	t.LoopFirst = append(t.LoopFirst, HalfEdge(len(t.Tail)))
	t.Twin = make([]HalfEdge, len(t.Tail))
	for ends, h := range of {
		t.Twin[h] = of[[2]Vertex{ends[1], ends[0]}]
	}
	return t
}

func TestTetras(t *testing.T) {
	var s Shapes
	x, y, z, o := vec.V(1, 0, 0), vec.V(0, 1, 0), vec.V(0, 0, 1), vec.V(-0.5, -0.6, -0.7)
	for _, template := range []*Template{tetraTemplate(o, x, y, z), tetraTemplate(z, o, y, x), quadBox(), tetraTemplate(x, o, y, z)} {
		if _, err := s.Add(template); err != nil {
			t.Fatal(err)
		}
	}
	for shape := range Shape(s.Len()) {
		v := s.View(shape)
		if (v.Tetra != 0) != (v.NVerts == 4) {
			t.Fatalf("shape %d of %d vertices has the row %d", shape, v.NVerts, v.Tetra)
		}
		if v.Tetra == 0 {
			continue
		}
		row := s.Tetras[v.Tetra:][:TetraSize]
		corner := func(k int) vec.Vec3 { return vec.V(row[3*k], row[3*k+1], row[3*k+2]) }
		if row[TetraRadius] != v.Radius {
			t.Errorf("shape %d: the radius is %g, want %g", shape, row[TetraRadius], v.Radius)
		}
		if !(corner(1).Sub(corner(0)).Cross(corner(2).Sub(corner(0))).Dot(corner(3).Sub(corner(0))) > 0) {
			t.Errorf("shape %d turns the wrong way", shape)
		}
		for k := range 4 {
			if p := v.Vert(Vertex(row[TetraVertex+k])); corner(k) != p {
				t.Errorf("shape %d: corner %d is %v, want %v", shape, k, corner(k), p)
			}
			f := int(row[TetraFace+k])
			for j := range 4 {
				if on := math.Abs(v.Normal(Face(f)).Dot(corner(j))-v.D[f]) < 1e-15; on != (j != k) {
					t.Errorf("shape %d: face %d and corner %d", shape, f, j)
				}
			}
		}
		e := 0
		for i := range 4 {
			for j := i + 1; j < 4; j++ {
				signed := row[TetraEdge+e]
				h := v.Edge[int(math.Abs(signed))-1]
				p, q := float64(v.Tail[h]), float64(v.Head(h))
				if signed < 0 {
					p, q = q, p
				}
				if p != row[TetraVertex+i] || q != row[TetraVertex+j] {
					t.Errorf("shape %d: edge %d%d is %g from %g to %g", shape, i, j, signed, p, q)
				}
				e++
			}
		}
	}
}

// TestSlimTetras checks tetrahedra that are too slim for the table, or not planar: they have no
// row.
func TestSlimTetras(t *testing.T) {
	x, y, z := vec.V(1, 0, 0), vec.V(0, 1, 0), vec.V(0, 0, 0.02)
	bent := tetraTemplate(vec.V(0, 0, -1), x, y, vec.V(0, 0, 1))
	bent.Normals[2] = bent.Normals[2].Add(vec.V(1e-12, 0, 0)).Unit()
	for name, template := range map[string]*Template{
		"needle": tetraTemplate(vec.V(0, 0, -1), x.Scale(0.01), y.Scale(0.01), vec.V(0, 0, 1)),
		"flat":   tetraTemplate(vec.V(-1, -1, 0), x, y, z),
		"bent":   bent,
	} {
		var s Shapes
		if _, err := s.Add(template); err != nil {
			t.Fatal(err)
		}
		if at := s.View(0).Tetra; at != 0 {
			t.Errorf("%s: a row at %d", name, at)
		}
	}
}
