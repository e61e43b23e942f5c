package overlap

import (
	"slices"
	"testing"

	"github.com/scree-dem/scree/soa"
)

// TestArrangedPrisms assigns the faces of prisms to the two bodies in all ways. After arranging,
// the same faces meet in the same corners, in the same turning order. If the prism has as many
// sides as allowed, the last is a face of the top's body.
func TestArrangedPrisms(t *testing.T) {
	for m := 3; m <= soa.PrismSides; m++ {
		most := m + m%2
		for bodies := range 1 << (m + 2) {
			code := func(k int) uint8 { return uint8(k) | uint8(bodies>>k&1)*soa.OfB }
			p := soa.Prism{Sides: uint8(m), Base: code(0), Top: code(1)}
			for k := range m {
				p.Side[k] = code(2 + k)
			}
			o := arranged(p)
			if m == most && sameBody(p.Base, p.Top) && sideOf(&p, p.Top) < 0 {
				if sameBody(o.Side[m-1], o.Top) {
					t.Fatalf("%v of no type is arranged as %v", p, o)
				}
				continue
			}
			if last := o.Side[m-1]; m == most && !sameBody(last, o.Top) {
				t.Fatalf("%v: the last side of %v is not a face of the top's body", p, o)
			}
			if got, want := cornersOf(&o), cornersOf(&p); !slices.Equal(got, want) {
				t.Fatalf("%v has the corners %v, arranged as %v %v", p, want, o, got)
			}
		}
	}
}

// cornersOf returns the three faces at each corner of a prism, in turning order from the lowest.
func cornersOf(p *soa.Prism) (all [][3]uint8) {
	m := int(p.Sides)
	for i := range m {
		from, to := p.Side[i], p.Side[(i+1)%m]
		for _, c := range [][3]uint8{{p.Base, from, to}, {p.Top, to, from}} {
			for c[0] > min(c[1], c[2]) {
				c = [3]uint8{c[1], c[2], c[0]}
			}
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(c, d [3]uint8) int { return slices.Compare(c[:], d[:]) })
	return all
}
