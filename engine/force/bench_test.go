package force

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/soa"
)

// settled is n contacts of a heap at rest or nearly so, of bodies near each other in their order.
func settled(b *testing.B, n int) *touches {
	table, err := NewTable(1, Linear{Kn: 1e5, Kt: 8e4, Mu: 0.5, ByRestitution: true, Restitution: 0.5})
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 3))
	s := randomTouches(laws(b), r, n)
	s.table, s.share = table, 0
	for k := range s.rows {
		t := &s.rows[k]
		s.materials[k], t.Law = [2]soa.Material{}, 0
		t.A, t.B, t.Row = soa.Body(k/4), soa.Body(min(k/4+1+r.IntN(30), n)), uint32(k+r.IntN(2))
	}
	return s
}

// BenchmarkBatch is the law of a tile: part=law is Apply alone, part=all also sets each row and stores it,
// part=account stores what the account needs too.
func BenchmarkBatch(b *testing.B) {
	for _, part := range []string{"law", "all", "account"} {
		for backend := range backends.Each(b) {
			for _, n := range []int{64, 512} {
				b.Run(fmt.Sprintf("part=%s/backend=%s/contacts=%d", part, backend, n), func(b *testing.B) {
					benchmarkBatch(b, settled(b, n), part != "law", part == "account")
				})
			}
		}
	}
}

func benchmarkBatch(b *testing.B, s *touches, all, accounted bool) {
	var batch Batch
	out := copied(&s.contacts)
	set := func() {
		batch.Resize(len(s.rows))
		for k := range s.rows {
			batch.Set(k, &s.rows[k])
		}
	}
	set()
	for b.Loop() {
		if all {
			set()
		}
		batch.Apply(&s.bodies, &s.contacts, s.table, s.dt, s.share)
		if all {
			batch.Store(out, accounted)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(s.rows)), "ns/contact")
	batch.Store(out, accounted)
	for k, a := range s.answers() {
		// Two contacts may have a row; the last one's results stay.
		if k+1 < len(s.rows) && s.rows[k+1].Row == s.rows[k].Row {
			continue
		}
		if got := out.Force.At(int(s.rows[k].Row)); !sameVector(got, a.Force) {
			b.Fatalf("contact %d: force %v, alone %v", k, got, a.Force)
		}
	}
}
