package narrow

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// staying is how far the features of a list may move in the contact plane before their contacts can be others: what combine
// has found holds until one of the lengths that it compares with the tolerance, or with an edge, has come to the other
// side. Frame and scale of the search.
type staying struct {
	slack            float64 // the least of those lengths from its bound; 0 where nothing is known
	near             float64 // the tolerance
	perMove, perTurn float64 // by how much they change at most as vertices of B move by 1, and as the normal does
	n                vec.Vec3
	b                []vec.Vec3 // the vertices of B in the plane
}

// keep notes where the features of the plane are, with the slack of the places that combine has just compared.
//
// As the vertices of B move by δ at most, seen from A, and the unit normal by ν, a point in the plane seen from another
// moves by δ + 2wν, w the way between them, and the direction of an edge of length l by (2δ/l + 2ν) and, for it is made
// unit again, a tenth more while that is small. So a length along or across an edge changes by no more than
// (1 + 2.2·w/l)·δ + 4.2·w·ν, and the length of an edge by 2δ more; w is the diameter of both sets, and l the
// shortest edge.
func (y *typing) keep(s *Search, m *staying) {
	p := &y.pair
	m.slack, m.near, m.n = p.slackOf(y.side.ofA, y.onA.edges, len(y.setB)), p.near, p.n
	m.slack = min(m.slack, p.slackOf(y.side.ofB, y.onB.edges, len(y.setA)))
	m.b = m.b[:0]
	wide := 0.0
	for _, j := range y.setB {
		b := s.b.at(int(j))
		m.b = append(m.b, b)
		for _, i := range y.setA {
			w := b.Sub(s.a.at(int(i)))
			m.slack = min(m.slack, math.Abs(math.Sqrt(w.AddScaled(-w.Dot(p.n), p.n).Norm2())-p.near))
			wide = max(wide, w.Norm2())
		}
	}
	short := math.Inf(1)
	for _, edges := range [2][]outlineEdge{y.onA.edges, y.onB.edges} {
		for i := range edges {
			short = min(short, edges[i].length)
		}
	}
	// Two points of one set are no farther apart than each is from a point of the other.
	w := 2 * math.Sqrt(wide)
	m.perMove, m.perTurn = 3+float64(2.2*w)/short, 4.2*w
}

// slackOf is the least change of the places of n vertices against some edges after which one of onEdge, insideOutline and apart
// may say something else. A vertex next to an edge lies on it if it is beyond the circle about the end, and not past the end:
// from there, and from inside the circle, the way on to the edge leads through the circle.
func (p *plane) slackOf(places []place, edges []outlineEdge, n int) float64 {
	least := math.Inf(1)
	for i := range places {
		q := &places[i]
		off := math.Abs(q.in)
		least = min(least, math.Abs(off-p.near))
		if off > p.near {
			continue // beside the edge, wherever along it
		}
		end := max(min(q.along, edges[i/n].length-q.along), 0)
		// Both change at a time.
		least = min(least, 0.5*math.Abs(math.Sqrt(float64(end*end)+float64(off*off))-p.near))
	}
	return least
}

// stays says whether the contacts that the list has of these very features are those that combine would find.
func (y *typing) stays(s *Search, kind Type, list *ContactList) bool {
	m := &list.memory.stays
	if !(m.slack > 0) || kind != list.Type || m.near != y.pair.near || !list.memory.sameFeatures(y) {
		return false
	}
	moved := 0.0
	for k, j := range y.setB {
		moved = max(moved, s.b.at(int(j)).Sub(m.b[k]).Norm2())
	}
	turned := y.pair.n.Sub(m.n).Norm()
	return float64(m.perMove*math.Sqrt(moved))+float64(m.perTurn*turned)+float64(8*s.tol.tie) < m.slack
}

// sameFeatures says whether the features next to the contact plane and at the contact point are those of the step before.
func (m *listMemory) sameFeatures(y *typing) bool {
	return slices.Equal(m.setA, y.setA) && slices.Equal(m.setB, y.setB) &&
		slices.Equal(m.facesA, y.facesA) && slices.Equal(m.facesB, y.facesB)
}
