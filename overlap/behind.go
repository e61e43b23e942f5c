package overlap

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// DepthPower is the power q of the depth h under a facet's plane that Overlap integrates over an
// overlap. The potential of a contact with facets is ½·k·((q+1)/A·∫h^q dV)^(2/(q+1)); with q = 15
// the exponent is 1/8 (docs/decisions/0019-walls-under-overlap-laws). Larger: tilts are q/12 times as stiff. Smaller: edges
// and corners are softer.
const DepthPower = 15

// Backing is the material behind one side of a facet, or behind a convex part of a facet. It contains
// the points that are under the facet's plane, no deeper than a limit, and inside all sides. Frame:
// the wall's.
type Backing struct {
	Corner vec.Vec3 // m, a corner of the facet, on its plane
	Normal vec.Vec3 // unit, away from the material
	Sides  []HalfSpace
	// LimitNormal is 0, or the unit normal of another plane through Corner: then the limit of depth
	// applies under that plane, and depths are still measured from the plane with Normal.
	LimitNormal vec.Vec3
}

// HalfSpace is the half-space Normal·(x − Corner) ≤ Offset, one side of a prism. Its plane goes through
// an edge or a corner of the facet.
type HalfSpace struct {
	Normal     vec.Vec3 // unit
	Offset     float64  // m
	Orthogonal bool     // orthogonal to the facet's plane
	IsEntry    bool     // the material begins at this side: see BackingClipper.OverlapPart
}

// InnerRadius returns the radius of the largest ball about x inside the sides of the prism's part under
// the facet (see BackingClipper.OverlapPart), but at most most. x is relative to the prism's corner. The
// result is 0 or less if x is not inside.
func (p *Backing) InnerRadius(x vec.Vec3, most float64) float64 {
	for k := range p.Sides {
		s := p.Sides[k]
		if s.IsEntry {
			s = BisectingSide(p.Normal, s.Normal, s.Offset)
		}
		most = min(most, s.Offset-s.Normal.Dot(x))
	}
	return most
}

// BackingOverlap is the common part of a block and a prism, and the derivative of the integral of h^q with
// respect to the motion of the block. Lengths are relative to the block's position; axes are the
// wall's.
type BackingOverlap struct {
	Exp     int     // depths in Power, Gradient and Turn are in units of 2^Exp m
	Deepest float64 // m, the largest depth
	// Power is ∫h^q dV. If the block moves by v and turns by φ about its position, Power grows by
	// Gradient·v + Turn·φ. Units: m³, m², m³, with h in its unit.
	Power          float64
	Gradient, Turn vec.Vec3

	Volume float64  // m³
	First  vec.Vec3 // ∫x dV, m⁴
	Second vec.Sym3 // ∫x·xᵀ dV, m⁵
}

// BackingClipper is a worker's workspace for the common parts of blocks and prisms. Methods allocate
// nothing once the buffers have grown.
type BackingClipper struct {
	clip  Clipper
	view  *soa.View
	rot   vec.Quat
	at    vec.Vec3
	verts []vec.Vec3 // of the block, wall's axes, m from the block's position
	box   vec.Box    // of the block

	// The part of the block under the plane of the last prism. Prisms under the same plane reuse
	// it.
	known             bool
	corner, normal    vec.Vec3
	deep              float64 // m, depth of the block's deepest corner
	top               vec.Vec3
	floor             float64    // m, height of the plane along -normal, from the block's position
	points            []vec.Vec3 // corners of the part, m from top
	faces             polygons
	parts             polygons    // the faces inside a prism
	orthogonal, slant []HalfSpace // the sides of a prism that cut the part, with offsets relative to top
	next, spare       []depthPoint
	part              Backing // workspace of OverlapPart
}

// NewBackingClipper returns an empty workspace.
func NewBackingClipper() *BackingClipper { return &BackingClipper{} }

// Load stores a block, posed in the wall's frame, for the following calls.
func (p *BackingClipper) Load(v *soa.View, pose vec.Pose) {
	p.view, p.rot, p.at, p.known = v, pose.Rot, pose.Pos, false
	p.verts, p.box = p.verts[:0], vec.EmptyBox()
	turn := p.rot.Mat3()
	for k := range v.NVerts {
		x := turn.MulVec(v.Vert(soa.Vertex(k)))
		p.verts, p.box = append(p.verts, x), p.box.With(x)
	}
	p.box.Min, p.box.Max = p.box.Min.Add(p.at), p.box.Max.Add(p.at)
}

// At returns the block's position in the wall's frame.
func (p *BackingClipper) At() vec.Vec3 { return p.at }

