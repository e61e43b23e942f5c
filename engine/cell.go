package engine

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/contact"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// CellServo changes the lengths of a periodic box so that the bodies press on its sides with given stresses. In each step
// the strain rate along an axis is
//
//	−gain × (target − measured) × area/(length × Σ n²·(k·dt + c))
//
// over the contacts across the sides of that axis, with their springs k and dashpots c. n is by how many periods B is
// displaced along the axis: ±1, or 0 for contacts that are not across the sides. The measured stress is −Σ n·f/area, with the forces f on A.
// Both sums are those of what the sides move: steered by the mean stress of the cell, the sides would swing. Without such
// contacts the rate is −MaxRate.
type CellServo struct {
	Stress  [3]*TimeTable[float64] // Pa, along x, y and z, > 0 for pressure; nil leaves the axis to the rates
	Gain    float64                // > 0 and < 1; 0 means 0.5
	MaxRate float64                // 1/s, > 0: no rate is larger in size
}

// cell is the periodic box of a domain, which may deform. Its sides move about the middle of the box, and images move with
// them. The image of a body in the box is not displaced: its velocity is the body's. The unwrapped position of a body that
// has passed n sides is therefore displaced by n times the change of the length, and a body that passes a side changes its
// velocity by the speed of the length, as its image across the side has it.
type cell struct {
	cellCourse
	periodic    bool
	planar      bool // one metre thick
	imageMotion func(row uint32) vec.Vec3
}

// cellCourse is what a state has of the cell.
type cellCourse struct {
	Length    [3]float64 // m, of the box
	Speed     [3]float64 // m/s, of Length in the coming step; in a step, in this one
	Last      [3]float64 // m/s, in the last step
	Rate      [3]*TimeTable[float64]
	Servo     *CellServo
	Destroyed int     // bodies removed by the sides
	Mass      float64 // kg, of them
}

// deforms reports whether a rate or a servo changes the lengths.
func (c *cellCourse) deforms() bool { return c.Servo != nil || c.Rate != [3]*TimeTable[float64]{} }

// moves reports whether the sides move in the present step.
func (c *cellCourse) moves() bool { return c.Speed != [3]float64{} }

// velocity returns the velocity of an image, m/s, beside that of its body, for speeds of the lengths.
func velocity(n contact.Image, speed [3]float64) vec.Vec3 {
	return n.Times(vec.V(speed[0], speed[1], speed[2]))
}

// openCell makes the box of the configuration that of the world.
func (w *World) openCell() {
	size := w.cfg.Domain.Box.Size()
	w.cell = cell{cellCourse: cellCourse{Length: [3]float64{size.X, size.Y, size.Z}}, planar: w.cfg.Planar}
	w.cell.periodic = slices.Contains(w.cfg.Domain.Sides[:], Periodic)
	w.cell.imageMotion = func(row uint32) vec.Vec3 { return velocity(w.space.SideOf(int(row)), w.cell.Speed) }
	w.placeCell()
}

// placeCell gives the space the present box.
func (w *World) placeCell() {
	box, length := w.DomainBox(), vec.Vec3{}
	for axis, side := range w.cfg.Domain.Sides {
		if side == Periodic {
			setAlong(&length, axis, w.cell.Length[axis])
		}
	}
	w.space.SetCell(box.Min, length)
}

// cellChanged reports whether the cell is not that of the configuration.
func (w *World) cellChanged() bool {
	size := w.cfg.Domain.Box.Size()
	return w.cell.deforms() || w.cell.Destroyed > 0 || w.cell.Length != [3]float64{size.X, size.Y, size.Z}
}

// SetCellRate deforms the periodic box from now on: the lengths along x, y and z grow at these rates, 1/s, of the present
// length. nil leaves an axis as it is. An axis that is not periodic must have none. Where a servo has a stress, the rate does not act.
//
// An error wraps ErrDomain, after Close ErrClosed, and after a fault it is that fault. It changes nothing.
func (w *World) SetCellRate(rate [3]*TimeTable[float64]) error {
	c := w.cell.cellCourse
	c.Rate = rate
	return w.setCell(c)
}

// SetCellServo gives the periodic box a servo from now on; nil ends it. An axis that is not periodic must have no stress.
// Errors are those of SetCellRate.
func (w *World) SetCellServo(servo *CellServo) error {
	c := w.cell.cellCourse
	if c.Servo = nil; servo != nil {
		s := *servo
		if c.Servo = &s; s.Gain == 0 {
			s.Gain = 0.5
		}
	}
	return w.setCell(c)
}

// setCell changes what deforms the box.
func (w *World) setCell(c cellCourse) error {
	switch {
	case w.closed:
		return mark.Errorf(ErrClosed, "engine: cannot deform the domain after Close")
	case w.fault != nil:
		return w.fault
	}
	if err := w.checkCell(&c); err != nil {
		return err
	}
	w.change()
	if w.cell.cellCourse = c; !c.deforms() {
		w.cell.Speed, w.cell.Last = [3]float64{}, [3]float64{}
	}
	w.steered = false
	return nil
}

