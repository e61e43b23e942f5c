package hull

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// mergeSet is a set of faces that may become one; the first of them would absorb the others. It is
// scratch of surface.
type mergeSet struct {
	faces []int32
	area  vec.Vec3
	// border has the half-edges that border on other faces, in the order of the new loop.
	border []int32
	inside []int32 // of each border vertex: the number of group faces that meet there, less one
	drop   []bool  // of each border half-edge: whether its first vertex is left with two faces
	// Of each face and each point: the number of the last proposal that touched it (face, point,
	// losing) or drops it (dropped). lost has the number of vertices that a face loses in the
	// proposal.
	face, point, dropped, losing []int32
	lost                         []int32
	number                       int32
}

// maxGroup limits how many faces may merge at once; each additional face costs another visit of the
// whole group. A strip along an edge of a large face may have to merge as a whole. If a thousand
// vertices of a face are off by rounding, such a strip has one or two dozen faces.
const maxGroup = 64

// maxSpread is how many tolerances thick the layer of a face may be, along the normal of its final
// loop. Along the sum of the face's area vectors the limit is one tolerance (thin). But a loop that
// dropped vertices has another normal than that sum. For a body about as thin as the tolerance, the
// two normals differ widely.
// Smaller: faces of files near the tolerance stay split. Larger: thin bodies merge faces that bend
// more.
const maxSpread = 2

// propose reports whether face g can merge into f, and leaves the group in s.group. A vertex left
// with two faces must be dropped from both. If that would leave a triangle two vertices, or replace
// a corner by a straight edge, then the face beside the group must join the group as well.
func (s *mergedFaces) propose(f, g int32) bool {
	p := &s.group
	p.faces = append(p.faces[:0], f, g)
	p.area = s.faces[f].area.Add(s.faces[g].area)
	return s.complete(p)
}

// complete adds the neighbouring faces that must join the group, and reports whether all faces of
// the group can become one.
func (s *mergedFaces) complete(p *mergeSet) bool {
	most := len(p.faces) + maxGroup - 2
	for {
		if !s.thin(p) || !s.walk(p) {
			return false
		}
		third := s.starved(p)
		if third == none {
			third = s.bent(p)
		}
		if third == none && s.convex && s.keepsThree(p) {
			third = s.dented(p)
		}
		if third == none {
			return s.keepsThree(p) && s.coversGone(p) && s.staysThin(p)
		}
		if len(p.faces) == most {
			return false
		}
		p.faces = append(p.faces, third)
		p.area = p.area.Add(s.faces[third].area)
	}
}

// thin reports whether the members of the group lie in one layer as thick as the tolerance.
func (s *mergedFaces) thin(p *mergeSet) bool {
	n := p.area.Unit()
	if n == (vec.Vec3{}) {
		return false
	}
	// Most groups are too thick without other vertices, so the search of the tree is rare.
	own, lowest := math.Inf(-1), math.Inf(1)
	for _, f := range p.faces {
		for _, v := range s.faces[f].members {
			s.visits++
			x := n.Dot(s.pts[v])
			if own, lowest = max(own, x), min(lowest, x); own-lowest > s.tol {
				return false
			}
		}
	}
	return s.tree.search(0, n, own)-lowest <= s.tol
}

// walk finds the border of the group. It returns false unless the border is one cycle that passes
// no vertex twice.
func (s *mergedFaces) walk(p *mergeSet) bool {
	p.number++
	first, edges := none, 0
	for _, f := range p.faces {
		p.face[f] = p.number
	}
	for _, f := range p.faces {
		for h := range s.around(f) {
			if !s.within(p, s.edges[h].twin) {
				edges++
				if first == none {
					first = h
				}
			}
		}
	}
	s.visits += edges
	p.border, p.inside, p.drop = p.border[:0], p.inside[:0], p.drop[:0]
	if first == none {
		return false
	}
	for h := first; ; {
		v := s.to(h)
		if p.point[v] == p.number {
			return false
		}
		p.point[v] = p.number
		faces := int32(0)
		h = s.edges[h].next
		for s.within(p, s.edges[h].twin) {
			h = s.edges[s.edges[h].twin].next
			faces++
		}
		p.border = append(p.border, h)
		p.inside = append(p.inside, faces)
		drop := s.degree[v]-faces == 2
		p.drop = append(p.drop, drop)
		if drop {
			p.dropped[v] = p.number
		}
		if h == first {
			return len(p.border) == edges
		}
	}
}

