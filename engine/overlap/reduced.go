package overlap

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// tolSection, relative to a body's bounding radius, is how far at least its cutting plane lies inside
// it: √ε. Heights over the plane are known to ε·radius. Nearer to the surface a face would be cut by
// rounding (at tolSection the outline of a section is known to ε/tolSection of its width); further in,
// the section of a body that only touches would no longer be that of its surface. The two errors are
// equal, 1.5e-8, at √ε. It acts where |gap| is below 3e-8 of the radius.
const tolSection = 0x1p-26

// Cutter is the workspace of one worker. Not for two goroutines at once.
type Cutter struct {
	heights      []float64 // by vertex, over the plane that cuts it
	left         []float64 // by corner, of the line that clips it
	polyA, polyB []point
	clipped      []point
	hull         []point
	prismA       prism
	prismB       prism

	// The last section, for Gyration: a polygon on the axes u and w, and the length of its unit.
	common []point
	u, w   vec.Vec3
	back   float64
}

// NewCutter returns a Cutter. Its columns grow with the largest shapes it meets.
func NewCutter() *Cutter { return new(Cutter) }

// BallLocation returns where a contact with a ball acts: the midpoint of the witness points, which are
// the ball's surface point and the closest point of the other piece. armA and armB are relative to
// pa.Pos and pb.Pos; the result is relative to pa.Pos; all in m, world axes.
func BallLocation(pa, pb vec.Pose, armA, armB vec.Vec3) vec.Vec3 {
	rel := pb.Pos.Sub(pa.Pos)
	return armA.AddScaled(0.5, rel.Add(armB).Sub(armA))
}

// side is one of the two bodies on its way to a section. Directions are in the frame of the view.
type side struct {
	view   *soa.View
	out    vec.Vec3 // unit, towards the other body
	u, w   vec.Vec3 // the axes of the mid-plane
	at     vec.Vec3 // world axes, m: the view's origin relative to the midpoint of the witness points
	radius float64  // m, about the view's origin
	nTop   int      // vertices that count for the deepest point: all, or the polygon of a prism
}

// Reduced returns where the contact of A and B acts, and the area of the common section.
//
// normal is unit, from A to B; gap is negative when they penetrate, m; armA and armB are the witness
// points relative to pa.Pos and pb.Pos. The location is relative to pa.Pos, m, world axes; it lies on
// the plane through the midpoint of the witness points. A ball gives BallLocation with area 0.
//
// Source: PFC's reduced contact resolution. Where we depart from it: the plane that cuts A lies
// max(|gap|/2, tolSection·radius) inside A's deepest point, the one that cuts B likewise in B, and the
// sections meet projected on the mid-plane along the normal. For a negative gap both are the mid-plane
// but for rounding; for a gap of zero or above, and for rounded bodies, it is PFC's displacement of the
// cores, and it makes the location continuous through zero. A plane deeper than the body is thick stops
// at its far end. A facet is cut as a prism; see prism.
//
// Cost: O(vertices) for the heights, O(cut length) for the walk, and the product of the two sections'
// sides for the clipping. ok is false, with the midpoint of the witness points as the location, when
// the sections share no point, which exact input excludes and rounding of a lateral touch can do.
// Finite input gives a finite location.
func (c *Cutter) Reduced(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, normal vec.Vec3, gap float64, armA, armB vec.Vec3,
) (location vec.Vec3, area float64, ok bool) {
	mid := BallLocation(pa, pb, armA, armB)
	c.common = c.common[:0]
	if a.Kind == soa.Ball || b.Kind == soa.Ball {
		return mid, 0, true
	}
	u := normal.Perpendicular()
	w := normal.Cross(u)
	sa := newSide(a, pa.Rot, mid.Neg(), normal, u, w)
	sb := newSide(b, pb.Rot, pb.Pos.Sub(pa.Pos).Sub(mid), normal.Neg(), u, w)
	if a.Kind == soa.Facet {
		c.prismA.extrude(&sa, pa.Rot, sb.at, 2*b.Radius)
	}
	if b.Kind == soa.Facet {
		c.prismB.extrude(&sb, pb.Rot, sa.at, 2*a.Radius)
	}

	unit, back := scale(max(sa.radius, sb.radius))
	c.polyA = c.section(c.polyA[:0], &sa, gap, u, w, unit)
	c.polyB = c.section(c.polyB[:0], &sb, gap, u, w, unit)
	reverse(c.polyB) // Seen along the normal, B's section was walked clockwise.
	c.polyA = c.convex(c.polyA)
	c.polyB = c.convex(c.polyB)
	return c.locate(mid, c.clip(), u, w, back)
}

