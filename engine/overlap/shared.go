package overlap

import (
	"math"

	"github.com/scree-dem/scree/asm"
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

	// When A moves by v and turns by φ about the centroid, B at rest, λ grows by VarianceGradient·v + VarianceTurn·φ,
	// and the volume by VolumeGradient·v + VolumeTurn·φ. World axes; m, m², m², m³.
	VarianceGradient, VarianceTurn vec.Vec3
	VolumeGradient, VolumeTurn     vec.Vec3

	Thickness float64  // m, √(12·Variance)
	Along     vec.Vec3 // unit, as VarianceGradient: where A has to move for it to grow; zero where it does not, as inside another body
}

// Columns is columns of overlaps, a row each: Volume, Centroid (X Y Z), Spread (XX YY ZZ XY XZ YZ), Variance, its push and its turn, the volume's
// push and its turn, and Along.
type Columns = [26][]float64

// answerOf returns where column k of Columns stands among the answers of the kernels: Along after what engines do not keep.
func answerOf(k int) int {
	if k < asm.ShareKnown {
		return k
	}
	return asm.ShareAlong - asm.ShareKnown + k
}

// readRow takes an overlap of a thickness over from row i of columns.
func (s *Shared) readRow(c *Columns, i int, thickness float64) {
	var answers [asm.ShareAnswers][]float64
	for k := range c {
		answers[answerOf(k)] = c[k]
	}
	s.read(&answers, i, thickness)
}

// read takes an overlap of a thickness over from row i of a kernel's answers.
func (s *Shared) read(c *[asm.ShareAnswers][]float64, i int, thickness float64) {
	three := func(k int) vec.Vec3 { return vec.Vec3{X: c[k][i], Y: c[k+1][i], Z: c[k+2][i]} }
	s.Volume, s.Centroid, s.Variance = c[asm.ShareVolume][i], three(asm.ShareCentroid), c[asm.ShareVariance][i]
	d, o := three(asm.ShareSpread), three(asm.ShareSpread+3)
	s.Spread = vec.Sym3{XX: d.X, YY: d.Y, ZZ: d.Z, XY: o.X, XZ: o.Y, YZ: o.Z}
	s.VarianceGradient, s.VarianceTurn = three(asm.ShareVarianceGradient), three(asm.ShareVarianceTurn)
	s.VolumeGradient, s.VolumeTurn = three(asm.ShareVolumeGradient), three(asm.ShareVolumeTurn)
	s.Thickness, s.Along = thickness, three(asm.ShareAlong)
}

// Clipper is a worker's workspace for Share. Methods allocate nothing once it is warm.
type Clipper struct {
	a, b       posed // the two bodies
	body, next solid
	frame      frame   // of body
	solids     *Solids // for one
	surface    surface
	cuts       []cutEdge
	kept       []uint16 // by vertex of body: its number in next
	by         uint16   // the face of the other body that cuts next; noFace for none

	faces  [2][]soa.Face // of body: its own, those of the caps
	common [mostEdges]soa.Vertex
	found  soa.FacetID                  // the features that made the last overlap, or none
	prism  soa.Prism                    // the faces between which it lies, or none
	one    [nShapes]*alone              // of each type
	poses  [2 * asm.PoseNumbers]float64 // rows of A and B, which ofType and ofPrism look up

	names    []cornerName // of the corners that join makes
	supposed Features     // the types that the faces of the last overlap suppose, of which it was not proven
	several  bool         // there are several such corners
	skeleton Skeleton     // of the overlap that was joined last
	outlined *Skeleton    // of the last overlap, or nil
	placed   solidRow     // the last overlap, where its skeleton is not nil
	placer   placer

	triangles triangles
}

// NewClipper returns an empty workspace.
func NewClipper() *Clipper { return &Clipper{solids: newSolids(1)} }

// margin, relative to a body's radius, is how far beyond the other body's last point a body is cut off before the
// other's faces cut it. It keeps the first cut away from these faces, more than rounding could bring them together.
const margin = 0x1p-20

// Share returns what two posed bodies have in common, and reports whether that has a volume. Each is a block; B may be a
// plane, too. The unit vector along points from A to B, roughly: what either has beyond the other's last point
// along it is no part of the overlap and is left out at once. It saves time where the overlap is thin along it. It
// decides about rounding alone, and between sides that lie in one plane but for rounding.
//
// The edges of both bodies are cut by the other's planes, and joined to the surface of the overlap; see pierce.go. Where
// rounding makes that contradict itself, as among faces that lie in one plane, one body is cut by the other's planes,
// one after the other (Sutherland & Hodgman 1974). Its faces share their vertices, so that surface stays closed whatever
// rounding does.
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
	found := c.FindNear(va, pa, vb, pb, along, guess, s)
	return found == Known || found == Surfaced && c.Measure(s)
}

