package typing

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// staying is a certificate for the contacts of a list: how far its features may move in the contact
// plane before the contacts may change. The result of combine holds until one of the compared
// lengths crosses its bound: the tolerance, or the end of an edge. Frame and scale of the search.
//
// Let the vertices of B move by at most δ, seen from A, and the unit normal by ν. A point in the
// plane then moves by at most δ + 2wν relative to another, with w the distance between them. The
// direction of an edge of length l changes by at most 2δ/l + 2ν. Normalising it again adds a tenth,
// while the change is small. A length along or across an edge therefore changes by at most (1 +
// 2.2·w/l)·δ + 4.2·w·ν, and the length of an edge by 2δ more. Here w is the diameter of both sets,
// and l the shortest edge.
//
// This bound is too coarse for blocks in a wall, whose edges lie next to a common line and slide
// along it. The distance of a vertex to the side of an edge only changes by the motion in that
// direction. Let u be the direction across the edge.
//
//   - For a vertex of B that moves by Δ, and an edge of A, the distance changes by u·Δ.
//   - For a vertex of A, and an edge of B whose ends move by Δ₀ and Δ₁, it changes by (1−t)·u·Δ₀ +
//     t·u·Δ₁ with |t| ≤ w/l, and by at most 12·w·δ²/l² more for the part of the turn that this
//     expression leaves out.
//
// Both have an additional 4.2·w·ν.
type staying struct {
	Known            bool
	Slack            float64 // least distance of a length from its bound, except lengths to the side of an edge
	near             float64 // the tolerance
	perMove, perTurn float64 // largest change of a length per unit motion of B's vertices, and per unit change of the normal
	wide, short      float64 // w and l
	N                vec.Vec3
	b                []vec.Vec3 // the vertices of B in the plane
	edges            []stayingEdge
}

// stayingEdge is an edge with vertices of the other body next to it. in is the direction u across
// it. from and to are the indices of its ends among the vertices of B, or −1 for an edge of A.
// slack is the least distance from its bound of a length to the side of the edge.
type stayingEdge struct {
	in       vec.Vec3
	from, to int
	slack    float64
}

// keep stores where the features of the plane are, with the slack of the places that combine has
// just compared.
func (y *ContactPlanes) keep(s *Typist, m *staying) {
	p := &y.Contact
	m.Known, m.near, m.N, m.Slack = true, p.near, p.N, math.Inf(1)
	m.edges = m.edges[:0]
	m.keepEdges(y.side.ofA, y.OnA.edges, len(y.SetB), false)
	m.keepEdges(y.side.ofB, y.OnB.edges, len(y.SetA), true)
	m.b = m.b[:0]
	wide := 0.0
	for _, j := range y.SetB {
		b := s.HullB.At(int(j))
		m.b = append(m.b, b)
		for _, i := range y.SetA {
			w := b.Sub(s.HullA.At(int(i)))
			m.Slack = min(m.Slack, math.Abs(math.Sqrt(w.AddScaled(-w.Dot(p.N), p.N).Norm2())-p.near))
			wide = max(wide, w.Norm2())
		}
	}
	m.short = math.Inf(1)
	for _, edges := range [2][]outlineEdge{y.OnA.edges, y.OnB.edges} {
		for i := range edges {
			m.short = min(m.short, edges[i].length)
		}
	}
	// Two points of one set are no farther apart than the sum of their distances from a point of
	// the other set.
	m.wide = 2 * math.Sqrt(wide)
	m.perMove, m.perTurn = 3+float64(2.2*m.wide)/m.short, 4.2*m.wide
}

// keepEdges stores how far n vertices may move relative to some edges before onEdge, insideAll or
// apart may return another result.
//
// onEdge is true for a vertex near the line, between the ends, and outside a circle around each
// end. A vertex past an end, or inside a circle, can only get onto the edge through the circle.
func (m *staying) keepEdges(places []place, edges []outlineEdge, n int, ofB bool) {
	for e := range edges {
		side := math.Inf(1)
		for _, q := range places[e*n : e*n+n] {
			off := math.Abs(q.in)
			side = min(side, math.Abs(off-m.near))
			if off > m.near {
				continue // beside the edge, at any position along it
			}
			end := max(min(q.along, edges[e].length-q.along), 0)
			// Both coordinates may change at once, hence the factor.
			m.Slack = min(m.Slack, 0.5*math.Abs(math.Sqrt(float64(end*end)+float64(off*off))-m.near))
		}
		k := stayingEdge{in: edges[e].in, from: -1, to: -1, slack: side}
		if ofB {
			k.from, k.to = edges[e].i, edges[e].j
		}
		m.edges = append(m.edges, k)
	}
}

// stays reports whether the contacts of the list are those that combine would find now.
func (y *ContactPlanes) stays(s *Typist, kind Type, list *ContactList) bool {
	m := &list.Kept.Staying
	if !m.Known || kind != list.Type || m.near != y.Contact.near || !list.Kept.sameFeatures(y) {
		return false
	}
	moved := 0.0
	y.moves = y.moves[:0]
	for k, j := range y.SetB {
		d := s.HullB.At(int(j)).Sub(m.b[k])
		y.moves = append(y.moves, d)
		moved = max(moved, d.Norm2())
	}
	moved = math.Sqrt(moved)
	turned := y.Contact.N.Sub(m.N).Norm()
	if !(float64(2*moved)/m.short+float64(2*turned) < 1.0/256) {
		return false
	}
	rest := float64(m.perTurn*turned) + float64(8*s.Tol.Tie)
	if !(float64(m.perMove*moved)+rest < m.Slack) {
		return false
	}
	lever := m.wide / m.short
	bend := float64(12*lever*(moved/m.short)*moved) + rest
	for i := range m.edges {
		e := &m.edges[i]
		side := 0.0
		if e.from >= 0 {
			side = float64((1 + 2*lever) * max(math.Abs(e.in.Dot(y.moves[e.from])), math.Abs(e.in.Dot(y.moves[e.to]))))
		} else {
			for _, d := range y.moves {
				side = max(side, math.Abs(e.in.Dot(d)))
			}
		}
		if !(side+bend < e.slack) {
			return false
		}
	}
	return true
}

// sameFeatures reports whether the features next to the contact plane and at the contact point are
// those of the last step.
func (m *ListMemory) sameFeatures(y *ContactPlanes) bool {
	return slices.Equal(m.setA, y.SetA) && slices.Equal(m.setB, y.SetB) &&
		slices.Equal(m.facesA, y.facesA) && slices.Equal(m.facesB, y.facesB)
}
