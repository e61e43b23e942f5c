package overlap

import (
	"testing"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/soa"
)

// TestAloneIsAsInARegister: the machine code for one row yields the same bits as a register of
// lanes.
func TestAloneIsAsInARegister(t *testing.T) {
	backends.Run(t, func(t *testing.T) {
		v, c := view(t, boxBody(1, 1, 1)), NewClipper()
		for name, of := range map[string]shape{"corner": corner4, "crossing": crossing, "prism": prism4} {
			all, named := sharePairs(t, v, of)
			for i, o := range all {
				var one, together Moments
				if !c.ofFeatures(v, o, v, &named[i], &one) {
					t.Fatalf("%s: overlap %d is not known", name, i)
				}
				row := c.one[of]
				row.shares.Answers[asm.ShareKnown][0] = 0
				row.solve(0, asm.MinLanes())
				if !row.get(0, &together) || one != together {
					t.Errorf("%s: overlap %d is %+v alone, %+v in a register", name, i, one, together)
				}
			}
		}
	})
}

// ofFeatures computes the overlap by its type only.
func (c *Clipper) ofFeatures(va *soa.View, o overlapping, vb *soa.View, f *Features, s *Moments) bool {
	c.begin(&o.pa, &o.pb)
	if f.Prism.Sides > 0 {
		return c.ofPrism(va, vb, &f.Prism, s)
	}
	return c.ofType(va, vb, f.Facet, s)
}
