package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// mostLevels bounds the levels of a shell: corner on corner, six pairs of edges may tie.
const mostLevels = 8

// levelSlack is by how much, in units, points of a level may seem to lie below it by rounding.
const levelSlack = 8 * roundTol

// level is a flat part of K's surface that is no deeper than a shell may be: one facet, or those that two features lying on
// each other make, level or nearly so. A shell's triangles may lie in it.
//
// Where a ray from the origin meets the shell in a level, of normal n and of heights of q or more, and that nearer than p',
// its angle from n is below α₁ with cos α₁ = q/p'. There the level's disc, ρ about the foot, bounds h_K from below by q·cos
// α + ρ·sin α, which is concave for q > 0: at α₁ it is p' or more as ρ² > 2·(p'−q)·p', and where the level's cap ends, lean
// its sine l and below α₁, as q·cos α ≥ q − q·l² ≥ q − ρ·l/2 and ρ·l > 8·(p'−q). In the cap there is nothing but the level.
// So all facets of K that are of no level are deeper than p'.
type level struct {
	shallowest // the facet that a search would name which knew no others
	normal     vec.Vec3
	least      float64 // of the heights of its points along normal
	low        float64 // no facet of it is shallower
	gap        float64 // of the facet alone
	at         spot    // where it is one facet alone
	alone      bool
}

// alignedCosine is the cosine to the normal of a face from which a direction is taken for it.
const alignedCosine = 1 - 1.0/(1<<30)

// forgetLevels leaves a shell none.
func (x *shell) forgetLevels() { x.lower.found, x.nLevels = false, 0 }

// setDepth sets how deep all else has to be where a level has depth p.
func (s *Search) setDepth(p float64) {
	x := &s.shell
	x.p, x.deep = p, p+float64(provenBy*s.unit)
	x.deep2 = float64(x.deep*x.deep) * (1 + 0x1p-40)
}

// addFacet adds the facet of a spot as a level. It says false where the foot is too near to its rim, or the cap too narrow, for
// all else nearby to be deeper.
func (s *Search) addFacet(at *spot, id soa.FacetID, n vec.Vec3, gap, lean float64) bool {
	l := s.addLevel(-gap, lean, at.foot)
	if l == nil {
		return false
	}
	l.id, l.n, l.normal, l.gap, l.at, l.alone = id, n, n, gap, *at, true
	return true
}

// asSearched is the facet of a spot with its depth as a search has it: that of the support.
func (s *Search) asSearched(at *spot, id soa.FacetID, n vec.Vec3, depth float64) shallowest {
	if at.kind == soa.EdgeEdge {
		a, b := s.va, s.vb
		high := max(n.Dot(a.Vert(a.Tail[at.ha])), n.Dot(a.Vert(a.Head(at.ha))))
		depth = high - min(n.Dot(s.b.at(int(b.Tail[at.hb]))), n.Dot(s.b.at(int(b.Head(at.hb)))))
	}
	return shallowest{depth, id, n}
}

// addFaces adds what two features make as a level, whose shallowest facet is best.
func (s *Search) addFaces(best *shallowest, pair *faces) bool {
	l := s.addLevel(pair.least, pair.lean, pair.rho)
	if l == nil {
		return false
	}
	l.shallowest, l.normal, l.low, l.alone = *best, pair.n, pair.least, false
	if best.h > pair.least+float64(TieTol/2*s.unit) {
		l.low = best.h - s.tol.tie
	}
	return true
}

// addLevel returns the next level, of which the heights are least at least, or nil where it would prove nothing: see
// clearOfRim.
func (s *Search) addLevel(least, lean, foot float64) *level {
	x := &s.shell
	least -= float64(levelSlack * s.unit)
	if x.nLevels == mostLevels || !(least > 0.5*x.p) || !clearOfRim(lean, foot, x.p, x.deep-least) {
		return nil
	}
	l := &x.levels[x.nLevels]
	l.least = least
	x.nLevels++
	return l
}

