package scene

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// wallCourse is what moves a wall, from the start of the run or of a stage on. A nil field leaves what there is, and
// off ends it.
type wallCourse struct {
	motion *engine.Motion
	servo  *servo
	load   *engine.WallLoad
	off    struct{ motion, servo, load bool }
	texts  map[string]string // of the tables
}

// axis returns the axis along which the wall follows a load, or zero.
func (c *wallCourse) axis() vec.Vec3 {
	switch {
	case c.servo != nil:
		return c.servo.Axis
	case c.load != nil:
		return c.load.Axis
	}
	return vec.Vec3{}
}

// servo is a checked servo table. between has the numbers of walls in the scene.
type servo struct {
	engine.Servo
	between []int
}

// bodyCourse is what holds and loads the bodies of an entry. A nil field leaves what there is.
type bodyCourse struct {
	fixed         *engine.Fixed
	vel, spin     *engine.TimeTable[vec.Vec3]
	force, torque *engine.TimeTable[vec.Vec3]
	texts         map[string]string // of the keys
}

// components are the words of the key fixed, in the order of the bits of engine.Fixed.
var components = []string{"x", "y", "z", "rx", "ry", "rz"}

// fixedOf returns the components that a list names.
func fixedOf(list []string) (f engine.Fixed) {
	for _, name := range list {
		f |= 1 << slices.Index(components, name)
	}
	return f
}

// wallCourse checks the tables of a wall. w is the wall.
func (s *checks) wallCourse(key string, motion *motionTable, follows *servoTable, load *wallLoadTable, w *wall) (c wallCourse) {
	if motion != nil {
		if c.off.motion = motion.Off; !motion.Off {
			m := s.motion(key+".motion", motion)
			s.demand(key+".motion.spin", motion.Spin.values(), !w.plane || m.Spin == (vec.Vec3{}) && m.SpinTable == nil,
				"no spin: a plane has no end, it may only be moved")
			c.motion = &m
		}
	}
	if follows != nil {
		if c.off.servo = follows.Off; !follows.Off {
			c.servo = s.servo(key+".servo", follows, w)
		}
	}
	if follows != nil && load != nil && !follows.Off && !load.Off {
		s.fault(key+".load", "is given beside servo, expected one of them")
	}
	if load != nil {
		if c.off.load = load.Off; !load.Off {
			c.load = &engine.WallLoad{Axis: s.axis(key+".load.axis", load.Axis), Mass: load.Mass, Force: load.Force.table, Damping: load.Damping}
		}
	}
	c.texts = map[string]string{}
	for name, t := range map[string]any{"motion": motion, "servo": follows, "load": load} {
		if v := reflect.ValueOf(t); !v.IsNil() {
			c.texts[name] = fmt.Sprintf("%+v", v.Elem().Interface())
		}
	}
	return c
}

// after returns the course of a wall that had another one before.
func (c wallCourse) after(was wallCourse) wallCourse {
	if c.motion == nil && !c.off.motion {
		c.motion = was.motion
	}
	if c.servo == nil && c.load == nil && !(c.off.servo && was.servo != nil) && !(c.off.load && was.load != nil) {
		c.servo, c.load = was.servo, was.load
	}
	return c
}

// checkAcross warns of a motion along the axis of a servo or load, which has no effect.
func (s *checks) checkAcross(key string, c wallCourse) {
	if c.motion == nil || c.axis() == (vec.Vec3{}) {
		return
	}
	for _, v := range append(timedVector{c.motion.VelocityTable}.values(), c.motion.Velocity, c.motion.Amplitude) {
		if math.Abs(v.Dot(c.axis())) > 1e-3*v.Norm() {
			s.warn(key+".motion", fmt.Sprintf("moves the wall along %v, where its servo or load alone displaces it; servo = false or load = false beside the motion ends that", c.axis()))
			return
		}
	}
}

// axis reads a direction.
func (s *checks) axis(key string, v vec.Vec3) vec.Vec3 {
	s.inPlane(key, v)
	s.demand(key, asList(v), math.Abs(v.Norm()-1) <= 1e-3, "a unit vector, within 1e-3")
	return v.Unit()
}