// Clear returns the largest distance, m, by which all corners of the block are outside one plane of
// a prism of the given depth. The block is farther than this from the prism, but for rounding.
// Clear returns 0 if no plane has all corners outside. The block's inner ball rules out most planes
// without looking at the corners.
func (p *BackingClipper) Clear(of *Backing, depth float64) (gap float64) {
	from := p.at.Sub(of.Corner)
	if h := of.Normal.Dot(from); h-p.view.Inner > gap {
		gap = max(gap, h+p.lowest(of.Normal))
	} else if -h-depth-p.view.Inner > gap {
		gap = max(gap, -h-depth+p.lowest(of.Normal.Neg()))
	}
	for k := range of.Sides {
		s := &of.Sides[k]
		if h := s.Normal.Dot(from) - s.Offset; h-p.view.Inner > gap {
			gap = max(gap, h+p.lowest(s.Normal))
		}
	}
	return gap
}

// BoxGap returns the gap between the block's box and another box, m, along the axis where it is
// largest. It is negative if the boxes overlap.
func (p *BackingClipper) BoxGap(b vec.Box) float64 {
	lo, hi := p.box.Min.Sub(b.Max), b.Min.Sub(p.box.Max)
	return max(lo.X, lo.Y, lo.Z, hi.X, hi.Y, hi.Z)
}

// lowest returns the least coordinate of the block along a direction, m from its position.
func (p *BackingClipper) lowest(n vec.Vec3) float64 {
	lo := math.Inf(1)
	for _, x := range p.verts {
		if h := n.Dot(x); h < lo {
			lo = h
		}
	}
	return lo
}

// Overlap returns the common part of the block and a prism of the given depth, and reports whether
// the common part has a volume.
//
// Overlap sums over the block's own surface and over slanting sides of the prism only, in closed
// form; see sums. Orthogonal sides cut the block's faces one by one. If a slanting side or the limit
// of depth cuts off more, Overlap cuts the block itself, which closes its surface there.
func (p *BackingClipper) Overlap(of *Backing, depth float64) (r BackingOverlap, ok bool) {
	if !p.under(of) {
		return r, false
	}
	if !p.sidesThrough(of, depth) {
		return r, false
	}
	if of.LimitNormal != (vec.Vec3{}) {
		depth = math.Inf(1)
	}
	p.parts.reset()
	for f := range p.faces.end {
		p.cutFace(p.faces.face(f))
	}
	if len(p.parts.points) == 0 {
		return r, false
	}
	if p.deep > depth || p.slants(of.Normal) {
		p.cutBlock(of.Normal, depth)
	}
	return p.sumUp(of.Normal)
}

// sidesThrough lists the sides of a prism that cut the part of the block under its plane. It
// returns false if all of this part is outside one side.
func (p *BackingClipper) sidesThrough(of *Backing, depth float64) bool {
	p.orthogonal, p.slant = p.orthogonal[:0], p.slant[:0]
	for k := range of.Sides {
		if !p.goesThrough(of.Sides[k], of) {
			return false
		}
	}
	return of.LimitNormal == (vec.Vec3{}) || p.goesThrough(HalfSpace{Normal: of.LimitNormal.Neg(), Offset: depth}, of)
}

// goesThrough lists a side if it cuts the part of the block under the plane of its prism. It
// returns false if all of this part is outside the side.
func (p *BackingClipper) goesThrough(s HalfSpace, of *Backing) bool {
	s.Offset -= s.Normal.Dot(p.at.Add(p.top).Sub(of.Corner))
	low, high := math.Inf(1), math.Inf(-1)
	for _, x := range p.points {
		h := s.Normal.Dot(x)
		low, high = min(low, h), max(high, h)
	}
	switch {
	case low >= s.Offset:
		return false
	case !(high > s.Offset):
	case s.Orthogonal:
		p.orthogonal = append(p.orthogonal, s)
	default:
		p.slant = append(p.slant, s)
	}
	return true
}

// slants reports whether a slanting side may cut off anything that orthogonal sides have left. A side
// by which the material narrows with depth cuts nothing if it does not reach the block's remaining
// faces: everything between these faces and the facet's plane is straight above the faces.
func (p *BackingClipper) slants(n vec.Vec3) bool {
	for k := range p.slant {
		s := &p.slant[k]
		if s.Normal.Dot(n) > 0 {
			return true
		}
		for j := range p.parts.points {
			if s.Normal.Dot(p.parts.points[j].x) > s.Offset {
				return true
			}
		}
	}
	return false
}

