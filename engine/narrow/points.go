package narrow

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Point is one of the points in which two pieces touch, for laws that act at several.
type Point struct {
	At  vec.Vec3 // m, half-way between the two surfaces, relative to the origin of A, world axes
	Gap float64  // m, between the surfaces at the point, along the normal of the answer; negative when penetrating
	// Feature names the vertex of A, the vertex of B or the two edges that make the point, or the contact as a whole. It is above
	// 0, below 2⁵³, the same while the same features meet, and no other point of the pair has it.
	Feature uint64
	order   [2]uint16 // of SortPoints
}

// PointKind is what makes a point.
type PointKind uint8

const (
	PointOfContact PointKind = iota // the contact as a whole
	PointOfVertexA                  // a vertex of A, alone or on a vertex or an edge of B
	PointOfVertexB                  // a vertex of B, alone or on an edge of A
	PointOfEdges                    // two edges that cross
)

// Kind returns what makes the point.
func (p *Point) Kind() PointKind { return PointKind((p.Feature - 1) & (1<<kindBits - 1)) }

// A Feature is 1 and, from its last bit on, the kind, the index of A, that of B, and a tag.
const (
	kindBits  = 2
	indexBits = 15 // a shape has fewer than 2¹⁵ edges, see soa.MaxVerts
	tagBits   = 20
	firstA    = kindBits
	firstB    = firstA + indexBits
	firstTag  = firstB + indexBits
)

// named returns the name of a point of two features, and its place in the order.
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

// Tag makes the names of points by features of B differ from those of another piece that B's contact may pass to, such as another
// facet of its wall: pieces whose numbers differ by a multiple of 2²⁰ share them.
func (p *Point) Tag(b soa.Piece) {
	if k := p.Kind(); k == PointOfVertexB || k == PointOfEdges {
		p.Feature += uint64(b%(1<<tagBits)) << firstTag
	}
}

// WholePoint returns the point of a pair that touches in one: half-way between the witness points of an answer.
func WholePoint(answer *Answer) Point {
	feature, order := named(PointOfContact, 0, 0)
	return Point{At: answer.ArmA.AddScaled(0.5*answer.Gap, answer.Normal), Gap: answer.Gap, Feature: feature, order: order}
}

// AppendPoints appends the points in which A and B touch, in no particular order: those with a gap of at most reach, m, of an answer with
// at most that gap. Two faces that meet touch in the corners of what they have in common as seen along the normal, a block on a plane
// in its corners, an edge on a face in two points, other blocks and balls in one. A point comes and goes where its gap is the
// reach. Of faces that are one face of the body as modelled the corners of that count. Where rounding leaves no point, it appends the
// middle of the witness points.
//
// It allocates nothing once the largest shapes have been seen. Cost: that of bringing B into A's frame, and the corners of one
// face times those of the other.
func (s *Search) AppendPoints(
	to []Point, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, answer *Answer,
) []Point {
	orIdentity(&pa, &pb)
	if b.Kind == soa.Plane && a.Kind == soa.Block {
		return AppendPlanePoints(to, a, pa, reach, answer)
	}
	before := len(to)
	s.in.Typist().FacePoints(a, pa, b, pb, answer, &s.points)
	round := a.Round + b.Round
	for i := range s.points.Basic {
		c := &s.points.Basic[i]
		if gap := c.Distance - round; gap <= reach {
			p := Point{At: c.Point.AddScaled(a.Round+float64(0.5*gap), answer.Normal), Gap: gap}
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
	// A vertex that is within the tolerance of an edge and of its end may be listed with both.
	fresh := to[before:]
	slices.SortStableFunc(fresh, func(p, q Point) int { return cmp.Compare(p.Feature, q.Feature) })
	return to[:before+len(slices.CompactFunc(fresh, func(p, q Point) bool { return p.Feature == q.Feature }))]
}

// kindOf returns what makes the point of a basic contact.
func kindOf(t Type) PointKind {
	switch t {
	case TypeVertexVertex, TypeVertexEdge, TypeVertexFace:
		return PointOfVertexA
	case TypeEdgeVertex, TypeFaceVertex:
		return PointOfVertexB
	}
	return PointOfEdges
}

// AppendPlanePoints is AppendPoints of a block, and a plane that an answer is of.
func AppendPlanePoints(to []Point, a *soa.View, pa vec.Pose, reach float64, answer *Answer) []Point {
	n, before := pa.Rot.RotateInv(answer.Normal), len(to)
	// The gap of a vertex v is that of the answer, and how far v lies behind the witness point.
	from := answer.Gap + n.Dot(pa.Rot.RotateInv(answer.ArmA)) - a.Round
	for k := range a.NVerts {
		v := a.Vert(soa.Vertex(k))
		if gap := from - n.Dot(v); gap <= reach && !typing.Inner(a, soa.Vertex(k)) {
			p := Point{At: pa.Rot.Rotate(v).AddScaled(a.Round+float64(0.5*gap), answer.Normal), Gap: gap}
			p.Feature, p.order = named(PointOfVertexA, uint16(k), 0)
			to = append(to, p)
		}
	}
	if len(to) == before { // A gap that is the reach may round above it.
		return append(to, WholePoint(answer))
	}
	return to
}

// slant is a direction along which two points of one feature number of A and of B mostly differ.
var slant = vec.Vec3{X: 0.8164, Y: 0.5376, Z: 0.2111}

// SortPoints sorts the points of one contact by features, in an order that does not change where A and B are swapped: vertices by
// their indices, then crossings by those of their edges, lower ones first; of equals that along slant.
func SortPoints(points []Point) {
	slices.SortStableFunc(points, func(p, q Point) int {
		return cmp.Or(
			p.crossings()-q.crossings(), cmp.Compare(p.order[0], q.order[0]), cmp.Compare(p.order[1], q.order[1]),
			cmp.Compare(slant.Dot(p.At.Sub(q.At)), 0), cmp.Compare(p.Feature, q.Feature))
	})
}

// crossings returns 1 for a point of edges that cross, and 0 for others.
func (p *Point) crossings() int {
	if p.Kind() == PointOfEdges {
		return 1
	}
	return 0
}

// ThinPoints keeps at most so many of the points of one contact, most ≥ 1, in their order: the deepest, then again and again the one that is
// farthest from all those kept. Of equals it takes the first.
func ThinPoints(points []Point, most int) []Point {
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