// onLevel says whether a triangle lies in a level, seen from outside.
func (x *shell) onLevel(t *shellTriangle) bool {
	u, v, w := t[0], t[1], t[2]
	c := v.Sub(u).Cross(w.Sub(u))
	for k := range x.nLevels {
		l := &x.levels[k]
		if n := l.normal; n.Dot(u) >= l.least && n.Dot(v) >= l.least && n.Dot(w) >= l.least && n.Dot(c) > 0 {
			return true
		}
	}
	return false
}

// findLevel adds the level of normal m in which a triangle lies, i and j the support vertices there, and says whether there
// is one. If K is shallower there than the first level, shell.lower says so.
func (s *Search) findLevel(m vec.Vec3, i, j soa.Vertex, t *shellTriangle) bool {
	at := s.startOf(m, i, j)
	on := s.stand(&at)
	if !(on.lean == 0 && on.n.Dot(m) > alignedCosine) {
		ok := false
		if at, ok = s.down(at); !ok || at.kind > soa.EdgeEdge {
			return false
		}
		on = s.stand(&at)
	}
	return on.ok && s.levelAt(&at, &on, t)
}

// levelAt is findLevel from what stands there: the facet alone, or what it is part of.
func (s *Search) levelAt(at *spot, on *standing, t *shellTriangle) bool {
	x := &s.shell
	if on.lean > 0 {
		was := x.nLevels
		switch best := (shallowest{-on.gap, on.id, on.n}); {
		case s.isLower(&best) || best.h > x.deep:
			return false
		case s.addFacet(at, on.id, on.n, on.gap, on.lean) && x.onLevel(t):
			return true
		}
		if x.nLevels = was; !(on.lean < smallCap) {
			return false
		}
	}
	s.bringAll()
	best, pair, _ := s.facePair(on.id)
	return best.id.Kind != soa.NoFacet && !s.isLower(&best) && best.h <= x.deep && s.addFaces(&best, &pair) && x.onLevel(t)
}

// isLower says whether a facet is shallower than the first level by more than a tie, and leaves it in shell.lower.
func (s *Search) isLower(f *shallowest) bool {
	x := &s.shell
	if f.h >= x.p-(x.deep-x.p) {
		return false
	}
	x.lower = coverProbe{true, f.n, soa.Vertex(f.id.A), soa.Vertex(f.id.B)}
	switch f.id.Kind {
	case soa.FaceVertex:
		x.lower.a = s.va.Tail[s.va.LoopFirst[f.id.A]]
	case soa.VertexFace:
		x.lower.b = s.vb.Tail[s.vb.LoopFirst[f.id.B]]
	default:
		x.lower.a, x.lower.b = s.va.Tail[s.va.Edge[f.id.A]], s.vb.Tail[s.vb.Edge[f.id.B]]
	}
	return true
}

// named returns the level whose facet a search names, which takes the lowest of those that tie: nil where it is not certain
// which those are.
//
// The least depth of all facets, as a search knows it, lies between the lowest bound of the levels and the least depth of
// their facets.
func (s *Search) named() *level {
	x := &s.shell
	low, high := math.Inf(1), math.Inf(1)
	for k := range x.nLevels {
		l := &x.levels[k]
		if l.alone {
			l.shallowest = s.asSearched(&l.at, l.id, l.n, -l.gap)
			l.low = l.h
		}
		low, high = min(low, l.low), min(high, l.h)
	}
	var best *level
	tied, sure := 0, true
	for k := range x.nLevels {
		l := &x.levels[k]
		if l.low > high+float64(1.5*s.tol.tie) {
			continue
		}
		tied++
		sure = sure && l.h <= low+float64(0.5*s.tol.tie) // to rounding a search has the same
		if best == nil || askedBefore(l.id, best.id) {
			best = l
		}
	}
	if tied > 1 && !sure {
		return nil
	}
	return best
}

