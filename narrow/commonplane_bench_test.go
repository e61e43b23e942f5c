package narrow

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// BenchmarkMethods reports ns per pair by method, shape and gap, contacts included: without stored
// data, and updated, where each of 64 pairs moves to and fro by 1e-4 of its size. The cost of a
// pair apart is that of its proof. The checksum is the number of pairs that overlap.
func BenchmarkMethods(b *testing.B) {
	for _, shape := range []struct {
		name string
		of   []*soa.View
	}{
		{"cube", []*soa.View{solidBox(b, 1, 1, 1)}},
		{"tetra", []*soa.View{solidTetra(b, 1)}},
		{"rock20", []*soa.View{geometryRock(b, 4, 20), geometryRock(b, 5, 20)}},
	} {
		for _, gap := range []float64{-1e-3, 0.05} {
			r := rand.New(rand.NewPCG(71, 72))
			var pairs [64]placement
			for i := range pairs {
				p := &pairs[i]
				p.a, p.b = shape.of[0], shape.of[len(shape.of)-1]
				p.pa, p.pb = placed(r, p.a, p.b, gap*p.a.Radius)
				p.n = randomUnit(r).Scale(1e-4 * p.a.Radius)
			}
			for _, m := range append([]Method{Auto, GJKEPA, DS, FDS}, planeMethods...) {
				for _, start := range []string{"initial", "updated"} {
					b.Run(fmt.Sprintf("shape=%s/gap=%g/method=%v/start=%s", shape.name, gap, m, start), func(b *testing.B) {
						benchMethod(b, m, pairs[:], start == "updated", gap < 0)
					})
				}
			}
		}
	}
}

func benchMethod(b *testing.B, m Method, pairs []placement, updated, overlap bool) {
	s := NewSearch()
	memories := make([]Memory, len(pairs))
	var out Answer
	i, deep := 0, 0
	for b.Loop() {
		k := i % len(pairs)
		p := &pairs[k]
		pb := vec.Pose{Pos: p.pb.Pos, Rot: p.pb.Rot}
		if i/len(pairs)%2 == 1 {
			pb.Pos = pb.Pos.Add(p.n)
		}
		if !updated {
			memories[k].Reset()
		}
		s.By(m, p.a, p.pa, p.b, pb, 0, Dtol(p.a, p.b), &memories[k], &out)
		if !m.Lists() {
			s.Contacts(p.a, p.pa, p.b, pb, Dtol(p.a, p.b), &out, &memories[k].List)
		}
		if out.Gap < 0 {
			deep++
		}
		i++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/pair")
	if overlap && deep != i || !overlap && deep != 0 {
		b.Fatalf("%d of %d pairs overlap", deep, i)
	}
}
