package engine

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/contact"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Part is one piece of a body: a shape with a material and a pose in the frame of the body's parts.
type Part struct {
	Shape    soa.Shape    // as AddShape returned it
	Material soa.Material // row and column of Config.Law
	Density  float64      // kg/m³; ignored for walls
	Local    vec.Pose     // frame of the shape's file to the frame of the parts; a zero rotation means none
}

// BodySpec describes a body to add. Pose maps the frame in which the parts are given to the world. For
// a body of one part with zero Local, that frame is the frame of the shape's file.
type BodySpec struct {
	Name  string   // for messages and results; may be empty
	Parts []Part   // at least one
	Pose  vec.Pose // frame of the parts to the world, m; a zero rotation means none
	Vel   vec.Vec3 // m/s, of the centre of mass; see SetVelocity
	Spin  vec.Vec3 // rad/s, world axes

	// Mass has the mass properties in the frame of the parts, in place of those that follow from shapes and densities.
	// nil: the sums over the parts, which count overlaps twice. geometry.UnionMass counts them once.
	Mass *geometry.BodyMass
}

// AddShape adds a shape to the arena and returns its row. It returns an error that wraps ErrBody if the
// shape is nil, of no kind, or empty, or if its numbers or columns do not fit together. After Close the
// error wraps ErrClosed.
func (w *World) AddShape(t *soa.Template) (soa.Shape, error) {
	switch {
	case w.closed:
		return 0, mark.Errorf(ErrClosed, "engine: cannot add a shape after Close")
	case t == nil:
		return 0, mark.Errorf(ErrBody, "engine: the shape is nil, expected one, as package geometry makes them")
	case !t.Kind.IsEndless() && !(t.Radius > 0):
		return 0, mark.Errorf(ErrBody, "engine: shape %q has radius %g, expected > 0 and finite", t.Name, t.Radius)
	case !(t.Round >= 0 && t.Round <= math.MaxFloat64) || t.Kind.IsEndless() && t.Round != 0:
		return 0, mark.Errorf(ErrBody, "engine: shape %q has rounding radius %g, expected one ≥ 0 and finite, of a plane 0", t.Name, t.Round)
	}
	h, err := w.space.Shapes.Add(t)
	if err != nil {
		return 0, mark.Errorf(ErrBody, "engine: %w", err)
	}
	w.thin, w.published.edge = 0, 0
	return h, nil
}

// AddBody adds a body that moves by the forces on it, and returns its id. Ids count bodies and
// walls from 0 and are never used again. The mass properties are those of b.Mass, or the sums over the parts, which are then assumed not
// to overlap. Between two steps AddBody costs a search for the neighbours of the body, and one evaluation of
// all contacts however many bodies come.
//
// AddBody returns an error that wraps ErrBody, and leaves the world unchanged, in these cases: the body has no
// parts; a shape or material does not exist; a shape is
// neither a ball nor a block; b.Mass is that of no body; the pose or a velocity is not finite or the quaternion not unit; the body lies too
// far from the origin for its size; the mass is not positive; a law is not defined between its kind and another; the body
// leaves the plane of a planar world, or turns under position Verlet. The error wraps ErrTimeStep if the last step was
// too long for the body, and names one that would do. After Close the error wraps
// ErrClosed.
func (w *World) AddBody(b BodySpec) (soa.ID, error) {
	adds := bodyAdder{w}
	id := w.bodies.NextID()
	number := w.numberOf(id)
	if err := adds.checkBody(number, &b); err != nil {
		return 0, err
	}
	m, err := adds.massOf(number, &b)
	if err != nil {
		return 0, err
	}
	if w.cfg.Planar {
		m.turnAboutZ(b.Pose.Rot)
	}
	at := b.Pose.Point(m.centre)
	err = cmp.Or(adds.checkPlace(number, &b, at), adds.checkKinds(number, &b, true), adds.mustBePlanar(number, &b, at), adds.mustTranslate(number, &b))
	if err != nil {
		return 0, err
	}
	before, limits := w.balance(), adds.presentLimits()
	row := adds.addRow(b.Name, b.Pose, m.centre)
	w.bodies.Vel.Set(row, b.Vel)
	w.bodies.InvMass[row] = 1 / m.mass
	w.bodies.InvInertia.Set(row, m.inverse)
	w.bodies.Mass[row] = m.mass
	w.bodies.Inertia[row], w.bodies.Centre[row] = m.inertia, m.centre
	w.setSpin(row, b.Spin)
	adds.addPieces(row, b.Parts, m.centre)
	err = cmp.Or(adds.checkLastStep(number, b.Name, limits), adds.fitsCell(row))
	if err != nil {
		w.space.DropNewest(soa.Body(row))
	} else if err = w.space.AddBody(soa.Body(row)); err != nil {
		err = mark.Errorf(ErrBody, "engine: body %d %q: %w", number, b.Name, err)
	}
	if err != nil {
		adds.dropRow(limits)
		return 0, err
	}
	adds.noteKinds(b.Name, b.Parts, true, 1)
	w.comeOrGo(before)
	return id, nil
}

