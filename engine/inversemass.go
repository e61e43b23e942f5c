package engine

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// inverseMass holds the largest inverse effective masses of a body over its surface, 1/kg. A force
// along u at r from the centre of mass meets the inverse effective mass 1/m + (r×u)ᵀ·I⁻¹·(r×u).
type inverseMass struct {
	body    soa.Body
	inverse float64 // 1/m: for any direction through the centre of mass
	normal  float64 // along surface normals
	tilted  float64 // like normal, times how much stiffer a face is against a tilt than springs at its corners
	tangent float64 // in any direction
	turning float64 // the rotational part, summed over three orthogonal directions
}

// largest returns the larger value in each field. The body is that of a.
func (a inverseMass) largest(b inverseMass) inverseMass {
	a.inverse, a.normal, a.tilted = max(a.inverse, b.inverse), max(a.normal, b.normal), max(a.tilted, b.tilted)
	a.tangent, a.turning = max(a.tangent, b.tangent), max(a.turning, b.turning)
	return a
}

// inverseMassOf returns the inverse masses of a body at one of its pieces; they are 0 for a wall without a load.
// A held body counts as a free one, which is lighter.
//
// The largest values of a block occur at its corners, because (r×u)ᵀ·I⁻¹·(r×u) is convex in r. At a
// corner only the normals of its faces are tried. Other normals of the corner rarely give more,
// because a sum of unit normals is shorter than the sum of their lengths.
func (w stepBounds) inverseMassOf(p soa.Piece) inverseMass {
	id := w.space.Pieces.Body[p]
	inverse := w.bodies.InvMass[id]
	if c := w.constraint(id); c != nil && inverse == 0 {
		inverse = c.Inverse.XX + c.Inverse.YY + c.Inverse.ZZ
		return inverseMass{body: id, inverse: inverse, normal: inverse, tangent: inverse}
	}
	l := inverseMass{body: id, inverse: inverse, normal: inverse, tangent: inverse}
	if inverse == 0 {
		return l
	}
	local := vec.IdentityPose
	if w.space.Pieces.Offset[p] {
		local = w.space.Pieces.Local[p]
	}
	inertia := w.bodies.InvInertia.At(int(id))
	view := w.space.Shapes.View(w.space.Pieces.Shape[p])
	if view.Kind.IsRound() {
		// Every normal of a ball passes through its centre.
		turn, _ := turningAt(local.Pos, inertia)
		l.normal = inverse + turn
		for _, n := range ballNormals(local.Pos) {
			turn, sum := turningAt(local.Pos.AddScaled(view.Radius+view.Round, n), inertia)
			l.tangent, l.turning = max(l.tangent, inverse+turn), max(l.turning, sum)
		}
		return l
	}
	for f := range view.NFaces {
		n := local.Rot.Rotate(view.Normal(soa.Face(f)))
		for k := range view.LoopLen[f] {
			r := local.Point(view.Vert(view.Tail[view.LoopFirst[f]+k])).AddScaled(view.Round, n)
			arm := r.Cross(n)
			turn, sum := turningAt(r, inertia)
			l.normal = max(l.normal, inverse+arm.Dot(inertia.MulVec(arm)))
			l.tangent, l.turning = max(l.tangent, inverse+turn), max(l.turning, sum)
		}
	}
	return l
}

// ballNormals returns the directions in which the surface of a ball at p is tried: p and both ways
// along each axis.
func ballNormals(p vec.Vec3) [7]vec.Vec3 {
	x, y, z := vec.Vec3{X: 1}, vec.Vec3{Y: 1}, vec.Vec3{Z: 1}
	return [7]vec.Vec3{p.Unit(), x, y, z, x.Neg(), y.Neg(), z.Neg()}
}

// turningAt returns the maximum of (r×u)ᵀ·I⁻¹·(r×u) over unit vectors u, and the sum over three
// orthogonal ones. These are the largest eigenvalue and the trace of a matrix S. Its eigenvalue
// along r is 0, and the other two follow from the traces of S and S².
func turningAt(r vec.Vec3, inverse vec.Sym3) (most, sum float64) {
	arms := [3]vec.Vec3{{Y: r.Z, Z: -r.Y}, {X: -r.Z, Z: r.X}, {X: r.Y, Y: -r.X}} // r × the axes
	squares := 0.0
	for i := range arms {
		v := inverse.MulVec(arms[i])
		sum += arms[i].Dot(v)
		for k := range arms {
			s := arms[k].Dot(v)
			squares += float64(s * s)
		}
	}
	return 0.5 * (sum + math.Sqrt(max(float64(2*squares)-float64(sum*sum), 0))), sum
}

// criteria are the values by which a body may be the lightest one.
var criteria = [...]func(l *inverseMass) float64{
	func(l *inverseMass) float64 { return l.inverse },
	func(l *inverseMass) float64 { return l.normal },
	func(l *inverseMass) float64 { return l.tilted },
	func(l *inverseMass) float64 { return l.tangent },
	func(l *inverseMass) float64 { return l.turning },
}

// lightest holds the lightest bodies of one material.
type lightest struct {
	of       [len(criteria)]lightestTwo
	lightest float64 // 1/m of the lightest body
	bodies   int     // number of bodies of the material, walls included, counted up to 2
	last     inverseMass
}

// lightestTwo holds the two lightest bodies of one material by one of criteria. Two are needed because
// a body does not meet itself.
type lightestTwo struct{ first, second inverseMass }

