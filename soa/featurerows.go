package soa

// FeatureSize is the number of values in a row of Shapes.VertRows and PlaneRows. A kernel reads a
// row with one load per lane.
const FeatureSize = 4

// addFeatureRows copies the vertices and planes of the newest shape to rows, if it is a block, and
// returns where they start.
func (s *Shapes) addFeatureRows(t *Template) (at rowsAt) {
	if t.Kind.IsPolyhedron() {
		at = rowsAt{uint32(len(s.VertRows)), uint32(len(s.PlaneRows))}
		s.VertRows = Resize(s.VertRows, len(s.VertRows)+FeatureSize*len(t.Verts))
		s.PlaneRows = Resize(s.PlaneRows, len(s.PlaneRows)+FeatureSize*len(t.Normals))
		for k, v := range t.Verts {
			copy(s.VertRows[int(at.vert)+FeatureSize*k:], []float64{v.X, v.Y, v.Z})
		}
		for f, n := range t.Normals {
			copy(s.PlaneRows[int(at.plane)+FeatureSize*f:], []float64{n.X, n.Y, n.Z, t.Offsets[f]})
		}
	}
	return at
}

// rowsAt holds where the rows of a shape start, counted in numbers.
type rowsAt struct{ vert, plane uint32 }