func (s *mergedFaces) within(p *mergeSet, h int32) bool { return p.face[s.edges[h].face] == p.number }

// starved returns a face beside the group that would keep fewer than three vertices, or none.
func (s *mergedFaces) starved(p *mergeSet) int32 {
	for i, h := range p.border {
		if !p.drop[i] {
			continue
		}
		g := s.edges[s.edges[h].twin].face
		if p.losing[g] != p.number {
			p.losing[g], p.lost[g] = p.number, 0
		}
		p.lost[g]++
		if s.faces[g].nEdges-p.lost[g] < 3 {
			return g
		}
	}
	return none
}

// keepsThree reports whether the new face keeps at least three vertices.
func (s *mergedFaces) keepsThree(p *mergeSet) bool {
	kept := 0
	for _, d := range p.drop {
		if !d {
			kept++
		}
	}
	return kept >= 3
}

// bent returns a face beside a run of dropped vertices that no straight edge can replace, or none.
func (s *mergedFaces) bent(p *mergeSet) int32 {
	n := len(p.border)
	for i := range n {
		if p.drop[i] || !p.drop[(i+1)%n] {
			continue
		}
		// The path is a half-edge from a kept vertex, continued through dropped vertices.
		s.path = append(s.path[:0], p.border[i])
		for k := (i + 1) % n; p.drop[k]; k = (k + 1) % n {
			s.path = append(s.path, p.border[k])
		}
		if !s.straight(s.path) {
			return s.edges[s.edges[p.border[i]].twin].face
		}
	}
	return none
}

// dented returns a face beside the deepest dent of the new loop, or none if no dent is deeper than the
// tolerance. A body with almost no angle between two faces may need the vertex of the dent for other
// faces. Along directions into the face, no edge of that vertex rises, although the body does. So
// proofs that look at neighbours only would fail.
func (s *mergedFaces) dented(p *mergeSet) int32 {
	s.path = s.path[:0]
	for i, h := range p.border {
		if !p.drop[i] {
			s.path = append(s.path, s.edges[h].from)
		}
	}
	deepest, at := s.dent(s.path, p.area.Unit())
	for _, h := range p.border {
		if s.edges[h].from == at && deepest > s.tol {
			return s.edges[s.edges[h].twin].face
		}
	}
	return none
}

// coversGone reports whether the new face, seen along its normal, covers all that it replaces
// within the tolerance. Without this check a wedge could lose its tip: if its sides are nearly one
// layer, the bevel of the tip faces backwards and would merge into one side.
//
// Three conditions must hold. Every face of the group that faces backwards is thin. No vertex that
// this merger removes lies outside the loop. If any face faces backwards, no vertex that earlier
// mergers removed lies outside the loop either.
func (s *mergedFaces) coversGone(p *mergeSet) bool {
	n, folds := p.area.Unit(), false
	for _, f := range p.faces {
		back := -s.faces[f].area.Dot(n)
		if back > float64(s.tol*s.longest(f)) {
			return false
		}
		folds = folds || back > 0
	}
	for _, f := range p.faces {
		if folds {
			for _, v := range s.faces[f].members {
				if !s.overLoop(p, n, s.pts[v]) {
					return false
				}
			}
			continue
		}
		for h := range s.around(f) {
			if v := s.edges[h].from; p.point[v] != p.number && !s.overLoop(p, n, s.pts[v]) {
				return false
			}
		}
	}
	return true
}

// staysThin reports whether the new face, and each face beside it that loses a vertex, satisfies
// maxSpread with its new loop.
func (s *mergedFaces) staysThin(p *mergeSet) bool {
	s.path = s.path[:0]
	for i, h := range p.border {
		if !p.drop[i] {
			s.path = append(s.path, s.edges[h].from)
		}
	}
	if _, ok := s.fits(s.path, p.faces); !ok {
		return false
	}
	s.spend(p, none)
	for i, h := range p.border {
		g := s.edges[s.edges[h].twin].face
		if !p.drop[i] || p.lost[g] == 0 {
			continue
		}
		p.lost[g] = 0 // Check a face that loses several vertices only once.
		if !s.plain && s.faces[g].proof.holds() {
			continue
		}
		s.path = s.path[:0]
		for e := range s.around(g) {
			if v := s.edges[e].from; p.dropped[v] != p.number {
				s.path = append(s.path, v)
			}
		}
		proof, ok := s.fits(s.path, []int32{g})
		if !ok {
			return false
		}
		s.faces[g].proof = proof // The proof is for the loop that g would have; another merger may come first.
		s.spend(p, g)
	}
	return true
}