// Reserve makes room for n more bodies or walls of one part each. Without it, columns grow as bodies come, which leaves
// up to a quarter of their memory spare.
func (w *World) Reserve(n int) {
	rows := w.bodies.Len()
	w.bodies.Resize(rows + n)
	w.bodies.Resize(rows)
	w.space.Pieces.Reserve(n)
}

// presentLimits returns the limits of the time step before a body comes, for checkLastStep.
func (w bodyAdder) presentLimits() stepLimits {
	if w.lastStep > 0 {
		stepBounds(w).findLimits()
	}
	return w.limits
}

// checkLastStep rejects the newest body or wall if the last step was too long for it. before are the limits without it.
func (w bodyAdder) checkLastStep(id soa.ID, name string, before stepLimits) error {
	if w.lastStep == 0 {
		return nil
	}
	if stepBounds(w).findLimits(); w.limits.longest >= min(w.lastStep, before.longest) {
		return nil
	}
	if err := stepBounds(w).refuseStep(w.lastStep, w.TimeStep()); errors.As(err, new(*WallError)) {
		return err
	}
	return mark.Errorf(ErrTimeStep, "engine: body %d %q would need time steps of at most %s s, and the last one was of %g s; "+
		"expected a shorter step before it comes, or something heavier or softer", id, name, mark.Limit(w.limits.longest), w.lastStep)
}

// dropRow removes the row of the newest body, whose pieces are removed.
func (w bodyAdder) dropRow(limits stepLimits) {
	w.bodies.Resize(w.bodies.Len() - 1)
	w.resizeByBody()
	w.limits = stepLimits{known: limits.known, longest: limits.longest}
}

// bodyAdder checks a new body or wall and adds its rows to the world.
type bodyAdder struct{ *World }

func (w bodyAdder) checkBody(id soa.ID, b *BodySpec) error {
	switch {
	case w.closed:
		return mark.Errorf(ErrClosed, "engine: cannot add body %d %q after Close", id, b.Name)
	case w.fault != nil:
		return w.fault
	}
	if len(b.Parts) == 0 {
		return mark.Errorf(ErrBody, "engine: body %d %q has no parts, expected one at least", id, b.Name)
	}
	b.Pose = b.Pose.OrIdentity()
	if !isPose(b.Pose) {
		return mark.Errorf(ErrBody, "engine: body %d %q has pose %v, expected finite with a unit quaternion",
			id, b.Name, b.Pose)
	}
	if !b.Vel.Finite() || !b.Spin.Finite() {
		return mark.Errorf(ErrBody, "engine: body %d %q has velocity %v and spin %v, expected finite",
			id, b.Name, b.Vel, b.Spin)
	}
	b.Parts = slices.Clone(b.Parts) // Those of the caller are not changed.
	for i := range b.Parts {
		p := &b.Parts[i]
		p.Local = p.Local.OrIdentity()
		if !isPose(p.Local) {
			return mark.Errorf(ErrBody, "engine: body %d %q part %d has local pose %v, expected finite with a unit quaternion",
				id, b.Name, i, p.Local)
		}
		if p.Local.Rot != vec.Identity {
			p.Local.Rot = p.Local.Rot.Normalized()
		}
		if int(p.Shape) >= w.space.Shapes.Len() || int(p.Material) >= w.law.Materials() {
			return mark.Errorf(ErrBody, "engine: body %d %q part %d has shape %d and material %d, "+
				"expected one of the %d shapes that AddShape returned and of the %d materials of the law, both from 0",
				id, b.Name, i, p.Shape, p.Material, w.space.Shapes.Len(), w.law.Materials())
		}
		if what := w.withoutOverlap(p.Shape); what != "" {
			return mark.Errorf(ErrBody, "engine: body %d %q part %d is %s, expected a ball, a plane, or a block or facet without rounding "+
				"(geometry's Bevelled makes one of it): a law acts by the overlap of bodies", id, b.Name, i, what)
		}
	}
	return nil
}

