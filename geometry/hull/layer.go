package hull

// minLayer is how many faces must lie in one layer to be merged at once. Fewer faces are merged one
// by one, which finds the largest faces on curved surfaces.
const minLayer = maxGroup

// joinLayers merges large numbers of faces that only rounding separates. Such faces are the sides
// of a finely divided body that was rotated and written in single precision. Merging them one by
// one would visit the whole face for each.
//
// joinLayers starts from a face and collects its neighbours, their neighbours and so on that lie
// within the tolerance of the plane of the faces collected so far. The merger passes the same
// checks as any other. If a check fails, the collected faces remain for merging one by one.
//
// Cost: linear in the number of corners, except for coversGone: vertices within the new face times
// vertices of its border.
func (s *mergedFaces) joinLayers(order []int32) {
	p := &s.group
	taken := make([]bool, len(s.faces)) // the face is in a layer, or was in one that failed
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

// gather fills the group with face f and the connected faces around it that lie within the
// tolerance of one plane, and sets taken for each. The plane passes through a vertex of f; its
// normal is the mean over the faces so far, weighted by area.
func (s *mergedFaces) gather(p *mergeSet, f int32, taken []bool) {
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
