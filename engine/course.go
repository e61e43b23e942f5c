package engine

import (
	"cmp"
	"math"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// course is what a state holds of motions, loads and constraints that a program has set or that the state of a
// run determines.
type course struct {
	Gravity *TimeTable[vec.Vec3] // nil: that of the configuration
	Present vec.Vec3             // m/s², gravity now
	Steered bool
	Work    float64      // J, of loads and constraints since the start
	Power   float64      // W, of them at the last instant
	Damping float64      // W, of local damping and of the dashpots of walls, likewise
	Walls   []wallCourse // of all walls in their order; nil: as they were added
	Held    []heldBody
	Loads   []loadTables
	Cell    *cellCourse // nil: as configured
}

// hasCourse reports whether a state of the world needs a course.
func (w *World) hasCourse() bool {
	return w.setWalls || w.setGravity || w.isSteered() || len(w.held)+w.loads.force.Len()+len(w.local.share) > 0 || w.loads.work != 0 || w.cellChanged()
}

// course returns the course of the world.
func (w *World) course() *course {
	c := &course{Present: w.gravity, Steered: w.steered, Work: w.loads.work, Power: w.loads.power, Damping: w.local.power, Held: w.held, Loads: w.loads.tables}
	if w.cellChanged() {
		c.Cell = &w.cell.cellCourse
	}
	if w.setGravity {
		if c.Gravity = w.fall; c.Gravity == nil {
			c.Gravity = Constant(w.gravity)
		}
	}
	if w.setWalls || w.isSteered() {
		for i := range w.walls {
			c.Walls = append(c.Walls, w.walls[i].wallCourse)
		}
	}
	return c
}

// setCourse gives the world a course that checkCourse has accepted; nil stands for none.
func (w *World) setCourse(c *course) {
	w.held, w.constrained, w.steered, w.setWalls = nil, nil, false, false
	if w.openCell(); c == nil {
		return
	}
	if c.Cell != nil {
		w.cell.cellCourse = *c.Cell
		w.placeCell()
	}
	w.held, w.loads.tables, w.steered, w.gravity = c.Held, c.Loads, c.Steered, c.Present
	w.loads.work, w.loads.power, w.local.power = c.Work, c.Power, c.Damping
	if w.setGravity = c.Gravity != nil; w.setGravity {
		if w.fall = nil; c.Gravity.varies() {
			w.fall = c.Gravity
		}
	}
	if w.setWalls = len(c.Walls) > 0; w.setWalls {
		for i := range w.walls {
			w.walls[i].wallCourse = c.Walls[i]
		}
	}
}

// checkCourse reads the course of a state, and rejects what the functions that set it would reject.
func (w *stateCheck) checkCourse() error {
	if w.by[courseColumn] == nil {
		return nil
	}
	refuse := func(format string, args ...any) error {
		return mark.Errorf(ErrState, "engine: column %q of the state has "+format, append([]any{courseColumn}, args...)...)
	}
	c := &course{}
	if err := w.readObject(courseColumn, c); err != nil {
		return err
	}
	if len(c.Walls) != 0 && len(c.Walls) != len(w.walls) {
		return refuse("other walls than the world")
	}
	if err := c.Gravity.Check(); err != nil {
		return refuse("for gravity %w", err)
	}
	for i := range c.Walls {
		v := &c.Walls[i]
		row := w.walls[i].body
		if err := cmp.Or(v.Motion.check(w.bodies.ID[row], w.bodies.Name[row]), w.checkFollows(row, &v.follows)); err != nil {
			return refuse("a wall: %w", err)
		}
		if !isPose(v.Pose) || w.hasPlane(row) && v.Motion.turns() {
			return refuse("a wall with the pose %v, or a plane that turns", v.Pose)
		}
	}
	if c.Cell != nil {
		if err := w.checkCell(c.Cell); err != nil {
			return refuse("for the domain %w", err)
		}
		radius, _ := w.widest()
		for axis, l := range c.Cell.Length {
			if periodic := w.cfg.Domain.Sides[axis] == Periodic; !periodic && l != w.cell.Length[axis] || periodic && !(l >= w.leastPeriod(radius) && l <= math.MaxFloat64) {
				return refuse("a domain that is %g m long along %c", l, "xyz"[axis])
			}
		}
	}
	last := -1
	for i := range c.Held {
		h := &c.Held[i]
		if int(h.Row) <= last || !w.isMoving(h.Row) {
			return refuse("held bodies out of order, or a wall among them")
		}
		last = int(h.Row)
		if err := w.checkHeld(h); err != nil {
			return refuse("a held body: %w", err)
		}
	}
	for i := range c.Loads {
		l := &c.Loads[i]
		if w.by["load.force.x"] == nil || !w.isMoving(l.Row) || l.Force.Check() != nil || l.Torque.Check() != nil {
			return refuse("a load of no body")
		}
	}
	w.moved = c
	return nil
}

// isMoving reports whether a row is that of a body that is no wall.
func (w *World) isMoving(row soa.Body) bool {
	return int(row) < w.bodies.Len() && w.bodies.InvMass[row] != 0
}
