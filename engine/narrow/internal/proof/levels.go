package proof

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/facets"
	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// mostLevels bounds the levels of a shell: corner on corner, six pairs of edges may tie.
const mostLevels = 8

// levelSlack is by how much, in units, points of a level may seem to lie below it by rounding.
const levelSlack = 8 * pair.RoundTol

// level is a flat part of K's surface that is no deeper than a shell may be: one facet, or those that two features lying on
// each other make, level or nearly so. A shell's triangles may lie in it.
//
// Where a ray from the origin meets the shell in a level, of normal n and of heights of q or more, and that nearer than p',
// its angle from n is below α₁ with cos α₁ = q/p'. There the level's disc, ρ about the foot, bounds h_K from below by q·cos
// α + ρ·sin α, which is concave for q > 0: at α₁ it is p' or more as ρ² > 2·(p'−q)·p', and where the level's cap ends, lean
// its sine l and below α₁, as q·cos α ≥ q − q·l² ≥ q − ρ·l/2 and ρ·l > 8·(p'−q). In the cap there is nothing but the level.
// So all facets of K that are of no level are deeper than p'.
type level struct {
	facets.Shallowest // the facet that a search would name which knew no others
	normal            vec.Vec3
	least             float64   // of the heights of its points along normal
	low               float64   // no facet of it is shallower
	gap               float64   // of the facet alone
	at                pair.Spot // where it is one facet alone
	alone             bool
}

// alignedCosine is the cosine to the normal of a face from which a direction is taken for it.
const alignedCosine = 1 - 1.0/(1<<30)

// forgetLevels leaves a shell none.
func (x *shell) forgetLevels() { x.lower.Found, x.NLevels = false, 0 }

// setDepth sets how deep all else has to be where a level has depth p.
func (s *Prover) setDepth(p float64) {
	x := &s.Shell
	x.p, x.deep = p, p+float64(provenBy*s.Unit)
	x.deep2 = float64(x.deep*x.deep) * (1 + 0x1p-40)
}

// addFacet adds the facet of a spot as a level. It says false where the foot is too near to its rim, or the cap too narrow, for
// all else nearby to be deeper.
func (s *Prover) addFacet(at *pair.Spot, id soa.FacetID, n vec.Vec3, gap, lean float64) bool {
	l := s.addLevel(-gap, lean, at.Foot)
	if l == nil {
		return false
	}
	l.ID, l.N, l.normal, l.gap, l.at, l.alone = id, n, n, gap, *at, true
	return true
}

// asSearched is the facet of a spot with its depth as a search has it: that of the support.
func (s *Prover) asSearched(at *pair.Spot, id soa.FacetID, n vec.Vec3, depth float64) facets.Shallowest {
	if at.Kind == soa.EdgeEdge {
		a, b := s.ViewA, s.ViewB
		high := max(n.Dot(a.Vert(a.Tail[at.HalfA])), n.Dot(a.Vert(a.Head(at.HalfA))))
		depth = high - min(n.Dot(s.HullB.At(int(b.Tail[at.HalfB]))), n.Dot(s.HullB.At(int(b.Head(at.HalfB)))))
	}
	return facets.Shallowest{H: depth, ID: id, N: n}
}

// addFaces adds what two features make as a level, whose shallowest facet is best.
func (s *Prover) addFaces(best *facets.Shallowest, two *faces) bool {
	l := s.addLevel(two.least, two.lean, two.rho)
	if l == nil {
		return false
	}
	l.Shallowest, l.normal, l.low, l.alone = *best, two.n, two.least, false
	if best.H > two.least+float64(pair.TieTol/2*s.Unit) {
		l.low = best.H - s.Tol.Tie
	}
	return true
}

// addLevel returns the next level, of which the heights are least at least, or nil where it would prove nothing: see
// clearOfRim.
func (s *Prover) addLevel(least, lean, foot float64) *level {
	x := &s.Shell
	least -= float64(levelSlack * s.Unit)
	if x.NLevels == mostLevels || !(least > 0.5*x.p) || !clearOfRim(lean, foot, x.p, x.deep-least) {
		return nil
	}
	l := &x.levels[x.NLevels]
	l.least = least
	x.NLevels++
	return l
}

// onLevel says whether a triangle lies in a level, seen from outside.
func (x *shell) onLevel(t *shellTriangle) bool {
	u, v, w := t[0], t[1], t[2]
	c := v.Sub(u).Cross(w.Sub(u))
	for k := range x.NLevels {
		l := &x.levels[k]
		if n := l.normal; n.Dot(u) >= l.least && n.Dot(v) >= l.least && n.Dot(w) >= l.least && n.Dot(c) > 0 {
			return true
		}
	}
	return false
}

// findLevel adds the level of normal m in which a triangle lies, i and j the support vertices there, and says whether there
// is one. If K is shallower there than the first level, shell.lower says so.
func (s *Prover) findLevel(m vec.Vec3, i, j soa.Vertex, t *shellTriangle) bool {
	if s.Off&Levels != 0 {
		return false
	}
	at := s.startOf(m, i, j)
	on := s.Stand(&at)
	if !(on.Lean == 0 && on.N.Dot(m) > alignedCosine) {
		ok := false
		if at, ok = s.Down(at); !ok || at.Kind > soa.EdgeEdge {
			return false
		}
		on = s.Stand(&at)
	}
	return on.OK && s.levelAt(&at, &on, t)
}