// checkCell rejects rates and a servo that mean nothing.
func (w *World) checkCell(c *cellCourse) error {
	refuse := func(axis int, what string, args ...any) error {
		return mark.Errorf(ErrDomain, "engine: the domain has along %c "+what, append([]any{"xyz"[axis]}, args...)...)
	}
	for axis, side := range w.cfg.Domain.Sides {
		var stress *TimeTable[float64]
		if c.Servo != nil {
			stress = c.Servo.Stress[axis]
		}
		if side != Periodic && (c.Rate[axis] != nil || stress != nil) {
			return refuse(axis, "a rate or a stress, expected a periodic axis: it is %v", side)
		}
		for _, table := range []*TimeTable[float64]{c.Rate[axis], stress} {
			if err := table.Check(); err != nil {
				return refuse(axis, "for its rate or stress %w", err)
			}
		}
	}
	if s := c.Servo; s != nil && (!(s.Gain > 0 && s.Gain < 1) || !(s.MaxRate > 0 && s.MaxRate <= math.MaxFloat64)) {
		return mark.Errorf(ErrDomain, "engine: the domain has a servo with gain %g and the highest rate %g 1/s, expected > 0 and < 1, and > 0", s.Gain, s.MaxRate)
	}
	return nil
}

// advanceCell moves the sides of the box by a step of dt, and notes which bodies have passed a side.
func (w *World) advanceCell(dt float64) {
	c := &w.cell
	if !c.periodic {
		return
	}
	if c.moves() {
		for axis, speed := range c.Speed {
			c.Length[axis] += float64(dt * speed)
			if thin := (stepBounds{w}).thinnest(); w.fault == nil && !(math.Abs(float64(dt*speed)) <= thin) {
				w.fault = mark.Errorf(ErrFault, "engine: step %d: the domain is to grow along %c at %.3g m/s, expected at most %.3g m/s: in a time step of %g s its sides "+
					"would pass the thinnest body", w.step, "xyz"[axis], speed, thin/dt, dt)
			}
		}
		w.placeCell()
		if radius, row := w.widest(); w.fault == nil {
			if err := w.boxHolds(radius, w.nameOf(row)); err != nil {
				w.fault = mark.Errorf(ErrFault, "engine: step %d: %w", w.step, err)
			}
		}
	}
	w.pool.For(w.bodies.Len(), minCell, (*cellStage)(&w.ctx))
}

// minCell is the number of bodies whose turns a worker updates at a time: some microseconds of work.
const minCell = 1024

type cellStage stepContext

// Range updates the turns of bodies lo to hi. If the sides move, it displaces the bodies with their period.
func (c *cellStage) Range(lo, hi, worker int) {
	w, b, moves := c.w, &c.w.bodies, c.w.cell.moves()
	way := float64((math.Abs(w.cell.Speed[0]) + math.Abs(w.cell.Speed[1]) + math.Abs(w.cell.Speed[2])) * c.dt)
	for i := lo; i < hi; i++ {
		if b.InvMass[i] == 0 {
			continue
		}
		if !moves {
			w.space.UpdateTurn(i)
			continue
		}
		if n := w.space.Turn(i); n != (contact.Image{}) {
			by := velocity(n, w.cell.Speed).Scale(c.dt)
			b.Pos.Set(i, b.Pos.At(i).Add(by))
			w.work[worker].carried.add(-float64(b.Mass[i] * w.gravity.Dot(by)))
		}
		b.Odometer[i] = math.Nextafter(b.Odometer[i]+way, math.Inf(1)) // of an image relative to the bodies that it may touch
		if was, now := w.space.UpdateTurn(i); was != now {
			v := b.Vel.At(i)
			to := v.Sub(velocity(now.Sub(was), w.cell.Speed))
			if k, held := w.heldAt(i); held {
				to = w.held[k].Fixed.choose(to, v)
			}
			b.Vel.Set(i, to)
			w.work[worker].carried.add(float64(0.5 * b.Mass[i] * (to.Norm2() - v.Norm2())))
		}
	}
	if moves {
		w.space.NoteLate(lo, hi, worker)
	}
}

// carried returns the energy, J, that the sides have given to bodies in this step by displacing them and by changing their velocities.
func (w *World) carried() float64 {
	sum := twofold{}
	for i := range w.work {
		sum.join(w.work[i].carried)
		w.work[i].carried = twofold{}
	}
	return sum.value()
}

// steerCell chooses the speeds of the lengths for a step of dt that begins at time t.
func (w *World) steerCell(t, dt float64) {
	c := &w.cell
	if !c.deforms() {
		return
	}
	c.Last = c.Speed
	force, stiffness := w.sideLoads(dt)
	for axis := range c.Speed {
		rate := 0.0
		switch s := c.Servo; {
		case s != nil && s.Stress[axis] != nil:
			rate = s.rate(axis, t, force[axis], stiffness[axis], c)
		case c.Rate[axis] != nil:
			rate = c.Rate[axis].At(t + float64(0.5*dt))
		}
		c.Speed[axis] = float64(rate * c.Length[axis])
	}
}

