package soa

// A corner is a vertex with its edges, in the order of the ring. Only strictly convex vertices
// (View.Pointed) with at most CornerEdges edges have a corner. A row of the table of corners has
// CornerSize numbers: the vertex, then for each edge the vector to its head, each as x, y, z, in m,
// shape frame. If there are fewer edges, the last one is repeated; the section is then a polygon
// that has one corner several times.
const (
	CornerEdges = 8
	CornerSize  = 3 + 3*CornerEdges
)

// addCorners adds the corners of the newest shape, if it is a block. addRims must come first.
func (s *Shapes) addCorners(t *Template, o offsets) {
	s.cornerOfVertex = Resize(s.cornerOfVertex, o.vert+Pad(o.nVerts))
	s.Corners = withNone(s.Corners, CornerSize)
	if !t.Kind.IsPolyhedron() {
		return
	}
	for k, tip := range t.Verts {
		n := int(s.ringLen[o.vert+k])
		if !s.pointed[o.vert+k] || n > CornerEdges {
			continue
		}
		row := [CornerSize]float64{tip.X, tip.Y, tip.Z}
		ring := s.ring[o.half+int(s.ringFirst[o.vert+k]):][:n]
		for i := range CornerEdges {
			e := t.Verts[t.Tail[t.Twin[ring[min(i, n-1)]]]].Sub(tip)
			copy(row[3+3*i:], []float64{e.X, e.Y, e.Z})
		}
		var at int
		s.Corners, at = addRow(s.Corners, row[:])
		s.cornerOfVertex[o.vert+k] = uint32(at)
	}
}
