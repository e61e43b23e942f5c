package hull

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// group is a set of faces about to become one, the first of them. It is scratch of surface.
type group struct {
	faces []int32
	area  vec.Vec3
	// Half-edges of the group that border on other faces, in the order of the new loop.
	border []int32
	inside []int32 // per place in border: how many faces of the group meet at the vertex, less one
	drop   []bool  // per place in border: the half-edge's first vertex is left with two faces
	// Per face and per point, the number of the proposal that touched it last; per point, that which
	// drops it; and how many vertices the face loses in the proposal.
	face, point, dropped, losing []int32
	lost                         []int32
	number                       int32
}

// maxGroup bounds how many faces may have to merge at once; each costs another look at the whole group.
// Needed are as many as there are faces in a strip that is left along an edge of a large face, a dozen
// or two when a thousand vertices of a face are off by rounding.
const maxGroup = 64

// maxSpread is how many tolerances thick the layer of a face may be along the normal that its loop has in
// the end. Where its areas are summed one is the limit (thin), but a loop that has dropped vertices has
// another normal than that sum: of a body about as thin as the tolerance, quite another.
const maxSpread = 2

// propose decides whether g can go into f, and leaves the group in s.group. A vertex left with two faces
// must drop out of both. Where that would leave a triangle two vertices, or replace a corner by a
// straight edge, the face beside the group has to join the group as well.
func (s *surface) propose(f, g int32) bool {
	p := &s.group
	p.faces = append(p.faces[:0], f, g)
	p.area = s.faces[f].area.Add(s.faces[g].area)
	return s.complete(p)
}

// complete reports whether the faces of the group can become one, with the faces beside it that have
// to join.
func (s *surface) complete(p *group) bool {
	most := len(p.faces) + maxGroup - 2
	for {
		if !s.thin(p) || !s.walk(p) {
			return false
		}
		third := s.starved(p)
		if third == none {
			third = s.bent(p)
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

// thin reports whether the members of the group lie in one layer of the tolerance's thickness.
func (s *surface) thin(p *group) bool {
	n := p.area.Unit()
	if n == (vec.Vec3{}) {
		return false
	}
	// Most groups are too thick by themselves, which spares the search among all vertices.
	own, lowest := math.Inf(-1), math.Inf(1)
	for _, f := range p.faces {
		for _, v := range s.faces[f].members {
			s.looks++
			x := n.Dot(s.pts[v])
			if own, lowest = max(own, x), min(lowest, x); own-lowest > s.tol {
				return false
			}
		}
	}
	return s.tree.search(0, n, own)-lowest <= s.tol
}

// walk finds the group's border. It fails unless that is one cycle which meets no vertex twice.
func (s *surface) walk(p *group) bool {
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
	s.looks += edges
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

func (s *surface) within(p *group, h int32) bool { return p.face[s.edges[h].face] == p.number }

// starved returns a face beside the group that would keep fewer than three vertices, none if there
// is no such face.
func (s *surface) starved(p *group) int32 {
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

// keepsThree reports whether the new face keeps three vertices.
func (s *surface) keepsThree(p *group) bool {
	kept := 0
	for _, d := range p.drop {
		if !d {
			kept++
		}
	}
	return kept >= 3
}

// bent returns the face beside a run of dropped vertices that no straight edge can replace, none if
// there is no such run.
func (s *surface) bent(p *group) int32 {
	n := len(p.border)
	for i := range n {
		if p.drop[i] || !p.drop[(i+1)%n] {
			continue
		}
		// The edge from a kept vertex runs on through dropped ones.
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

// coversGone reports whether the new face, seen along its normal, has all of what it replaces within the tolerance. Without
// that, of a wedge whose sides are nearly one layer the bevel of the tip, which faces back, would go into one side and take
// the tip along. A face that faces back must be thin; then no vertex that goes, and where there is such a face
// none that went before, may lie beside the loop.
func (s *surface) coversGone(p *group) bool {
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

// staysThin reports whether the new face, and each face beside it that loses a vertex, keeps the promise of
// maxSpread with the loop that it will have.
func (s *surface) staysThin(p *group) bool {
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
		p.lost[g] = 0 // A face that loses several is looked at once.
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
		s.faces[g].proof = proof // Of the loop that g would have; another merger may come first.
		s.spend(p, g)
	}
	return true
}

// fits reports whether a loop may take the place of faces: along its normal, which is that of the result, no
// point lies farther above all of the loop than the tolerance, and no member farther below the supporting
// plane than maxSpread. The proof is for loops that differ from this one by little.
func (s *surface) fits(loop, faces []int32) (proof layerProof, ok bool) {
	s.looks += len(loop)
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
		s.looks += len(s.faces[f].members)
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
func (s *surface) longest(f int32) float64 {
	most := 0.0
	for h := range s.around(f) {
		most = max(most, s.pts[s.to(h)].Sub(s.pts[s.edges[h].from]).Norm())
	}
	return most
}

// overLoop reports whether a point, seen along n, lies within the tolerance of the group's loop, or inside by its winding
// number. The loop turns left, but folds and rounding may have dented it, so sides of lines are no test.
func (s *surface) overLoop(p *group, n, v vec.Vec3) bool {
	s.looks += len(p.border)
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

// join makes the group that propose left one face.
func (s *surface) join() {
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
	// drop removes the half-edge before the one it gets, so it must not get that later.
	for k := 1; k < n; k++ {
		if i := (start + k) % n; p.drop[i] {
			s.drop(p.border[i])
		}
	}
}
