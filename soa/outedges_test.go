package soa

import (
	"testing"

	"github.com/scree-dem/scree/vec"
)

func TestOutEdges(t *testing.T) {
	var s Shapes
	corner := tetraTemplate(vec.V(0, 0, -1), vec.V(1, 0, 0), vec.V(0, 1, 0), vec.V(0, 0, 1))
	for _, template := range []*Template{quadBox(), corner, quadBox()} {
		if _, err := s.Add(template); err != nil {
			t.Fatal(err)
		}
	}
	for shape := range Shape(s.Len()) {
		v := s.View(shape)
		for k := range v.NVerts {
			first := v.RingFirst[k]
			ring := v.Ring[first : first+v.RingLen[k]]
			outEdges := v.Around(Vertex(k))
			if len(outEdges) != len(ring) || len(ring) < 3 {
				t.Fatalf("vertex %d has %d outgoing edges and %d half-edges", k, len(outEdges), len(ring))
			}
			for i, h := range ring {
				x := outEdges[i]
				e := v.Vert(v.Head(h)).Sub(v.Vert(Vertex(k)))
				if x.Half != h || x.Head != v.Head(h) || x.Face != v.Face[h] || x.Edge != e {
					t.Errorf("outgoing edge %d of vertex %d is %+v", i, k, x)
				}
			}
		}
	}
}

// tetraTemplate returns a tetrahedron with the given corners.
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