// begin forgets the last overlap and takes over the poses of the next.
func (c *Clipper) begin(pa, pb *vec.Pose) {
	c.found, c.prism, c.supposed, c.several = soa.FacetID{}, soa.Prism{}, Features{}, false
	c.outlined, c.placed.skeleton = nil, nil
	c.setPoses(pa, pb)
}

// Finding is what a Clipper has found of an overlap.
type Finding uint8

const (
	Apart    Finding = iota // there is none
	Known                   // it is of a type, and written
	Surfaced                // its surface is known: Solids.Add takes that, and Measure
)

// FindNear is ShareNear but for the moments of an overlap of no type.
func (c *Clipper) FindNear(
	va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, along vec.Vec3, guess *Features, s *Shared,
) Finding {
	c.begin(&pa, &pb)
	if c.ofPrism(va, vb, &guess.Prism, s) || c.ofType(va, vb, guess.Facet, s) {
		return Known
	}
	return c.clip(va, pa, vb, pb, along, guess, s)
}

// FindBut is FindNear of bodies whose overlap is known not to be made by the facet and the prism of some features. Their
// skeleton is tried.
func (c *Clipper) FindBut(
	va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, along vec.Vec3, not *Features, s *Shared,
) Finding {
	c.begin(&pa, &pb)
	return c.clip(va, pa, vb, pb, along, not, s)
}

// clip is FindNear of bodies whose overlap is not made by guess.
func (c *Clipper) clip(
	va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, along vec.Vec3, guess *Features, s *Shared,
) Finding {
	*s = Shared{}
	c.frame.sign, c.frame.arm = 1, 2*va.Radius
	if vb.Kind == soa.Plane {
		return c.clipPlane(va, pa, vb, pb, guess, s)
	}
	c.frame.arm = min(c.frame.arm, 2*vb.Radius)
	if guess.Skeleton != nil {
		if found := c.ofSkeleton(va, pa, vb, pb, guess, s); found != Apart {
			return found
		}
	}
	if !c.facing(va, pa, vb, pb, along) {
		return Apart
	}
	if level(va) && level(vb) {
		switch c.join(pb.Pos.Sub(pa.Pos)) {
		case closed:
			found := c.joined(va, vb, guess, s)
			if found == Surfaced && c.outline(va, vb) {
				c.place(&c.skeleton, va, pa, vb, pb)
			}
			return found
		case separate:
			return Apart
		}
	}
	return c.cutDown(va, pa, vb, pb, along, guess, s)
}

// joined is clip of what join has made body of.
func (c *Clipper) joined(va, vb *soa.View, guess *Features, s *Shared) Finding {
	a := &c.a
	c.frame.origin, c.frame.turn = a.rot.Rotate(va.Vert(a.top)), a.rot
	return c.surfaced(va, vb, guess, false, s)
}

// surfaced returns what body is: it writes the overlap if that is of a type. swapped says that body was cut from B.
func (c *Clipper) surfaced(va, vb *soa.View, guess *Features, swapped bool, s *Shared) Finding {
	switch {
	case c.byType(va, vb, guess, swapped, s):
		return Known
	case len(c.body.verts) < 4:
		return Apart
	}
	return Surfaced
}

// facing takes over two blocks and their heights along the direction from A to B. It returns false if they do not even
// reach each other along it.
func (c *Clipper) facing(va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, along vec.Vec3) bool {
	c.a.set(va, pa.Rot, along)
	c.b.set(vb, pb.Rot, along.Neg())
	apart := along.Dot(pb.Pos.Sub(pa.Pos))
	floorA, floorB := apart-c.b.height[c.b.top], apart-c.a.height[c.a.top]
	// A face in the plane of the other body's last one is above the floor, too: it may be the overlap's.
	coplanar := float64(2 * joinCoplanar * (va.Radius + vb.Radius))
	c.a.floor, c.b.floor = floorA-coplanar, floorB-coplanar
	return c.a.height[c.a.top] > floorA
}

