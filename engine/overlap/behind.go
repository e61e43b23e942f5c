package overlap

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// DepthPower is the power q of the depth h under a facet's plane that Press integrates over an
// overlap. The potential of a contact with facets is ½·k·((q+1)/A·∫h^q dV)^(2/(q+1)), which an
// eighth power of it is (docs/decisions/0034). Larger: tilts are q/12 times as stiff; smaller:
// edges and corners are softer.
const DepthPower = 15

// Prism is the material behind one side of a facet, or of a convex part of one: where points are
// under its plane, no deeper than a limit, and inside all its sides. Frame: the wall's.
type Prism struct {
	Corner vec.Vec3 // m, one of the facet's, on its plane
	Normal vec.Vec3 // unit, away from the material
	Sides  []Side
}

// Side is the half-space Normal·(x − Corner) ≤ Offset that a prism ends with. Its plane goes
// through an edge of the facet, or a corner.
type Side struct {
	Normal vec.Vec3 // unit
	Offset float64  // m
}

// Room returns the largest radius up to a given one of a ball about x, relative to the prism's corner,
// that does not go beyond its sides. It is 0 or less where x is not inside them.
func (p *Prism) Room(x vec.Vec3, most float64) float64 {
	for k := range p.Sides {
		most = min(most, p.Sides[k].Offset-p.Sides[k].Normal.Dot(x))
	}
	return most
}

// Pressed is what a block and a prism have in common, and how the integral of the depth's power
// changes as the block moves. Lengths are relative to the block's position, axes are the wall's.
type Pressed struct {
	Exp     int     // depths are in units of 2^Exp m
	Deepest float64 // m, the largest depth
	// Power is ∫h^q dV. When the block moves by v and turns by φ about its position, it grows by
	// Push·v + Turn·φ; m³, m², m³, of h in its unit.
	Power      float64
	Push, Turn vec.Vec3

	Volume             float64  // m³
	First              vec.Vec3 // ∫x dV, m⁴
	Second             vec.Sym3 // ∫x·xᵀ dV, m⁵
	VolumePush         vec.Vec3 // m², how the volume grows
	VolumeTurn, inside vec.Vec3 // m³; m, a point in the overlap
	Top                vec.Vec3 // m, the block's corner that is deepest under the facet's plane
}

// Presser is a worker's workspace for what blocks and prisms have in common. Methods allocate
// nothing once it is warm.
type Presser struct {
	clip Clipper
	view *soa.View
	rot  vec.Quat
	at   vec.Vec3
}

// NewPresser returns an empty workspace.
func NewPresser() *Presser { return &Presser{} }

// Load takes a block, posed in the wall's frame, for the calls that follow.
func (p *Presser) Load(v *soa.View, pose vec.Pose) {
	p.view, p.rot, p.at = v, pose.Rot, pose.Pos
	p.clip.a.set(v, pose.Rot, vec.Vec3{Z: 1})
}

// At returns the block's position in the wall's frame.
func (p *Presser) At() vec.Vec3 { return p.at }

// Clear returns by how much the block's corners are all outside one plane of a prism of the given
// depth, m: the block is farther than that from the prism, but for rounding. It is 0 or less if no
// plane has them all outside.
func (p *Presser) Clear(of *Prism, depth float64) float64 {
	from := p.at.Sub(of.Corner)
	lo, hi := p.extent(of.Normal)
	h := of.Normal.Dot(from)
	gap := max(h+lo, -(h+hi)-depth)
	for k := range of.Sides {
		s := &of.Sides[k]
		lo, _ := p.extent(s.Normal)
		gap = max(gap, s.Normal.Dot(from)-s.Offset+lo)
	}
	return gap
}

// extent returns the least and the largest coordinate of the block along a direction, m from its
// position.
func (p *Presser) extent(n vec.Vec3) (lo, hi float64) {
	n = p.rot.RotateInv(n)
	lo, hi = math.Inf(1), math.Inf(-1)
	for k := range p.view.NVerts {
		h := n.Dot(p.view.Vert(soa.Vertex(k)))
		lo, hi = min(lo, h), max(hi, h)
	}
	return lo, hi
}

