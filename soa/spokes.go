package soa

import (
	"unsafe"

	"github.com/scree-dem/scree/vec"
)

// Spoke is an outgoing half-edge as seen from its vertex: 32 bytes, half a cache line. Frame: the shape's. A search that
// goes over the edges about a vertex reads them one behind the other.
type Spoke struct {
	Edge vec.Vec3 // m, from the vertex to the head
	Half HalfEdge
	Head Vertex
	Face Face // on its left
	_    uint16
}

// addSpokes derives the spokes of the newest shape, in the order of its rings.
func (s *Shapes) addSpokes(t *Template, o offsets) {
	s.spokes = resizeAny(s.spokes, o.half+o.nHalf)
	for k, p := range t.Verts {
		first := int(s.ringFirst[o.vert+k])
		for at := first; at < first+int(s.ringLen[o.vert+k]); at++ {
			h := s.ring[o.half+at]
			w, f := t.Tail[t.Twin[h]], s.face[o.half+int(h)]
			e := t.Verts[w].Sub(p)
			s.spokes[o.half+at] = Spoke{Edge: e, Half: h, Head: w, Face: f}
		}
	}
}

// Around returns the spokes of vertex k.
func (v *View) Around(k Vertex) []Spoke {
	first := v.RingFirst[k]
	return v.Spokes[first : first+v.RingLen[k]]
}

// Two spokes fill a cache line.
var _ [32 - unsafe.Sizeof(Spoke{})]struct{}
