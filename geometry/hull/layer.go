package hull

// minLayer is how many faces have to lie in one layer before they are merged at once. Fewer are
// merged one by one, which finds the largest faces on curved surfaces.
const minLayer = maxGroup

// joinLayers merges faces that only rounding keeps apart, where they are many: the sides of a
// finely cut body that was turned and written in single precision. One by one each would cost a
// look at the whole face.
//
// A face is taken with the neighbours, and theirs, that lie within the tolerance of the plane that
// they make so far. All checks of a merger are the same. Where one of them fails, those faces are
// left to be merged one by one.
//
// Cost: linear in the number of corners, but for coversGone: vertices within the new face times
// those of its border.
func (s *surface) joinLayers(order []int32) {
	p := &s.group
	taken := make([]bool, len(s.faces)) // is in a layer, or was in one that failed
	for _, f := range order {
		if s.faces[f].nEdges == 0 || taken[f] || s.spent() {
			continue
		}
		s.gather(p, f, taken)
		if len(p.faces) < minLayer {
			for _, g := range p.faces {
				taken[g] = false
			}
			continue
		}
		if s.complete(p) {
			s.join()
		}
	}
}

// gather fills the group with a face and those around it that lie within the tolerance of one
// plane, and marks them as taken. Which way the plane faces is the mean of the faces so far.
func (s *surface) gather(p *group, f int32, taken []bool) {
	p.faces, p.area = append(p.faces[:0], f), s.faces[f].area
	taken[f] = true
	at := s.pts[s.edges[s.faces[f].edge].from]
	for i := 0; i < len(p.faces); i++ {
		for h := range s.around(p.faces[i]) {
			g := s.edges[s.edges[h].twin].face
			if taken[g] {
				continue
			}
			if s.nearPlane(g, p.area.Unit(), at, s.tol) {
				taken[g] = true
				p.faces = append(p.faces, g)
				p.area = p.area.Add(s.faces[g].area)
			}
		}
	}
}
