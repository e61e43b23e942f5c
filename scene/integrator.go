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
	s.choice("time.integrator", d.Time.Integrator, names...)
	if s.integrator = engine.Integrator(max(slices.Index(names, d.Time.Integrator), 0)); s.integrator != engine.PositionVerlet {
		return
	}
	beside := fmt.Sprintf("with time.integrator = %q: its bodies do not turn", s.integrator)
	for i := range s.groups {
		g := &s.groups[i]
		for _, h := range g.shapes {
			if shape := &s.shapes[h]; !shape.template.Kind.IsRound() {
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

// checkBroad rejects unknown neighbour searches, and keys of Verlet lists with other searches.
func (s *checks) checkBroad(d *document) {
	b := &d.Broad
	s.choice("broad.method", b.Method, engine.Searches()...)
	s.search = b.Method
	for _, key := range []string{"broad.radius", "broad.rebuild_every"} {
		if s.at.has(key) && s.search != "vl" {
			s.fault(key, `is given without method = "vl", expected both: it is of Verlet lists`)
		}
	}
	set(&s.lists, b.Radius)
	s.demand("broad.radius", s.lists, s.lists > 0 || b.Radius == nil, "a radius > 0 m")
	if every := b.RebuildEvery; every != nil {
		s.demand("broad.rebuild_every", *every, *every >= 1 && *every <= maxServe, fmt.Sprintf("1 to %d searches", maxServe))
		s.serve = int(*every)
	}
}

// maxServe is the largest number of searches that a Verlet list may serve.
const maxServe = 1_000_000_000