func (s *checks) servo(key string, t *servoTable, w *wall) *servo {
	v := &servo{Servo: engine.Servo{
		Axis: s.axis(key+".axis", t.Axis), Force: t.Force.table, Stress: t.Stress.table, Area: t.Area, Gain: t.Gain, MaxSpeed: t.MaxSpeed, From: t.From, To: t.To,
	}}
	s.demand(key+".gain", t.Gain, t.Gain < 1, "a number > 0 and < 1")
	s.demand(key+".to", t.To, t.To == 0 || t.To > t.From, fmt.Sprintf("a time after from, %g s; 0 is no end", t.From))
	for _, name := range t.Between {
		v.between = append(v.between, s.wallNamed(key+".between", name))
	}
	s.demand(key+".between", t.Between, t.Between == nil || len(t.Between) == 4, "the names of four walls")
	if t.Stress.table != nil && w.plane && t.Area == 0 && t.Between == nil {
		s.fault(key, "has a stress on a plane, which has no area, expected area, or between with the four walls that bound it")
	}
	return v
}

// wallNamed returns the number of the wall of a name.
func (s *checks) wallNamed(key, name string) int {
	i := slices.IndexFunc(s.walls, func(w wall) bool { return w.name == name })
	if i < 0 {
		var known []string
		for k := range s.walls {
			known = append(known, s.walls[k].name)
		}
		s.fault(key, found(name, "one of the walls "+among(known)))
	}
	return max(i, 0)
}

// bodyCourse checks the keys of an entry of bodies, or of a stage for one. held are the components that were fixed before.
func (s *checks) bodyCourse(key string, fixed []string, vel, spin, force, torque timedVector, held engine.Fixed) (c bodyCourse) {
	if fixed != nil {
		f := fixedOf(fixed)
		c.fixed, held = &f, f
		turns := s.integrator == engine.PositionVerlet && f > 7
		s.demand(key+".fixed", fixed, !turns, `no rotation with time.integrator = "position-verlet": its bodies do not turn`)
	}
	for _, v := range []struct {
		name string
		timedVector
		held bool
	}{{"velocity", vel, held&7 != 0}, {"spin", spin, held > 7}} {
		if v.varying() != nil && !v.held {
			s.fault(key+"."+v.name, "varies in time, expected one value: fixed beside it names the components that follow a table")
		}
	}
	c.texts = map[string]string{"velocity": vel.String(), "spin": spin.String(), "force": force.String(), "torque": torque.String()}
	if c.fixed != nil {
		c.texts["fixed"] = fmt.Sprint(fixed, vel, spin)
	}
	c.vel, c.spin, c.force, c.torque = vel.table, spin.table, force.table, torque.table
	for _, v := range append(vel.values(), force.values()...) {
		s.inPlane(key+".force", v)
	}
	for _, v := range append(spin.values(), torque.values()...) {
		s.demand(key+".torque", asList(v), !s.planar || v.X == 0 && v.Y == 0, "a direction along z with dim = 2")
	}
	return c
}

// apply sets a wall of a world to its course from time start on.
func (c *wallCourse) apply(b *Built, i int, start float64) error {
	w, id := b.World, b.walls[i]
	if !b.hasWall(i) {
		return errors.New("is of a wall that is not there, expected add before it")
	}
	var err error
	if c.motion != nil || c.off.motion {
		m := engine.Motion{}
		if c.motion != nil {
			m = *c.motion
			m.From, m.To = later0(m.From, start), laterEnd(m.To, start)
		}
		err = w.SetWallMotion(id, m)
	}
	switch {
	case err != nil:
		return err
	case c.servo != nil:
		v := c.servo.Servo
		v.From, v.To, v.Between = later0(v.From, start), laterEnd(v.To, start), nil
		v.Force, v.Stress = startingAt(v.Force, start), startingAt(v.Stress, start)
		for _, k := range c.servo.between {
			v.Between = append(v.Between, b.walls[k])
		}
		return w.SetServo(id, &v)
	case c.load != nil:
		v := *c.load
		v.Force = startingAt(v.Force, start)
		return w.SetWallLoad(id, &v)
	}
	if is, ok := w.Following(id); ok && (is.Servo && c.off.servo || !is.Servo && c.off.load) {
		return w.SetServo(id, nil)
	}
	return nil
}

func later0(t, start float64) float64 { return t + start }

