package overlap

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Shared is the overlap of two bodies, and how it changes when A moves: what laws with a potential need.
type Shared struct {
	Volume   float64  // m³
	Centroid vec.Vec3 // m, relative to the position of A, world axes
	Spread   vec.Sym3 // m², world axes: ∫ (x-c)(x-c)ᵀ dV / Volume, c the centroid
	// Variance is λ = (tr Spread⁻²)^(-1/2), m², which is close to the smallest principal variance of the overlap: δ²/12 for
	// a slab of thickness δ, whatever its outline.
	Variance float64

	// When A moves by v and turns by φ about the centroid, B at rest, λ grows by VariancePush·v + VarianceTurn·φ,
	// and the volume by VolumePush·v + VolumeTurn·φ. World axes; m, m², m², m³.
	VariancePush, VarianceTurn vec.Vec3
	VolumePush, VolumeTurn     vec.Vec3
}

// Clipper is a worker's workspace for Share. Methods allocate nothing once it is warm.
type Clipper struct {
	a, b       posed // the two bodies
	body, next solid
	cuts       []cutEdge
	kept       []uint16 // by vertex of body: its number in next
	by         uint16   // the face of the other body that cuts next; noFace for none

	faces  [2][]soa.Face // of body: its own, those of the caps
	common [mostEdges]soa.Vertex
	found  soa.FacetID    // the features that made the last overlap, or none
	prism  soa.Prism      // the faces between which it lies, or none
	one    [nShapes]Typed // of each type a batch of a register's rows, of which the first is used
}

// NewClipper returns an empty workspace.
func NewClipper() *Clipper { return &Clipper{} }

// margin, relative to a body's radius, is how far beyond the other body's last point a body is cut off before the
// other's faces cut it. It keeps the first cut away from these faces, more than rounding could bring them together.
const margin = 0x1p-20

// Share returns what two posed bodies have in common, and says whether that has a volume. Each is a block; B may be a
// plane, too. The unit vector along points from A to B, roughly: what either has beyond the other's last point
// along it is no part of the overlap and is left out at once. It saves time where the overlap is thin along it, and
// decides nothing.
//
// One body is cut by the other's planes, one after the other (Sutherland & Hodgman 1974). Its faces share their
// vertices, so the surface stays closed whatever rounding does.
func (c *Clipper) Share(va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, along vec.Vec3) (s Shared, ok bool) {
	ok = c.ShareNear(va, pa, vb, pb, along, &Features{}, &s)
	return s, ok
}

// ShareNear is Share with features that are supposed to make the overlap: such as an earlier call or
// the narrow phase named. It writes the same bits whatever they are, and sooner where they do make
// it.
func (c *Clipper) ShareNear(
	va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, along vec.Vec3, guess *Features, s *Shared,
) bool {
	c.found, c.prism = soa.FacetID{}, soa.Prism{}
	return c.ofPrism(va, pa, vb, pb, &guess.Prism, s) || c.ofType(va, pa, vb, pb, guess.Facet, s) ||
		c.clip(va, pa, vb, pb, along, guess, s)
}

// clip is Share of bodies whose overlap is not made by guess.
func (c *Clipper) clip(
	va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, along vec.Vec3, guess *Features, s *Shared,
) (ok bool) {
	first, second := &c.a, &c.b
	between := pb.Pos.Sub(pa.Pos)
	if vb.Kind == soa.Plane {
		n := pb.Rot.Rotate(vec.Vec3{Z: 1})
		first.set(va, pa.Rot, n.Neg())
		origin := first.rot.Rotate(va.Vert(first.top))
		c.by = 0
		c.take(first, -n.Dot(between))
		if c.byType(va, pa, vb, pb, guess, false, s) {
			return true
		}
		*s, ok = c.measure(origin, n)
		return ok
	}
	first.set(va, pa.Rot, along)
	second.set(vb, pb.Rot, along.Neg())
	apart := along.Dot(between)
	floorA, floorB := apart-second.height[second.top], apart-first.height[first.top]
	if !(first.height[first.top] > floorA) {
		*s = Shared{} // They do not even reach each other along it.
		return false
	}
	origin := vec.Vec3{} // of the coordinates of body, relative to the position of A
	if second.above(floorB) < first.above(floorA) {
		first, second = second, first
		floorA, floorB = floorB, floorA
		origin, between = between, between.Neg()
	}
	top := first.rot.Rotate(first.view.Vert(first.top))
	c.by = noFace
	c.take(first, floorA-float64(margin*first.view.Radius))
	c.cutBy(second, floorB, top.Sub(between))
	if c.byType(va, pa, vb, pb, guess, first == &c.b, s) {
		return true
	}
	*s, ok = c.measure(origin.Add(top), along)
	if first == &c.b {
		// What was found is how the overlap changes when B moves.
		s.VariancePush, s.VarianceTurn = s.VariancePush.Neg(), s.VarianceTurn.Neg()
		s.VolumePush, s.VolumeTurn = s.VolumePush.Neg(), s.VolumeTurn.Neg()
	}
	return ok
}

