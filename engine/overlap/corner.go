package overlap

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// A contact of a corner with a face, or of two crossing edges, involves a small part of both bodies
// if the depth is small compared with the bodies. The functions of this file and of edges.go
// compute the section from these features alone. They first prove that no other feature takes part.
// If a proof fails, they return false, and the general method finds the same section up to
// rounding. Each decision depends on poses and shapes only, never on earlier steps.

const (
	// tolAim is the largest difference, in each component, between the contact normal and the
	// normal of the features. It covers the rounding of two rotations.
	tolAim = 0x1p-46
	// tolSlender, relative to the square of a section's reach, is the least area that the shortcuts
	// accept. The general method computes thinner sections. tolSlender is at least sixteen times
	// tolThin.
	tolSlender = 0x1p-32
	// maxRing is the largest number of edges of a corner here. The general method treats other
	// corners.
	maxRing = 16
)

// cone is the section of a body around a corner alone, at depth 1 below the corner. All sections at
// depths smaller than the depth of the next vertex are similar to it. Coordinates are on the
// Cutter's axes u and w, relative to the corner.
type cone struct {
	known bool
	depth float64 // m, of the actual section
	reach float64 // distance of the furthest point from the corner
	moments
}

// corner computes the section of v around vertex k. The cutting plane is orthogonal to out, a unit
// vector in world axes that points out of the body. corner returns false unless all neighbours of k
// lie on or below the plane. If they do, the body above the plane is the corner itself, because a
// convex body lies within the cone of its edges at a vertex. The caller must have set the axes u
// and w.
//
// Cost: O(edges at the vertex).
func (c *Cutter) corner(v *soa.View, k soa.Vertex, at *pose, out vec.Vec3, gap float64) bool {
	if int(k) >= v.NVerts || !v.Pointed[k] {
		return false
	}
	ring := v.Ring[v.RingFirst[k]:][:v.RingLen[k]]
	if len(ring) > maxRing {
		return false
	}
	o, u, w := at.toBody(out), at.toBody(c.u), at.toBody(c.w)
	depth := max(0.5*math.Abs(gap), float64(tolSection*v.Radius))
	tip := v.Vert(k)
	q := c.around[:len(ring)]
	deepest, reach2 := 0.0, 0.0
	for i, h := range ring {
		e := v.Vert(v.Head(h)).Sub(tip)
		drop := -o.Dot(e)
		if !(drop >= depth) {
			return false
		}
		if drop > deepest {
			deepest = drop
		}
		s := 1 / drop
		x, y := float64(u.Dot(e)*s), float64(w.Dot(e)*s)
		q[i] = point{x, y}
		if r2 := float64(x*x) + float64(y*y); r2 > reach2 {
			reach2 = r2
		}
	}
	// At less than half the body's thickness, measure would not hold the plane back.
	if !(deepest >= 2*depth) {
		return false
	}
	c.cone.depth, c.cone.reach = depth, math.Sqrt(reach2)
	return c.cone.sum(q, reach2)
}

// sum computes centroid, area and moments from a fan of triangles about the first point. The points
// may turn either way. sum returns false if the polygon is slender or not finite.
func (to *cone) sum(q []point, reach2 float64) bool {
	o, s := q[0], sideSum{}
	ax, ay := q[1].x-o.x, q[1].y-o.y
	for _, p := range q[2:] {
		bx, by := p.x-o.x, p.y-o.y
		s.add(ax, ay, bx, by)
		ax, ay = bx, by
	}
	if !(math.Abs(s.twice) > float64(tolSlender*reach2)) {
		return false
	}
	to.moments = s.moments()
	to.x, to.y, to.area = o.x+to.x, o.y+to.y, math.Abs(to.area)
	return true
}

// holds reports whether the section of v over its face f contains a disc of radius reach. The
// disc's centre is center on the plane of the face; the section is at the given depth. All in m,
// frame of v. The test is sufficient: holds may return false although the section contains the
// disc.
func holds(v *soa.View, f soa.Face, center vec.Vec3, reach, depth float64) bool {
	room := &v.Rooms[f]
	if !(depth <= room.Depth) {
		return false
	}
	margin := reach + float64(depth*room.Cot)
	rims := v.Rims[v.LoopFirst[f]:][:v.LoopLen[f]]
	for i := range rims {
		if r := &rims[i]; !(r.In.Dot(center)-r.Offset >= margin) {
			return false
		}
	}
	return true
}