// cutDown is clip of blocks that face each other, by planes one after the other.
func (c *Clipper) cutDown(
	va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, along vec.Vec3, guess *Features, s *Shared,
) Finding {
	first, second := &c.a, &c.b
	between := pb.Pos.Sub(pa.Pos)
	origin := vec.Vec3{} // of the coordinates of body, relative to the position of A
	if second.above() < first.above() {
		first, second = second, first
		origin, between = between, between.Neg()
		c.frame.sign = -1
	}
	top := first.rot.Rotate(first.view.Vert(first.top))
	c.by = noFace
	c.take(first, first.floor-float64(margin*first.view.Radius))
	// Of faces in one plane those of A count, as in join: they cut those of B, and are not cut by them.
	coplanar, flat := float64(joinCoplanar*(va.Radius+vb.Radius)), 0.0
	if first == &c.b {
		flat = float64(coplanar * 0x1p-20)
	}
	c.cutBy(second, top.Sub(between), coplanar, flat)
	c.frame.origin, c.frame.turn = origin.Add(top), vec.Identity
	return c.surfaced(va, vb, guess, first == &c.b, s)
}

// clipPlane is clip where B is a plane.
func (c *Clipper) clipPlane(va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, guess *Features, s *Shared) Finding {
	n := pb.Rot.Rotate(vec.Vec3{Z: 1})
	d := n.Dot(pb.Pos.Sub(pa.Pos))
	c.a.set(va, pa.Rot, n.Neg())
	c.a.floor = -d
	if level(va) && c.joinPlane(pa.Rot.RotateInv(n), d) == closed {
		return c.joined(va, vb, guess, s)
	}
	c.by = 0
	c.take(&c.a, c.a.floor)
	c.frame.origin, c.frame.turn = c.a.rot.Rotate(va.Vert(c.a.top)), vec.Identity
	return c.surfaced(va, vb, guess, false, s)
}

// Measure writes the overlap whose surface has been found, and reports whether it has a volume. One so thin that rounding
// makes its moments has none.
func (c *Clipper) Measure(s *Shared) bool {
	c.solids.Clear()
	c.solids.Add(0, c)
	c.solids.Solve()
	return c.solids.At(0, s)
}

// Named returns the features that are proven to make the last overlap, if it is of a type.
func (c *Clipper) Named() Features { return Features{Facet: c.found, Prism: c.prism} }

// posed is one of the two bodies.
type posed struct {
	view   *soa.View
	rot    vec.Quat
	height []float64 // by vertex: along the direction towards the other body, m from the body's position
	top    soa.Vertex
	floor  float64 // the height of the other body's last point: what is below is in no overlap

	// Marks of what has been taken in the present question.
	asked              uint32
	faceSeen, vertSeen []uint32
	number             []uint16 // by vertex: which of solid's, or of near's, it is
	faceNumber         []uint8  // by face: which of near's it is

	part part
}

// set takes over a shape, its rotation and the direction towards the other body, world axes.
func (p *posed) set(v *soa.View, rot vec.Quat, out vec.Vec3) {
	p.view, p.rot, p.top = v, rot, 0
	if len(p.height) < v.NVerts {
		p.height = make([]float64, v.NVerts)
		p.vertSeen, p.number = make([]uint32, v.NVerts), make([]uint16, v.NVerts)
	}
	if len(p.faceSeen) < v.NFaces {
		p.faceSeen, p.faceNumber = make([]uint32, v.NFaces), make([]uint8, v.NFaces)
	}
	out = rot.RotateInv(out)
	height := p.height[:v.NVerts]
	xs, ys, zs := v.X[:len(height)], v.Y[:len(height)], v.Z[:len(height)]
	top, most := 0, math.Inf(-1)
	for k := range height {
		h := out.Dot(vec.Vec3{X: xs[k], Y: ys[k], Z: zs[k]})
		height[k] = h
		if h > most {
			top, most = k, h
		}
	}
	p.top = soa.Vertex(top)
	p.begin()
}

// begin unmarks all faces and vertices.
func (p *posed) begin() {
	if p.asked++; p.asked == 0 {
		clear(p.faceSeen)
		clear(p.vertSeen)
		p.asked = 1
	}
}

// above counts the vertices above the floor.
func (p *posed) above() (n int) {
	for _, h := range p.height[:p.view.NVerts] {
		if h > p.floor {
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
	p.begin()
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

// cutBy cuts body by the planes of p that reach above its floor. Vertices within coplanar, m, of a plane are at height flat. The
// origin of body's coordinates is given relative to p's position, world axes.
func (c *Clipper) cutBy(p *posed, origin vec.Vec3, coplanar, flat float64) {
	p.begin()
	p.faces(p.floor, func(f soa.Face) {
		n := p.rot.Rotate(p.view.Normal(f))
		d := p.view.D[f] - n.Dot(origin)
		b := &c.body
		b.over = b.over[:0]
		for _, x := range b.verts {
			h := n.Dot(x) - d
			if math.Abs(h) <= coplanar {
				h = flat
			}
			b.over = append(b.over, h)
		}
		c.by = uint16(f)
		c.cut()
	})
}
