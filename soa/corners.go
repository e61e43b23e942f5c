package soa

// A corner is a vertex and the edges at it, in turning order, of those that are strictly convex corners (View.Pointed) of up to
// CornerEdges edges. A row of the table of corners is CornerSize numbers: the vertex, then of each edge the way to its
// head, x, y, z each, m, shape frame. Where there are fewer edges the last is repeated: a polygon with a
// corner twice.
const (
	CornerEdges = 8
	CornerSize  = 3 + 3*CornerEdges
)

// addCorners derives the corners of the newest shape, a block's, after its rims.
func (s *Shapes) addCorners(t *Template, o offsets) {
	s.cornerOfVertex = Resize(s.cornerOfVertex, o.vert+Pad(o.nVerts))
	s.Corners = withNone(s.Corners, CornerSize)
	if t.Kind != Block {
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
