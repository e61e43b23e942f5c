package scene

import (
	"fmt"
	"slices"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// checkIntegrator refuses position Verlet for bodies that have to turn.
func (s *Scene) checkIntegrator(d *document) error {
	names := engine.Integrators()
	if err := s.choice("time.integrator", d.Time.Integrator, names...); err != nil {
		return err
	}
	if s.integrator = engine.Integrator(max(slices.Index(names, d.Time.Integrator), 0)); s.integrator != engine.PositionVerlet {
		return nil
	}
	beside := fmt.Sprintf("with time.integrator = %q: its bodies do not turn", s.integrator)
	for i := range s.groups {
		g := &s.groups[i]
		for _, h := range g.shapes {
			if shape := &s.shapes[h]; shape.template.Kind != soa.Ball {
				return s.at.fault("shapes."+shape.name, fmt.Sprintf("is a %v, expected a ball or a disc %s", shape.template.Kind, beside))
			}
		}
		if g.spin != (vec.Vec3{}) {
			return s.at.fault(g.key+".spin", found([]float64{g.spin.X, g.spin.Y, g.spin.Z}, "none "+beside))
		}
	}
	for a := range s.materials {
		for b := range a + 1 {
			if s.law.At(soa.Material(a), soa.Material(b)).Springs(1, 0).Tangent > 0 {
				return s.at.fault(s.lawKey(a, b, "friction"), "is above 0, expected 0 "+beside)
			}
		}
	}
	return nil
}

// checkBroad refuses a neighbour search that there is not, and keys of Verlet lists beside other searches.
func (s *Scene) checkBroad(d *document) error {
	b := &d.Broad
	if err := s.choice("broad.method", b.Method, engine.Searches()...); err != nil {
		return err
	}
	s.search = b.Method
	for _, k := range []struct {
		name  string
		given bool
	}{{"radius", b.Radius != nil}, {"rebuild_every", b.RebuildEvery != nil}} {
		if k.given && s.search != "vl" {
			return s.at.fault("broad."+k.name, `is given without method = "vl", expected both: it is of Verlet lists`)
		}
	}
	if b.Radius != nil && !(*b.Radius > 0) {
		return s.at.fault("broad.radius", found(*b.Radius, "a radius > 0 m"))
	}
	if b.RebuildEvery != nil && (*b.RebuildEvery < 1 || *b.RebuildEvery > maxServe) {
		return s.at.fault("broad.rebuild_every", found(*b.RebuildEvery, fmt.Sprintf("1 to %d searches", maxServe)))
	}
	set(&s.lists, b.Radius)
	if b.RebuildEvery != nil {
		s.serve = int(*b.RebuildEvery)
	}
	return nil
}

// maxServe is the most searches that Verlet lists may serve.
const maxServe = 1_000_000_000
