package force

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/soa"
)

// settled returns n contacts of a heap at rest or nearly so, under one law. The bodies of a contact
// are near each other in their order.
func settled(b *testing.B, law Parameters, n int) *touches {
	table, err := NewTable(1, law)
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 3))
	var s *touches
	if _, linear := law.(Linear); linear {
		s = randomTouches(laws(b), r, n)
	} else {
		s = randomPatches(softLaws(b, true), r, n)
		s.contacts.History = s.contacts.History[:table.History()]
	}
	s.table, s.share = table, 0
	for k := range s.rows {
		t := &s.rows[k]
		t.Law = 0
		t.A, t.B, t.Row = soa.Body(k/4), soa.Body(min(k/4+1+r.IntN(30), n)), uint32(k+r.IntN(2))
	}
	return s
}

// BenchmarkBatch measures the law of a tile: part=law is Apply alone, part=all also adds each
// contact, part=account also stores the values for the ledger.
func BenchmarkBatch(b *testing.B) {
	for _, l := range []struct {
		name string
		law  Parameters
	}{
		{"linear", Linear{Kn: 1e5, Kt: 8e4, Mu: 0.5, ByRestitution: true, Restitution: 0.5}},
		{"thickness", Thickness{Stiffness: 1e4, Tangential: 8e3, Friction: 0.5, Restitution: 0.5}},
		{"modulus", Thickness{Stiffness: 1e4, Tangential: 8e3, Friction: 0.5, Restitution: 0.5, AreaExponent: 0.5}},
	} {
		for _, part := range []string{"law", "all", "account"} {
			for backend := range backends.Each(b) {
				for _, n := range []int{64, 512} {
					b.Run(fmt.Sprintf("law=%s/part=%s/backend=%s/contacts=%d", l.name, part, backend, n), func(b *testing.B) {
						benchmarkBatch(b, settled(b, l.law, n), part != "law", part == "account")
					})
				}
			}
		}
	}
}

func benchmarkBatch(b *testing.B, s *touches, all, accounted bool) {
	var batch Batch
	out := copied(&s.contacts)
	step := s.step(out, accounted)
	s.fill(&batch)
	for b.Loop() {
		if all {
			s.fill(&batch)
		}
		batch.Apply(step)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(s.rows)), "ns/contact")
	for k, a := range s.answers() {
		// Two contacts may have the same row; the results of the last one remain.
		if k+1 < len(s.rows) && s.rows[k+1].Row == s.rows[k].Row {
			continue
		}
		if got := out.Force.At(int(s.rows[k].Row)); !sameVector(got, a.Force) {
			b.Fatalf("contact %d: force %v, alone %v", k, got, a.Force)
		}
	}
}