// rate returns the strain rate along an axis, 1/s, that a servo chooses at time t. pressed is the force of the bodies on the
// sides, N, and stiffness the sum of k·dt + c, N·s/m.
func (s *CellServo) rate(axis int, t, pressed, stiffness float64, c *cell) float64 {
	missing := float64(s.Stress[axis].At(t)*c.area(axis)) - pressed
	rate := 0.0
	switch {
	case stiffness > 0:
		rate = -float64(s.Gain*missing) / float64(c.Length[axis]*stiffness)
	case missing != 0:
		rate = -math.Copysign(s.MaxRate, missing)
	}
	return min(max(rate, -s.MaxRate), s.MaxRate)
}

// area returns the area of the box across an axis, m².
func (c *cell) area(axis int) float64 {
	l := c.Length
	if c.planar {
		l[2] = 1
	}
	return float64(l[(axis+1)%3] * l[(axis+2)%3])
}

// sideLoads returns, for each axis, the force with which the bodies press on the sides of the box, N, and the sum of
// n²·(k·dt + c) over the contacts across them, N·s/m. The sums have the order of the pairs.
func (w *World) sideLoads(dt float64) (force, stiffness [3]float64) {
	if w.cell.Servo == nil {
		return force, stiffness
	}
	was := w.ctx.dt
	w.ctx.dt = dt
	for row := range w.space.ActiveRows {
		n := w.space.SideOf(row)
		if n == (contact.Image{}) {
			continue
		}
		s, pressed := (*watchStage)(&w.ctx).springOf(row, false)
		for axis := range n {
			k := float64(n[axis])
			if force[axis] -= float64(k * along(w.forces.Force.At(row), axis)); pressed {
				stiffness[axis] += float64(float64(k*k) * (float64(s.springs.Normal*dt) + s.springs.NormalDashpot))
			}
		}
	}
	w.ctx.dt = was
	return force, stiffness
}

// CellAxis is what the box of a domain does along a periodic axis at the present instant.
type CellAxis struct {
	Target, Measured float64 // Pa, of the servo, > 0 for pressure: to reach, and of the contacts across the sides
	Works            bool    // the servo has a stress for the axis
	Length, Speed    float64 // m, and m/s
}

// Cell returns what the box of the domain does along x, y and z. Like Measure, it first computes forces that are not those
// of the present state.
func (w *World) Cell() (axes [3]CellAxis) {
	w.begin()
	c := &w.cell
	force, _ := w.sideLoads(w.lastStep)
	for k := range axes {
		a := CellAxis{Length: c.Length[k], Speed: c.instant()[k]}
		if c.Servo != nil && c.Servo.Stress[k] != nil {
			a.Target, a.Measured, a.Works = c.Servo.Stress[k].At(w.time), force[k]/c.area(k), true
		}
		axes[k] = a
	}
	return axes
}

// instant returns the speeds of the lengths at the end of a step, m/s: the mean of the steps before and after, so that half of the
// work of a force belongs to each.
func (c *cell) instant() (speed [3]float64) {
	for axis := range speed {
		speed[axis] = 0.5 * (c.Last[axis] + c.Speed[axis])
	}
	return speed
}

// Places returns the image of a point, m, in the box of the domain, and the images in the boxes around it.
func (w *World) Places(p vec.Vec3) (list []vec.Vec3) {
	p = w.InBox(p)
	for _, n := range w.neighbourImages() {
		list = append(list, p.Add(w.space.Shift(n)))
	}
	return list
}

// neighbourImages returns the images of the box and of the boxes around it.
func (w *World) neighbourImages() (list []contact.Image) {
	reach := [3]int32{}
	for axis, side := range w.cfg.Domain.Sides {
		if side == Periodic {
			reach[axis] = 1
		}
	}
	for x := -reach[0]; x <= reach[0]; x++ {
		for y := -reach[1]; y <= reach[1]; y++ {
			for z := -reach[2]; z <= reach[2]; z++ {
				list = append(list, contact.Image{x, y, z})
			}
		}
	}
	return list
}

// cellPower returns the power, W, of the contacts across the sides on the box that deforms.
func (w *World) cellPower() (power float64) {
	if !w.cell.deforms() {
		return 0
	}
	for row := range w.space.ActiveRows {
		if n := w.space.SideOf(row); n != (contact.Image{}) {
			power -= w.forces.Force.At(row).Dot(velocity(n, w.cell.instant()))
		}
	}
	return power
}

// imageOf returns how far B of a contact row is displaced, m, and by how much faster than body B it moves, m/s.
func (w *World) imageOf(row int) (shift, velocityOf vec.Vec3) {
	if !w.cell.periodic {
		return shift, velocityOf
	}
	if shift = w.space.ShiftOf(row); w.cell.deforms() {
		velocityOf = velocity(w.space.SideOf(row), w.cell.instant())
	}
	return shift, velocityOf
}
