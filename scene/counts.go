package scene

import (
	"fmt"
	"math"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// count is one [[counts]] table: a region below a plane, in a box or in a mesh.
type count struct {
	name          string
	plane         bool
	point, normal vec.Vec3
	box           vec.Box
	solid         *closedMesh
}

// String returns the name and the region, with all digits.
func (c *count) String() string {
	if c.solid != nil {
		return fmt.Sprintf("%s mesh %s", c.name, c.solid)
	}
	if c.plane {
		return fmt.Sprintf("%s below %v", c.name, []vec.Vec3{c.point, c.normal})
	}
	return fmt.Sprintf("%s box %v", c.name, []vec.Vec3{c.box.Min, c.box.Max})
}

// in reports whether p lies in the region. The region excludes the plane, and includes the sides of
// the box.
func (c *count) in(p vec.Vec3) bool {
	if c.plane {
		return p.Sub(c.point).Dot(c.normal) < 0
	}
	return c.box.Holds(p)
}

// bodies returns the number of moving bodies whose centre of mass lies in the region.
func (c *count) bodies(w *engine.World) int {
	if c.solid != nil {
		return c.solid.bodies(w)
	}
	n, b := 0, w.Bodies()
	for i := range b.Len() {
		if b.InvMass[i] > 0 && c.in(w.InBox(b.Pos.At(i))) {
			n++
		}
	}
	return n
}

func (s *checks) checkCounts(d *document) {
	names := make(map[string]bool, len(d.Counts))
	for i := range d.Counts {
		t := &d.Counts[i]
		key := fmt.Sprintf("counts[%d]", i)
		c := count{name: t.Name}
		switch {
		case names[c.name]:
			s.fault(key+".name", found(c.name, "a name that no other [[counts]] has"))
		case t.Below != nil:
			c.plane, c.point, c.normal = true, t.Below[0], t.Below[1]
			s.demand(key+".below", [][]float64{asList(c.point), asList(c.normal)}, c.normal != (vec.Vec3{}), "a normal that is not zero")
		case t.Box != nil:
			c.box = s.box(key+".box", t.Box)
			s.inPeriod(key+".box", c.box)
		default:
			if c.solid = s.solid(key+".mesh", t.Mesh); c.solid != nil && c.solid.in.Report.Empty {
				s.warn(key+".mesh", fmt.Sprintf(
					"%q is closed, but encloses no more volume than rounding shows: bodies on its surface alone are counted", t.Mesh))
			}
		}
		names[c.name] = true
		s.counts = append(s.counts, c)
	}
}

func (s *checks) checkOutput(d *document) {
	s.output, s.wrap = s.outputOf("output", &d.Output, s.Dt), d.Output.Wrap
}

// outputOf checks an [output] table at a key, for a time step.
func (s *checks) outputOf(at string, t *outputTable, dt float64) output {
	o := output{every: -1, history: -1, states: t.StatesEvery, contacts: t.ContactsEvery, bodies: t.Bodies, checkpoint: t.CheckpointEvery}
	set(&o.every, t.Every)
	set(&o.history, t.HistoryEvery)
	if !s.at.has(at+".checkpoint_every") && s.method != narrow.FDSPaper {
		o.checkpoint = -1
	}
	if t.Interval != nil {
		// The tolerance covers the rounding error of the quotient.
		steps := *t.Interval / dt
		s.demand(at+".interval", *t.Interval, steps >= 1-1e-12, fmt.Sprintf("at least time.dt, %g s", dt))
		o.every = int64(min(math.Round(steps), maxSteps))
	}
	o.fields = map[string]bool{}
	list := t.Fields
	if list == nil {
		list = frameFields
	}
	for _, f := range list {
		o.fields[f] = true
	}
	return o
}