// under finds the block's faces under the plane of a prism, and reports whether there are any.
func (p *BackingClipper) under(of *Backing) bool {
	if p.known && p.corner == of.Corner && p.normal == of.Normal {
		return len(p.faces.end) > 0
	}
	c := &p.clip
	p.known, p.corner, p.normal = true, of.Corner, of.Normal
	p.points = p.points[:0]
	p.faces.reset()
	c.a.set(p.view, p.rot, of.Normal.Neg())
	p.floor = of.Normal.Dot(p.at.Sub(of.Corner))
	p.deep = c.a.height[c.a.top] - p.floor
	if !(p.deep > 0) {
		return false
	}
	p.top = p.verts[c.a.top]
	height := c.a.height[:len(p.verts)]
	for k, x := range p.verts {
		if height[k] > p.floor {
			p.points = append(p.points, x.Sub(p.top))
		}
	}
	c.a.faces(p.floor, p.faceUnder)
	return len(p.faces.end) > 0
}

// faceUnder adds the part of a face under the plane to faces, and the points where edges come up
// through the plane to points.
func (p *BackingClipper) faceUnder(f soa.Face) {
	v, g, height := p.view, &p.faces, p.clip.a.height
	loop := v.Tail[v.LoopFirst[f]:][:v.LoopLen[f]]
	last := loop[len(loop)-1]
	before := height[last] - p.floor
	for _, t := range loop {
		h := height[t] - p.floor
		switch {
		case before > 0 && !(h > 0):
			x := p.crossing(last, t, before, h)
			g.points = append(g.points, depthPoint{x, 0})
			p.points = append(p.points, x)
		case h > 0 && !(before > 0):
			g.points = append(g.points, depthPoint{p.crossing(t, last, h, before), 0})
		}
		if h > 0 {
			g.points = append(g.points, depthPoint{p.verts[t].Sub(p.top), h})
		}
		last, before = t, h
	}
	g.close(false)
}

// crossing returns the point where an edge meets the plane. The edge leads from a vertex under the
// plane to a vertex on or over it; deep and high are their depths. The point is the same for both
// faces of the edge.
func (p *BackingClipper) crossing(under, over soa.Vertex, deep, high float64) vec.Vec3 {
	x := p.verts[under]
	return x.Sub(p.top).AddScaled(deep/(deep-high), p.verts[over].Sub(x))
}

// cutFace adds the part of a face inside the orthogonal sides to parts.
func (p *BackingClipper) cutFace(face []depthPoint) {
	for k := range p.orthogonal {
		n, d := p.orthogonal[k].Normal, p.orthogonal[k].Offset
		out := 0
		for j := range face {
			if n.Dot(face[j].x) > d {
				out++
			}
		}
		switch out {
		case 0:
			continue
		case len(face):
			return
		}
		last := &face[len(face)-1]
		hl := n.Dot(last.x) - d
		next := p.next[:0]
		for j := range face {
			at := &face[j]
			h := n.Dot(at.x) - d
			if (h > 0) != (hl > 0) {
				t := hl / (hl - h)
				next = append(next, depthPoint{last.x.AddScaled(t, at.x.Sub(last.x)), last.h + float64(t*(at.h-last.h))})
			}
			if !(h > 0) {
				next = append(next, *at)
			}
			last, hl = at, h
		}
		// The storage of the polygon that was cut is free for the next cut.
		p.next, p.spare = p.spare, next
		face = next
	}
	p.parts.points = append(p.parts.points, face...)
	p.parts.close(false)
}

// cutBlock sets parts to the surface of the common part of the block and a prism. It omits the
// facet's plane and the orthogonal sides, which contribute nothing.
func (p *BackingClipper) cutBlock(n vec.Vec3, depth float64) {
	c := &p.clip
	c.by = noFace
	c.copyAbove(&c.a, p.floor)
	for k := range p.orthogonal {
		c.cutBeyond(p.orthogonal[k].Normal, p.orthogonal[k].Offset)
	}
	c.by = 0
	if p.deep > depth {
		c.cutBeyond(n.Neg(), depth-p.deep)
	}
	for k := range p.slant {
		c.cutBeyond(p.slant[k].Normal, p.slant[k].Offset)
	}
	p.parts.reset()
	p.parts.appendFaces(&c.body, p.deep, n)
}

// cutBeyond removes the part of body beyond the plane n·x = d.
func (c *Clipper) cutBeyond(n vec.Vec3, d float64) {
	b := &c.body
	b.over = b.over[:0]
	for _, x := range b.verts {
		b.over = append(b.over, n.Dot(x)-d)
	}
	c.cut()
}
