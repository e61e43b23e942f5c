package soa

import "slices"

// Template returns a template from which another arena makes the same shape, the last digit included.
func (s *Shapes) Template(shape Shape) *Template {
	if !s.IsMade(shape) {
		from, k := s.sourceOf(shape)
		return from.Template(k)
	}
	v := s.View(shape)
	r := s.rows[shape]
	t := &Template{
		Kind: v.Kind, Name: r.name, Origin: r.origin, Radius: v.Radius, Inner: v.Inner, Round: v.Round,
		Volume: r.volume, Inertia: r.inertia, Label: slices.Clone(v.Label), Bend: v.Bend,
	}
	if v.NFaces == 0 {
		return t
	}
	for k := range v.NVerts {
		t.Verts = append(t.Verts, v.Vert(Vertex(k)))
	}
	t.LoopFirst = []HalfEdge{0}
	for f := range v.NFaces {
		t.Normals = append(t.Normals, v.Normal(Face(f)))
		t.LoopFirst = append(t.LoopFirst, v.LoopFirst[f]+v.LoopLen[f])
	}
	t.Offsets, t.Caps = slices.Clone(v.D[:v.NFaces]), slices.Clone(v.Caps[:v.NFaces])
	t.Tail, t.Twin = slices.Clone(v.Tail), slices.Clone(v.Twin)
	return t
}
