package soa

import (
	"unsafe"

	"github.com/scree-dem/scree/vec"
)

// OutEdge is an outgoing half-edge as seen from its vertex: 32 bytes, half a cache line. Frame: the
// shape's. A search over the edges at a vertex reads them one after the other.
type OutEdge struct {
	Edge vec.Vec3 // m, from the vertex to the head
	Half HalfEdge // the half-edge, whose tail is the vertex
	Head Vertex   // vertex at its other end
	Face Face     // face on its left
	_    uint16
}

// addOutEdges adds the outgoing edges of the newest shape, in the order of its rings.
func (s *Shapes) addOutEdges(t *Template, o offsets) {
	s.outEdges = Resize(s.outEdges, o.half+o.nHalf)
	for k, p := range t.Verts {
		first := int(s.ringFirst[o.vert+k])
		for at := first; at < first+int(s.ringLen[o.vert+k]); at++ {
			h := s.ring[o.half+at]
			w, f := t.Tail[t.Twin[h]], s.face[o.half+int(h)]
			e := t.Verts[w].Sub(p)
			s.outEdges[o.half+at] = OutEdge{Edge: e, Half: h, Head: w, Face: f}
		}
	}
}

// Around returns the outgoing edges of vertex k.
func (v *View) Around(k Vertex) []OutEdge {
	first := v.RingFirst[k]
	return v.OutEdges[first : first+v.RingLen[k]]
}

// Two outgoing edges fit in a cache line.
var _ [32 - unsafe.Sizeof(OutEdge{})]struct{}
