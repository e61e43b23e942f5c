package section

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// section appends the corners of the body's section to poly, counter-clockwise about s.out.
// Coordinates are along u and w, relative to the midpoint of the witness points, times unit, which
// is a power of two. section appends nothing if the plane misses the body. Only a body without
// thickness along s.out can be missed.
func (c *Cutter) section(poly []point, s *cutBody, gap, unit float64) []point {
	top := c.measure(s, gap)
	v := s.view
	h, ok := c.firstDown(v, top)
	if !ok {
		return poly
	}
	u, w := s.u.Scale(unit), s.w.Scale(unit)
	x0, y0 := float64(c.u.Dot(s.at)*unit), float64(c.w.Dot(s.at)*unit)
	heights, tail := c.heights, v.Tail
	for first := h; ; {
		f := v.Face[h]
		lo := v.LoopFirst[f]
		hi := lo + v.LoopLen[f]
		g := h + 1
		if g == hi {
			g = lo
		}
		// h meets the plane between its tail i, above the plane, and the tail j of g.
		i, j := tail[h], tail[g]
		above, below := heights[i], heights[j]
		p := v.Vert(i)
		p = p.AddScaled(above/(above-below), v.Vert(j).Sub(p))
		poly = append(poly, point{x0 + u.Dot(p), y0 + w.Dot(p)})
		// Walk around the face to the edge g that comes up through the plane: there the section
		// leaves the face. Edges down and edges up alternate around every face, whatever the signs
		// are. The step from an edge down to the next edge up, and on to its twin, is a permutation
		// of the edges down. Therefore the walk ends where it began, even if rounding made signs
		// that no plane has.
		for {
			next := g + 1
			if next == hi {
				next = lo
			}
			if heights[tail[next]] > 0 {
				break
			}
			g = next
		}
		if h = v.Twin[g]; h == first {
			return poly
		}
	}
}

// measure fills heights with the height of each vertex over the cutting plane. It returns the
// vertex furthest along s.out, the one with the lowest index if there are several.
//
// Heights are first taken relative to the deepest point, and then the depth of the plane is added.
// Near the surface, where the depth is small, the difference is exact.
func (c *Cutter) measure(s *cutBody, gap float64) (top soa.Vertex) {
	v, n := s.view, s.view.NVerts
	c.heights = soa.Resize(c.heights, n)
	heights := c.heights
	x, y, z := v.X[:n], v.Y[:n], v.Z[:n]
	out := s.out
	best, at := math.Inf(-1), 0
	for k := range heights {
		h := float64(out.X*x[k]) + float64(out.Y*y[k]) + float64(out.Z*z[k])
		heights[k] = h
		if h > best && k < s.nTop {
			best, at = h, k
		}
	}
	least := float64(tolSection * s.radius)
	depth := max(0.5*math.Abs(gap), least)
	if !(depth <= v.Inner) {
		// The inner ball does not prove that the body is thicker than depth. A plane deeper than
		// the body is thick cuts nothing, so the plane stops short of the far end.
		thickness := best - slices.Min(heights)
		depth = min(depth, max(thickness-least, 0.5*thickness), float64(s.share*thickness))
	}
	for k := range heights {
		heights[k] = (heights[k] - best) + depth
	}
	return soa.Vertex(at)
}

// firstDown returns a half-edge from a vertex above the plane to one on or below the plane. It
// descends from top to the lowest neighbour, which always succeeds on a convex body without
// rounding. If the rounding of vertices at nearly equal heights stops the descent, firstDown tries
// all half-edges.
func (c *Cutter) firstDown(v *soa.View, top soa.Vertex) (soa.HalfEdge, bool) {
	heights := c.heights
	if !(heights[top] > 0) {
		return 0, false
	}
	for at := top; ; {
		next, lowest := soa.HalfEdge(0), heights[at]
		moved := false
		for _, h := range v.Ring[v.RingFirst[at]:][:v.RingLen[at]] {
			if s := heights[v.Head(h)]; s < lowest {
				next, lowest, moved = h, s, true
			}
		}
		if !moved {
			break
		}
		if lowest <= 0 {
			return next, true
		}
		at = v.Head(next)
	}
	for h := range v.Tail {
		if heights[v.Tail[h]] > 0 && heights[v.Head(soa.HalfEdge(h))] <= 0 {
			return soa.HalfEdge(h), true
		}
	}
	return 0, false
}

// cutBody is one of the two bodies while its section is computed. Directions are in the frame of the
// view.
type cutBody struct {
	view   *soa.View
	out    vec.Vec3 // unit, towards the other body
	u, w   vec.Vec3 // the axes of the plane midway between the witness points
	at     vec.Vec3 // world axes, m: the view's origin relative to the midpoint of the witness points
	radius float64  // m, about the view's origin; of a prism about the midpoint of the witness points
	share  float64  // the plane lies at most at this share of the body's thickness
	nTop   int      // how many of the first vertices may be the deepest: all, or the polygon of a prism
}

// pose is the pose of a body: the rows of its rotation, and its origin relative to that of A, m,
// world axes.
type pose struct{ r0, r1, r2, pos vec.Vec3 }

// set stores a rotation and a position.
func (p *pose) set(q vec.Quat, pos vec.Vec3) {
	p.r0, p.r1, p.r2 = q.Rows()
	p.pos = pos
}

// toWorld rotates a vector from the frame of the body to world axes.
func (p *pose) toWorld(v vec.Vec3) vec.Vec3 {
	return vec.Vec3{X: p.r0.Dot(v), Y: p.r1.Dot(v), Z: p.r2.Dot(v)}
}

// toBody rotates a vector from world axes to the frame of the body.
func (p *pose) toBody(v vec.Vec3) vec.Vec3 {
	return vec.Vec3{
		X: float64(p.r0.X*v.X) + float64(p.r1.X*v.Y) + float64(p.r2.X*v.Z),
		Y: float64(p.r0.Y*v.X) + float64(p.r1.Y*v.Y) + float64(p.r2.Y*v.Z),
		Z: float64(p.r0.Z*v.X) + float64(p.r1.Z*v.Y) + float64(p.r2.Z*v.Z),
	}
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