// onFace computes the location of a contact of corner k of v with face f of g. out is the contact
// normal from v to g, unit, world axes; mid is the midpoint of the witness points relative to A's
// origin, m. ok is false if the general method must compute the location.
func (c *Cutter) onFace(
	v *soa.View, at *pose, k soa.Vertex, g *soa.View, on *pose, f soa.Face, out vec.Vec3, gap float64, mid vec.Vec3,
) (location vec.Vec3, area float64, ok bool) {
	if int(f) >= g.NFaces {
		return vec.Vec3{}, 0, false
	}
	aim := on.toBody(out).Add(g.Normal(f))
	if !(aim.MaxAbs() <= tolAim) {
		return vec.Vec3{}, 0, false
	}
	if !c.corner(v, k, at, out, gap) {
		return vec.Vec3{}, 0, false
	}
	tip := at.pos.Add(at.toWorld(v.Vert(k)))
	if !holds(g, f, on.toBody(tip.Sub(on.pos)), float64(c.cone.reach*c.cone.depth), depthIn(g, gap)) {
		c.cone.known = true
		return vec.Vec3{}, 0, false
	}
	return c.place(tip.Sub(mid), mid)
}

// depthIn returns the depth in a body, m, of the plane that cuts it. It is 0 for a facet, whose
// prism has the same section at every depth.
func depthIn(v *soa.View, gap float64) float64 {
	if v.Kind == soa.Facet {
		return 0
	}
	return max(0.5*math.Abs(gap), float64(tolSection*v.Radius))
}

// coneOutline appends the cone's section, around vertex k of s, in the turning order of its edges.
func (c *Cutter) coneOutline(poly []point, s *side, k soa.Vertex, unit float64) []point {
	c.cone.known = false
	v := s.view
	tip := v.Vert(k)
	depth := float64(c.cone.depth * unit)
	x := float64((c.u.Dot(s.at) + s.u.Dot(tip)) * unit)
	y := float64((c.w.Dot(s.at) + s.w.Dot(tip)) * unit)
	for _, q := range c.around[:v.RingLen[k]] {
		poly = append(poly, point{x + float64(depth*q.x), y + float64(depth*q.y)})
	}
	return poly
}

// covers reports whether the section of v, seen from s, contains all of poly, because poly lies
// over face f far enough from the sides of f. The normal must be that of the face. The test is
// sufficient: covers may return false although the section contains poly.
func (c *Cutter) covers(
	v *soa.View, s *side, on *pose, mid vec.Vec3, f soa.Face, gap, unit float64, poly []point,
) bool {
	if int(f) >= v.NFaces || len(poly) == 0 || !(s.out.Sub(v.Normal(f)).MaxAbs() <= tolAim) {
		return false
	}
	depth, room := depthIn(v, gap), &v.Rooms[f]
	if !(depth <= room.Depth) {
		return false
	}
	margin := float64(depth * room.Cot)
	origin := on.toBody(mid.Sub(on.pos))
	rims := v.Rims[v.LoopFirst[f]:][:v.LoopLen[f]]
	for i := range rims {
		r := &rims[i]
		x, y := r.In.Dot(s.u), r.In.Dot(s.w)
		least := float64((margin + r.Offset - r.In.Dot(origin)) * unit)
		for _, q := range poly {
			if !(float64(x*q.x)+float64(y*q.y) >= least) {
				return false
			}
		}
	}
	return true
}

// place returns the location and the area of a corner's section. tip is relative to mid.
func (c *Cutter) place(tip, mid vec.Vec3) (location vec.Vec3, area float64, ok bool) {
	s, d := &c.cone, c.cone.depth
	x, y := c.u.Dot(tip)+float64(d*s.x), c.w.Dot(tip)+float64(d*s.y)
	location = mid.AddScaled(x, c.u).AddScaled(y, c.w)
	if !location.Finite() {
		return vec.Vec3{}, 0, false
	}
	c.storeMoments(s.xx, s.xy, s.yy, float64(d*d))
	return location, float64(float64(d*d) * s.area), true
}

// axes returns two unit vectors that make a right-handed triad with the unit vector n: u×w = n.
// Source: Duff et al. 2017.
func axes(n vec.Vec3) (u, w vec.Vec3) {
	sign := 1.0
	if n.Z < 0 {
		sign = -1
	}
	a := -1 / (sign + n.Z)
	b := float64(float64(n.X*n.Y) * a)
	u = vec.Vec3{X: 1 + float64(float64(sign*n.X)*float64(n.X*a)), Y: float64(sign * b), Z: float64(-sign * n.X)}
	w = vec.Vec3{X: b, Y: sign + float64(float64(n.Y*n.Y)*a), Z: -n.Y}
	return u, w
}
