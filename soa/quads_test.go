package soa

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// quadBox returns a block with half sides 1, 0.5 and 0.25. The caps of its faces are right angles.
func quadBox() *Template {
	t := &Template{Kind: Block, Radius: vec.V(1, 0.5, 0.25).Norm()}
	for k := range 8 {
		sign := func(bit int) float64 { return float64(k>>bit&1)*2 - 1 }
		t.Verts = append(t.Verts, vec.V(sign(0), 0.5*sign(1), 0.25*sign(2)))
	}
	loops := [][]Vertex{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {3, 2, 6, 7}, {2, 0, 4, 6}, {1, 3, 7, 5}}
	of := map[[2]Vertex]HalfEdge{}
	for _, loop := range loops {
		t.LoopFirst = append(t.LoopFirst, HalfEdge(len(t.Tail)))
		n := t.Verts[loop[1]].Sub(t.Verts[loop[0]]).Cross(t.Verts[loop[2]].Sub(t.Verts[loop[0]])).Unit()
		t.Normals, t.Offsets, t.Caps = append(t.Normals, n), append(t.Offsets, n.Dot(t.Verts[loop[0]])), append(t.Caps, 1)
		for i, k := range loop {
			of[[2]Vertex{k, loop[(i+1)%4]}] = HalfEdge(len(t.Tail))
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

func TestQuads(t *testing.T) {
	var s Shapes
	for range 3 {
		if _, err := s.Add(quadBox()); err != nil {
			t.Fatal(err)
		}
	}
	for shape := range Shape(3) {
		v := s.View(shape)
		for f := range v.NFaces {
			at := v.QuadOfFace[f]
			if at == 0 {
				t.Fatalf("face %d has no quad", f)
			}
			row := v.Quads[at:][:QuadSize]
			get := func(j int) vec.Vec3 { return vec.V(row[j], row[j+1], row[j+2]) }
			n, u, w := get(QuadNormal), get(QuadU), get(QuadV)
			if n != v.Normal(Face(f)) || row[QuadOffset] != v.D[f] || row[QuadRadius] != v.Radius || row[QuadFace] != float64(f) {
				t.Errorf("face %d: the row is %v", f, row)
			}
			if d := u.Cross(w).Sub(n).Norm() + math.Abs(u.Dot(w)); d > 1e-15 {
				t.Errorf("face %d: the axes are off by %g", f, d)
			}
			for k := range 4 {
				i := Vertex(row[QuadVertex+k])
				next := v.Vert(Vertex(row[QuadVertex+(k+1)%4]))
				p := get(QuadCorner + 3*k)
				if i < Vertex(row[QuadVertex]) || p != v.Vert(i) {
					t.Errorf("face %d: corner %d is %v, vertex %d is %v", f, k, p, i, v.Vert(i))
				}
				if d := u.Scale(row[QuadFlat+2*k]).AddScaled(row[QuadFlat+2*k+1], w).AddScaled(v.D[f], n).Sub(p).Norm(); d > 1e-15 {
					t.Errorf("face %d: corner %d on the axes is off by %g", f, k, d)
				}
				if d := next.Sub(p).Norm(); d != row[QuadLength+k] {
					t.Errorf("face %d: side %d is %g long, want %g", f, k, row[QuadLength+k], d)
				}
				// Counter-clockwise seen from outside: the centre is to the left of each side.
				if !(n.Cross(next.Sub(p)).Dot(n.Scale(v.D[f]).Sub(p)) > 0) {
					t.Errorf("face %d: side %d turns the wrong way", f, k)
				}
			}
		}
	}
}

// TestNoQuads checks shapes without quads.
func TestNoQuads(t *testing.T) {
	for name, change := range map[string]func(b *Template){
		"facet":         func(b *Template) { b.Kind = Facet },
		"no caps":       func(b *Template) { b.Caps = nil },
		"small caps":    func(b *Template) { clear(b.Caps) },
		"a large shape": func(b *Template) { b.Radius *= 1e6 },
	} {
		b := quadBox()
		change(b)
		var s Shapes
		if _, err := s.Add(b); err != nil {
			t.Fatal(err)
		}
		for f, at := range s.View(0).QuadOfFace {
			if at != 0 {
				t.Errorf("%s: face %d has a quad", name, f)
			}
		}
	}
	// A corner outside the plane removes the quads of its own faces only.
	b := quadBox()
	b.Verts[7].Z += 1e-6
	b.Offsets[1] += 1e-6
	var s Shapes
	if _, err := s.Add(b); err != nil {
		t.Fatal(err)
	}
	if v := s.View(0); v.QuadOfFace[1] != 0 || v.QuadOfFace[0] == 0 {
		t.Errorf("quads are %v", v.QuadOfFace)
	}
}
