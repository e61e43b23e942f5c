package scene

import (
	"fmt"
	"slices"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// checkIntegrator rejects position Verlet for scenes whose bodies must rotate.
func (s *checks) checkIntegrator(d *document) {
	names := engine.Integrators()
	if s.integrator = engine.Integrator(slices.Index(names, d.Time.Integrator)); s.integrator != engine.PositionVerlet {
		return
	}
	beside := fmt.Sprintf("with time.integrator = %q: its bodies do not turn", s.integrator)
	for i := range s.groups {
		g := &s.groups[i]
		for _, h := range g.shapes {
			if shape := &s.shapes[h]; shape.template == nil {
				s.fault(joined("shapes", shape.name), "is a clump, expected a ball or a disc "+beside)
			} else if !shape.template.Kind.IsRound() {
				s.fault(joined("shapes", shape.name), fmt.Sprintf("is a %v, expected a ball or a disc %s", shape.template.Kind, beside))
			}
		}
		s.demand(g.key+".spin", asList(g.spin), g.spin == (vec.Vec3{}), "none "+beside)
	}
	for a := range s.materials {
		for b := range a + 1 {
			if s.law.At(soa.Material(a), soa.Material(b)).Springs(1, 0).Tangent > 0 {
				s.fault(s.lawKey(a, b, "friction"), "is above 0, expected 0 "+beside)
			}
		}
	}
}

func (s *checks) checkBroad(d *document) {
	s.search, s.lists, s.serve = d.Broad.Method, d.Broad.Radius, int(d.Broad.RebuildEvery)
}