// Prism returns the faces between which the last overlap lies, if it is a prism.
func (c *Clipper) Prism() soa.Prism { return c.prism }

// Typed says whether the last overlap is proven to be of a type.
func (c *Clipper) Typed() bool { return c.found != soa.FacetID{} || c.prism.Sides > 0 }

// posed is one of the two bodies.
type posed struct {
	view   *soa.View
	rot    vec.Quat
	height []float64 // by vertex: along the direction towards the other body, m from the body's position
	top    soa.Vertex

	// Marks of what has been taken in the present question.
	asked              uint32
	faceSeen, vertSeen []uint32
	number             []uint16 // by vertex: which of solid's it is
}

// set takes over a shape, its rotation and the direction towards the other body, world axes.
func (p *posed) set(v *soa.View, rot vec.Quat, out vec.Vec3) {
	p.view, p.rot, p.top = v, rot, 0
	if len(p.height) < v.NVerts {
		p.height = make([]float64, v.NVerts)
		p.vertSeen, p.number = make([]uint32, v.NVerts), make([]uint16, v.NVerts)
	}
	if len(p.faceSeen) < v.NFaces {
		p.faceSeen = make([]uint32, v.NFaces)
	}
	out = rot.RotateInv(out)
	for k := range v.NVerts {
		p.height[k] = out.Dot(v.Vert(soa.Vertex(k)))
		if p.height[k] > p.height[p.top] {
			p.top = soa.Vertex(k)
		}
	}
	if p.asked++; p.asked == 0 {
		clear(p.faceSeen)
		clear(p.vertSeen)
		p.asked = 1
	}
}

// above counts the vertices above a height.
func (p *posed) above(floor float64) (n int) {
	for _, h := range p.height[:p.view.NVerts] {
		if h > floor {
			n++
		}
	}
	return n
}

// faces calls do for each face that has a vertex above a height.
func (p *posed) faces(floor float64, do func(soa.Face)) {
	v := p.view
	for k := range v.NVerts {
		if !(p.height[k] > floor) {
			continue
		}
		for _, h := range v.Ring[v.RingFirst[k]:][:v.RingLen[k]] {
			if f := v.Face[h]; p.faceSeen[f] != p.asked {
				p.faceSeen[f] = p.asked
				do(f)
			}
		}
	}
}

// take makes body the part of p above a height. Its coordinates are relative to p's last vertex, world axes.
func (c *Clipper) take(p *posed, floor float64) {
	v, b := p.view, &c.body
	b.reset()
	at := v.Vert(p.top)
	p.faces(floor, func(f soa.Face) {
		for _, t := range v.Tail[v.LoopFirst[f]:][:v.LoopLen[f]] {
			if p.vertSeen[t] != p.asked {
				p.vertSeen[t] = p.asked
				p.number[t] = uint16(len(b.verts))
				b.verts = append(b.verts, p.rot.Rotate(v.Vert(t).Sub(at)))
				b.over = append(b.over, floor-p.height[t])
			}
			b.loop = append(b.loop, p.number[t])
		}
		b.close(false, uint16(f))
	})
	c.cut()
}

// cutBy cuts body by the planes of p that reach above a height. The origin of body's coordinates is given relative to
// p's position, world axes.
func (c *Clipper) cutBy(p *posed, floor float64, origin vec.Vec3) {
	p.faces(floor, func(f soa.Face) {
		n := p.rot.Rotate(p.view.Normal(f))
		d := p.view.D[f] - n.Dot(origin)
		b := &c.body
		b.over = b.over[:0]
		for _, x := range b.verts {
			b.over = append(b.over, n.Dot(x)-d)
		}
		c.by = uint16(f)
		c.cut()
	})
}
