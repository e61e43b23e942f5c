package overlap

import (
	"math"
	"math/bits"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// This file computes the location for bodies whose vertices all have three edges, such as cubes,
// bricks and tetrahedra. The part of such a body above a cutting plane mostly contains one vertex,
// one edge or one face. The edges that leave this feature are its star (soa.Star). The section then
// is a quadrangle with one corner on each edge of the star. The common part of two quadrangles
// needs no polygons of variable length.

const (
	// tolBeside, relative to the square of the sum of both radii, is the least value of side length
	// × distance for which the sign is certain: the side of one section and the distance of a
	// corner of the other section from it. These products have an error of some 2^-50.
	tolBeside = 0x1p-42
	// tolLevel is the least sine of the angle between two sides that intersect. The intersection
	// has an error of some 2^-51 over the sine.
	tolLevel = 0x1p-10
	// tolClear, relative to a body's radius, is the least height over the plane of a vertex that
	// counts as above, and the least height difference of neighbours. It is well above the rounding
	// of heights, 2^-51, and below tolSection.
	tolClear = 0x1p-44
	// tolSmall is the least area of a common section that this file accepts. It is relative to the
	// square of the section's size plus the square of its distance from the witness points.
	tolSmall = 0x1p-12
)

// stars computes the location of a contact if the plane leaves a star of each body. It searches for
// the stars from the features that id names. ok is false if another method must compute the
// location. Below, each star has four edges, and each section four sides and four corners.
//
// The result is correct whatever the features are. If all vertices of a star lie above the plane
// and the heads of all its edges lie below, the star contains a highest vertex of the convex body,
// and everything above the plane.
//
// Cost: constant.
func (c *Cutter) stars(
	a, b *soa.View, normal vec.Vec3, gap float64, mid vec.Vec3, id soa.FacetID,
) (location vec.Vec3, area float64, ok bool) {
	if a.Kind != soa.Block || b.Kind != soa.Block {
		return vec.Vec3{}, 0, false
	}
	outA, outB := c.poseA.toBody(normal), c.poseB.toBody(normal.Neg())
	half := 0.5 * math.Abs(gap)
	starA := starOf(a, id, true, outA, half)
	if starA == 0 {
		return vec.Vec3{}, 0, false
	}
	starB := starOf(b, id, false, outB, half)
	if starB == 0 {
		return vec.Vec3{}, 0, false
	}
	c.u, c.w = axes(normal)
	p, q := &c.quadA, &c.quadB
	if !c.cutEdges(p, (*starRow)(a.Stars[starA:]), &c.poseA, outA, mid, half) ||
		!c.cutEdges(q, (*starRow)(b.Stars[starB:]), &c.poseB, outB, mid, half) {
		return vec.Vec3{}, 0, false
	}
	// Seen along the normal, the section of B turns the other way.
	q[0], q[1], q[2], q[3] = q[3], q[2], q[1], q[0]
	size := a.Radius + b.Radius
	s := sideSum{}
	if !s.common(p, q, float64(float64(tolBeside*size)*size)) {
		return vec.Vec3{}, 0, false
	}
	m := s.moments()
	if !(s.twice > float64(tolSmall*(((m.xx+m.yy)+float64(m.x*m.x))+float64(m.y*m.y)))) {
		return vec.Vec3{}, 0, false
	}
	location = mid.AddScaled(m.x, c.u).AddScaled(m.y, c.w)
	c.storeMoments(m.xx, m.xy, m.yy, 1)
	return location, m.area, true
}

// starOf returns the star that a plane cuts at the depth half below the highest vertex, or 0 if
// there is none. The search starts at the feature that id names of A or of B. out is unit, frame of
// v. If cutEdges accepts any star, starOf returns this star: it starts at the highest vertex up to
// the rounding of heights, and cutEdges demands more clearance than this rounding.
func starOf(v *soa.View, id soa.FacetID, ofA bool, out vec.Vec3, half float64) soa.Star {
	if id.Kind != soa.FaceVertex && id.Kind != soa.VertexFace && id.Kind != soa.EdgeEdge {
		return 0
	}
	depth := max(half, float64(tolSection*v.Radius))
	k := firstVertex(v, id, ofA)
	for range v.NVerts {
		star := v.StarOfVertex[k]
		if star == 0 {
			return 0
		}
		ring := (*[3]soa.HalfEdge)(v.Ring[v.RingFirst[k]:])
		tip := v.Vert(k)
		above := 0
		highest, next := float64(tolClear*v.Radius), k
		for i, h := range ring {
			head := v.Tail[v.Twin[h]]
			d := out.Dot(v.Vert(head).Sub(tip))
			if d > -depth {
				above |= 1 << i
				if d > highest {
					highest, next = d, head
				}
			}
		}
		if next != k {
			k = next
			continue
		}
		// The ring turns clockwise. The face of an edge lies between this edge and the previous
		// one.
		switch above {
		case 0:
			return star
		case 1, 2, 4:
			return v.StarOfHalf[ring[above>>1]]
		case 3:
			return v.StarOfFace[v.Face[ring[1]]]
		case 6:
			return v.StarOfFace[v.Face[ring[2]]]
		case 5:
			return v.StarOfFace[v.Face[ring[0]]]
		}
		return 0
	}
	return 0
}

// quad has the corners of a section, m, on the axes u and w through the midpoint of the witness
// points.
type quad [soa.StarEdges]point

// starRow is a row of the table of stars.
type starRow [soa.StarSize]float64

// cutEdges fills to with the points where the edges of a star meet the plane. It returns false
// unless each edge leads from clearly above the plane to so far below that measure would not hold
// the plane back.
func (c *Cutter) cutEdges(to *quad, row *starRow, at *pose, out, mid vec.Vec3, half float64) bool {
	radius := row[6*soa.StarEdges]
	least, clear := float64(tolSection*radius), float64(tolClear*radius)
	depth := half
	if !(half > least) {
		depth = least
	}
	var heights [soa.StarEdges]float64
	best := math.Inf(-1)
	for i := range heights {
		h := float64(out.X*row[6*i]) + float64(out.Y*row[6*i+1]) + float64(out.Z*row[6*i+2])
		heights[i] = h
		if h > best {
			best = h
		}
	}
	u, w := at.toBody(c.u), at.toBody(c.w)
	from := at.pos.Sub(mid)
	x0, y0 := c.u.Dot(from), c.w.Dot(from)
	for i, h := range heights {
		edge := (*[6]float64)(row[6*i:])
		above := (h - best) + depth
		fall := float64(out.X*edge[3]) + float64(out.Y*edge[4]) + float64(out.Z*edge[5])
		if !(above > clear && above+fall < -least) {
			return false
		}
		t := -(above / fall)
		p := vec.Vec3{X: edge[0] + float64(t*edge[3]), Y: edge[1] + float64(t*edge[4]), Z: edge[2] + float64(t*edge[5])}
		to[i] = point{x0 + u.Dot(p), y0 + w.Dot(p)}
	}
	return true
}

// common adds the sides of the common part of two convex counter-clockwise quadrangles: the part of
// each side that lies within the other quadrangle (Cyrus & Beck 1978). These parts are a closed
// outline, in any order. common returns false if a corner is so near the line of a side of the
// other that rounding decides the sign, or if two sides intersect at too small an angle.
func (s *sideSum) common(p, q *quad, margin float64) bool {
	// inQ[i][j] is positive if corner i of p is inside side j of q; outQ has a bit if it is not.
	// inP and outP are the same for corners of q and sides of p.
	var inQ, inP [soa.StarEdges][soa.StarEdges]float64
	var outQ, outP [soa.StarEdges]uint
	e, f := p.sides(), q.sides()
	for i := range soa.StarEdges {
		px, py, ex, ey := p[i].x, p[i].y, e[i].x, e[i].y
		out := uint64(0)
		for j := range soa.StarEdges {
			wx, wy := px-q[j].x, py-q[j].y
			dp := float64(f[j].x*wy) - float64(f[j].y*wx)
			dq := float64(ey*wx) - float64(ex*wy)
			if !(math.Abs(dp) > margin && math.Abs(dq) > margin) {
				return false
			}
			inQ[i][j], inP[j][i] = dp, dq
			out |= math.Float64bits(dp) >> 63 << j
			outP[j] |= uint(math.Float64bits(dq)>>63) << i
		}
		outQ[i] = uint(out)
	}
	return s.addWithin(p, &e, &f, &inQ, &outQ) && s.addWithin(q, &f, &e, &inP, &outP)
}

// addWithin adds the parts of the sides e of quadrangle p that lie within another quadrangle, whose
// sides are f. in[i][j] is how far corner i of p lies inside side j of the other; bit j of out[i]
// is set if the corner is outside. addWithin returns false if two sides intersect at too small an
// angle.
func (s *sideSum) addWithin(p, e, f *quad, in *[soa.StarEdges][soa.StarEdges]float64, out *[soa.StarEdges]uint) bool {
	for i := range soa.StarEdges {
		next := (i + 1) & (soa.StarEdges - 1)
		if out[i]&out[next] != 0 {
			continue // the whole side lies beyond one side of the other quadrangle
		}
		t0, t1 := 0.0, 1.0
		for cut := out[i] ^ out[next]; cut != 0; cut &= cut - 1 {
			j := bits.TrailingZeros(cut) & (soa.StarEdges - 1)
			r, ok := inverse(e[i], f[j])
			if !ok {
				return false
			}
			a := in[i][j]
			if t := -float64(a * r); a > 0 {
				t1 = min(t, t1)
			} else {
				t0 = max(t, t0)
			}
		}
		s.addPart(p[i], e[i], t0, t1)
	}
	return true
}

// sides returns the vectors from each corner to the next.
func (p *quad) sides() (e quad) {
	for i, a := range p {
		b := p[(i+1)&(soa.StarEdges-1)]
		e[i] = point{b.x - a.x, b.y - a.y}
	}
	return e
}

// inverse returns 1/(f×e). It returns false if e and f are too nearly parallel.
func inverse(e, f point) (float64, bool) {
	c := float64(f.x*e.y) - float64(f.y*e.x)
	ee, ff := float64(e.x*e.x)+float64(e.y*e.y), float64(f.x*f.x)+float64(f.y*f.y)
	return 1 / c, float64(c*c) > float64(float64(tolLevel*tolLevel*ee)*ff)
}

// addPart adds the part of side e, which starts at p, between the parameters t0 and t1.
func (s *sideSum) addPart(p, e point, t0, t1 float64) {
	if t0 < t1 {
		s.add(p.x+float64(t0*e.x), p.y+float64(t0*e.y), p.x+float64(t1*e.x), p.y+float64(t1*e.y))
	}
}
