package overlap

import (
	"math"
	"math/bits"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// The corners of an overlap are the vertices of one body inside the other, and the points where
// edges of one body pierce faces of the other. One sign for each vertex of a body and each plane of
// the other body decides which corners exist. Each edge is cut once, by the two planes that bound
// its part of the overlap, and no intermediate polyhedron is made. surface.go joins the corners.

// mostNear is the largest number of faces of a body that may be near the other body: one bit for
// each in a mask. A hull of 64 vertices has at most 124 faces.
const mostNear = 128

// mask has one bit for each near face.
type mask [mostNear / 64]uint64

// meets reports whether two masks have a bit in common.
func (m *mask) meets(n *mask) bool { return m[0]&n[0]|m[1]&n[1] != 0 }

// part is the part of a body that may be in the overlap. Coordinates are relative to A's last
// vertex along the direction towards B, in A's axes.
type part struct {
	verts  []soa.Vertex
	faces  []soa.Face
	planes []partPlane
	at     []vec.Vec3 // by vertex: position
	edges  []partEdge

	depth  []float64 // by vertex and by plane of the other body: depth of the vertex under the plane, m
	out    []mask    // by vertex: the planes of the other body that the vertex is over
	corner []int32   // by vertex: its number in the overlap, -1 if it has none
}

// partPlane is the plane n·x = d.
type partPlane struct {
	n vec.Vec3
	d float64
}

// partEdge is an edge, by the numbers of its vertices and faces in part. left is the face to the
// left of the path from tail to head, seen from outside.
type partEdge struct {
	tail, head  uint16
	left, right uint8
}

// gather fills part with the edges that reach above the floor, their vertices, and their faces.
// Coordinates are those of the shape minus origin. gather returns false if there are too many
// faces.
func (p *posed) gather(origin vec.Vec3) bool {
	v, b, floor := p.view, &p.part, p.floor
	p.begin()
	b.verts, b.faces, b.edges = b.verts[:0], b.faces[:0], b.edges[:0]
	for k, h := range p.height {
		if !(h > floor) {
			continue
		}
		tail, outEdges := p.vertIn(soa.Vertex(k)), v.Around(soa.Vertex(k))
		// OutEdges turn clockwise seen from outside. The left face of the next edge is the right
		// face of this one.
		right := p.faceIn(outEdges[0].Face)
		for i := len(outEdges) - 1; i >= 0; i-- {
			s := &outEdges[i]
			left := p.faceIn(s.Face)
			if int(s.Head) > k || !(p.height[s.Head] > floor) { // otherwise the edge is added from its other end
				b.edges = append(b.edges, partEdge{tail, p.vertIn(s.Head), left, right})
			}
			right = left
		}
		if len(b.faces) > mostNear {
			return false
		}
	}
	b.at, b.planes = soa.Resize(b.at, len(b.verts)), soa.Resize(b.planes, len(b.faces))
	for i, k := range b.verts {
		b.at[i] = v.Vert(k).Sub(origin)
	}
	for i, f := range b.faces {
		n := v.Normal(f)
		b.planes[i] = partPlane{n, v.D[f] - n.Dot(origin)}
	}
	return true
}

// vertIn returns the number of a vertex in part, and adds the vertex if it is new. addVert is a
// function of its own so that the compiler inlines vertIn.
func (p *posed) vertIn(k soa.Vertex) uint16 {
	if p.vertSeen[k] != p.mark {
		p.addVert(k)
	}
	return p.number[k]
}

func (p *posed) addVert(k soa.Vertex) {
	p.vertSeen[k], p.number[k] = p.mark, uint16(len(p.part.verts))
	p.part.verts = append(p.part.verts, k)
}

// faceIn is vertIn for a face.
func (p *posed) faceIn(f soa.Face) uint8 {
	if p.faceSeen[f] != p.mark {
		p.addFace(f)
	}
	return p.faceNumber[f]
}

func (p *posed) addFace(f soa.Face) {
	p.faceSeen[f], p.faceNumber[f] = p.mark, uint8(len(p.part.faces))
	p.part.faces = append(p.part.faces, f)
}

// turn rotates coordinates into other axes, and then translates them.
func (b *part) turn(by vec.Quat, move vec.Vec3) {
	r0, r1, r2 := by.Rows()
	for k, x := range b.at {
		b.at[k] = vec.Vec3{X: r0.Dot(x) + move.X, Y: r1.Dot(x) + move.Y, Z: r2.Dot(x) + move.Z}
	}
	for k := range b.planes {
		o := &b.planes[k]
		o.n = vec.Vec3{X: r0.Dot(o.n), Y: r1.Dot(o.n), Z: r2.Dot(o.n)}
		o.d += o.n.Dot(move)
	}
}

// measureDepths computes the depth of each vertex under each plane of the other body. A vertex
// counts as over a plane unless it is deeper under it than least.
func (b *part) measureDepths(other []partPlane, least float64) {
	b.depth = soa.Resize(b.depth, len(b.at)*len(other))
	b.out, b.corner = soa.Resize(b.out, len(b.at)), soa.Resize(b.corner, len(b.at))
	for k, x := range b.at {
		row, out := b.depth[k*len(other):][:len(other)], mask{}
		for f := range other {
			h := other[f].d - other[f].n.Dot(x)
			row[f] = h
			out[f/64] |= math.Float64bits(h-least) >> 63 << (f % 64)
		}
		b.out[k], b.corner[k] = out, -1
	}
}

// pierce finds the parts of p's edges inside q, and adds these parts and their ends to the surface.
// It returns false if they contradict the surface so far, or if rounding decides a sign.
func (c *Clipper) pierce(p, q *part, ofA bool, coplanar float64) bool {
	n := len(q.planes)
	own := mostNear // first number of p's faces in the surface
	if ofA {
		own = 0
	}
	for i := range p.edges {
		e := &p.edges[i]
		outTail, outHead := &p.out[e.tail], &p.out[e.head]
		if outTail.meets(outHead) {
			continue
		}
		tail, head := p.depth[int(e.tail)*n:][:n], p.depth[int(e.head)*n:][:n]
		enters, leaves := -1.0, 2.0 // parameters along the edge
		by, through := 0, 0         // the planes where the edge enters and leaves q
		for w, word := range outTail {
			for ; word != 0; word &= word - 1 {
				f := 64*w + bits.TrailingZeros64(word)
				if t := within(tail[f] / (tail[f] - head[f])); t > enters {
					enters, by = t, f
				}
			}
		}
		for w, word := range outHead {
			for ; word != 0; word &= word - 1 {
				f := 64*w + bits.TrailingZeros64(word)
				if t := within(tail[f] / (tail[f] - head[f])); t < leaves {
					leaves, through = t, f
				}
			}
		}
		tailOut, headOut := *outTail != mask{}, *outHead != mask{}
		if tailOut && headOut {
			// depth is the depth of the edge's point that is equally deep under both planes.
			rise, fall := head[by]-tail[by], head[through]-tail[through]
			depth := tail[by] + float64(rise*((tail[through]-tail[by])/(rise-fall)))
			if math.Abs(depth) < 4*coplanar {
				return false // The edge passes an edge of the other body too close to tell on which side.
			}
			if !(enters < leaves) {
				continue
			}
		}
		from, ok := c.end(p, e.tail, e, enters, by, tailOut, ofA, false)
		if !ok {
			return false
		}
		to, ok := c.end(p, e.head, e, leaves, through, headOut, ofA, true)
		if !ok {
			return false
		}
		left, right := uint8(own)+e.left, uint8(own)+e.right
		c.arc(left, right, from, to)
		c.arc(right, left, to, from)
	}
	return true
}

// within clamps t to the edge. A parameter beyond an end means that the vertex there is near the
// plane.
func within(t float64) float64 {
	if t > 1 {
		return 1
	}
	if t < 0 {
		return 0
	}
	return t
}

// end returns the corner at one end of an edge's part inside the other body: the point where the
// edge pierces face f, or vertex k.
func (c *Clipper) end(p *part, k uint16, e *partEdge, t float64, f int, pierces, ofA, leaves bool) (corner uint16, ok bool) {
	b := &c.body
	if !pierces {
		if p.corner[k] < 0 {
			p.corner[k] = int32(len(b.verts))
			b.verts = append(b.verts, p.at[k])
			c.names = append(c.names, nameOfVertex(p.verts[k], ofA))
		}
		return uint16(p.corner[k]), true
	}
	corner = uint16(len(b.verts))
	tail := p.at[e.tail]
	b.verts = append(b.verts, tail.AddScaled(t, p.at[e.head].Sub(tail)))
	if ofA {
		c.names = append(c.names, nameOfPierced(p, e, leaves, c.b.part.faces[f], ofA))
	} else {
		c.names = append(c.names, nameOfPierced(p, e, leaves, c.a.part.faces[f], ofA))
	}
	// The pierced face meets the edge's left face in a line of the overlap, and the edge's right
	// face in another. Around the left face, the line starts at the corner if the edge leaves the
	// other body, and ends there if the edge enters it. Around the right face the reverse holds.
	if ofA {
		return corner, c.meets(int(e.left), f, corner, leaves) && c.meets(int(e.right), f, corner, !leaves)
	}
	return corner, c.meets(f, int(e.left), corner, !leaves) && c.meets(f, int(e.right), corner, leaves)
}