// levelAt is findLevel from what stands there: the facet alone, or what it is part of.
func (s *Prover) levelAt(at *pair.Spot, on *standing, t *shellTriangle) bool {
	x := &s.Shell
	if on.Lean > 0 {
		was := x.NLevels
		switch best := (facets.Shallowest{H: -on.Gap, ID: on.ID, N: on.N}); {
		case s.isLower(&best) || best.H > x.deep:
			return false
		case s.addFacet(at, on.ID, on.N, on.Gap, on.Lean) && x.onLevel(t):
			return true
		}
		if x.NLevels = was; !(on.Lean < smallCap) {
			return false
		}
	}
	s.BringAll()
	best, two, _ := s.FacePair(on.ID)
	return best.ID.Kind != soa.NoFacet && !s.isLower(&best) && best.H <= x.deep && s.addFaces(&best, &two) && x.onLevel(t)
}

// isLower says whether a facet is shallower than the first level by more than a tie, and leaves it in shell.lower.
func (s *Prover) isLower(f *facets.Shallowest) bool {
	x := &s.Shell
	if f.H >= x.p-(x.deep-x.p) {
		return false
	}
	x.lower = CoverProbe{true, f.N, soa.Vertex(f.ID.A), soa.Vertex(f.ID.B)}
	switch f.ID.Kind {
	case soa.FaceVertex:
		x.lower.A = s.ViewA.Tail[s.ViewA.LoopFirst[f.ID.A]]
	case soa.VertexFace:
		x.lower.B = s.ViewB.Tail[s.ViewB.LoopFirst[f.ID.B]]
	default:
		x.lower.A, x.lower.B = s.ViewA.Tail[s.ViewA.Edge[f.ID.A]], s.ViewB.Tail[s.ViewB.Edge[f.ID.B]]
	}
	return true
}

// named returns the level whose facet a search names, which takes the lowest of those that tie: nil where it is not certain
// which those are.
//
// The least depth of all facets, as a search knows it, lies between the lowest bound of the levels and the least depth of
// their facets.
func (s *Prover) named() *level {
	x := &s.Shell
	low, high := math.Inf(1), math.Inf(1)
	for k := range x.NLevels {
		l := &x.levels[k]
		if l.alone {
			l.Shallowest = s.asSearched(&l.at, l.ID, l.N, -l.gap)
			l.low = l.H
		}
		low, high = min(low, l.low), min(high, l.H)
	}
	var best *level
	tied, sure := 0, true
	for k := range x.NLevels {
		l := &x.levels[k]
		if l.low > high+float64(1.5*s.Tol.Tie) {
			continue
		}
		tied++
		sure = sure && l.H <= low+float64(0.5*s.Tol.Tie) // to rounding a search has the same
		if best == nil || askedBefore(l.ID, best.ID) {
			best = l
		}
	}
	if tied > 1 && !sure {
		return nil
	}
	return best
}

// levelAnswer answers by the facet that a search names of a shell's levels.
func (s *Prover) levelAnswer(out *pair.Answer) bool {
	l := s.named()
	if l == nil {
		return false
	}
	if l.alone {
		s.WriteProven(&l.at, l.ID, l.gap, l.N, out)
		return true
	}
	return s.FacetsAnswer(l.Shallowest, out)
}

// askedBefore is the order in which a search asks facets of different faces.
func askedBefore(f, g soa.FacetID) bool {
	if f.Kind == soa.VertexFace && g.Kind == soa.VertexFace {
		return f.B < g.B
	}
	return f.Before(g)
}

// rimOfFaces writes the corners of the part of K that the two polygons NearA and NearB make, counter-clockwise about n, and
// returns how many; 0 for too many, or where the foot is not inside of a side. Its sides are those of both polygons, in the
// order of their directions.
func (s *Prover) rimOfFaces(n vec.Vec3) int {
	x := &s.Shell
	p, q := s.NearA, s.NearB
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
		if aheadOf(s.HullA.At(int(vertexA(i))).Sub(s.HullA.At(int(vertexA(i0)))), d, e) {
			i0 = i
		}
	}
	for j := range nB {
		if aheadOf(s.HullB.At(int(vertexB(j0))).Sub(s.HullB.At(int(vertexB(j)))), d, e) {
			j0 = j
		}
	}
	count := 0
	for i, j := 0, 0; i < nA || j < nB; count++ {
		if count == mostSides {
			return 0
		}
		a, b := vertexA(i0+i), vertexB(j0+j)
		from, to := s.HullA.At(int(a)), s.HullB.At(int(b))
		x.a[count], x.b[count], x.corners[count] = a, b, from.Sub(to)
		f := s.HullA.At(int(vertexA(i0 + i + 1))).Sub(from)
		g := to.Sub(s.HullB.At(int(vertexB(j0 + j + 1))))
		turn := f.Cross(g).Dot(n)
		both := f.Dot(g) > 0 && float64(turn*turn) <= pair.MinSine*pair.MinSine*f.Norm2()*g.Norm2()
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
func (s *Prover) turnedOver(i, count int, y vec.Vec3) vec.Vec3 {
	x := &s.Shell
	v, u := x.corners[i], x.corners[(i+1)%count]
	e := v.Sub(u)
	g, ka, kb := y, x.a[i], x.b[i]
	for range mostTurns {
		c := e.Cross(g.Sub(u))
		ka, kb = pair.Climb(s.ViewA, ka, c), pair.Climb(s.ViewB, kb, s.Rot.TMulVec(c).Neg())
		to := s.pointOf(ka, kb)
		if !(c.Dot(to.Sub(u)) > s.Tol.Tie*c.Norm()) {
			break
		}
		g = to
	}
	return g
}
