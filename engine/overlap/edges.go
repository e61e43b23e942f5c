package overlap

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// strip is the section of a body along one of its edges that is parallel to the cutting plane and
// above it. The section lies between two lines parallel to the edge, one in each face of the edge.
// Frame: that of the edge, with s along the edge from its tail and y across, m. On each line the
// section reaches from lo to hi.
//
//	      lo[1] ─────────────────── hi[1]      y[1], in the face of the twin
//	s = 0 ●═══════════════════════════● length
//	   lo[0] ──────────────────────── hi[0]    y[0], in the face of the lower half-edge
type strip struct {
	along     vec.Vec3 // unit, world axes
	tail      vec.Vec3 // m, world axes, relative to A's origin
	y, lo, hi [2]float64
}

// cut fills the strip of edge e, and reports whether only the two faces of the edge take part.
// normal is the normal of the contact, unit, world axes. sign is +1 if normal points out of the
// body and -1 if it points in. y points to the left of the edge seen against normal.
//
// cut returns false if the edge is not parallel to the plane and on top of the body, or if the
// plane is below the end of a face. It also returns false unless one of the faces goes twice as
// deep as the plane: then measure would not hold the plane back.
func (s *strip) cut(v *soa.View, e uint16, at *pose, normal vec.Vec3, sign, gap float64) bool {
	if int(e) >= len(v.Edge) {
		return false
	}
	h := v.Edge[e]
	twin := v.Twin[h]
	near, far := &v.Rims[h], &v.Rims[twin]
	tail := v.Vert(v.Tail[h])
	along := v.Vert(v.Tail[twin]).Sub(tail).Scale(1 / near.Length)
	n := at.toBody(normal)
	if !(math.Abs(n.Dot(along)) <= tolAim) {
		return false
	}
	depth := max(0.5*math.Abs(gap), float64(tolSection*v.Radius))
	// The plane meets each face at the distance depth/slope from the edge.
	t0, t1 := depth/(-sign*n.Dot(near.In)), depth/(-sign*n.Dot(far.In))
	if !(t0 > 0 && t1 > 0 && t0 <= near.Rise && t1 <= far.Rise && (2*t0 <= near.Rise || 2*t1 <= far.Rise)) {
		return false
	}
	across := n.Cross(along)
	s.y[0], s.y[1] = float64(t0*across.Dot(near.In)), float64(t1*across.Dot(far.In))
	s.lo[0], s.hi[0] = float64(t0*near.FromTail), near.Length+float64(t0*near.FromHead)
	// The twin runs in the opposite direction.
	s.lo[1], s.hi[1] = float64(-t1*far.FromHead), near.Length-float64(t1*far.FromTail)
	s.along = at.toWorld(along)
	s.tail = at.pos.Add(at.toWorld(tail))
	return true
}

// crossing computes the location of a contact of two crossing edges. The strips along both edges
// share a parallelogram. If its corners lie between the ends of both strips, it is the common part
// of the two sections, for two reasons. Each line of a strip that bounds the parallelogram is a
// chord of the body's section there. And the sections lie within their strips.
//
//	A point of the mid-plane is α·alongA + β·alongB from the point where the edges cross.
//	Its y is S·β in A's strip and -S·α in B's, with S = normal·(alongA × alongB).
//
// Cost: constant. ok is false if the general method must compute the location.
func (c *Cutter) crossing(
	a, b *soa.View, normal vec.Vec3, gap float64, mid vec.Vec3, id soa.FacetID,
) (location vec.Vec3, area float64, ok bool) {
	p, q := &c.stripA, &c.stripB
	if a.Kind == soa.Facet || b.Kind == soa.Facet {
		return vec.Vec3{}, 0, false
	}
	if !p.cut(a, id.A, &c.poseA, normal, 1, gap) || !q.cut(b, id.B, &c.poseB, normal, -1, gap) {
		return vec.Vec3{}, 0, false
	}
	leftA, leftB := normal.Cross(p.along), normal.Cross(q.along)
	inverse := 1 / leftA.Dot(q.along)
	cosine := p.along.Dot(q.along)
	d := p.tail.Sub(q.tail)
	atA, atB := float64(d.Dot(leftB)*inverse), float64(d.Dot(leftA)*inverse)
	alpha0, alpha1 := float64(-q.y[0]*inverse), float64(-q.y[1]*inverse)
	beta0, beta1 := float64(p.y[0]*inverse), float64(p.y[1]*inverse)
	if !p.spans(atA, cosine, beta0, beta1, min(alpha0, alpha1), max(alpha0, alpha1)) ||
		!q.spans(atB, cosine, alpha0, alpha1, min(beta0, beta1), max(beta0, beta1)) {
		return vec.Vec3{}, 0, false
	}
	// Half the sides along A and along B.
	l, m := float64(0.5*math.Abs(alpha1-alpha0)), float64(0.5*math.Abs(beta1-beta0))
	sine := math.Abs(leftA.Dot(q.along))
	lm := float64(l*m) * sine
	if !(lm > float64(tolSlender*(l+m))*(l+m)) {
		return vec.Vec3{}, 0, false
	}
	location = p.tail.AddScaled(atA+float64(0.5*(alpha0+alpha1)), p.along).AddScaled(0.5*(beta0+beta1), q.along)
	location = location.AddScaled(normal.Dot(mid.Sub(location)), normal)
	if !location.Finite() {
		return vec.Vec3{}, 0, false
	}
	c.u, c.w = p.along, q.along
	c.xx, c.xy, c.yy = float64(l*l)*(1.0/3), 0, float64(m*m)*(1.0/3)
	return location, 4 * lm, true
}

// spans reports whether both lines of the strip contain their side of the parallelogram. The side
// reaches from low to high along the edge of the strip, measured from the crossing at s = at. On
// each line it is shifted by the component of the other edge along this one: other0 or other1 times
// cosine.
func (s *strip) spans(at, cosine, other0, other1, low, high float64) bool {
	s0, s1 := at+float64(other0*cosine), at+float64(other1*cosine)
	return s0+low >= s.lo[0] && s0+high <= s.hi[0] && s1+low >= s.lo[1] && s1+high <= s.hi[1]
}
