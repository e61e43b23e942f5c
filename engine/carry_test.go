package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/soa"
)

// pairList draws n different pairs of m pieces, sorted as the broad phase sorts them.
func pairList(rng *rand.Rand, n, m int) [][2]soa.Piece {
	list := make([][2]soa.Piece, n)
	for i := range list {
		list[i] = [2]soa.Piece{soa.Piece(rng.IntN(m)), soa.Piece(rng.IntN(m))}
	}
	slices.SortFunc(list, func(a, b [2]soa.Piece) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(list)
}

// thinned leaves out about one pair in every.
func thinned(rng *rand.Rand, list [][2]soa.Piece, every int) [][2]soa.Piece {
	var out [][2]soa.Piece
	for _, p := range list {
		if rng.IntN(every) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// load sets a list of pairs and marks each contact by numbers that are its own.
func load(p *soa.Pairs, c *soa.Contacts, list [][2]soa.Piece, mark float64) {
	p.Resize(len(list))
	c.History = make([][]float64, 3)
	c.Resize(len(list))
	for i, pair := range list {
		p.A[i], p.B[i], p.Expiry[i] = pair[0], pair[1], soa.Expired
		x := mark * float64(i+1)
		if mark != 0 {
			p.Expiry[i] = x
		}
		c.History[0][i], c.Axis.Y[i], c.Proven[i], c.Facet[i].A = x, x, x, uint16(i)
		c.Active[i], c.Level[i] = mark != 0 && i%3 > 0, uint8(i)
	}
}

// TestCarryOver compares what is carried over with a map from pairs to rows, for lists that have most,
// some or none in common, on any number of workers. What was in the rows before is stale.
func TestCarryOver(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	const pieces = 700
	many, others := pairList(rng, 3*carryChunk, pieces), pairList(rng, 2*carryChunk, pieces)
	cases := []struct {
		name     string
		from, to [][2]soa.Piece
	}{
		{"the same", many, many},
		{"some went", many, thinned(rng, many, 20)},
		{"some came", thinned(rng, many, 20), many},
		{"some went and came", thinned(rng, many, 10), thinned(rng, many, 10)},
		{"others", many, others},
		{"all went", many, nil},
		{"all came", nil, many},
		{"few between many", many, pairList(rng, 5, pieces)},
		{"many around few", pairList(rng, 5, pieces), many},
		{"none at all", nil, nil},
		{"one chunk exactly", many[:carryChunk], many[:carryChunk]},
		{"the far end", many[:carryChunk+7], many[carryChunk:]},
	}
	const stiffness = 2.0
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			at, released := map[[2]soa.Piece]int{}, 0.0
			for j, p := range c.from {
				at[p] = j
			}
			kept := map[[2]soa.Piece]bool{}
			for _, p := range c.to {
				kept[p] = true
			}
			var ledger float64
			for _, workers := range []int{1, 2, 5} {
				w := newWorld(t, Config{Workers: workers}, force.Linear{Kn: 4, Kt: stiffness})
				w.pieces.Material = make([]soa.Material, pieces)
				load(&w.old.pairs, &w.old.contacts, c.from, 1)
				load(&w.pairs, &w.contacts, c.to, 0)
				for i := range w.contacts.Len() { // stale
					w.contacts.History[2][i], w.contacts.Active[i] = 7, true
				}
				w.skeletons.place, w.skeletons.oldPlace = make([]skeletonPlace, len(c.to)), make([]skeletonPlace, len(c.from))
				for i := range w.skeletons.place {
					w.skeletons.place[i].number = 7 // stale
				}
				for j := range w.skeletons.oldPlace {
					w.skeletons.oldPlace[j] = skeletonPlace{uint32(j), uint32(j + 1)}
				}
				w.carryOver()
				for i, p := range c.to {
					row := fmt.Sprintf("%d workers, row %d", workers, i)
					con, x, expiry, facet, active := &w.contacts, 0.0, soa.Expired, 0, false
					if j, ok := at[p]; ok {
						x, expiry, facet, active = float64(j+1), float64(j+1), j, j%3 > 0
					}
					if place := w.skeletons.place[i]; float64(place.number) != x || int(place.tile) != facet {
						t.Fatalf("%s: skeleton %v, want that of old row %g less 1", row, place, x)
					}
					if w.pairs.A[i] != p[0] || w.pairs.B[i] != p[1] || w.pairs.Expiry[i] != expiry {
						t.Fatalf("%s: pair %v, expiry %g, want %g", row, p, w.pairs.Expiry[i], expiry)
					}
					if con.History[0][i] != x || con.Axis.Y[i] != x || con.Proven[i] != x ||
						con.Facet[i].A != uint16(facet) || con.Active[i] != active || con.Level[i] != uint8(facet) ||
						con.History[2][i] != 0 {
						t.Fatalf("%s: slip %v, facet %v, active %v, want those of old row %g less 1",
							row, slipOf(con, i), con.Facet[i], con.Active[i], x)
					}
				}
				if workers == 1 {
					ledger = w.old.released.value()
					for j, p := range c.from {
						if !kept[p] && j%3 > 0 {
							released += 0.5 * stiffness * float64(j+1) * float64(j+1)
						}
					}
				}
				if w.old.released.value() != ledger || math.Abs(ledger-released) > 1e-12*released {
					t.Errorf("%d workers: %.17g J let go, one worker %.17g, want %.17g", workers, w.old.released.value(), ledger, released)
				}
			}
		})
	}
}

// BenchmarkCarryOver carries over a list of which one pair in 200 went and as many came.
func BenchmarkCarryOver(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 1))
	const pieces = 64000
	all := pairList(rng, 340000, pieces)
	w := newWorld(b, Config{Workers: 1}, force.Linear{Kn: 4, Kt: 2})
	w.pieces.Material = make([]soa.Material, pieces)
	load(&w.old.pairs, &w.old.contacts, thinned(rng, all, 200), 1)
	load(&w.pairs, &w.contacts, thinned(rng, all, 200), 0)
	for i := range w.old.contacts.Held {
		if i%3 > 0 {
			w.old.contacts.Held[i].Motion = 1
		}
	}
	for b.Loop() {
		w.carryOver()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*w.pairs.Len()), "ns/pair")
}
