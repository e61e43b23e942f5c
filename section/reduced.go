package section

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// tolSection = √ε, relative to a body's bounding radius, is the least depth of the cutting plane
// inside the body. Heights over the plane have an error of ε·radius. A plane nearer to the surface
// would cut a face by rounding: at the depth tolSection the outline of a section has a relative
// error of ε/tolSection. A deeper plane would make the section of a body that only touches differ
// from its surface. The two errors are equal, 1.5e-8, at √ε. tolSection acts if |gap| is below 3e-8
// of the radius.
// Another value: the location errs by more than 1.5e-8.
const tolSection = 0x1p-26

// facetShare limits the depth of the cutting plane if one of the bodies is a facet: the plane lies
// at most at this share of the body's thickness along the normal. A row of facets, or a body
// between them, is often thinner than the depth. A plane at the far end could cut an edge there
// that is parallel to the plane but for rounding, and the location would have an error of √ε of the
// edge's length. A sixteenth before the end, the error is 16·ε·radius/thickness.
// Smaller: sections of shallower overlaps change. Larger: the location over thin rows is exact only
// to √(2ε) of their length.
const facetShare = 15.0 / 16

// Cutter is the workspace of one worker. Goroutines must not share a Cutter.
type Cutter struct {
	heights      []float64 // by vertex, over the cutting plane
	left         []float64 // by corner, distance to the left of the line that clips
	polyA, polyB []point
	clipped      []point
	ring         vec.Ring
	hull         []point
	prismA       drum
	prismB       drum
	poseA, poseB pose
	sideA, sideB cutBody

	// The last section, for Gyration: second moments over the area, m², on the axes u and w. The
	// axes are unit vectors in world axes. They are orthogonal except after crossing edges.
	xx, xy, yy float64
	u, w       vec.Vec3
}

// NewCutter returns an empty Cutter. Its columns grow with the largest shapes that it meets.
func NewCutter() *Cutter { return new(Cutter) }

// BallLocation returns the location of a contact with a ball: the midpoint of the witness points.
// These are the ball's surface point and the closest point of the other piece. armA and armB are
// relative to pa.Pos and pb.Pos; the result is relative to pa.Pos; all in m, world axes.
func BallLocation(pa, pb vec.Pose, armA, armB vec.Vec3) vec.Vec3 {
	rel := pb.Pos.Sub(pa.Pos)
	return armA.AddScaled(0.5, rel.Add(armB).Sub(armA))
}

// Reduced returns the location of the contact of A and B, and the area of the common section.
//
// normal is unit, from A to B. gap is negative if they penetrate, m. armA and armB are the witness
// points relative to pa.Pos and pb.Pos. The location is relative to pa.Pos, m, world axes, and lies on
// the plane through the midpoint of the witness points. For a ball, Reduced returns BallLocation
// and area 0.
//
// Source: PFC's reduced contact resolution. We depart from it in four points. (1) The plane that
// cuts A lies max(|gap|/2, tolSection·radius) inside A's deepest point, and likewise for B. The
// sections are projected on the mid-plane along the normal. For a negative gap both planes are the
// mid-plane but for rounding. For other gaps and for rounded bodies this is PFC's displacement of
// the cores, and the location is continuous through zero. (2) If the plane is deeper than the body
// is thick, it stops at the far end. (3) If one of the bodies is a facet, it stops a little before
// (facetShare). (4) A facet is cut as a prism; see prism.
//
// Cost: O(vertices) for the heights and O(cut length) for the walk. Clipping costs the product of the numbers of sides, or their sum if there are many (plainCuts).
//
// If the sections share no point, ok is false and the location is the midpoint of the witness
// points. Exact input excludes this case; rounding of a lateral touch can cause it. Finite input
// yields a finite location.
func (c *Cutter) Reduced(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, normal vec.Vec3, gap float64, armA, armB vec.Vec3,
) (location vec.Vec3, area float64, ok bool) {
	mid := BallLocation(pa, pb, armA, armB)
	if a.Kind.IsRound() || b.Kind.IsRound() {
		c.clearMoments()
		return mid, 0, true
	}
	c.poseA.set(pa.Rot, vec.Vec3{})
	c.poseB.set(pb.Rot, pb.Pos.Sub(pa.Pos))
	c.u, c.w = axes(normal)
	sa, sb := &c.sideA, &c.sideB
	c.turn(sa, a, &c.poseA, mid, normal)
	c.turn(sb, b, &c.poseB, mid, normal.Neg())
	if a.Kind.IsFlat() {
		c.prismA.extrude(sa, &c.poseA, sb.at, 2*b.Radius)
	}
	if b.Kind.IsFlat() {
		c.prismB.extrude(sb, &c.poseB, sa.at, 2*a.Radius)
	}
	if a.Kind.IsFlat() || b.Kind.IsFlat() {
		sa.share, sb.share = facetShare, facetShare
	}
	unit, back := scale(max(sa.radius, sb.radius))
	c.polyA = c.cut(c.polyA, sa, false, gap, unit)
	c.polyB = c.cut(c.polyB, sb, true, gap, unit)
	return c.locate(mid, c.clip(), back)
}

// cut returns the section of a body in the storage of poly, counter-clockwise about the normal and
// strictly convex. The section of B is walked clockwise about the normal.
func (c *Cutter) cut(poly []point, s *cutBody, ofB bool, gap, unit float64) []point {
	poly = c.section(poly[:0], s, gap, unit)
	if ofB {
		slices.Reverse(poly)
	}
	return c.convex(poly)
}

