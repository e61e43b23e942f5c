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
