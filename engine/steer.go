package engine

import (
	"cmp"
	"math"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Servo displaces a wall along an axis so that the bodies press on it with a given force. In each step the wall
// has the speed
//
//	gain × (target − measured)/Σ(k·dt + c)
//
// with the springs k and dashpots c of its contacts, at most MaxSpeed in size. The force of the contacts in
// the next step then misses the target by 1 − gain of what it misses it by now. A formula with k alone (Itasca
// 2023, servo walls) overshoots where dashpots act, and swings for ever. Without a contact the wall moves at
// MaxSpeed towards the load.
type Servo struct {
	Axis vec.Vec3 // unit, world: the direction in which the wall presses
	// Force, N, or Stress, Pa, is the target, > 0 for pressure; exactly one of them is given.
	Force, Stress *TimeTable[float64]
	// Area, m², turns Stress into a force. 0: the projection of the facets and faces that face along Axis, as
	// they lie when the servo is set; for a plane Between must be given.
	Area float64
	// Between is four walls with planes, two opposite pairs, that bound the loaded area of a plane. The area is
	// computed from their distances in every step.
	Between  []soa.ID
	Gain     float64 // > 0 and < 1; 0 means 0.5
	MaxSpeed float64 // m/s, > 0
	From, To float64 // s: outside of these times the servo rests; To = 0 means no end
}

// WallLoad makes a wall a piston: a body of one degree of freedom, that moves along an axis by Newton's law.
// Gravity does not act on it.
type WallLoad struct {
	Axis    vec.Vec3            // unit, world: the direction in which the wall presses
	Mass    float64             // kg
	Force   *TimeTable[float64] // N, > 0 presses along Axis; nil: none
	Damping float64             // N·s/m, of a dashpot between the wall and the ground
}

// follows holds what displaces a wall beside its motion.
type follows struct {
	Servo  *Servo
	Load   *WallLoad
	From   float64 // m, along the axis, of the wall when its pose or motion was set
	Offset float64 // m, along the axis, since then
	Speed  float64 // m/s, along the axis, in the coming step (servo) or now (load)
	Last   float64 // m/s, in the last step
	Rate   float64 // m/s², of a wall with a load
}

// axis returns the axis of the servo or load, or zero.
func (f *follows) axis() vec.Vec3 {
	switch {
	case f.Servo != nil:
		return f.Servo.Axis
	case f.Load != nil:
		return f.Load.Axis
	}
	return vec.Vec3{}
}

// across returns a vector of a motion without its component along the axis.
func (f *follows) across(v vec.Vec3) vec.Vec3 {
	if n := f.axis(); n != (vec.Vec3{}) {
		return v.AddScaled(-v.Dot(n), n)
	}
	return v
}

// SetServo gives a wall a servo from its present pose on, in place of a servo or load that it has; nil ends
// that. Motion of the wall across the axis goes on. SetServo returns the errors of SetWallPose, and an error
// that wraps ErrBody for numbers that mean nothing, or if Stress has no area.
func (w *World) SetServo(id soa.ID, servo *Servo) error {
	v, err := w.wallToSet(id, "servo")
	if err != nil {
		return err
	}
	f := follows{}
	if servo != nil {
		s := *servo
		f.Servo = &s
	}
	return w.setFollows(v, f)
}

// SetWallLoad makes a wall a piston from its present pose and speed on, in place of a servo or load that it
// has; nil ends that. Motion of the wall across the axis goes on. SetWallLoad returns the errors of SetWallPose, and
// an error that wraps ErrBody for numbers that mean nothing.
func (w *World) SetWallLoad(id soa.ID, load *WallLoad) error {
	v, err := w.wallToSet(id, "load")
	if err != nil {
		return err
	}
	f := follows{}
	if load != nil {
		l := *load
		if f.Load = &l; l.Force == nil {
			l.Force = Constant(0.0)
		}
		f.Speed = w.bodies.Vel.At(int(v.body)).Dot(l.Axis)
	}
	return w.setFollows(v, f)
}

// setFollows gives a wall a servo or load.
func (w *World) setFollows(v *wallState, f follows) error {
	if err := cmp.Or(w.checkFollows(v.body, &f), w.placeFollows(v.body, &f)); err != nil {
		return err
	}
	pose, was := w.bodies.Pose(v.body), v.follows
	v.follows = f
	if err := w.setWall(v, v.Motion, pose); err != nil {
		v.follows = was
		return err
	}
	w.limits = stepLimits{} // the mass of a load counts
	w.constrainWall(v)
	return nil
}

// constrainWall stores the inverse mass of a wall with a load.
func (w *World) constrainWall(v *wallState) {
	if delete(w.constrained, v.body); v.Load != nil {
		w.setConstraint(v.body, v.Load.Axis.Outer().Scale(1/v.Load.Mass), vec.Sym3{})
	}
}

// checkFollows rejects a servo or load whose numbers mean nothing, and fills in what it leaves open.
func (w *World) checkFollows(row soa.Body, f *follows) error {
	refuse := func(format string, args ...any) error {
		return mark.Errorf(ErrBody, "engine: wall %s "+format, append([]any{w.nameOf(row)}, args...)...)
	}
	if n := f.axis().Norm(); f.axis() != (vec.Vec3{}) && !(math.Abs(n-1) <= rotTolerance) || n == 0 && (f.Servo != nil || f.Load != nil) {
		return refuse("follows a load along %v, expected a unit vector", f.axis())
	}
	if l := f.Load; l != nil {
		l.Axis = l.Axis.Unit()
		switch err := l.Force.Check(); {
		case err != nil:
			return refuse("has for the force of its load %w", err)
		case !(l.Mass > 0) || math.IsInf(l.Mass, 1) || !(l.Damping >= 0) || math.IsInf(l.Damping, 1):
			return refuse("has a load of mass %g kg and damping %g N·s/m, expected > 0 and ≥ 0, finite", l.Mass, l.Damping)
		}
	}
	s := f.Servo
	if s == nil {
		return nil
	}
	s.Axis = s.Axis.Unit()
	if s.Gain == 0 {
		s.Gain = 0.5
	}
	switch {
	case (s.Force == nil) == (s.Stress == nil):
		return refuse("has a servo with a force and a stress, or neither, expected one of them")
	case !(s.Gain > 0 && s.Gain < 1):
		return refuse("has a servo with gain %g, expected > 0 and < 1", s.Gain)
	case !(s.MaxSpeed > 0) || math.IsInf(s.MaxSpeed, 1):
		return refuse("has a servo with the highest speed %g m/s, expected > 0 and finite", s.MaxSpeed)
	case !(s.From >= 0) || s.To-s.To != 0 || s.To != 0 && s.To < s.From:
		return refuse("has a servo from %g s to %g s, expected From ≥ 0 and To after From", s.From, s.To)
	case !(s.Area >= 0) || math.IsInf(s.Area, 1):
		return refuse("has a servo with the area %g m², expected ≥ 0 and finite", s.Area)
	}
	for _, table := range []*TimeTable[float64]{s.Force, s.Stress} {
		if err := table.Check(); err != nil {
			return refuse("has for the target of its servo %w", err)
		}
	}
	return nil
}

// placeFollows rejects a servo or load along whose axis no body can be reached, and finds the area of a stress.
func (w *World) placeFollows(row soa.Body, f *follows) error {
	axis, s := f.axis(), f.Servo
	switch {
	case axis == (vec.Vec3{}):
	case !w.facesAlong(row, axis):
		return mark.Errorf(ErrBody, "engine: wall %s follows a load along %v, and no plane, facet or face of it faces that way, expected an axis along which bodies can be reached",
			w.nameOf(row), axis)
	case s == nil || s.Stress == nil:
	case len(s.Between) > 0:
		if _, err := w.areaBetween(s); err != nil {
			return mark.Errorf(ErrBody, "engine: wall %s has a servo with %w", w.nameOf(row), err)
		}
	case s.Area == 0 && w.hasPlane(row):
		return mark.Errorf(ErrBody, "engine: wall %s, a plane, has a servo with a stress, expected Area or Between", w.nameOf(row))
	case s.Area == 0:
		s.Area = w.areaAlong(row, axis)
	}
	return nil
}

// areaAlong returns the area, m², of the facets and faces of a wall that face along a unit vector, projected
// on the plane across it.
func (w *World) areaAlong(row soa.Body, n vec.Vec3) (area float64) {
	var corners []vec.Vec3
	loop := func(pose vec.Pose) {
		twice := 0.0
		for k, v := range corners {
			twice += pose.Point(v).Cross(pose.Point(corners[(k+1)%len(corners)])).Dot(n)
		}
		area += max(0.5*twice, 0)
	}
	for p := w.bodies.FirstPiece[row]; p < w.bodies.FirstPiece[row+1]; p++ {
		shape, pose := w.space.Pieces.Shape[p], w.space.Pieces.Pose(&w.bodies, p)
		pose.Pos = vec.Vec3{} // cancels in a sum over a closed loop, and its digits with it
		if w.space.Shapes.Kind[shape].IsRound() {
			area += float64(math.Pi * float64(w.space.Shapes.Radius[shape]*w.space.Shapes.Radius[shape]))
			continue
		}
		view := w.space.Shapes.View(shape)
		faces := view.NFaces
		if faces == 2 { // of a facet, whose back does not count
			faces = 1
		}
		for f := range faces {
			corners = corners[:0]
			for k := range view.LoopLen[f] {
				corners = append(corners, view.Vert(view.Tail[view.LoopFirst[f]+k]))
			}
			loop(pose)
		}
	}
	return area
}

// facesAlong reports whether a plane, a facet or a face of a wall faces along a direction.
func (w *World) facesAlong(row soa.Body, n vec.Vec3) bool {
	if w.hasPlane(row) {
		return w.space.Pieces.Pose(&w.bodies, w.bodies.FirstPiece[row]).Rot.Rotate(vec.Vec3{Z: 1}).Dot(n) > 0
	}
	return w.areaAlong(row, n) > 0
}

// planeOf returns a point and the normal of a wall that has one piece, a plane.
func (w *World) planeOf(id soa.ID) (point, normal vec.Vec3, ok bool) {
	row, found := w.bodies.Row(id)
	if !found || w.bodies.InvMass[row] != 0 {
		return point, normal, false
	}
	p := w.bodies.FirstPiece[row]
	if w.bodies.FirstPiece[row+1] != p+1 || !w.hasPlane(row) {
		return point, normal, false
	}
	pose := w.space.Pieces.Pose(&w.bodies, p)
	return pose.Pos, pose.Rot.Rotate(vec.Vec3{Z: 1}), true
}

// areaBetween returns the area, m², that the walls Between of a servo leave across its axis: that of the
// parallelogram of two slabs, at their present distances.
func (w *World) areaBetween(s *Servo) (float64, error) {
	const want = "expected Between as four walls with planes: two opposite pairs that face each other"
	if len(s.Between) != 4 {
		return 0, mark.Errorf(ErrBody, "%d walls around its area, "+want, len(s.Between))
	}
	var normals [2]vec.Vec3
	area := 1.0
	for k := range normals {
		p, n, okP := w.planeOf(s.Between[2*k])
		q, m, okQ := w.planeOf(s.Between[2*k+1])
		if !okP || !okQ || n.Dot(m) > -1+rotTolerance {
			return 0, mark.Errorf(ErrBody, "walls %d and %d around its area, "+want, s.Between[2*k], s.Between[2*k+1])
		}
		normals[k] = n
		area *= max(q.Sub(p).Dot(n), 0)
	}
	skew := math.Abs(normals[0].Cross(normals[1]).Dot(s.Axis))
	if skew < rotTolerance {
		return 0, mark.Errorf(ErrBody, "walls around its area that do not bound it across the axis %v, "+want, s.Axis)
	}
	return area / skew, nil
}

// target returns the force, N, that a servo is to reach at time t, and whether it works then.
func (w *World) target(s *Servo, t float64) (force float64, works bool) {
	if t < s.From || s.To > 0 && t > s.To {
		return 0, false
	}
	if s.Force != nil {
		return s.Force.At(t), true
	}
	area := s.Area
	if len(s.Between) > 0 {
		if area, _ = w.areaBetween(s); !(area >= 0) {
			area = 0
		}
	}
	return float64(s.Stress.At(t) * area), true
}

// Following is what a wall with a servo or load does at the present instant.
type Following struct {
	Target, Measured float64 // N, along the axis: to reach, or the load; and of the contacts
	Servo, Works     bool    // the wall has a servo, and no load; the servo does not rest
	Position, Speed  float64 // m and m/s, of the wall's origin along the axis
}

// Following returns what a wall with a servo or load does, and false for another body or wall.
func (w *World) Following(id soa.ID) (is Following, ok bool) {
	row, found := w.bodies.Row(id)
	for i := range w.walls {
		v := &w.walls[i]
		axis := v.axis()
		if !found || v.body != row || axis == (vec.Vec3{}) {
			continue
		}
		is.Measured = -w.bodies.Force.At(int(row)).Dot(axis)
		is.Position, is.Speed = w.bodies.Pos.At(int(row)).Dot(axis), w.bodies.Vel.At(int(row)).Dot(axis)
		if is.Servo = v.Servo != nil; is.Servo {
			is.Target, is.Works = w.target(v.Servo, w.time)
		} else {
			is.Target = v.Load.Force.At(w.time)
		}
		return is, true
	}
	return is, false
}

// steer chooses the speeds of servos for a step of dt that begins at time t, and computes the accelerations of
// walls with a load, from the forces on them at time t.
func (w *World) steer(t, dt float64) {
	for i := range w.walls {
		switch v := &w.walls[i]; {
		case v.Servo != nil:
			v.Last, v.Speed = v.Speed, w.servoSpeed(v, t, dt)
		case v.Load != nil:
			l := v.Load
			pressed := l.Force.At(t) + w.bodies.Force.At(int(v.body)).Dot(l.Axis) - float64(l.Damping*v.Last)
			v.Rate = pressed / l.Mass
		}
	}
	w.steerCell(t, dt)
	w.steered = true
}

// servoSpeed returns the speed of a wall with a servo in a step of dt from time t on.
func (w *World) servoSpeed(v *wallState, t, dt float64) float64 {
	s := v.Servo
	target, works := w.target(s, t)
	if !works {
		return 0
	}
	stiffness := 0.0
	dtWas := w.ctx.dt
	w.ctx.dt = dt
	(*watchStage)(&w.ctx).each(int(v.body), func(c spring) {
		stiffness += float64(c.springs.Normal*dt) + c.springs.NormalDashpot
	})
	w.ctx.dt = dtWas
	missing := target + w.bodies.Force.At(int(v.body)).Dot(s.Axis)
	if stiffness == 0 {
		switch {
		case missing > 0:
			return s.MaxSpeed
		case missing < 0:
			return -s.MaxSpeed
		}
		return 0
	}
	return min(max(float64(s.Gain*missing)/stiffness, -s.MaxSpeed), s.MaxSpeed)
}

// advance displaces a wall with a servo or load by a step of dt.
func (f *follows) advance(dt float64) {
	if f.Load != nil {
		f.Speed += float64(float64(0.5*dt) * f.Rate)
		f.Last = f.Speed
	}
	f.Offset += float64(dt * f.Speed)
}

// instant returns the speed along the axis at the end of a step of dt, once steer has run: for a servo the mean
// of the steps before and after it, so that half of the work of a force belongs to each.
func (f *follows) instant(dt float64) float64 {
	if f.Load != nil {
		f.Speed += float64(float64(0.5*dt) * f.Rate)
		return f.Speed
	}
	return 0.5 * (f.Last + f.Speed)
}

// loadPower returns the power, W, of the forces of all walls with a load at time t, and of their dashpots.
func (w *World) loadPower(t float64) (load, damping float64) {
	for i := range w.walls {
		if v := &w.walls[i]; v.Load != nil {
			load += float64(v.Load.Force.At(t) * v.Speed)
			damping -= float64(float64(v.Load.Damping*v.Last) * v.Speed)
		}
	}
	return load, damping
}