// levelAnswer answers by the facet that a search names of a shell's levels.
func (s *Search) levelAnswer(out *Answer) bool {
	l := s.named()
	if l == nil {
		return false
	}
	if l.alone {
		s.writeProven(&l.at, l.id, l.gap, l.n, out)
		return true
	}
	return s.facetsAnswer(l.shallowest, out)
}

// askedBefore is the order in which a search asks facets of different faces.
func askedBefore(f, g soa.FacetID) bool {
	if f.Kind == soa.VertexFace && g.Kind == soa.VertexFace {
		return f.B < g.B
	}
	return f.Before(g)
}

// rimOfFaces writes the corners of the part of K that the two polygons nearA and nearB make, counter-clockwise about n, and
// returns how many; 0 for too many, or where the foot is not inside of a side. Its sides are those of both polygons, in the
// order of their directions.
func (s *Search) rimOfFaces(n vec.Vec3) int {
	x := &s.shell
	p, q := s.nearA, s.nearB
	nA, nB := len(p), len(q)
	// A's polygon goes about n, if it is one, and B's about −n.
	vertexA := func(i int) soa.Vertex { return soa.Vertex(p[i%nA]) }
	vertexB := func(j int) soa.Vertex { return soa.Vertex(q[nB-1-j%nB]) }
	// From the corner farthest along a direction of the plane, at right angles to no edge if it can be helped.
	e := n.Perpendicular()
	d := e.AddScaled(0.375, n.Cross(e))
	e = n.Cross(d)
	i0, j0 := 0, 0
	for i := range nA {
		if aheadOf(s.a.at(int(vertexA(i))).Sub(s.a.at(int(vertexA(i0)))), d, e) {
			i0 = i
		}
	}
	for j := range nB {
		if aheadOf(s.b.at(int(vertexB(j0))).Sub(s.b.at(int(vertexB(j)))), d, e) {
			j0 = j
		}
	}
	count := 0
	for i, j := 0, 0; i < nA || j < nB; count++ {
		if count == mostSides {
			return 0
		}
		a, b := vertexA(i0+i), vertexB(j0+j)
		from, to := s.a.at(int(a)), s.b.at(int(b))
		x.a[count], x.b[count], x.corners[count] = a, b, from.Sub(to)
		f := s.a.at(int(vertexA(i0 + i + 1))).Sub(from)
		g := to.Sub(s.b.at(int(vertexB(j0 + j + 1))))
		turn := f.Cross(g).Dot(n)
		both := f.Dot(g) > 0 && float64(turn*turn) <= minSine*minSine*f.Norm2()*g.Norm2()
		if i < nA && j < nB && both {
			i, j = i+1, j+1
		} else if j == nB || i < nA && turn > 0 {
			i++
		} else {
			j++
		}
	}
	for c := range count {
		if !(x.corners[c].Cross(x.corners[(c+1)%count]).Dot(n) > 0) {
			return 0
		}
	}
	return count
}

// aheadOf says whether w goes along d, or if neither along nor against it, along e.
func aheadOf(w, d, e vec.Vec3) bool {
	along := w.Dot(d)
	return along > 0 || along == 0 && w.Dot(e) > 0
}

// mostTurns bounds the supports sought for the plane across a side.
const mostTurns = 8

// turnedOver returns a point of K in the plane of the facet next door across side i, which turns about the side, from one
// through y, until no support lies beyond it.
func (s *Search) turnedOver(i, count int, y vec.Vec3) vec.Vec3 {
	x := &s.shell
	v, u := x.corners[i], x.corners[(i+1)%count]
	e := v.Sub(u)
	g, ka, kb := y, x.a[i], x.b[i]
	for range mostTurns {
		c := e.Cross(g.Sub(u))
		ka, kb = climb(s.va, ka, c), climb(s.vb, kb, s.rot.TMulVec(c).Neg())
		to := s.pointOf(ka, kb)
		if !(c.Dot(to.Sub(u)) > s.tol.tie*c.Norm()) {
			break
		}
		g = to
	}
	return g
}