// withoutOverlap returns a description of a shape whose overlaps the law needs but the engine
// cannot compute. It returns "" for all other shapes.
func (w bodyAdder) withoutOverlap(s soa.Shape) string {
	switch kind := w.space.Shapes.Kind[s]; {
	case !w.law.Overlaps():
	case !kind.IsRound() && w.space.Shapes.Round[s] > 0:
		return fmt.Sprintf("a %v rounded by %g m", kind, w.space.Shapes.Round[s])
	}
	return ""
}

// checkPlace rejects a body that lies so far from the origin that positions have too few digits for
// its size.
func (w bodyAdder) checkPlace(id soa.ID, b *BodySpec, at vec.Vec3) error {
	radius := 0.0
	for i := range b.Parts {
		p := &b.Parts[i]
		if w.space.Shapes.Kind[p.Shape].IsEndless() {
			return nil // It has no size.
		}
		local := p.Local.Point(w.space.Shapes.Origin(p.Shape))
		radius = max(radius, b.Pose.Point(local).Sub(at).Norm()+w.space.Shapes.Radius[p.Shape]+w.space.Shapes.Round[p.Shape])
	}
	if contact.IsFar(at, radius) {
		return mark.Errorf(ErrBody, "engine: body %d %q of radius %.3g m is at %v, expected at most %.3g m (2³² radii) from the origin: "+
			"positions there are %.3g m from each other", id, b.Name, radius, at, contact.FarRadii*radius, spacing(at))
	}
	return nil
}

// isPose reports whether a pose is finite and its quaternion nearly unit.
func isPose(p vec.Pose) bool {
	return p.Pos.Finite() && p.Rot.Finite() && math.Abs(p.Rot.Norm()-1) <= rotTolerance
}

// rotTolerance is the largest deviation from 1 of a quaternion's norm. Quaternions within it are
// normalised, others are rejected. The file formats use the same tolerance.
// Smaller: short input is refused. Larger: mistakes pass.
const rotTolerance = 1e-3

type massOf struct {
	mass             float64
	centre           vec.Vec3 // in the frame of the parts
	inertia, inverse vec.Sym3 // about the centre
}

func (w bodyAdder) massOf(id soa.ID, b *BodySpec) (massOf, error) {
	var m massOf
	for i, p := range b.Parts {
		volume, _ := w.space.Shapes.Volume(p.Shape)
		if k := w.space.Shapes.Kind[p.Shape]; !k.IsSolid() {
			return m, mark.Errorf(ErrBody, "engine: body %d %q part %d is a %v, expected a ball or a block",
				id, b.Name, i, k)
		}
		if b.Mass != nil {
			continue
		}
		mass := float64(p.Density * volume)
		if !(mass > 0) || math.IsInf(mass, 0) {
			return m, mark.Errorf(ErrBody, "engine: body %d %q part %d has density %g and volume %g, expected a positive mass",
				id, b.Name, i, p.Density, volume)
		}
		m.mass += mass
		m.centre = m.centre.AddScaled(mass, p.Local.Point(w.space.Shapes.Origin(p.Shape)))
	}
	if b.Mass != nil {
		return w.massGiven(id, b)
	}
	m.centre = m.centre.Scale(1 / m.mass)
	if len(b.Parts) == 1 {
		m.centre = b.Parts[0].Local.Point(w.space.Shapes.Origin(b.Parts[0].Shape))
	}
	for _, p := range b.Parts {
		volume, inertia := w.space.Shapes.Volume(p.Shape)
		inertia = inertia.Scale(p.Density)
		if p.Local.Rot != vec.Identity {
			inertia = inertia.Rotated(p.Local.Rot.Mat3())
		}
		d := p.Local.Point(w.space.Shapes.Origin(p.Shape)).Sub(m.centre)
		m.inertia = m.inertia.Add(inertia).Add(pointInertia(p.Density*volume, d))
	}
	err := w.invert(id, b, &m)
	return m, err
}