// fits reports whether a loop may replace faces. Along the normal of the loop, which becomes the
// normal of the new face, two conditions must hold. No point lies above the whole loop by more than
// the tolerance, and no member lies more than maxSpread tolerances below the supporting plane.
// proof then covers loops that differ only a little from this one.
func (s *mergedFaces) fits(loop, faces []int32) (proof layerProof, ok bool) {
	s.visits += len(loop)
	n, area := normal(s.pts, canonical(loop))
	if n == (vec.Vec3{}) {
		return proof, false
	}
	highest := math.Inf(-1)
	for _, v := range loop {
		highest = max(highest, n.Dot(s.pts[v]))
	}
	top, lowest := s.tree.max(n, loop), highest
	for _, f := range faces {
		s.visits += len(s.faces[f].members)
		for _, v := range s.faces[f].members {
			lowest = min(lowest, n.Dot(s.pts[v]))
		}
	}
	if top-highest > s.tol || top-lowest > float64(maxSpread*s.tol) {
		return proof, false
	}
	return s.newLayerProof(n, area, top-lowest), true
}

// longest returns the length of the longest edge of a face.
func (s *mergedFaces) longest(f int32) float64 {
	most := 0.0
	for h := range s.around(f) {
		most = max(most, s.pts[s.to(h)].Sub(s.pts[s.edges[h].from]).Norm())
	}
	return most
}

// overLoop reports whether a point v, seen along n, lies within the tolerance of the group's loop
// or inside it, by its winding number. The loop runs counter-clockwise, but folds and rounding may
// have dented it, so comparing v with each side's line would not suffice.
func (s *mergedFaces) overLoop(p *mergeSet, n, v vec.Vec3) bool {
	s.visits += len(p.border)
	u := n.Perpendicular()
	w := n.Cross(u)
	flat := func(h int32) (x, y float64) {
		d := s.pts[s.edges[h].from].Sub(v)
		return u.Dot(d), w.Dot(d)
	}
	last := len(p.border) - 1
	for p.drop[last] {
		last--
	}
	ax, ay := flat(p.border[last])
	winding := 0
	for i, h := range p.border {
		if p.drop[i] {
			continue
		}
		bx, by := flat(h)
		dx, dy := bx-ax, by-ay
		t := min(max(-(float64(ax*dx)+float64(ay*dy))/(float64(dx*dx)+float64(dy*dy)), 0), 1)
		if x, y := ax+float64(t*dx), ay+float64(t*dy); float64(x*x)+float64(y*y) <= float64(s.tol*s.tol) {
			return true
		}
		if left := float64(ax*by) - float64(ay*bx); ay <= 0 && by > 0 && left > 0 {
			winding++
		} else if ay > 0 && by <= 0 && left < 0 {
			winding--
		}
		ax, ay = bx, by
	}
	return winding != 0
}

// join merges the faces of the group that propose or gather left in s.group.
func (s *mergedFaces) join() {
	p := &s.group
	f := p.faces[0]
	var members []int32
	for _, g := range p.faces {
		members = append(members, s.faces[g].members...)
		for h := range s.around(g) {
			if v := s.edges[h].from; p.point[v] != p.number {
				s.degree[v] = 0
			}
		}
		s.faces[g].nEdges, s.faces[g].members = 0, nil
	}
	n := len(p.border)
	s.faces[f] = face{edge: p.border[0], nEdges: int32(n), area: p.area, members: members}
	start := 0
	for i, h := range p.border {
		s.edges[h].face = f
		s.link(h, p.border[(i+1)%n])
		s.degree[s.edges[h].from] -= p.inside[i]
		if !p.drop[i] {
			start = i
		}
	}
	// drop removes the half-edge before its argument. Starting after a kept vertex ensures that no
	// half-edge is passed to drop after it was removed.
	for k := 1; k < n; k++ {
		if i := (start + k) % n; p.drop[i] {
			s.drop(p.border[i])
		}
	}
}
