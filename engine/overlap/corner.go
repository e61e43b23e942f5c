package overlap

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// A contact of a corner with a face, or of two edges that cross, involves a small part of both bodies when
// the depth is small against them. The functions of this file and of edges.go find its section from the
// features alone, where they can prove that no other feature has a part in it; otherwise they say so, and
// the general way finds the same section to rounding. What they decide by is the poses and the
// shapes, never what happened before.

const (
	// tolAim is how far, as a share of a unit vector's length, the contact normal may differ from the one the
	// features give: rounding of two rotations.
	tolAim = 0x1p-46
	// tolSlender, relative to the square of its reach, is the area below which a section is left to the
	// general way: sixteen times and more what tolThin says.
	tolSlender = 0x1p-32
	// maxRing is how many edges a corner may have; one with more goes the general way.
	maxRing = 16
)

// cone is the section of a body that a corner alone makes, at depth 1 below it: all sections at
// smaller depths than that of the next vertex are similar to it. Coordinates on the Cutter's axes u and w
// relative to the corner.
type cone struct {
	known bool
	depth float64 // m, of the real section
	reach float64 // of the furthest point from the corner
	moments
}

// corner finds the section of v around vertex k, cut at right angles to out, which is unit, in world axes,
// and points out of the body. It returns false unless all neighbours of k lie on the cutting plane or
// below: then the body above the plane is the corner itself, for a convex body lies within the cone of its
// edges at a vertex. The axes u and w must be set.
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
	// Less than half the body's thickness deep, the plane is not held back; see measure.
	if !(deepest >= 2*depth) {
		return false
	}
	c.cone.depth, c.cone.reach = depth, math.Sqrt(reach2)
	return c.cone.sum(q, reach2)
}

// sum fills in centroid, area and moments: triangles that fan out from the first point, in either sense of
// turning. It returns false where the polygon is slender or not finite.
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

// holds reports whether the section of v over its face f holds the disc of the radius reach about foot, which
// lies on the face's plane; both m, in the frame of v, at the depth given. It may say no where it does.
func holds(v *soa.View, f soa.Face, foot vec.Vec3, reach, depth float64) bool {
	room := &v.Rooms[f]
	if !(depth <= room.Depth) {
		return false
	}
	margin := reach + float64(depth*room.Cot)
	rims := v.Rims[v.LoopFirst[f]:][:v.LoopLen[f]]
	for i := range rims {
		if r := &rims[i]; !(r.In.Dot(foot)-r.Offset >= margin) {
			return false
		}
	}
	return true
}

// onFace answers a corner k of v on a face f of g. out is the contact normal from v to g, unit, world
// axes; mid the midpoint of the witness points relative to A's origin, m. ok is false where the general way
// has to answer.
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

// depthIn returns how deep in a body, m, the plane lies that cuts it. The prism of a facet is the same at every depth.
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

// covers reports whether the section of v, seen from s, holds all of poly because this lies over face f, far
// enough from its sides. The normal has to be the face's. It may say no where it does.
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

// place returns the location and area of a corner's section; tip is relative to mid.
func (c *Cutter) place(tip, mid vec.Vec3) (location vec.Vec3, area float64, ok bool) {
	s, d := &c.cone, c.cone.depth
	x, y := c.u.Dot(tip)+float64(d*s.x), c.w.Dot(tip)+float64(d*s.y)
	location = mid.AddScaled(x, c.u).AddScaled(y, c.w)
	if !location.Finite() {
		return vec.Vec3{}, 0, false
	}
	c.keep(s.xx, s.xy, s.yy, float64(d*d))
	return location, float64(float64(d*d) * s.area), true
}

// axes returns two unit vectors that make a right-handed triad with n, which is unit: u×w = n. Source:
// Duff et al. 2017.
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