// laterEnd is the end of what began start later. 0 is no end.
func laterEnd(t, start float64) float64 {
	if t == 0 {
		return 0
	}
	return t + start
}

// startingAt returns a table whose time 0 is start.
func startingAt[V float64 | vec.Vec3](b *engine.TimeTable[V], start float64) *engine.TimeTable[V] {
	if b == nil || start == 0 {
		return b
	}
	moved := *b
	moved.Start = start
	return &moved
}

// apply sets the bodies with the given ids to the course from time start on.
func (c *bodyCourse) apply(w *engine.World, ids []soa.ID, start float64) error {
	for _, id := range ids {
		row, ok := w.Bodies().Row(id)
		if !ok {
			continue // It was removed.
		}
		if c.fixed != nil || c.vel != nil || c.spin != nil {
			if err := c.hold(w, id, int(row), start); err != nil {
				return err
			}
		}
		if c.force != nil || c.torque != nil {
			if err := c.load(w, id, start); err != nil {
				return err
			}
		}
	}
	return nil
}

// hold sets the given ones of fixed, velocity and spin. Components that stay fixed follow the tables they had, unless
// a new value is given.
func (c *bodyCourse) hold(w *engine.World, id soa.ID, row int, start float64) error {
	fixed, velTable, spinTable := w.Fixed(id)
	if c.fixed != nil {
		fixed = *c.fixed
	}
	vel, spin := w.Bodies().Vel.At(row), w.Bodies().Spin.At(row)
	if c.vel != nil {
		vel, velTable = c.vel.At(0), startingAt(varyingOf(c.vel), start)
	} else if fixed&7 == 0 {
		velTable = nil
	}
	if c.spin != nil {
		spin, spinTable = c.spin.At(0), startingAt(varyingOf(c.spin), start)
	} else if fixed <= 7 {
		spinTable = nil
	}
	if c.vel != nil || c.spin != nil {
		if err := cmp.Or(w.SetFixed(id, 0, nil, nil), w.SetVelocity(id, vel, spin)); err != nil {
			return err
		}
	}
	return w.SetFixed(id, fixed, velTable, spinTable)
}

// load sets the given ones of force and torque, and leaves the other.
func (c *bodyCourse) load(w *engine.World, id soa.ID, start float64) error {
	force, torque := w.Load(id)
	if c.force != nil {
		force = startingAt(c.force, start)
	}
	if c.torque != nil {
		torque = startingAt(c.torque, start)
	}
	return w.SetLoadTable(id, force, torque)
}

func varyingOf(b *engine.TimeTable[vec.Vec3]) *engine.TimeTable[vec.Vec3] {
	return timedVector{b}.varying()
}

// applyCourses sets what holds, loads and moves bodies and walls from the start on.
func (s *Scene) applyCourses(b *Built) error {
	w := b.World
	if s.fall != nil {
		if err := w.SetGravity(s.fall); err != nil {
			return s.at.because("gravity.vector", err)
		}
	}
	for _, to := range s.cell.settings("domain", false) {
		if err := to.apply(s, b, 0); err != nil {
			return s.at.because(to.at, err)
		}
	}
	for i := range s.walls {
		if !b.hasWall(i) {
			continue
		}
		if err := s.startWall(b, i); err != nil {
			return s.at.because(s.walls[i].key, err)
		}
	}
	damped := s.localDamping > 0
	for i := range s.groups {
		g := &s.groups[i]
		damped = damped || g.damping > 0
		if g.course.fixed == nil && g.course.force == nil && g.course.torque == nil {
			continue
		}
		if err := g.course.apply(w, s.idsOf(b, i), 0); err != nil {
			return s.at.because(g.key, err)
		}
	}
	if damped {
		return dampingTo(s.localDamping)(s, b, 0)
	}
	return nil
}

// idsOf returns the ids of the bodies of entry i as they were built, and of those that were poured since.
func (s *Scene) idsOf(b *Built, i int) (ids []soa.ID) {
	first := 0
	for k := range i {
		first += int(s.groups[k].bodies())
	}
	for number := first; number < first+int(s.groups[i].bodies()); number++ {
		ids = append(ids, soa.ID(b.order.id(number)))
	}
	if b.comings != nil && s.groups[i].kind == "pour" {
		ids = append(ids, b.comings.Poured[i].There...)
	}
	return ids
}