// Press returns what the block has in common with a prism of the given depth, and says whether that
// has a volume.
//
// The block is cut by the planes of the prism, and the faces of what is left are integrated over,
// in closed form. With the corners of a triangle at depths h₀, h₁, h₂, N its area vector and H the
// complete homogeneous symmetric polynomial of degree q,
//
//	∫h^q dS = 2|N|/((q+1)(q+2))·H(h₀,h₁,h₂),  ∫x·h^q dS = 2|N|/((q+1)(q+2)(q+3))·Σ xᵢ·H(h₀,h₁,h₂,hᵢ)
//	∫h^q dV = 1/(q+3)·Σ x·N/|N|·∫h^q dS over all faces, for an origin on the facet's plane
//
// Source: Lasserre and Avrachenkov 2001. All terms of H are positive.
func (p *Presser) Press(of *Prism, depth float64) (r Pressed, ok bool) {
	c := &p.clip
	b, first := &c.body, &c.a
	first.set(p.view, p.rot, of.Normal.Neg())
	floor := of.Normal.Dot(p.at.Sub(of.Corner)) // of heights along −Normal, from the block's position
	if !(first.height[first.top] > floor) {
		return r, false
	}
	top := p.rot.Rotate(p.view.Vert(first.top))
	c.take(first, floor)
	deep := first.height[first.top] - floor
	if deep > depth {
		c.cutBeyond(of.Normal.Neg(), depth-deep)
	}
	from := p.at.Add(top).Sub(of.Corner)
	for k := range of.Sides {
		s := &of.Sides[k]
		c.cutBeyond(s.Normal, s.Offset-s.Normal.Dot(from))
	}
	if len(b.verts) < 4 {
		return r, false
	}
	return p.integrate(of.Normal, deep, top)
}

// cutBeyond leaves of body what is not beyond the plane n·x = d.
func (c *Clipper) cutBeyond(n vec.Vec3, d float64) {
	b := &c.body
	b.over = b.over[:0]
	for _, x := range b.verts {
		b.over = append(b.over, n.Dot(x)-d)
	}
	c.cut()
}

// integrate sums over the surface of body, whose coordinates are relative to a point that is deep
// under the plane with normal n.
func (p *Presser) integrate(n vec.Vec3, deep float64, top vec.Vec3) (r Pressed, ok bool) {
	b := &p.clip.body
	mid := vec.Vec3{}
	b.over = b.over[:0]
	for _, x := range b.verts {
		h := max(deep-n.Dot(x), 0)
		r.Deepest = max(r.Deepest, h)
		b.over = append(b.over, h)
		mid = mid.Add(x)
	}
	mid = mid.Scale(1 / float64(len(b.verts)))
	_, r.Exp = math.Frexp(r.Deepest)
	unit := math.Ldexp(1, -r.Exp)
	if !(unit < math.MaxFloat64) {
		return r, false
	}
	// From here on about the middle, and depths in their unit.
	for k, x := range b.verts {
		b.verts[k] = x.Sub(mid)
		b.over[k] *= unit
	}
	r.inside, r.Top = top.Add(mid), top
	foot := n.Scale(deep - n.Dot(mid)) // of the middle, on the plane
	start := 0
	for f, end := range b.end {
		for k := start + 2; k < end; k++ {
			r.addTriangle(b, [3]uint16{b.loop[start], b.loop[k-1], b.loop[k]}, foot, !b.isCap[f])
		}
		start = end
	}
	if !(r.Volume > 0) || !(r.Power > 0) {
		return r, false
	}
	r.about(r.inside)
	return r, true
}

