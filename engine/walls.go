package engine

import (
	"cmp"
	"math"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Motion is the prescribed motion of a wall between two times: a constant velocity, a constant spin
// about a point that moves along, and an oscillation. The pose is a function of time, so errors do
// not accumulate. The zero value means rest.
type Motion struct {
	Velocity vec.Vec3 // m/s
	Spin     vec.Vec3 // rad/s, about Centre
	// VelocityTable and SpinTable, if not nil, take the place of Velocity and Spin. Their time 0 is From. The
	// spins of a table must be parallel.
	VelocityTable, SpinTable *TimeTable[vec.Vec3]
	Centre                   vec.Vec3 // m, world, at time 0
	// Amplitude, m, and Frequency, 1/s, define the oscillation Amplitude·sin(2π·Frequency·t).
	Amplitude vec.Vec3
	Frequency float64
	// Ramp is the time, s, after From in which the oscillation grows to its full amplitude. The
	// factor is 3u²−2u³ at the share u of that time, so the velocity starts at zero without a jump.
	// With 0 the amplitude is full at once.
	Ramp float64
	// From ≥ 0 and To, s, bound the motion in time; To = 0 means no end. Outside these times the
	// wall rests.
	From, To float64
}

func (m *Motion) moves() bool {
	return m.Velocity != (vec.Vec3{}) || m.Amplitude != (vec.Vec3{}) || m.VelocityTable != nil || m.turns()
}

func (m *Motion) turns() bool { return m.Spin != (vec.Vec3{}) || m.SpinTable != nil }

// at returns the displacement and the rotation since the start, and the velocities, at time t.
func (m *Motion) at(t float64) (shift vec.Vec3, turn vec.Quat, vel, spin vec.Vec3) {
	t0 := t
	if m.To > 0 {
		t = min(t, m.To)
	}
	t = max(t-m.From, 0)
	running := t0 >= m.From && (m.To <= 0 || t0 <= m.To)
	s, c := vec.Sincos(2 * pi * float64(m.Frequency*t))
	grown, grows := 1.0, 0.0 // the share of the amplitude and its rate, 1/s
	if t < m.Ramp {
		u := t / m.Ramp
		grown = float64(float64(u*u) * (3 - 2*u))
		grows = 6 * float64(u*(1-u)) / m.Ramp
	}
	velocity, way, turned := m.Velocity, m.Velocity.Scale(t), m.Spin.Scale(t)
	spin = m.Spin
	if m.VelocityTable != nil {
		velocity, way = m.VelocityTable.At(t), m.VelocityTable.Integral(t)
	}
	if m.SpinTable != nil {
		spin, turned = m.SpinTable.At(t), m.SpinTable.Integral(t)
	}
	shift = way.AddScaled(float64(grown*s), m.Amplitude)
	turn = vec.FromRotationVector(turned)
	if !running {
		return shift, turn, vec.Vec3{}, vec.Vec3{}
	}
	vel = velocity.AddScaled(float64(grown*(2*pi*float64(m.Frequency*c)))+float64(grows*s), m.Amplitude)
	return shift, turn, vel, spin
}

const pi = math.Pi

// WallSpec describes a wall to add: the facets of a mesh, or parts such as blocks, balls or a plane. It
// rests or has a prescribed motion. Coplanar facets, within rounding, act as one surface.
type WallSpec struct {
	Name string // for messages and results; may be empty
	// Facets is the facets of a mesh, as geometry.MergeFacets returns them, and Material is theirs. A
	// facet takes a few hundred bytes until a body comes near it, so a wall may have millions.
	Facets   *geometry.WallFacets
	Material soa.Material
	Parts    []Part   // if Facets is nil, at least one; their density is ignored
	Pose     vec.Pose // frame of facets or parts to the world, when the wall is added, m; a zero rotation means none
	Motion   Motion   // the zero value means rest; its times are those of the world
}

// wallState is what moves a wall: its pose is a function of time, displaced by what it follows.
type wallState struct {
	body soa.Body
	wallCourse
}

// wallCourse is what a state holds of a wall that has been set or follows a load.
type wallCourse struct {
	Motion Motion
	Pose   vec.Pose // at time 0
	follows
}

func (v *wallState) moves() bool { return v.Motion.moves() || v.Servo != nil || v.Load != nil }

// AddWall adds a wall and returns its id. A wall is a body whose motion the forces on it do not
// change. Between two steps AddWall costs a search for all candidate pairs. An error leaves the world unchanged.
// It wraps ErrBody for the causes of AddBody,
// except for shapes and mass, and more: a motion that is not finite or that begins before time 0, a
// negative frequency, an amplitude or a frequency without the other, and a plane that turns. It wraps ErrTimeStep
// if the wall is too fast or too stiff for the last step. After Close the error wraps ErrClosed.
func (w *World) AddWall(v WallSpec) (id soa.ID, err error) {
	adds := bodyAdder{w}
	id = w.bodies.NextID()
	number := w.numberOf(id)
	if v.Facets != nil && !w.closed {
		if len(v.Parts) > 0 {
			return 0, mark.Errorf(ErrBody, "engine: wall %d %q has facets and %d parts, expected one of the two", number, v.Name, len(v.Parts))
		}
		shapes := w.space.Shapes.Len()
		v.Parts = adds.partsOf(&v)
		defer func() {
			if err != nil {
				w.space.Shapes.DropFacets(soa.Shape(shapes))
			}
		}()
	}
	b := BodySpec{Name: v.Name, Parts: v.Parts, Pose: v.Pose}
	if err := adds.checkBody(number, &b); err != nil {
		return 0, err
	}
	v.Pose, v.Parts = b.Pose, b.Parts // checkBody has replaced zero rotations
	m := v.Motion
	if err := m.check(number, v.Name); err != nil {
		return 0, err
	}
	if err := cmp.Or(adds.checkPlane(number, &v), adds.checkPlace(number, &b, v.Pose.Pos), adds.checkKinds(number, &b, false)); err != nil {
		return 0, err
	}
	before, limits := w.balance(), adds.presentLimits()
	row := soa.Body(adds.addRow(v.Name, v.Pose, vec.Vec3{}))
	adds.addPieces(int(row), b.Parts, vec.Vec3{})
	wall, there := wallState{row, wallCourse{Motion: m, Pose: w.bodies.Pose(row)}}, w.bodies.Pose(row)
	_, _, vel, spin := m.at(0)
	vel = vel.Add(spin.Cross(v.Pose.Pos.Sub(m.Centre)))
	if w.time > 0 {
		wall, there, vel, spin, err = w.inMotion(row, m, follows{}, there)
	}
	w.bodies.Pos.Set(int(row), there.Pos)
	w.bodies.Rot.Set(int(row), there.Rot)
	w.bodies.Vel.Set(int(row), vel)
	w.bodies.Spin.Set(int(row), spin)
	w.walls = append(w.walls, wall)
	if err == nil {
		err = adds.checkLastStep(number, v.Name, limits)
	}
	if err != nil {
		w.space.DropNewest(row)
	} else if err = w.space.AddWall(row, v.Facets); err != nil {
		err = mark.Errorf(ErrBody, "engine: wall %d %q: %w", number, v.Name, err)
	}
	if err != nil {
		w.walls = w.walls[:len(w.walls)-1]
		adds.dropRow(limits)
		return 0, err
	}
	adds.noteKinds(b.Name, b.Parts, false, 1)
	w.setWalls = w.setWalls || w.ready
	w.comeOrGo(before)
	return id, nil
}

// partsOf adds the facets of a wall as shapes and returns them as parts.
func (w bodyAdder) partsOf(v *WallSpec) []Part {
	first := w.space.Shapes.AddFacets(v.Facets, v.Facets.Radius)
	parts := make([]Part, v.Facets.Len())
	for k := range parts {
		parts[k] = Part{Shape: first + soa.Shape(k), Material: v.Material}
	}
	return parts
}

// check rejects a motion that a wall cannot make.
func (m *Motion) check(id soa.ID, name string) error {
	for _, table := range []*TimeTable[vec.Vec3]{m.VelocityTable, m.SpinTable} {
		if err := table.Check(); err != nil {
			return mark.Errorf(ErrBody, "engine: wall %d %q has in its motion %w", id, name, err)
		}
	}
	for i := range m.SpinTable.len() {
		if a, b := axisOf(m.SpinTable), m.SpinTable.Values[i]; a.Cross(b).Norm() > float64(rotTolerance*b.Norm()) {
			return mark.Errorf(ErrBody, "engine: wall %d %q has a table of spins with %v after %v, expected parallel ones: the pose of a wall is a function of time",
				id, name, b, a)
		}
	}
	ok := m.Velocity.Finite() && m.Spin.Finite() && m.Centre.Finite() && m.Amplitude.Finite() &&
		m.Frequency-m.Frequency == 0 && m.Ramp-m.Ramp == 0 && m.From-m.From == 0 && m.To-m.To == 0
	if !ok || m.From < 0 || m.To != 0 && m.To < m.From || m.Ramp < 0 || m.Frequency < 0 {
		return mark.Errorf(ErrBody, "engine: wall %d %q has motion %+v, expected finite with From ≥ 0, To after From, Ramp ≥ 0 and Frequency ≥ 0",
			id, name, *m)
	}
	if (m.Amplitude == vec.Vec3{}) != (m.Frequency == 0) {
		return mark.Errorf(ErrBody, "engine: wall %d %q oscillates by %v m at %g 1/s, expected an amplitude and a frequency, or neither",
			id, name, m.Amplitude, m.Frequency)
	}
	return nil
}

// speed returns an upper bound on the speed, m/s, of every point of a wall within reach of the axis
// of its spin.
func (m *Motion) speed(reach float64) float64 {
	speed, spin := m.Velocity.Norm(), m.Spin.Norm()
	if m.VelocityTable != nil {
		speed = m.VelocityTable.norm()
	}
	if m.SpinTable != nil {
		spin = m.SpinTable.norm()
	}
	speed += float64(2 * pi * m.Frequency * m.Amplitude.Norm())
	if m.Ramp > 0 {
		// The ramp adds at most its rate, 1.5/Ramp, times |sin 2πft|. With u = t/Ramp that is also
		// at most 12π·f·u²·(1−u).
		speed += float64(min(1.5/m.Ramp, 3*pi*m.Frequency) * m.Amplitude.Norm())
	}
	if spin > 0 {
		speed += float64(spin * reach)
	}
	return speed
}

// wallSpeed returns an upper bound on the speed of wall i, m/s.
func (w stepBounds) wallSpeed(i int) float64 {
	v := &w.walls[i]
	speed := v.Motion.speed(v.Pose.Pos.Sub(v.Motion.Centre).Norm() + w.bodies.Radius[v.body])
	if v.Servo != nil {
		speed += v.Servo.MaxSpeed
	}
	return speed
}

// thinnest returns the inscribed diameter of the thinnest piece of a body that moves, m.
func (w stepBounds) thinnest() float64 {
	l := &w.limits
	if l.pieces == 0 {
		l.thinnest = math.Inf(1)
	}
	for ; l.pieces < w.space.Pieces.Len(); l.pieces++ {
		p := soa.Piece(l.pieces)
		if size := 2 * (innerRadius(w.space, p) + w.space.Shapes.Round[w.space.Pieces.Shape[p]]); size > 0 && w.bodies.InvMass[w.space.Pieces.Body[p]] != 0 {
			l.thinnest = min(l.thinnest, size)
		}
	}
	return l.thinnest
}

// axisOf returns the first spin of a table that is not zero.
func axisOf(b *TimeTable[vec.Vec3]) (axis vec.Vec3) {
	for i := range b.len() {
		if axis == (vec.Vec3{}) {
			axis = b.Values[i]
		}
	}
	return axis
}

// Walls returns the ids of the walls, in the order in which they were added.
func (w *World) Walls() []soa.ID {
	ids := make([]soa.ID, len(w.walls))
	for i := range w.walls {
		ids[i] = w.bodies.ID[w.walls[i].body]
	}
	return ids
}

// moveWalls moves the walls to their poses at time t, the end of a step of dt. Contacts see the
// velocities of the half step, so the velocity of the displacement is that of time t − dt/2 until
// endWalls.
func (w *World) moveWalls(t, dt float64) {
	for i := range w.walls {
		v := &w.walls[i]
		if !v.moves() {
			continue
		}
		v.advance(dt)
		if w.fault == nil && v.Load != nil && !(math.Abs(float64(v.Speed*dt)) <= (stepBounds{w}).thinnest()) {
			w.fault = mark.Errorf(ErrFault, "engine: step %d: wall %s with its load moves at %.3g m/s, expected at most %.3g m/s: in a time step of %g s it would "+
				"pass the thinnest body", w.step, w.nameOf(v.body), v.Speed, (stepBounds{w}).thinnest()/dt, dt)
		}
		id := int(v.body)
		pose, vel, spin := v.at(t, float64(0.5*dt))
		w.bodies.Vel.Set(id, vel)
		w.bodies.Spin.Set(id, spin)
		kernels.Move(&w.bodies, v.body, pose) // A wall at rest is not moved, so its odometer does not change.
		w.space.NoteLate(id, id+1, 0)
	}
}

// endWalls gives the walls their velocities of time t, the end of a step of dt.
func (w *World) endWalls(t, dt float64) {
	if w.isSteered() {
		w.steer(t, dt)
	}
	for i := range w.walls {
		if v := &w.walls[i]; v.moves() {
			_, vel, _ := v.at(t, 0)
			if n := v.axis(); n != (vec.Vec3{}) {
				vel = v.across(vel).AddScaled(v.instant(dt), n)
			}
			w.bodies.Vel.Set(int(v.body), vel)
		}
	}
}

// at returns the pose and the velocities of a moving wall at time t. The velocity of the
// displacement is that of a time earlier by before, s.
func (v *wallState) at(t, before float64) (pose vec.Pose, vel, spin vec.Vec3) {
	shift, turn, vel, spin := v.Motion.at(t)
	if before > 0 {
		_, _, vel, _ = v.Motion.at(t - before)
	}
	if n := v.axis(); n != (vec.Vec3{}) {
		shift, vel = v.across(shift).AddScaled(v.Offset, n), v.across(vel).AddScaled(v.Speed, n)
	}
	pos, arm := v.Pose.Pos.Add(shift), vec.Vec3{}
	if v.Motion.turns() {
		arm = turn.Rotate(v.Pose.Pos.Sub(v.Motion.Centre))
		pos = v.Motion.Centre.Add(arm).Add(shift)
		if n := v.axis(); n != (vec.Vec3{}) {
			pos = v.across(pos).AddScaled(v.From+v.Offset, n)
		}
	}
	return vec.Pose{Pos: pos, Rot: turn.Mul(v.Pose.Rot).Normalized()}, vel.Add(v.across(spin.Cross(arm))), spin
}
