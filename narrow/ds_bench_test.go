package narrow

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/soa"
)

// BenchmarkContacts reports ns per pair by method and contact type, for 64 placements of each type,
// a tenth of dtol deep. The tables of the fast direct search use the same set-up: R is the ratio of
// the first row to the others. The checksum is the gap.
func BenchmarkContacts(b *testing.B) {
	groups := []struct {
		name   string
		shapes []*soa.View
		types  []Type
	}{
		{"hexahedra", []*soa.View{solidBox(b, 1, 1, 1), solidBox(b, 1, 0.7, 0.5)}, typesOfPairs},
		{"tetrahedra", []*soa.View{solidTetra(b, 1), solidTetra(b, 0.7)}, typesOfPairs},
		{"cut", cutBlocks(b), []Type{TypeFaceFace}},
		{"hexahedra", []*soa.View{solidBox(b, 1, 1, 1), solidBox(b, 1, 0.7, 0.5)}, []Type{NoType}},
		{"tetrahedra", []*soa.View{solidTetra(b, 1), solidTetra(b, 0.7)}, []Type{NoType}},
	}
	s := NewSearch()
	methods := []string{"ds", "fds-initial", "fds", "fds-paper"}
	for _, g := range groups {
		for _, want := range g.types {
			r := rand.New(rand.NewPCG(51, uint64(want)))
			var p [64]placement
			var lists [64]ContactList
			name := want.String()
			for i := range p {
				a, c := g.shapes[r.IntN(2)], g.shapes[r.IntN(2)]
				kind := want
				if want == NoType {
					kind, name = TypeVertexFace, "apart"
				}
				p[i] = posedAs(r, kind, a, c)
				off := -0.1 * Dtol(a, c)
				if want == NoType {
					off = 0.05 * a.Radius
				}
				p[i].pb.Pos = p[i].pb.Pos.AddScaled(off, p[i].n)
			}
			for _, m := range methods {
				for i := range lists {
					lists[i].Reset()
				}
				b.Run(fmt.Sprintf("shape=%s/type=%s/method=%s", g.name, name, m), func(b *testing.B) {
					var out Answer
					deepest := 0.0
					i := 0
					for b.Loop() {
						k := i & 63
						q := &p[k]
						dtol := Dtol(q.a, q.b)
						switch m {
						case "ds":
							s.in.Direct(q.a, q.pa, q.b, q.pb, 0, dtol, &lists[k], &out)
						case "fds-initial":
							lists[k].Reset()
							s.in.FastDirect(q.a, q.pa, q.b, q.pb, 0, dtol, &lists[k], &out)
						case "fds":
							s.in.FastDirect(q.a, q.pa, q.b, q.pb, 0, dtol, &lists[k], &out)
						default:
							s.in.FastDirectPaper(q.a, q.pa, q.b, q.pb, 0, dtol, &lists[k], &out)
						}
						deepest = min(deepest, out.Gap)
						i++
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/pair")
					if deepest < -1e-6 || deepest == 0 && want != NoType && i > 63 {
						b.Fatalf("gap %g", deepest)
					}
				})
			}
		}
	}
}
