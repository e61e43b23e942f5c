package overlap

import (
	"math"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Moments is the overlap of two bodies and its derivatives with respect to the motion of A, for laws
// with a potential.
type Moments struct {
	Volume   float64  // m³
	Centroid vec.Vec3 // m, relative to the position of A, world axes
	Spread   vec.Sym3 // m², world axes: ∫ (x-c)(x-c)ᵀ dV / Volume, c the centroid
	// Variance is λ = (tr Spread⁻²)^(-1/2), m². It is close to the smallest principal variance of
	// the overlap: δ²/12 for a slab of thickness δ, whatever its outline.
	Variance float64

	// If A moves by v and turns by φ about the centroid while B is at rest, Variance grows by
	// VarianceGradient·v + VarianceTurn·φ, and Volume by VolumeGradient·v + VolumeTurn·φ. World axes; m,
	// m², m², m³.
	VarianceGradient, VarianceTurn vec.Vec3
	VolumeGradient, VolumeTurn     vec.Vec3

	Thickness float64  // m, √(12·Variance)
	Along     vec.Vec3 // unit, the direction of VarianceGradient; zero if that is zero, as for a body inside another
}

// Columns stores overlaps, one in each row. The columns are Volume, Centroid (X Y Z), Spread (XX YY
// ZZ XY XZ YZ), Variance, VarianceGradient, VarianceTurn, VolumeGradient, VolumeTurn and Along.
type Columns = [26][]float64

// answerOf returns the number of the kernels' result that column k of Columns stores. Along comes
// after two results that Columns does not store.
func answerOf(k int) int {
	if k < asm.ShareKnown {
		return k
	}
	return asm.ShareAlong - asm.ShareKnown + k
}

// readRow sets s to row i of columns, with the given thickness.
func (s *Moments) readRow(c *Columns, i int, thickness float64) {
	var answers [asm.ShareAnswers][]float64
	for k := range c {
		answers[answerOf(k)] = c[k]
	}
	s.read(&answers, i, thickness)
}

// read sets s to row i of a kernel's results, with the given thickness.
func (s *Moments) read(c *[asm.ShareAnswers][]float64, i int, thickness float64) {
	three := func(k int) vec.Vec3 { return vec.Vec3{X: c[k][i], Y: c[k+1][i], Z: c[k+2][i]} }
	s.Volume, s.Centroid, s.Variance = c[asm.ShareVolume][i], three(asm.ShareCentroid), c[asm.ShareVariance][i]
	d, o := three(asm.ShareSpread), three(asm.ShareSpread+3)
	s.Spread = vec.Sym3{XX: d.X, YY: d.Y, ZZ: d.Z, XY: o.X, XZ: o.Y, YZ: o.Z}
	s.VarianceGradient, s.VarianceTurn = three(asm.ShareVarianceGradient), three(asm.ShareVarianceTurn)
	s.VolumeGradient, s.VolumeTurn = three(asm.ShareVolumeGradient), three(asm.ShareVolumeTurn)
	s.Thickness, s.Along = thickness, three(asm.ShareAlong)
}

// Clipper is a worker's workspace for Share. Methods allocate nothing once the buffers have grown.
type Clipper struct {
	a, b       posed // the two bodies
	body, next polyhedron
	frame      frame         // of body's coordinates
	solids     *UntypedBatch // has one row
	surface    boundary
	cuts       []cutEdge
	kept       []uint16 // by vertex of body: its number in next
	by         uint16   // the face of the other body that cuts next; noFace if none

	faces  [2][]soa.Face // faces of body: its own, and those that made its caps
	common [mostEdges]soa.Vertex
	found  soa.FacetID                  // the features that made the last overlap, or none
	prism  soa.Prism                    // the faces of the last overlap if it was a prism, or none
	one    [nShapes]*typed              // by type: a table of one row
	poses  [2 * asm.PoseNumbers]float64 // rows of A and B, which ofType and ofPrism read

	names    []cornerName // of the corners that join makes
	guessed  Features     // the types that the faces of the last overlap suggest, although no proof succeeded
	several  bool         // whether the faces suggest several different facets
	untyped  bool         // no overlap is classified: see Volume
	skeleton Skeleton     // of the overlap that was joined last
	outlined *Skeleton    // skeleton of the last overlap, or nil
	placed   untypedRow   // the last overlap, if its skeleton is not nil
	placer   placer

	triangles triangles
}

// NewClipper returns an empty workspace.
func NewClipper() *Clipper { return &Clipper{solids: newSolids(1)} }

// margin, relative to a body's radius, is how far beyond the other body's last point the first cut
// lies. It keeps this cut away from the other body's faces by more than rounding.
// Smaller: a first cut may lie in a face. Larger: more faces are tested.
const margin = 0x1p-20

// Share returns the overlap of two posed bodies, and reports whether it has a volume. A must be a
// block; B may be a plane or a block of the same soa.Shapes.
//
// along is a unit vector that points roughly from A to B. Share first discards the part of each
// body beyond the other body's last point along this vector. Therefore a direction in which the
// overlap is thin saves time. along changes the result by rounding only, and may decide which of two
// sides bounds the overlap if the sides are coplanar but for rounding.
//
// Share cuts the edges of both bodies by the other's planes and joins them to the surface of the
// overlap; see pierce.go. If rounding makes the joined surface contradict itself, as it may near
// coplanar faces, Share cuts one body by the planes of the other, one plane after the other
// (Sutherland & Hodgman 1974). The faces of the cut body share their vertices, so its surface stays
// closed whatever rounding does.
func (c *Clipper) Share(va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, along vec.Vec3) (s Moments, ok bool) {
	ok = c.ShareNear(va, pa, vb, pb, along, &Features{}, &s)
	return s, ok
}

// ShareNear is Share with a guess of the features that make the overlap, for example those that an
// earlier call or the narrow phase named. The guess does not change a bit of the result. A correct
// guess makes the call faster.
func (c *Clipper) ShareNear(
	va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, along vec.Vec3, guess *Features, s *Moments,
) bool {
	found := c.FindNear(va, pa, vb, pb, along, guess, s)
	return found == Computed || found == SurfaceFound && c.Measure(s)
}

// begin discards the last overlap and stores the poses of the next one.
func (c *Clipper) begin(pa, pb *vec.Pose) {
	c.found, c.prism, c.guessed, c.several = soa.FacetID{}, soa.Prism{}, Features{}, false
	c.outlined, c.placed.skeleton = nil, nil
	c.setPoses(pa, pb)
}

// Finding is the state of an overlap that a Clipper has searched.
type Finding uint8

const (
	NoOverlap    Finding = iota // the bodies do not overlap
	Computed                    // the overlap is of a type, and its moments are written
	SurfaceFound                // the surface is found; Solids.Add or Measure computes the moments
)

// FindNear is ShareNear without the moments of an overlap of no type: it returns SurfaceFound instead.
func (c *Clipper) FindNear(
	va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, along vec.Vec3, guess *Features, s *Moments,
) Finding {
	c.begin(&pa, &pb)
	if c.ofPrism(va, vb, &guess.Prism, s) || c.ofType(va, vb, guess.Facet, s) {
		return Computed
	}
	return c.clip(va, pa, vb, pb, along, guess, s)
}

// FindExcept is FindNear for bodies whose overlap is known not to be made by the facet and the prism
// of not. It still tries the skeleton of not.
func (c *Clipper) FindExcept(
	va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, along vec.Vec3, not *Features, s *Moments,
) Finding {
	c.begin(&pa, &pb)
	return c.clip(va, pa, vb, pb, along, not, s)
}

// clip is FindNear after the facet and the prism of guess have failed.
func (c *Clipper) clip(
	va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, along vec.Vec3, guess *Features, s *Moments,
) Finding {
	*s = Moments{}
	c.frame.sign, c.frame.arm = 1, 2*va.Radius
	if vb.Kind.IsEndless() {
		return c.clipPlane(va, pa, vb, pb, guess, s)
	}
	c.frame.arm = min(c.frame.arm, 2*vb.Radius)
	if guess.Skeleton != nil {
		if found := c.ofSkeleton(va, pa, vb, pb, guess, s); found != NoOverlap {
			return found
		}
	}
	if !c.facing(va, pa, vb, pb, along) {
		return NoOverlap
	}
	if flatFaced(va) && flatFaced(vb) {
		switch c.join(pb.Pos.Sub(pa.Pos)) {
		case closed:
			found := c.joined(va, vb, guess, s)
			if found == SurfaceFound && c.outline(va, vb) {
				c.place(&c.skeleton, va, pa, vb, pb)
			}
			return found
		case separate:
			return NoOverlap
		}
	}
	return c.cutDown(va, pa, vb, pb, along, guess, s)
}

// joined is the end of clip for a body that join or joinPlane has made.
func (c *Clipper) joined(va, vb *soa.View, guess *Features, s *Moments) Finding {
	a := &c.a
	c.frame.origin, c.frame.turn = a.rot.Rotate(va.Vert(a.top)), a.rot
	return c.surfaced(va, vb, guess, false, s)
}

// surfaced classifies body, and writes the overlap if it is of a type. swapped means that body was
// cut from B.
func (c *Clipper) surfaced(va, vb *soa.View, guess *Features, swapped bool, s *Moments) Finding {
	switch {
	case !c.untyped && c.byType(va, vb, guess, swapped, s):
		return Computed
	case len(c.body.verts) < 4:
		return NoOverlap
	}
	return SurfaceFound
}

// facing stores two blocks and the heights of their vertices along the direction from A to B. It
// returns false if the blocks do not reach each other along this direction.
func (c *Clipper) facing(va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, along vec.Vec3) bool {
	c.a.set(va, pa.Rot, along)
	c.b.set(vb, pb.Rot, along.Neg())
	apart := along.Dot(pb.Pos.Sub(pa.Pos))
	floorA, floorB := apart-c.b.height[c.b.top], apart-c.a.height[c.a.top]
	// The floor is lowered because a face coplanar with the other body's last face may bound the
	// overlap.
	coplanar := float64(2 * joinCoplanar * (va.Radius + vb.Radius))
	c.a.floor, c.b.floor = floorA-coplanar, floorB-coplanar
	return c.a.height[c.a.top] > floorA
}

// cutDown is clip for blocks that face each other: it cuts one block by the planes of the other,
// one after the other.
func (c *Clipper) cutDown(
	va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, along vec.Vec3, guess *Features, s *Moments,
) Finding {
	first, second := &c.a, &c.b
	between := pb.Pos.Sub(pa.Pos)
	origin := vec.Vec3{} // of body's coordinates, relative to the position of A
	if second.above() < first.above() {
		first, second = second, first
		origin, between = between, between.Neg()
		c.frame.sign = -1
	}
	top := first.rot.Rotate(first.view.Vert(first.top))
	c.by = noFace
	c.copyAbove(first, first.floor-float64(margin*first.view.Radius))
	// Of coplanar faces, those of A bound the overlap, as in join: they cut the faces of B, and the
	// faces of B do not cut them.
	coplanar, flat := float64(joinCoplanar*(va.Radius+vb.Radius)), 0.0
	if first == &c.b {
		flat = float64(coplanar * 0x1p-20)
	}
	c.cutBy(second, top.Sub(between), coplanar, flat)
	c.frame.origin, c.frame.turn = origin.Add(top), vec.Identity
	return c.surfaced(va, vb, guess, first == &c.b, s)
}

// clipPlane is clip for a plane B.
func (c *Clipper) clipPlane(va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, guess *Features, s *Moments) Finding {
	n := pb.Rot.Rotate(vec.Vec3{Z: 1})
	d := n.Dot(pb.Pos.Sub(pa.Pos))
	c.a.set(va, pa.Rot, n.Neg())
	c.a.floor = -d
	if flatFaced(va) && c.joinPlane(pa.Rot.RotateInv(n), d) == closed {
		return c.joined(va, vb, guess, s)
	}
	c.by = 0
	c.copyAbove(&c.a, c.a.floor)
	c.frame.origin, c.frame.turn = c.a.rot.Rotate(va.Vert(c.a.top)), vec.Identity
	return c.surfaced(va, vb, guess, false, s)
}

// Measure writes the overlap whose surface has been found, and reports whether it has a volume. An
// overlap so thin that its moments are rounding has none.
func (c *Clipper) Measure(s *Moments) bool {
	c.solids.Clear()
	c.solids.Add(0, c)
	c.solids.Solve()
	return c.solids.At(0, s)
}

// Named returns the features that are proven to make the last overlap. They are none if the overlap
// is of no type.
func (c *Clipper) Named() Features { return Features{Facet: c.found, Prism: c.prism} }

// posed is one of the two bodies.
type posed struct {
	view   *soa.View
	rot    vec.Quat
	height []float64 // by vertex: along the direction towards the other body, m from the body's position
	top    soa.Vertex
	floor  float64 // height of the other body's last point: nothing below it is in the overlap

	// A vertex or face is marked as visited if its entry equals mark.
	mark               uint32
	faceSeen, vertSeen []uint32
	number             []uint16 // by vertex: its number in solid, or in part
	faceNumber         []uint8  // by face: its number in part

	part part
}

// set stores a shape, its rotation and the direction towards the other body, world axes. It
// computes the heights.
func (p *posed) set(v *soa.View, rot vec.Quat, out vec.Vec3) {
	p.view, p.rot, p.top = v, rot, 0
	p.height, p.vertSeen, p.number = soa.Resize(p.height, v.NVerts), soa.Resize(p.vertSeen, v.NVerts), soa.Resize(p.number, v.NVerts)
	p.faceSeen, p.faceNumber = soa.Resize(p.faceSeen, v.NFaces), soa.Resize(p.faceNumber, v.NFaces)
	out = rot.RotateInv(out)
	height := p.height
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

// begin removes the marks of all faces and vertices.
func (p *posed) begin() {
	if p.mark++; p.mark == 0 {
		clear(p.faceSeen)
		clear(p.vertSeen)
		p.mark = 1
	}
}

// above returns the number of vertices above the floor.
func (p *posed) above() (n int) {
	for _, h := range p.height {
		if h > p.floor {
			n++
		}
	}
	return n
}

// faces calls do once for each face that has a vertex above the height floor.
func (p *posed) faces(floor float64, do func(soa.Face)) {
	v := p.view
	for k := range v.NVerts {
		if !(p.height[k] > floor) {
			continue
		}
		for _, h := range v.Ring[v.RingFirst[k]:][:v.RingLen[k]] {
			if f := v.Face[h]; p.faceSeen[f] != p.mark {
				p.faceSeen[f] = p.mark
				do(f)
			}
		}
	}
}

// copyAbove sets body to the part of p above the height floor. The coordinates of body are relative
// to the top vertex of p, world axes.
func (c *Clipper) copyAbove(p *posed, floor float64) {
	v, b := p.view, &c.body
	b.reset()
	p.begin()
	at := v.Vert(p.top)
	p.faces(floor, func(f soa.Face) {
		for _, t := range v.Tail[v.LoopFirst[f]:][:v.LoopLen[f]] {
			if p.vertSeen[t] != p.mark {
				p.vertSeen[t] = p.mark
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

// cutBy cuts body by the planes of p whose faces reach above its floor. A vertex within coplanar,
// m, of a plane counts as being at height flat over it. origin is the origin of body's coordinates
// relative to p's position, world axes.
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
