package overlap

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// section appends the corners of the body's section to poly: coordinates along u and w relative to the
// midpoint of the witness points, times unit, counter-clockwise about s.out. It appends nothing when the
// plane misses the body, which only a body without thickness along s.out allows.
func (c *Cutter) section(poly []point, s *side, gap float64, u, w vec.Vec3, unit float64) []point {
	top := c.measure(s, gap)
	h, ok := c.firstDown(s.view, top)
	if !ok {
		return poly
	}
	x0, y0 := u.Dot(s.at), w.Dot(s.at)
	v := s.view
	for first := h; ; {
		p := c.crossing(v, h)
		poly = append(poly, point{(x0 + s.u.Dot(p)) * unit, (y0 + s.w.Dot(p)) * unit})
		// Around the face of h to the next edge that comes up: there the section leaves the face. Downs
		// and ups alternate around every face whatever the signs are, so taking a down to the next up and
		// this to its twin permutes the downs: the walk ends where it began, even where rounding made signs
		// that no plane has.
		g := v.Next(h)
		for !(c.heights[v.Tail[g]] <= 0 && c.heights[v.Head(g)] > 0) {
			g = v.Next(g)
		}
		h = v.Twin[g]
		if h == first {
			return poly
		}
	}
}

// measure fills heights with each vertex's height over the cutting plane, and returns the vertex
// furthest along s.out: the lowest of several.
//
// Heights are taken relative to the deepest point before the depth of the plane is added: near the
// surface, where the depth is small, the difference is exact.
func (c *Cutter) measure(s *side, gap float64) (top soa.Vertex) {
	v, n := s.view, s.view.NVerts
	if cap(c.heights) < n {
		c.heights = make([]float64, 2*n)
	}
	heights := c.heights[:n]
	x, y, z := v.X[:n], v.Y[:n], v.Z[:n]
	lowest := math.Inf(1)
	best, at := math.Inf(-1), 0
	for k := range heights {
		h := float64(s.out.X*x[k]) + float64(s.out.Y*y[k]) + float64(s.out.Z*z[k])
		heights[k] = h
		if h < lowest {
			lowest = h
		}
		if h > best && k < s.nTop {
			best, at = h, k
		}
	}
	thickness := best - lowest
	least := float64(tolSection * s.radius)
	depth := max(0.5*math.Abs(gap), least)
	// Deeper than the body is thick there is nothing to cut: stop short of the far end.
	depth = min(depth, max(thickness-least, 0.5*thickness))
	for k := range heights {
		heights[k] = (heights[k] - best) + depth
	}
	c.heights = heights
	return soa.Vertex(at)
}

// firstDown returns a half-edge from a vertex above the plane to one on it or below: down the steepest
// neighbours from top, which a convex body lets pass. Where rounding of nearly level vertices stops the
// descent, all half-edges are tried.
func (c *Cutter) firstDown(v *soa.View, top soa.Vertex) (soa.HalfEdge, bool) {
	if !(c.heights[top] > 0) {
		return 0, false
	}
	for at := top; ; {
		next, lowest := soa.HalfEdge(0), c.heights[at]
		moved := false
		for _, h := range v.Ring[v.RingFirst[at] : v.RingFirst[at]+v.RingLen[at]] {
			if s := c.heights[v.Head(h)]; s < lowest {
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
		if c.heights[v.Tail[h]] > 0 && c.heights[v.Head(soa.HalfEdge(h))] <= 0 {
			return soa.HalfEdge(h), true
		}
	}
	return 0, false
}

// crossing returns where half-edge h, from above the plane to on it or below, meets it; frame of the
// view.
func (c *Cutter) crossing(v *soa.View, h soa.HalfEdge) vec.Vec3 {
	i, j := v.Tail[h], v.Head(h)
	above, below := c.heights[i], c.heights[j]
	p := v.Vert(i)
	return p.AddScaled(above/(above-below), v.Vert(j).Sub(p))
}
