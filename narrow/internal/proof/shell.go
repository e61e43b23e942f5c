package proof

import (
	"math"

	"github.com/scree-dem/scree/narrow/internal/facets"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// mostSides limits the sides of a facet of K that a shell proves. Of a face with more sides, most
// are far from the projection.
const mostSides = 16

// shell is the surface about the origin that proves a facet, with memory for its construction.
type shell struct {
	corners [mostSides]vec.Vec3
	a, b    [mostSides]soa.Vertex // vertices of A and B whose differences are the corners
	sides   [mostSides]soa.HalfEdge
	ring    [2 * mostSides]vec.Vec3
	near    [2 * mostSides]int // index of the corner next to each point of the ring
	below   vec.Vec3           // a point of K far below the facet
	p, deep float64
	deep2   float64
	lower   Probe // a direction along which K is shallower, if one was found
	Closed  bool  // the last surface is closed and proves its facet
}

// ShelledFacet proves by a shell that all facets of K but one, of depth p and normal n, are deeper
// than p by provenBy. It serves facets whose projection is nearer to the rim than the facet is
// deep, so that the disc about the projection is not enough.
//
// The shell is a closed surface of triangles about the origin. Its corners are points of K, and the
// facet is a part of the surface. Every ray from the origin meets the surface: in the facet, whose
// plane is at distance p, or in a triangle. Let p' = p + provenBy, and let all triangles be farther
// from the origin than p'. Then K contains all points within p' of the origin whose height along n
// is at most p. So h_K(m) ≥ p' for all m at an angle α from n with p'·cos α ≤ p. Nearer to n the
// facet's own disc of radius ρ gives the bound, because
//
//	p·cos α + ρ·sin α ≥ p + ρ·α/3   for α ≤ min(ρ/p, 1),
//
// down to the cap, of sine capSine, which contains no other facet. So capSine·ρ ≥ 8·provenBy and ρ²
// ≥ 8·provenBy·p are sufficient.
//
// From each side of the facet a triangle goes down to a point y of K far below the origin. If that
// triangle passes too near to the origin, two triangles replace it: from the side to a point g on
// the far side of the adjacent facet, in the plane of that facet, and from there down. Between two
// such sides a triangle of their common corner and both points g closes the gap, or two triangles
// with the support point in between. Any triangle that still passes too near is replaced by three
// triangles with the support point along its normal. If the support point is no farther, the facet
// is not the shallowest.
//
// Cost: a few dozen operations for each side, and for each g the edges at one vertex.
func (s *Prover) ShelledFacet(at *pair.FeaturePair, n vec.Vec3, gap, capSine float64) bool {
	x := &s.Shell
	x.lower.Found, x.Closed = false, false
	s.setDepth(-gap)
	count := s.rimOfFacet(at, n)
	if s.Off&Shells != 0 || count == 0 || !s.clearShell(-gap, capSine, at.Inset) {
		return false
	}
	s.setDeepPoint(n)
	x.Closed = s.enclosed(at, n, count)
	return x.Closed
}

// shelledFaces is ShelledFacet for the facets that two features make.
func (s *Prover) shelledFaces(best *facets.Shallowest, two *faces) bool {
	x := &s.Shell
	x.lower.Found, x.Closed = false, false
	if s.Off&FaceShells != 0 || best.ID.Kind == soa.NoFacet {
		return false
	}
	s.setDepth(best.H)
	if !s.clearShell(two.least, two.capSine, two.rho) {
		return false
	}
	count := s.rimOfFaces(two.n)
	s.setDeepPoint(two.n)
	x.Closed = count > 0 && s.enclosed(nil, two.n, count)
	return x.Closed
}

// setDepth sets the depth p of what a shell proves, and the depth that everything else must have.
func (s *Prover) setDepth(p float64) {
	x := &s.Shell
	x.p, x.deep = p, p+float64(provenBy*s.LengthScale)
	x.deep2 = float64(x.deep*x.deep) * (1 + 0x1p-40)
}

// shellSlack is how far, in length scales, points of what a shell proves may seem to lie below it,
// due to rounding.
// Smaller: some coplanar faces stay unproven. Larger: their disc must be wider.
const shellSlack = 8 * pair.RoundTol

// clearShell reports whether a shell may prove a part of K's surface: one facet, or the facets that
// two features make. setDepth has set the depth p. The heights of the part along its normal are at
// least q = least, capSine is the sine l of its cap, and inset is how far inside it, ρ, the
// projection of the origin lies. p' is as in ShelledFacet.
//
// If a ray from the origin meets the part nearer than p', its angle from the normal is below α₁,
// where cos α₁ = q/p'. For such angles the part's disc of radius ρ bounds h_K from below by q·cos α
// + ρ·sin α. That function is concave for q > 0, so its values at two ends suffice. At α₁ it is at
// least p', because ρ² > 2·(p'−q)·p'. At the end of the cap, if below α₁, it is at least p' because
// q·cos α ≥ q − q·l² ≥ q − ρ·l/2 and ρ·l > 8·(p'−q). The cap contains nothing but the part. So all
// other facets of K are deeper than p'.
func (s *Prover) clearShell(least, capSine, inset float64) bool {
	x := &s.Shell
	least -= float64(shellSlack * s.LengthScale)
	return least > 0.5*x.p && clearOfRim(capSine, inset, x.p, x.deep-least)
}

// enclosed constructs the closed surface about the origin from the corners of what it proves, and
// reports whether it succeeds. at is the feature pair of a facet, or nil for the facets that two
// features make.
func (s *Prover) enclosed(at *pair.FeaturePair, n vec.Vec3, count int) bool {
	x := &s.Shell
	y := x.below
	ring := 0
	add := func(g vec.Vec3, corner int) {
		x.ring[ring], x.near[ring] = g, corner
		ring++
	}
	next := func(i int) vec.Vec3 {
		if at == nil {
			return s.turnedOver(i, count, y)
		}
		return s.beyond(at, n, i)
	}
	open := s.isOpen(count-1, count, y)
	var g vec.Vec3
	if !open {
		if g = next(count - 1); !s.closed(x.corners[0], x.corners[count-1], g, 0, mostSplits) {
			return false
		}
	}
	// Go around the facet, starting from the point beyond the last side.
	for i := range count {
		v, w := x.corners[i], x.corners[(i+1)%count]
		before := open
		open = s.isOpen(i, count, y)
		if open || before {
			if !before {
				add(g, i)
			}
			add(v, i)
		}
		if open {
			continue
		}
		h := next(i)
		if !s.closed(w, v, h, i, mostSplits) {
			return false
		}
		if !before {
			add(g, i)
			if h == g {
				continue
			}
			if det := g.Cross(h).Dot(v); det > 0 {
				if !s.closed(v, g, h, i, mostSplits) {
					return false
				}
			} else {
				k := s.outward(i, count, n)
				if k == v {
					return false // the corner is the support itself: K is pointed there
				}
				if !s.closed(v, g, k, i, mostSplits) || !s.closed(v, k, h, i, mostSplits) {
					return false
				}
				add(k, i)
			}
		}
		g = h
	}
	for i := range ring {
		u, w := x.ring[i], x.ring[(i+1)%ring]
		if u != w && !s.closed(w, u, y, x.near[i], mostSplits) {
			return false
		}
	}
	return true
}

// setDeepPoint sets the point of K far below a facet of normal n.
func (s *Prover) setDeepPoint(n vec.Vec3) {
	c := s.CentreOfB()
	s.Shell.below = c.Neg().AddScaled(-(s.ViewA.Inner + s.ViewB.Inner), n)
}

// clearOfRim reports whether a shell may prove a facet of depth p: the projection, rho inside the
// facet, must be far enough from the rim, and the cap, of sine capSine, wide enough.
func clearOfRim(capSine, rho, p, margin float64) bool {
	return float64(capSine*rho) > float64(8*margin) && float64(rho*rho) > float64(8*margin*p)
}

// pointOf returns the point of K that vertex i of A and vertex j of B make.
func (s *Prover) pointOf(i, j soa.Vertex) vec.Vec3 { return s.ViewA.Vert(i).Sub(s.PointB(j)) }

// outward returns the support point of K along a direction that points away from the facet at
// corner i.
func (s *Prover) outward(i, count int, n vec.Vec3) vec.Vec3 {
	x := &s.Shell
	v := x.corners[i]
	e, f := x.corners[(i+1)%count].Sub(v), x.corners[(i+count-1)%count].Sub(v)
	m := n.Sub(e.Unit()).Sub(f.Unit())
	return s.pointOf(pair.Climb(s.ViewA, x.a[i], m), pair.Climb(s.ViewB, x.b[i], s.Rot.TMulVec(m).Neg()))
}

// mostSplits limits how often a triangle of a shell is replaced by three.
const mostSplits = 3

// closed adds a triangle to the shell if it is far enough from the origin. Otherwise it adds three
// triangles with the support point along the normal, at most splits times deep. corner is the index
// of a corner near the triangle, from which the support is sought. closed returns false if the
// shell fails.
func (s *Prover) closed(u, v, w vec.Vec3, corner, splits int) bool {
	x := &s.Shell
	if farFrom(u, v, w, x.deep2) {
		return true
	}
	c := v.Sub(u).Cross(w.Sub(u))
	if !(c.Dot(u) > 0) {
		return false
	}
	if splits == 0 {
		return false
	}
	l := c.Norm()
	i := pair.Climb(s.ViewA, x.a[corner], c)
	j := pair.Climb(s.ViewB, x.b[corner], s.Rot.TMulVec(c).Neg())
	g := s.pointOf(i, j)
	if h := c.Dot(g) / l; !(h > x.deep) {
		if h < x.p-(x.deep-x.p) {
			x.lower = Probe{true, c.Scale(1 / l), i, j}
		}
		return false
	}
	splits--
	return s.closed(u, v, g, corner, splits) && s.closed(v, w, g, corner, splits) && s.closed(w, u, g, corner, splits)
}

// isOpen reports whether the triangle from side i to y is far enough from the origin, so that no
// point is needed between them.
func (s *Prover) isOpen(i, count int, y vec.Vec3) bool {
	x := &s.Shell
	return farFrom(x.corners[(i+1)%count], x.corners[i], y, x.deep2)
}

// farFrom reports whether the origin lies behind a triangle, whose corners are counter-clockwise
// seen from the front, and no point of the triangle is nearer to the origin than √deep2.
func farFrom(u, v, w vec.Vec3, deep2 float64) bool {
	e, f := v.Sub(u), w.Sub(u)
	c := e.Cross(f)
	h := c.Dot(u)
	cc := c.Norm2()
	if !(h > 0) {
		return false
	}
	// The cross product of the sides errs by 2⁻⁵⁰ times their lengths, which is a large part of it
	// for nearly parallel sides.
	g := w.Sub(v)
	err2, ee, ff := 0.0, e.Norm2(), f.Norm2()
	if cc < float64(ee*ff)/64 {
		err2 = float64(float64(0x1p-100*ee)*ff) * max(u.Norm2(), v.Norm2(), w.Norm2())
	}
	if h2 := float64(h * h); h2 >= float64(deep2*cc) && (err2 == 0 || h >= math.Sqrt(float64(deep2*cc))+math.Sqrt(err2)) {
		return true
	}
	// The plane is too near. Then the projection of the origin must lie outside the triangle, and
	// the sides must be far enough.
	inU, inV, inW := c.Cross(e).Dot(u), c.Cross(g).Dot(v), -c.Cross(f).Dot(u)
	err2 *= 4
	if !(beyondSide(inU, float64(err2*ee)) || beyondSide(inV, float64(err2*g.Norm2())) || beyondSide(inW, float64(err2*ff))) {
		return false
	}
	return sideFar(u, v, e, deep2) && sideFar(v, w, g, deep2) && sideFar(u, w, f, deep2)
}

// beyondSide reports whether the projection lies beyond a side of a triangle. x is its signed
// distance, up to a factor, with an error whose square is err2.
func beyondSide(x, err2 float64) bool { return x >= 0 && float64(x*x) >= err2 }

// sideFar reports whether no point of the segment from u to v = u + e is nearer to the origin than
// √deep2.
func sideFar(u, v, e vec.Vec3, deep2 float64) bool {
	t, l2 := -u.Dot(e), e.Norm2()
	switch {
	case t <= 0:
		return u.Norm2() >= deep2
	case t >= l2:
		return v.Norm2() >= deep2
	}
	// The difference |u|²·l² − t² would lose all digits of a distance far below |u|.
	return u.Cross(e).Norm2() >= float64(deep2*l2)
}
