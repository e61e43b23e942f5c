package engine

import (
	"fmt"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// stateTol is the tolerance with which a contact of a state may exceed the bounds that follow from
// the sizes and poses of its two bodies. It is relative to the distance of the bodies plus their
// radii; for lengths of normals and for forces it is a relative error. A gap is accurate to 2⁻³⁷ of
// that length (coplanar.depthTie), a location to 2⁻⁴⁰; the remainder is margin. With a smaller
// tolerance, a state that a run has written might be rejected.
const stateTol = 0x1p-30

// checkContacts rejects contacts of pieces that do not exist or are not in order, and values and
// histories that no contact can have.
func (w stateCheck) checkContacts() error {
	p, answers, history := w.by["contact.pieces"].U32, w.by["contact.answers"].F64, w.by["contact.history"].F64
	features := w.by["contact.features"].U16
	for k := range len(p) / 2 {
		i := 2 * k
		if int(p[i]) >= w.pieces.Len() || int(p[i+1]) >= w.pieces.Len() {
			return mark.Errorf(ErrState, "engine: contact %d of the state is of pieces not below %d", k, w.pieces.Len())
		}
		a, b := soa.Piece(p[i]), soa.Piece(p[i+1])
		if !w.mayTouch(a, b) {
			return mark.Errorf(ErrState, "engine: contact %d of the state is of pieces %d and %d, expected those of two bodies of which one moves, "+
				"in the order of pairs", k, a, b)
		}
		if i > 0 && (p[i] < p[i-2] || p[i] == p[i-2] && p[i+1] <= p[i-1]) {
			return mark.Errorf(ErrState, "engine: contact %d of the state is not in order", k)
		}
		c := stateContact{w: w.World, found: &w.found, a: a, b: b, answer: answers[k*answerRow:][:answerRow], history: history[k*w.historyRow():][:w.historyRow()]}
		if err := c.check(); err != nil {
			return mark.Errorf(ErrState, "engine: contact %d of the state, of %s and %s, %w", k, w.nameOf(a), w.nameOf(b), err)
		}
		if kind := features[3*k]; kind > uint16(soa.EdgeVertex) {
			return mark.Errorf(ErrState, "engine: contact %d of the state has features of kind %d, expected at most %d", k, kind, soa.EdgeVertex)
		}
	}
	return nil
}

// mayTouch reports whether two pieces can be a pair, in the order that soa.Pairs requires.
func (w stateCheck) mayTouch(a, b soa.Piece) bool {
	p, kindA, kindB := &w.pieces, w.pieces.Kind[a], w.pieces.Kind[b]
	return p.Body[a] != p.Body[b] && (w.bodies.InvMass[p.Body[a]] != 0 || w.bodies.InvMass[p.Body[b]] != 0) &&
		(kindA < kindB || kindA == kindB && a < b)
}

// stateContact is one contact of a state.
type stateContact struct {
	w       *World
	found   *soa.Bodies // the bodies of the state
	a, b    soa.Piece
	answer  []float64 // gap, location, force
	history []float64 // of the law, then normal and relief
}

// check rejects values that the sizes of the two bodies or their law exclude.
func (c *stateContact) check() error {
	w, gap, memory := c.w, c.answer[0], c.w.law.History()
	needs := w.law.NeedsOf(w.pieces.Material[c.a], w.pieces.Material[c.b])
	poseA, poseB := c.found.Pose(w.pieces.Body[c.a]), c.found.Pose(w.pieces.Body[c.b])
	tol := float64(stateTol * (c.size(c.a) + c.size(c.b)))
	if least := c.leastGap(poseA, poseB, c.radius(c.a), c.radius(c.b)); !(gap >= least-tol) || !(gap <= needs.Reach+tol) {
		return fmt.Errorf("has a gap of %g m, expected %.3g to %.3g m", gap, least, needs.Reach)
	}
	// The location lies in both bodies, between them if they are apart, and half-way between the
	// deepest points if they overlap.
	off := max(gap, -gap, needs.Reach)
	at := vec.V(c.answer[1], c.answer[2], c.answer[3])
	for _, side := range []struct {
		piece soa.Piece
		pose  vec.Pose
	}{{c.a, poseA}, {c.b, poseB}} {
		most := c.size(side.piece) + off
		if distance := at.Sub(side.pose.Pos).Norm(); w.pieces.Kind[side.piece] != soa.Plane && !(distance <= most+tol+float64(stateTol*at.MaxAbs())) {
			return fmt.Errorf("is at %v, %.3g m from the centre of %s, expected at most %.3g m", at, distance, w.nameOf(side.piece), most)
		}
	}
	own := c.history[memory:]
	if n := vec.V(own[0], own[1], own[2]).Norm(); !(n <= 1+rotTolerance) {
		return fmt.Errorf("has a normal of length %g, expected a unit one", n)
	}
	// Relief forgives overlaps of the poses at the first forces, which SetPose may have set. Since then
	// a body has moved away from a plane by at most both odometers. A contact with a mesh may have
	// passed from one facet to another.
	most := 0.0
	if w.cfg.Relief != (Relief{}) {
		least := c.leastGap(poseA, poseB, c.size(c.a), c.size(c.b))
		if w.pieces.Kind[c.b] == soa.Plane {
			least -= c.found.Odometer[w.pieces.Body[c.a]] + c.found.Odometer[w.pieces.Body[c.b]]
		}
		most = max(needs.Unloaded-least-w.cfg.Relief.Cap, 0) + tol
	}
	if relief := own[3]; !(relief >= 0 && relief <= most) {
		return fmt.Errorf("has an overlap of %g m that is forgiven, expected 0 to %.3g m", relief, most)
	}
	force := vec.V(c.answer[4], c.answer[5], c.answer[6])
	// The patch, overlap volume over thickness, is at most 3^¼ times patchOf, because √(12λ) may be
	// that much smaller than the least deviation.
	// The contacts of a ball and a wall of facets have one patch, which may be that of a deeper one.
	deepest := max(-gap, 0)
	if w.pieces.Kind[c.a] == soa.Ball && w.groups.IsFacetWall(w.pieces.Body[c.b]) {
		deepest = 2 * c.radius(c.a)
	}
	growth := 2 * stepBounds{w}.growthOf(c.a, c.b, needs.Growth, deepest)
	return w.law.CheckHistory(w.pieces.Material[c.a], w.pieces.Material[c.b], gap, force, growth, stateTol, c.history[:memory])
}

// size returns the radius of a piece's body, and radius that of the piece itself. Both are 0 for a
// plane.
func (c *stateContact) size(p soa.Piece) float64 { return c.w.bodies.Radius[c.w.pieces.Body[p]] }

func (c *stateContact) radius(p soa.Piece) float64 {
	s := c.w.pieces.Shape[p]
	return c.w.shapes.Radius[s] + c.w.shapes.Round[s]
}

// leastGap returns a lower bound on the gap of the two pieces at the given poses of their bodies. A
// body is at most as deep under a plane as its centre, plus its radius. Other pieces overlap along
// any direction by at most the sum of their diameters.
func (c *stateContact) leastGap(poseA, poseB vec.Pose, radiusA, radiusB float64) float64 {
	if c.w.pieces.Kind[c.b] != soa.Plane {
		return float64(-2 * (radiusA + radiusB))
	}
	plane := poseB
	if c.w.pieces.Offset[c.b] {
		plane = plane.Mul(c.w.pieces.Local[c.b])
	}
	arm := poseA.Pos.Sub(plane.Pos)
	return plane.Rot.Rotate(vec.Vec3{Z: 1}).Dot(arm) - c.size(c.a) - float64(stateTol*arm.MaxAbs())
}

// DeepestOverlap returns an upper bound on the overlap of any two pieces in a run of this world, m.
// It is twice the diameter of the largest body. If there are planes, it is the largest distance
// from a plane that a run allows for a body.
func (w *World) DeepestOverlap() float64 {
	deepest, largest, far := 0.0, 0.0, 0.0
	for i, r := range w.bodies.Radius {
		largest = max(largest, r)
		if w.bodies.InvMass[i] != 0 {
			far = max(far, float64(2*farRadii*r)+r)
		}
	}
	deepest = 4 * largest
	for i := range w.pieces.Len() {
		if p := soa.Piece(i); w.pieces.Kind[p] == soa.Plane {
			deepest = max(deepest, far+w.pieces.Pose(&w.bodies, p).Pos.Norm())
		}
	}
	return deepest
}

// checkForces rejects bodies whose force is not the sum of the forces of their contacts, and
// torques on bodies without contacts. The engine sums forces in the order of the contacts, so both
// sums are equal to the bit.
func (w stateCheck) checkForces() error {
	p, answers := w.by["contact.pieces"].U32, w.by["contact.answers"].F64
	sums, touched := make([]vec.Vec3, w.bodies.Len()), make([]bool, w.bodies.Len())
	for k := range len(p) / 2 {
		f := vec.V(answers[k*answerRow+4], answers[k*answerRow+5], answers[k*answerRow+6])
		a, b := w.pieces.Body[p[2*k]], w.pieces.Body[p[2*k+1]]
		sums[a], sums[b] = sums[a].Add(f), sums[b].Sub(f)
		touched[a], touched[b] = true, true
	}
	for i, sum := range sums {
		if w.cfg.Planar {
			sum.Z = 0
		}
		if f := w.found.Force.At(i); f != sum {
			return mark.Errorf(ErrState, "engine: %s of the state has the force %v N, expected the sum of its contacts' forces, %v N",
				w.nameOfBody(soa.Body(i)), f, sum)
		}
		if m := w.found.Torque.At(i); m != (vec.Vec3{}) && !touched[i] {
			return mark.Errorf(ErrState, "engine: %s of the state has the torque %v N·m and no contact, expected none", w.nameOfBody(soa.Body(i)), m)
		}
	}
	return nil
}
