package soa

// A fan is a vertex and the edges at it, in turning order, of those that are strictly convex corners (View.Pointed) of up to
// FanEdges edges. A row of the table of fans is FanSize numbers: the vertex, then of each edge the way to its
// head, x, y, z each, m, shape frame. Where there are fewer edges the last is repeated: a polygon with a
// corner twice.
const (
	FanEdges = 8
	FanSize  = 3 + 3*FanEdges
)

// addFans derives the fans of the newest shape, a block's, after its rims.
func (s *Shapes) addFans(t *Template, o offsets) {
	s.fanOfVertex = resizeAny(s.fanOfVertex, o.vert+Pad(o.nVerts))
	s.Fans = withNone(s.Fans, FanSize)
	if t.Kind != Block {
		return
	}
	for k, tip := range t.Verts {
		n := int(s.ringLen[o.vert+k])
		if !s.pointed[o.vert+k] || n > FanEdges {
			continue
		}
		row := [FanSize]float64{tip.X, tip.Y, tip.Z}
		ring := s.ring[o.half+int(s.ringFirst[o.vert+k]):][:n]
		for i := range FanEdges {
			e := t.Verts[t.Tail[t.Twin[ring[min(i, n-1)]]]].Sub(tip)
			copy(row[3+3*i:], []float64{e.X, e.Y, e.Z})
		}
		var at int
		s.Fans, at = addRow(s.Fans, row[:])
		s.fanOfVertex[o.vert+k] = uint32(at)
	}
}
