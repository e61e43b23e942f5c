package narrow

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TouchPoint is one of the points at which two pieces touch, for laws that apply forces at several
// points.
type TouchPoint struct {
	At  vec.Vec3 // m, half-way between the two surfaces, relative to the origin of A, world axes
	Gap float64  // m, between the surfaces at the point, along the answer's normal; negative when penetrating
	// Feature names what makes the point: a vertex of A, a vertex of B, two edges, or the contact
	// as a whole. It is positive and less than 2⁵³. It is unique among the points of a pair, and
	// stays the same as long as the same features meet.
	Feature uint64
	order   [2]uint16 // sort key of SortPoints
}

// PointKind tells which features make a point.
type PointKind uint8

// Values of PointKind.
const (
	PointOfContact PointKind = iota // the contact as a whole
	PointOfVertexA                  // a vertex of A, alone or on a vertex or an edge of B
	PointOfVertexB                  // a vertex of B, alone or on an edge of A
	PointOfEdges                    // two crossing edges
)

// Kind returns which features make the point.
func (p *TouchPoint) Kind() PointKind { return PointKind((p.Feature - 1) & (1<<kindBits - 1)) }

// Point.Feature is 1 plus a packed number. From the lowest bit on, the number holds the kind, the
// index in A, the index in B and a tag.
const (
	kindBits  = 2
	indexBits = 15 // a shape has fewer than 2¹⁵ edges, see soa.MaxVerts
	tagBits   = 20
	firstA    = kindBits
	firstB    = firstA + indexBits
	firstTag  = firstB + indexBits
)

// named returns the name and the sort key of a point of features a and b.
func named(kind PointKind, a, b uint16) (feature uint64, order [2]uint16) {
	switch kind {
	case PointOfContact:
		a, b = 0, 0
	case PointOfVertexA:
		order, b = [2]uint16{a, math.MaxUint16}, 0
	case PointOfVertexB:
		order, a = [2]uint16{b, math.MaxUint16}, 0
	case PointOfEdges:
		order = [2]uint16{min(a, b), max(a, b)}
	}
	return 1 + (uint64(kind) | uint64(a)<<firstA | uint64(b)<<firstB), order
}

// Tag makes the names of points on features of B unique among the pieces to which the contact of B
// may move, for example the facets of a wall. Two pieces share names only if their numbers differ
// by a multiple of 2²⁰.
func (p *TouchPoint) Tag(b soa.Number) {
	if k := p.Kind(); k == PointOfVertexB || k == PointOfEdges {
		p.Feature += uint64(b%(1<<tagBits)) << firstTag
	}
}

// WholePoint returns the point of a pair that touches at a single point: the midpoint of the
// answer's witness points.
func WholePoint(answer *Answer) TouchPoint {
	feature, order := named(PointOfContact, 0, 0)
	return TouchPoint{At: answer.ArmA.AddScaled(0.5*answer.Gap, answer.Normal), Gap: answer.Gap, Feature: feature, order: order}
}

// AppendPoints appends the points at which A and B touch, in no particular order. answer is the
// answer for the pair, with a gap of at most reach, m. A point is listed if its own gap is at most
// reach, so a point appears or vanishes where its gap equals reach.
//
// Two faces that meet touch at the corners of their common region, seen along the normal. A block
// touches a plane at its vertices, an edge touches a face at two points, and other blocks and balls
// touch at one point. If several faces of a shape form one face of the body as modelled, only the
// corners of the modelled face count. If rounding leaves no point, AppendPoints appends the
// midpoint of the witness points.
//
// AppendPoints allocates nothing once it has seen the largest shapes. Cost: the transform of B to
// A's frame, and the corners of one face times those of the other.
func (s *Search) AppendPoints(
	to []TouchPoint, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, answer *Answer,
) []TouchPoint {
	orIdentity(&pa, &pb)
	if b.Kind.IsEndless() && a.Kind.IsPolyhedron() {
		return AppendPlanePoints(to, a, pa, reach, answer)
	}
	before := len(to)
	s.in.Typist().FacePoints(a, pa, b, pb, answer, &s.points)
	round := a.Round + b.Round
	for i := range s.points.Basic {
		c := &s.points.Basic[i]
		if gap := c.Distance - round; gap <= reach {
			p := TouchPoint{At: c.Point.AddScaled(a.Round+float64(0.5*gap), answer.Normal), Gap: gap}
			p.Feature, p.order = named(kindOf(c.Type), c.A, c.B)
			if c.Type == TypeVertexVertex {
				p.order = [2]uint16{min(c.A, c.B), max(c.A, c.B)}
			}
			to = append(to, p)
		}
	}
	if len(to) == before {
		return append(to, WholePoint(answer))
	}
	return to[:before+len(onceEach(to[before:], Dtol(a, b)))]
}