// OnPlane is Reduced for a body on an infinite plane: only the section of A counts. normal is unit
// and points into the plane. mid is the midpoint of the witness points, relative to pa.Pos.
func (c *Cutter) OnPlane(
	a *soa.View, pa vec.Pose, normal vec.Vec3, gap float64, mid vec.Vec3,
) (location vec.Vec3, area float64, ok bool) {
	if a.Kind.IsRound() {
		c.clearMoments()
		return mid, 0, true
	}
	c.poseA.set(pa.Rot, vec.Vec3{})
	c.u, c.w = axes(normal)
	back := c.cutAlone(a, normal, gap, mid)
	return c.locate(mid, c.polyA, back)
}

// cutAlone fills polyA with the section of A, and returns the length of polyA's unit, m. The pose
// of A and the axes must be set.
func (c *Cutter) cutAlone(a *soa.View, normal vec.Vec3, gap float64, mid vec.Vec3) (back float64) {
	c.turn(&c.sideA, a, &c.poseA, mid, normal)
	unit, back := scale(a.Radius)
	c.polyA = c.convex(c.section(c.polyA[:0], &c.sideA, gap, unit))
	return back
}

// Outline appends the corners of the section that OnPlane measures, moved along the normal to the
// plane through mid. They are relative to pa.Pos, m, world axes, counter-clockwise about the
// normal. Outline appends nothing if there is no section. Cost: as OnPlane.
func (c *Cutter) Outline(to []vec.Vec3, a *soa.View, pa vec.Pose, normal vec.Vec3, gap float64, mid vec.Vec3) []vec.Vec3 {
	c.poseA.set(pa.Rot, vec.Vec3{})
	c.u, c.w = axes(normal)
	back := c.cutAlone(a, normal, gap, mid)
	for _, p := range c.polyA {
		to = append(to, mid.AddScaled(float64(p.x*back), c.u).AddScaled(float64(p.y*back), c.w))
	}
	return to
}

// locate returns the centroid and the area of a section, and stores its moments for Gyration. The
// corners are on the axes u and w through mid, in units of back, m.
func (c *Cutter) locate(mid vec.Vec3, section []point, back float64) (vec.Vec3, float64, bool) {
	if len(section) == 0 {
		c.clearMoments()
		return mid, 0, false
	}
	m := measureArea(section)
	location := mid.AddScaled(float64(m.x*back), c.u).AddScaled(float64(m.y*back), c.w)
	if !location.Finite() {
		c.clearMoments()
		return mid, 0, false
	}
	c.storeMoments(m.xx, m.xy, m.yy, float64(back*back))
	return location, m.area * back * back, true
}

// storeMoments stores second moments for Gyration; k, m², is their unit. Rounding can make the
// variance of a sliver negative; it is clamped to 0.
func (c *Cutter) storeMoments(xx, xy, yy, k float64) {
	c.xx, c.xy, c.yy = float64(max(xx, 0)*k), float64(xy*k), float64(max(yy, 0)*k)
}

// clearMoments stores zero moments: there is no section.
func (c *Cutter) clearMoments() { c.xx, c.xy, c.yy = 0, 0, 0 }

// Gyration returns the second moments of the last section over its area, ∫ r·rᵀ dA / A with r from
// the centroid, m², world axes. They measure how wide the contact is in each direction. Gyration
// returns zero for a ball, or if there was no section.
func (c *Cutter) Gyration() vec.Sym3 {
	if c.xx == 0 && c.xy == 0 && c.yy == 0 {
		return vec.Sym3{} // with u and w of an earlier section, zeros would have signs
	}
	// xx·u·uᵀ + xy·(u·wᵀ + w·uᵀ) + yy·w·wᵀ
	u, w := c.u, c.w
	p := u.Scale(c.xx).AddScaled(c.xy, w)
	q := u.Scale(c.xy).AddScaled(c.yy, w)
	return vec.Sym3{
		XX: float64(p.X*u.X) + float64(q.X*w.X),
		YY: float64(p.Y*u.Y) + float64(q.Y*w.Y),
		ZZ: float64(p.Z*u.Z) + float64(q.Z*w.Z),
		XY: float64(p.X*u.Y) + float64(q.X*w.Y),
		XZ: float64(p.X*u.Z) + float64(q.X*w.Z),
		YZ: float64(p.Y*u.Z) + float64(q.Y*w.Z),
	}
}

// turn fills in a side, with directions in the frame of the view. out is the unit normal towards
// the other body, world axes.
func (c *Cutter) turn(s *cutBody, v *soa.View, at *pose, mid, out vec.Vec3) {
	s.view, s.radius, s.nTop, s.share = v, v.Radius, v.NVerts, 1
	s.out, s.u, s.w = at.toBody(out), at.toBody(c.u), at.toBody(c.w)
	s.at = at.pos.Sub(mid)
}

// scale returns a power of two that brings size to [1/2, 1), and its inverse. Both are normal
// numbers.
func scale(size float64) (unit, back float64) {
	if !(size > 0 && size <= math.MaxFloat64) {
		return 1, 1
	}
	// The exponent field of size is its binary exponent plus 1022. The exponent of a subnormal is
	// clamped.
	e := int64(math.Float64bits(size)>>52) - 1022
	e = max(-1000, min(e, 1000))
	return math.Float64frombits(uint64(1023-e) << 52), math.Float64frombits(uint64(1023+e) << 52)
}