// OnPlane is Reduced for a body on a plane without end: the section of A alone counts. normal is unit
// and points into the plane; armA is A's deepest point.
func (c *Cutter) OnPlane(
	a *soa.View, pa vec.Pose, normal vec.Vec3, gap float64, armA vec.Vec3,
) (location vec.Vec3, area float64, ok bool) {
	mid := armA.AddScaled(0.5*gap, normal)
	c.common = c.common[:0]
	if a.Kind == soa.Ball {
		return mid, 0, true
	}
	u := normal.Perpendicular()
	w := normal.Cross(u)
	sa := newSide(a, pa.Rot, mid.Neg(), normal, u, w)
	unit, back := scale(sa.radius)
	c.polyA = c.convex(c.section(c.polyA[:0], &sa, gap, u, w, unit))
	return c.locate(mid, c.polyA, u, w, back)
}

// locate returns the centroid and the area of a section, whose corners are on the axes u and w through
// mid, and keeps it for Gyration.
func (c *Cutter) locate(mid vec.Vec3, section []point, u, w vec.Vec3, back float64) (vec.Vec3, float64, bool) {
	if len(section) == 0 {
		return mid, 0, false
	}
	x, y, area := centroid(section)
	location := mid.AddScaled(float64(x*back), u).AddScaled(float64(y*back), w)
	if !location.Finite() {
		return mid, 0, false
	}
	c.common, c.u, c.w, c.back = section, u, w, back
	return location, area * back * back, true
}

// Gyration returns the second moments of the last section over its area, ∫ r·rᵀ dA / A with r from the
// centroid, m², world axes: how wide the contact is in each direction. It is zero for a ball, and where
// there was no section.
func (c *Cutter) Gyration() vec.Sym3 {
	if len(c.common) == 0 {
		return vec.Sym3{}
	}
	xx, xy, yy := moments(c.common)
	k := float64(c.back * c.back)
	xx, xy, yy = float64(xx*k), float64(xy*k), float64(yy*k)
	// xx·u·uᵀ + xy·(u·wᵀ + w·uᵀ) + yy·w·wᵀ
	p := c.u.Scale(xx).AddScaled(xy, c.w)
	q := c.u.Scale(xy).AddScaled(yy, c.w)
	u, w := c.u, c.w
	return vec.Sym3{
		XX: float64(p.X*u.X) + float64(q.X*w.X),
		YY: float64(p.Y*u.Y) + float64(q.Y*w.Y),
		ZZ: float64(p.Z*u.Z) + float64(q.Z*w.Z),
		XY: float64(p.X*u.Y) + float64(q.X*w.Y),
		XZ: float64(p.X*u.Z) + float64(q.X*w.Z),
		YZ: float64(p.Y*u.Z) + float64(q.Y*w.Z),
	}
}

// newSide turns the directions into the frame of the view. out is the unit normal towards the other
// body, at the place of the body relative to the midpoint, world axes.
func newSide(v *soa.View, rot vec.Quat, at, out, u, w vec.Vec3) side {
	return side{
		view: v, out: rot.RotateInv(out), u: rot.RotateInv(u), w: rot.RotateInv(w),
		at: at, radius: v.Radius, nTop: v.NVerts,
	}
}

// scale returns a power of two that brings size to [1/2, 1), and its inverse; both normal numbers.
func scale(size float64) (unit, back float64) {
	if !(size > 0 && size <= math.MaxFloat64) {
		return 1, 1
	}
	_, e := math.Frexp(size)
	e = max(-1000, min(e, 1000))
	return math.Ldexp(1, -e), math.Ldexp(1, e)
}