// onceEach sorts points by their features and keeps one point of each feature, in the memory of
// points. A vertex within the tolerance of both an edge and an end of that edge may be listed with
// both: the first is kept. If it is listed with both ends of an edge parallel to the normal, the
// deeper one, by more than dtol, is kept.
func onceEach(points []TouchPoint, dtol float64) []TouchPoint {
	slices.SortStableFunc(points, func(p, q TouchPoint) int { return cmp.Compare(p.Feature, q.Feature) })
	kept := points[:0]
	for _, p := range points {
		last := len(kept) - 1
		switch {
		case last < 0 || kept[last].Feature != p.Feature:
			kept = append(kept, p)
		case p.Gap < kept[last].Gap-dtol:
			kept[last] = p
		}
	}
	return kept
}

// kindOf returns which features make the point of a basic contact of type t.
func kindOf(t Type) PointKind {
	switch t {
	case TypeVertexVertex, TypeVertexEdge, TypeVertexFace:
		return PointOfVertexA
	case TypeEdgeVertex, TypeFaceVertex:
		return PointOfVertexB
	}
	return PointOfEdges
}

// AppendPlanePoints is AppendPoints for a block A and a plane, where answer is the answer for the
// pair.
func AppendPlanePoints(to []TouchPoint, a *soa.View, pa vec.Pose, reach float64, answer *Answer) []TouchPoint {
	n, before := pa.Rot.RotateInv(answer.Normal), len(to)
	// The gap of vertex v is the answer's gap plus the distance by which v lies behind the witness
	// point.
	from := answer.Gap + n.Dot(pa.Rot.RotateInv(answer.ArmA)) - a.Round
	for k := range a.NVerts {
		v := a.Vert(soa.Vertex(k))
		if gap := from - n.Dot(v); gap <= reach && !typing.Inner(a, soa.Vertex(k)) {
			p := TouchPoint{At: pa.Rot.Rotate(v).AddScaled(a.Round+float64(0.5*gap), answer.Normal), Gap: gap}
			p.Feature, p.order = named(PointOfVertexA, uint16(k), 0)
			to = append(to, p)
		}
	}
	if len(to) == before { // If the gap equals reach, rounding may raise it above reach.
		return append(to, WholePoint(answer))
	}
	return to
}

// slant is a direction along which two points with the same feature index in A and in B almost
// always differ.
var slant = vec.Vec3{X: 0.8164, Y: 0.5376, Z: 0.2111}

// SortPoints sorts the points of one contact by their features. The order does not change if A and
// B are swapped. Vertices come first, by index, then crossings of edges, by the indices of the
// edges, the lower one first. Ties are broken by the position along slant.
func SortPoints(points []TouchPoint) {
	slices.SortStableFunc(points, func(p, q TouchPoint) int {
		return cmp.Or(
			p.crossings()-q.crossings(), cmp.Compare(p.order[0], q.order[0]), cmp.Compare(p.order[1], q.order[1]),
			cmp.Compare(slant.Dot(p.At.Sub(q.At)), 0), cmp.Compare(p.Feature, q.Feature))
	})
}

// crossings returns 1 for a point of crossing edges, and 0 for any other point.
func (p *TouchPoint) crossings() int {
	if p.Kind() == PointOfEdges {
		return 1
	}
	return 0
}

// ThinPoints returns at most most of the points of one contact, sorted by SortPoints. most must be
// at least 1. It selects the deepest point first, and then repeatedly the point that is farthest
// from all selected ones. Ties go to the first point.
func ThinPoints(points []TouchPoint, most int) []TouchPoint {
	if len(points) <= most {
		return points
	}
	for kept := range most {
		best, far := kept, math.Inf(-1)
		for k := kept; k < len(points); k++ {
			d := -points[k].Gap
			if kept > 0 {
				d = math.Inf(1)
				for j := range kept {
					d = min(d, points[k].At.Sub(points[j].At).Norm2())
				}
			}
			if d > far {
				best, far = k, d
			}
		}
		p := points[best]
		copy(points[kept+1:best+1], points[kept:best])
		points[kept] = p
	}
	points = points[:most]
	SortPoints(points)
	return points
}