// addTriangle adds a triangle of the surface: own says whether it is the block's. Coordinates are
// about the middle of the overlap.
func (r *Pressed) addTriangle(b *solid, corners [3]uint16, foot vec.Vec3, own bool) {
	x, y, z := b.verts[corners[0]], b.verts[corners[1]], b.verts[corners[2]]
	area := y.Sub(x).Cross(z.Sub(x)).Scale(0.5)
	six := x.Dot(y.Cross(z))
	sum := x.Add(y).Add(z)
	r.Volume += six / 6
	r.First = r.First.AddScaled(six/24, sum)
	r.Second = r.Second.Add(outerSum(x, y, z, sum).Scale(six / 120))
	const q = DepthPower
	var t powers
	mean := 0.0 // of h^q over the triangle
	if h0, h1, h2 := b.over[corners[0]], b.over[corners[1]], b.over[corners[2]]; h0+h1+h2 > 0 {
		t.set(h0, h1, h2)
		mean = t[q] * (2.0 / ((q + 1) * (q + 2)))
		r.Power += float64(x.Sub(foot).Dot(area)*mean) / (q + 3)
	}
	if !own {
		return
	}
	moment := vec.Vec3{} // mean of x·h^q
	for _, k := range corners {
		moment = moment.AddScaled(t.with(b.over[k])*(2.0/((q+1)*(q+2)*(q+3))), b.verts[k])
	}
	r.Push = r.Push.AddScaled(mean, area)
	r.Turn = r.Turn.Add(moment.Cross(area))
	r.VolumePush = r.VolumePush.Add(area)
	r.VolumeTurn = r.VolumeTurn.Add(sum.Scale(1.0 / 3).Cross(area))
}

// outerSum returns the sum of x·xᵀ of four vectors.
func outerSum(all ...vec.Vec3) (s vec.Sym3) {
	for _, x := range all {
		s = s.Add(outerOf(x))
	}
	return s
}

// outerOf returns x·xᵀ.
func outerOf(x vec.Vec3) vec.Sym3 {
	return vec.Sym3{
		XX: float64(x.X * x.X), YY: float64(x.Y * x.Y), ZZ: float64(x.Z * x.Z),
		XY: float64(x.X * x.Y), XZ: float64(x.X * x.Z), YZ: float64(x.Y * x.Z),
	}
}

// about makes sums about a point, which is given relative to the block's position, sums about that
// position.
func (r *Pressed) about(at vec.Vec3) {
	r.Turn = r.Turn.Add(at.Cross(r.Push))
	r.VolumeTurn = r.VolumeTurn.Add(at.Cross(r.VolumePush))
	first := r.First
	r.First = first.AddScaled(r.Volume, at)
	r.Second = r.Second.Add(outerOf(at).Scale(r.Volume)).Add(vec.Sym3{
		XX: float64(2 * first.X * at.X), YY: float64(2 * first.Y * at.Y), ZZ: float64(2 * first.Z * at.Z),
		XY: float64(first.X*at.Y) + float64(first.Y*at.X), XZ: float64(first.X*at.Z) + float64(first.Z*at.X),
		YZ: float64(first.Y*at.Z) + float64(first.Z*at.Y),
	})
}

// powers are the complete homogeneous symmetric polynomials of three depths, by degree.
type powers [DepthPower + 1]float64

// set makes them those of three depths: for each variable a, in rising order, tᵢ += a·tᵢ₋₁.
func (t *powers) set(a, b, c float64) {
	t[0] = 1
	t1, t2, t3 := 1.0, 1.0, 1.0
	for i := 1; i <= DepthPower; i++ {
		t1 = float64(a * t1)
		t2 = t1 + float64(b*t2)
		t3 = t2 + float64(c*t3)
		t[i] = t3
	}
}

// with returns the polynomial of degree q of the three depths and one more.
func (t *powers) with(d float64) float64 {
	sum := t[0]
	for i := 1; i <= DepthPower; i++ {
		sum = t[i] + float64(d*sum)
	}
	return sum
}
