package typing

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// staying is how far the features of a list may move in the contact plane before their contacts can be others: what combine
// has found holds until one of the lengths that it compares with the tolerance, or with an edge, has come to the other
// side. Frame and scale of the search.
//
// As the vertices of B move by δ at most, seen from A, and the unit normal by ν, a point in the plane seen from another
// moves by δ + 2wν, w the way between them, and the direction of an edge of length l by (2δ/l + 2ν) and, for it is made
// unit again, a tenth more while that is small. So a length along or across an edge changes by no more than
// (1 + 2.2·w/l)·δ + 4.2·w·ν, and the length of an edge by 2δ more; w is the diameter of both sets, and l the
// shortest edge.
//
// That is too much for blocks whose edges lie next to one line, as those of a wall do, and slide along it: how far a vertex lies
// to the side of an edge changes by what moves to that side alone. With u across the edge that is u·Δ for a vertex of B,
// that moves by Δ, against an edge of A; against an edge of B, whose ends move by Δ₀ and Δ₁ while the vertex is of A and stands,
// (1−t)·u·Δ₀ + t·u·Δ₁ with |t| ≤ w/l, and no more than 12·w·δ²/l² for what that leaves out of the turn. Both come with 4.2·w·ν.
type staying struct {
	Known            bool
	Slack            float64 // the least of the lengths from their bounds, but for those to the side of an edge
	near             float64 // the tolerance
	perMove, perTurn float64 // by how much lengths change at most as vertices of B move by 1, and as the normal does
	wide, short      float64 // w and l
	N                vec.Vec3
	b                []vec.Vec3 // the vertices of B in the plane
	edges            []stayingEdge
}

// stayingEdge is an edge next to which vertices of the other body lie: u, where its ends stand among the vertices of B, or none for an
// edge of A; and the least of what they lie to its side from the bounds.
type stayingEdge struct {
	in       vec.Vec3
	from, to int
	slack    float64
}

// keep notes where the features of the plane are, with the slack of the places that combine has just compared.
func (y *Planes) keep(s *Typist, m *staying) {
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
	// Two points of one set are no farther apart than each is from a point of the other.
	m.wide = 2 * math.Sqrt(wide)
	m.perMove, m.perTurn = 3+float64(2.2*m.wide)/m.short, 4.2*m.wide
}

// keepEdges notes the slack of the places of n vertices against some edges, after which one of onEdge, insideAll and apart
// may say something else. A vertex next to an edge lies on it if it is beyond the circle about the end, and not past the end:
// from there, and from inside the circle, the way on to the edge leads through the circle.
func (m *staying) keepEdges(places []place, edges []outlineEdge, n int, ofB bool) {
	for e := range edges {
		side := math.Inf(1)
		for _, q := range places[e*n : e*n+n] {
			off := math.Abs(q.in)
			side = min(side, math.Abs(off-m.near))
			if off > m.near {
				continue // beside the edge, wherever along it
			}
			end := max(min(q.along, edges[e].length-q.along), 0)
			// Both change at a time.
			m.Slack = min(m.Slack, 0.5*math.Abs(math.Sqrt(float64(end*end)+float64(off*off))-m.near))
		}
		k := stayingEdge{in: edges[e].in, from: -1, to: -1, slack: side}
		if ofB {
			k.from, k.to = edges[e].i, edges[e].j
		}
		m.edges = append(m.edges, k)
	}
}

// stays reports whether the contacts that the list has of these very features are those that combine would find.
func (y *Planes) stays(s *Typist, kind Type, list *ContactList) bool {
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

// sameFeatures reports whether the features next to the contact plane and at the contact point are those of the step before.
func (m *ListMemory) sameFeatures(y *Planes) bool {
	return slices.Equal(m.setA, y.SetA) && slices.Equal(m.setB, y.SetB) &&
		slices.Equal(m.facesA, y.facesA) && slices.Equal(m.facesB, y.facesB)
}