// massGiven returns the mass properties that a body is given.
func (w bodyAdder) massGiven(id soa.ID, b *BodySpec) (massOf, error) {
	m := massOf{mass: b.Mass.Mass, centre: b.Mass.Centre, inertia: b.Mass.Inertia}
	if err := b.Mass.Check(); err != nil {
		return m, mark.Errorf(ErrBody, "engine: body %d %q: %w", id, b.Name, err)
	}
	err := w.invert(id, b, &m)
	return m, err
}

// invert sets the inverse of the inertia.
func (w bodyAdder) invert(id soa.ID, b *BodySpec, m *massOf) error {
	var ok bool
	m.inverse, ok = m.inertia.Inverse()
	if !ok || math.IsInf(1/m.mass, 0) || !diagonal(m.inertia).Finite() || !diagonal(m.inverse).Finite() {
		return mark.Errorf(ErrBody, "engine: body %d %q has mass %g and inertia %v, expected positive definite and finite, as their inverses",
			id, b.Name, m.mass, m.inertia)
	}
	return nil
}

// diagonal returns the diagonal of an inertia tensor, whose entries bound the off-diagonal ones.
func diagonal(s vec.Sym3) vec.Vec3 { return vec.Vec3{X: s.XX, Y: s.YY, Z: s.ZZ} }

// pointInertia returns the inertia of a point mass m at d: the term of Steiner's theorem.
func pointInertia(m float64, d vec.Vec3) vec.Sym3 {
	xx, yy, zz := float64(d.X*d.X), float64(d.Y*d.Y), float64(d.Z*d.Z)
	return vec.Sym3{
		XX: yy + zz, YY: xx + zz, ZZ: xx + yy,
		XY: -float64(d.X * d.Y), XZ: -float64(d.X * d.Z), YZ: -float64(d.Y * d.Z),
	}.Scale(m)
}

// addRow appends a row for a body and returns it. pose maps the frame of its parts to the world; centre is the
// body's origin in that frame.
func (w bodyAdder) addRow(name string, pose vec.Pose, centre vec.Vec3) (row int) {
	id := w.bodies.Len()
	w.limits.known = false
	pose.Rot = pose.Rot.Normalized()
	w.bodies.Resize(id + 1)
	w.resizeByBody()
	w.bodies.Pos.Set(id, pose.Point(centre))
	w.bodies.Rot.Set(id, pose.Rot)
	w.bodies.Name[id] = name
	return id
}

// resizeByBody gives the columns that some worlds have beside those of the bodies as many rows.
func (w bodyAdder) resizeByBody() {
	if w.cfg.translates() {
		w.moves.previous.Resize(w.bodies.Len())
	}
	if w.loads.force.Len() > 0 {
		w.loads.resize(&w.bodies)
	}
	if len(w.local.share) > 0 {
		w.local.resize(w.bodies.Len())
	}
}

// addPieces appends the pieces of the newest body. centre is the body's origin in the frame of the
// parts.
func (w bodyAdder) addPieces(id int, parts []Part, centre vec.Vec3) {
	for _, p := range parts {
		local := vec.Pose{Pos: p.Local.Point(w.space.Shapes.Origin(p.Shape)).Sub(centre), Rot: p.Local.Rot}
		w.addPiece(id, p.Shape, p.Material, local)
	}
	w.bodies.FirstPiece[id+1] = soa.Piece(w.space.Pieces.Len())
}

// addPiece appends a piece of the newest body. local is the pose of the piece in the frame of the body.
func (w bodyAdder) addPiece(id int, shape soa.Shape, m soa.Material, local vec.Pose) {
	w.space.AddPiece(soa.Body(id), shape, m, local)
	reach := local.Pos.Norm() + w.space.Shapes.Radius[shape] + w.space.Shapes.Round[shape]
	w.bodies.Radius[id] = max(w.bodies.Radius[id], reach)
}
