package overlap

import (
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/soa"
)

// TestAloneInAnyArena: an overlap asked for alone has the same bits where its rows look features up in the arena of both bodies as where
// they are copied, because the bodies are of two.
func TestAloneInAnyArena(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		arena := &soa.Shapes{}
		if _, err := arena.Add(template(boxBody(1, 1, 1))); err != nil {
			t.Fatal(err)
		}
		v, c := arena.View(0), NewClipper()
		apart := *v
		apart.Arena = &soa.Shapes{}
		for name, of := range map[string]shape{"corner": corner4, "crossing": crossing, "prism": prism4, "prism of six": prism6} {
			all, named := sharePairs(t, v, of)
			for i, o := range all {
				var shared, copied Shared
				if !c.ofFeatures(v, o, v, &named[i], &shared) || !c.ofFeatures(v, o, &apart, &named[i], &copied) {
					t.Fatalf("%s: overlap %d is not known", name, i)
				}
				if shared != copied {
					t.Errorf("%s: overlap %d is %+v in one arena, %+v in two", name, i, shared, copied)
				}
			}
		}
	})
}

// ofFeatures asks by type alone.
func (c *Clipper) ofFeatures(va *soa.View, o overlapping, vb *soa.View, f *Features, s *Shared) bool {
	if f.Prism.Sides > 0 {
		return c.ofPrism(va, o.pa, vb, o.pb, &f.Prism, s)
	}
	return c.ofType(va, o.pa, vb, o.pb, f.Facet, s)
}