// add adds a body's inverse masses at one piece. All pieces of a body must follow each other.
func (l *lightest) add(x inverseMass) {
	if l.bodies == 0 || l.last.body != x.body {
		l.bodies, l.last = min(l.bodies+1, 2), x
	} else {
		l.last = l.last.largest(x)
	}
	l.lightest = max(l.lightest, x.inverse)
	for k, criterion := range criteria {
		l.of[k].add(l.last, criterion)
	}
}

// add adds a body. Earlier inverse masses of the last body are replaced.
func (l *lightestTwo) add(x inverseMass, criterion func(*inverseMass) float64) {
	switch {
	case l.first.body == x.body && l.first.inverse > 0:
		l.first = x
	case l.second.body == x.body && l.second.inverse > 0:
		if l.second = x; criterion(&l.second) > criterion(&l.first) {
			l.first, l.second = l.second, l.first
		}
	case criterion(&x) > criterion(&l.first):
		l.first, l.second = x, l.first
	case criterion(&x) > criterion(&l.second):
		l.second = x
	}
}

// with calls f for pairs of different bodies, one of each material, and reports whether there is such
// a pair. Each of criteria has its largest sum over two such bodies in one of these pairs. The
// inverse masses of a wall are 0.
func (l *lightest) with(other *lightest, f func(a, b inverseMass)) (ok bool) {
	if l.bodies == 0 || other.bodies == 0 || l.bodies == 1 && other.bodies == 1 && l.last.body == other.last.body {
		return false
	}
	var called [len(criteria)][2]inverseMass
	for k, criterion := range criteria {
		a, b := l.of[k].with(&other.of[k], criterion)
		pair := [2]inverseMass{a, b}
		if called[k] = pair; a.inverse+b.inverse > 0 && !slices.Contains(called[:k], pair) {
			f(a, b)
			ok = true
		}
	}
	return ok
}

// with returns the two different bodies, one of each material, whose sum by criterion is the largest.
func (l *lightestTwo) with(other *lightestTwo, criterion func(*inverseMass) float64) (a, b inverseMass) {
	a, b = l.first, other.first
	if a.body != b.body || a.inverse == 0 {
		return a, b
	}
	if criterion(&l.second)+criterion(&b) > criterion(&a)+criterion(&other.second) {
		return l.second, b
	}
	return a, other.second
}

// times returns the inverse masses against springs that are stiffer by a factor.
func (l inverseMass) times(factor float64) inverseMass {
	l.inverse, l.normal = float64(l.inverse*factor), float64(l.normal*factor)
	l.tangent, l.turning = float64(l.tangent*factor), float64(l.turning*factor)
	return l
}

// facetTilt is the factor by which a face on facets is stiffer against a tilt than an equally stiff
// spring at its farthest corner, under laws that act by overlaps. The two stiffnesses are q·k·κ²
// and k·d², where q is overlap.DepthPower. The second moment κ² of a convex face is at most a third
// of d². Smaller: faces on facets may be unstable within the limit. Larger: shorter steps.
const facetTilt = 5 // overlap.DepthPower/3

// lightestCache is a result of lightestOf, and what it was computed from.
type lightestCache struct {
	of            []lightest
	overlap, tilt float64
	pieces        int           // the first ones, which are in of
	last          []inverseMass // by shape
	lastMass      []float64
}

// lightestOf returns the lightest bodies of each material for laws with an area exponent
// (force.Needs.Growth), at the given overlap, m. Its inverse masses are multiplied by the factor by which
// springs may get stiffer on the body's largest patch. So the law's springs on a patch of 1 m² can
// be used for all bodies. The patch of two bodies is no larger than the largest patch of either.
//
// The result is cached. Bodies that have come since the last call are added to it.
func (w stepBounds) lightestOf(growth, overlap float64) []lightest {
	tilt := 1.0
	if w.law.Overlaps() && slices.ContainsFunc(w.space.Pieces.Kind, soa.Kind.IsFlat) {
		tilt = facetTilt
	}
	c := w.limits.lightest[growth]
	if c == nil || c.overlap != overlap || c.tilt != tilt {
		c = &lightestCache{overlap: overlap, tilt: tilt, of: make([]lightest, w.law.Materials())}
		if w.limits.lightest == nil {
			w.limits.lightest = map[float64]*lightestCache{}
		}
		w.limits.lightest[growth] = c
	}
	of := c.of
	// Bodies of one piece with the same shape and mass have the same inverse masses, so the last result of
	// each shape is cached.
	shapes := w.space.Shapes.Len()
	c.last, c.lastMass = soa.Resize(c.last, shapes), soa.Resize(c.lastMass, shapes)
	last, lastMass := c.last, c.lastMass
	for ; c.pieces < w.space.Pieces.Len(); c.pieces++ {
		p := soa.Piece(c.pieces)
		m, id, shape := w.space.Pieces.Material[p], w.space.Pieces.Body[p], w.space.Pieces.Shape[p]
		if w.bodies.Gone[id] {
			continue
		}
		alone := !w.space.Pieces.Offset[p] && w.bodies.FirstPiece[id+1]-w.bodies.FirstPiece[id] == 1
		l := last[shape]
		if !alone || lastMass[shape] != w.bodies.InvMass[id] || l.inverse == 0 {
			l = w.inverseMassOf(p)
			if growth > 0 && l.inverse > 0 {
				l = l.times(grownPatch(w.patchOf(p, overlap), growth))
			}
			if alone {
				last[shape], lastMass[shape] = l, w.bodies.InvMass[id]
			}
		}
		l.body, l.tilted = id, l.normal
		if w.space.Pieces.Kind[p].IsPolyhedron() {
			l.tilted = l.inverse + float64(tilt*(l.normal-l.inverse))
		}
		of[m].add(l)
	}
	return of
}
