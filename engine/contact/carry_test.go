package contact

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
)

// pairList draws n different pairs of m pieces, sorted as in the broad phase.
func pairList(rng *rand.Rand, n, m int) [][2]soa.Piece {
	list := make([][2]soa.Piece, n)
	for i := range list {
		list[i] = [2]soa.Piece{soa.Piece(rng.IntN(m)), soa.Piece(rng.IntN(m))}
	}
	slices.SortFunc(list, func(a, b [2]soa.Piece) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(list)
}

// thinned leaves out about one pair of every so many.
func thinned(rng *rand.Rand, list [][2]soa.Piece, every int) [][2]soa.Piece {
	var out [][2]soa.Piece
	for _, p := range list {
		if rng.IntN(every) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// setFresh sets the list of pairs that a search would have found.
func setFresh(w *carryWorld, list [][2]soa.Piece) {
	w.rebuild.fresh.Resize(len(list))
	for k, pair := range list {
		w.rebuild.fresh.A[k], w.rebuild.fresh.B[k] = pair[0], pair[1]
	}
}

// load lays tiles over a list of pairs and marks each contact by a unique number.
func load(w *carryWorld, list [][2]soa.Piece) {
	setFresh(w, list)
	w.layTiles(&w.rebuild.fresh)
	w.Pairs.Resize(0)
	w.Pairs.Resize(w.tiles.rows())
	w.Pairs.ClearRows(0, w.tiles.rows())
	w.Contacts.Resize(len(list))
	for k := range w.history {
		w.history[k] = make([]float64, len(list))
	}
	w.described = make([]tilePair, w.tiles.rows())
	c := &w.Contacts
	for t := range w.tiles.costs {
		lo, hi := w.tiles.bounds(t)
		for i := lo; i < hi; i++ {
			k := w.tiles.from[t] + i - lo
			x := float64(k + 1)
			w.Pairs.A[i], w.Pairs.B[i], w.Pairs.Expiry[i], w.Pairs.Axis.Y[i] = list[k][0], list[k][1], x, x
			if k%5 < 4 { // the others have no row
				row := len(list) - 1 - k
				w.Pairs.Row[i], c.Pair[row] = uint32(row), uint32(i)
				w.history[0][row], c.Proven[row], c.Facet[row].A = x, x, uint16(k)
				c.PoseBounds[row].Motion, c.PoseBounds[row].Lever = float64(k%2)*x, x
				c.Active[row], c.AnsweredBy[row] = k%3 > 0, uint8(k)
			}
			w.describe(i, &w.described[i])
		}
	}
	w.layTables()
	w.connect()
	w.rebuild.altered.ready = true
}

// stale fills the destination rows with values that must not survive.
func stale(w *carryWorld, rows int) {
	w.rebuild.old.pairs.Resize(rows)
	for i := range rows {
		w.rebuild.old.pairs.Row[i] = 7
	}
}

// TestCarryOver compares the rows after a rebuild with a map from pairs to rows, on any number of
// workers. The lists have most, some or no pairs in common, and tiles are laid anew or altered in
// place.
func TestCarryOver(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	const pieces, many = 700, 6000
	all, others := pairList(rng, many, pieces), pairList(rng, many, pieces)
	some := thinned(rng, all, 2)
	cases := []struct {
		name     string
		from, to [][2]soa.Piece
		inPlace  bool
	}{
		{"the same", all, all, true},
		{"few went", all, thinned(rng, all, 2000), true},
		{"few came", thinned(rng, all, 2000), all, true},
		{"few went and came", thinned(rng, all, 1000), thinned(rng, all, 1000), true},
		{"some went", all, thinned(rng, all, 20), true},
		{"some came", thinned(rng, all, 20), all, true},
		{"some went and came", thinned(rng, all, 10), thinned(rng, all, 10), true},
		{"many went and came", some, thinned(rng, all, 2), false},
		{"most went", all, thinned(rng, thinned(rng, all, 2), 3), false},
		{"others", all, others, false},
		{"all went", all, nil, false},
		{"all came", nil, all, false},
		{"few between many", all, pairList(rng, 5, pieces), false},
		{"many around few", pairList(rng, 5, pieces), all, false},
		{"none at all", nil, nil, false},
		{"the far end", all[:2000], all[1990:], false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var ledger float64
			for _, workers := range []int{1, 2, 5} {
				for _, anew := range []bool{true, false} {
					w := newCarryWorld(t, workers, pieces)
					load(w, c.from)
					stale(w, len(c.to)/3)
					setFresh(w, c.to)
					if w.rebuild.altered.ready = !anew; w.alterTiles() {
						if anew {
							t.Fatal("altered tiles that are not of the list")
						}
					} else {
						if !anew && c.inPlace {
							t.Errorf("%d workers: tiles are laid anew", workers)
						}
						w.renewTiles()
					}
					checkCarried(t, w, c.from, c.to)
					w.dropEnded()
					if workers == 1 && anew {
						ledger = w.dropped
					}
					if want := tileReleased(c.from, c.to); math.Abs(w.dropped-ledger) > 1e-12*want || math.Abs(ledger-want) > 1e-12*want {
						t.Errorf("%d workers: %.17g J let go, the first %.17g, want %.17g", workers, w.dropped, ledger, want)
					}
				}
			}
		})
	}
}

const carryStiffness = 2.0

// carryWorld is a space of bodies of one piece each, without positions, and its client.
type carryWorld struct {
	*Space
	bodies  soa.Bodies
	history [3][]float64
	dropped float64 // J, in the springs of contacts that have ended
}

func newCarryWorld(t testing.TB, workers, pieces int) *carryWorld {
	t.Helper()
	pool, err := sched.Open(workers, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	laws, err := force.NewTable(1, force.Linear{Kn: 4, Kt: carryStiffness})
	if err != nil {
		t.Fatal(err)
	}
	w := &carryWorld{}
	w.Space = New(Config{Laws: laws, TilePairs: 300}, &w.bodies, pool, w)
	w.Register([]*[]float64{&w.history[0], &w.history[1], &w.history[2]}, nil)
	for i := range w.work {
		w.work[i].out.Ended.each = len(w.history)
	}
	w.tiles.most = 300
	of := &w.Pieces
	of.Material, of.Body, of.Shape = make([]soa.Material, pieces), make([]soa.Body, pieces), make([]soa.Shape, pieces)
	of.Kind, of.Offset = make([]soa.Kind, pieces), make([]bool, pieces)
	for i := range of.Body {
		of.Body[i] = soa.Body(i)
	}
	w.bodies.InvMass = make([]float64, pieces)
	return w
}

// Lend implements Reader.
func (w *carryWorld) Lend(int, int) Lent { return Lent{} }

// Read implements Reader.
func (w *carryWorld) Read(*TileContacts, int) {}

// Drop implements Reader.
func (w *carryWorld) Drop(ended *Ended, _ int) {
	for k := range ended.Laws {
		slip := ended.Values(k)[0]
		w.dropped += 0.5 * carryStiffness * slip * slip
	}
}

// tileReleased returns the energy, J, in the springs of marked contacts that are only in the first
// list.
func tileReleased(from, to [][2]soa.Piece) (sum float64) {
	kept := map[[2]soa.Piece]bool{}
	for _, p := range to {
		kept[p] = true
	}
	for k, p := range from {
		if !kept[p] && k%3 > 0 && k%5 < 4 {
			sum += 0.5 * carryStiffness * float64(k+1) * float64(k+1)
		}
	}
	return sum
}

// checkCarried checks rows, tiles and incidence lists after a rebuild against the lists before and
// after it.
func checkCarried(t *testing.T, w *carryWorld, from, to [][2]soa.Piece) {
	t.Helper()
	at := map[[2]soa.Piece]int{}
	for k, p := range from {
		at[p] = k
	}
	con, next, places, owners := &w.Contacts, 0, make([][]uint32, len(w.bodies.InvMass)), make([]int, w.Contacts.Len())
	if w.Pairs.Len() != w.tiles.rows() || con.Len() != w.spare.end {
		t.Fatalf("%d pairs, %d contacts, expected %d and %d rows", w.Pairs.Len(), con.Len(), w.tiles.rows(), w.spare.end)
	}
	for tile := range w.tiles.costs {
		lo, hi := w.tiles.bounds(tile)
		for i := lo; i < w.tiles.first[tile+1]; i++ {
			want, k, known := [2]soa.Piece{}, 0, false
			if i < hi {
				want = to[next]
				k, known = at[want]
				next++
				places[want[0]], places[want[1]] = append(places[want[0]], uint32(i)<<1), append(places[want[1]], uint32(i)<<1|1)
				var p tilePair
				if w.describe(i, &p); w.described[i] != p {
					t.Fatalf("row %d is described as %+v, expected %+v", i, w.described[i], p)
				}
			}
			x, expiry, motion := 0.0, soa.Expired, 0.0
			if known {
				x, expiry, motion = float64(k+1), float64(k+1), float64(k%2)*float64(k+1)
			}
			if w.Pairs.A[i] != want[0] || w.Pairs.B[i] != want[1] || i < hi && w.Pairs.Expiry[i] != expiry || w.Pairs.Axis.Y[i] != x {
				t.Fatalf("row %d: pair %d %d, expiry %g, axis %g, expected %v, %g, %g", i, w.Pairs.A[i], w.Pairs.B[i], w.Pairs.Expiry[i], w.Pairs.Axis.Y[i], want, expiry, x)
			}
			row := w.Pairs.Row[i]
			if has := known && k%5 < 4; has != (row != soa.NoRow) || has && con.Pair[row] != uint32(i) {
				t.Fatalf("row %d has the contact row %d, known %v", i, row, known)
			} else if !has {
				continue
			}
			owners[row]++
			if w.history[0][row] != x || con.Proven[row] != x || con.Facet[row].A != uint16(k) || w.history[2][row] != 0 ||
				con.Active[row] != (k%3 > 0) || con.AnsweredBy[row] != uint8(k) || con.PoseBounds[row].Motion != motion || motion != 0 && con.PoseBounds[row].Lever != x {
				t.Fatalf("row %d: history %g, facet %v, active %v, motion %g, expected those of contact %g", i, w.history[0][row], con.Facet[row],
					con.Active[row], con.PoseBounds[row].Motion, x)
			}
		}
	}
	for tile := range w.tiles.costs {
		for _, row := range w.tiles.free[tile] {
			if owners[row]++; con.Pair[row] != soa.NoRow || con.Active[row] {
				t.Fatalf("row %d is free and of pair %d", row, con.Pair[row])
			}
		}
	}
	for row := range w.spare.next {
		if owners[row] != 1 {
			t.Fatalf("contact row %d has %d owners", row, owners[row])
		}
	}
	if next != len(to) || w.Candidates() != len(to) {
		t.Fatalf("tiles hold %d pairs, and say %d, expected %d", next, w.Candidates(), len(to))
	}
	for body, want := range places {
		if got := w.PairsOf(body); !slices.Equal(got, want) {
			t.Fatalf("body %d is in %v, expected %v", body, got, want)
		}
	}
}

// BenchmarkCarryOver updates the rows for a list in which one pair in 200 is replaced, and back.
func BenchmarkCarryOver(b *testing.B) {
	const pieces = 64000
	for _, bench := range []struct {
		name  string
		anew  bool
		every int
	}{{"anew", true, 200}, {"in place", false, 200}, {"in place, few", false, 50000}} {
		b.Run(bench.name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(3, 1))
			all := pairList(rng, 340000, pieces)
			lists := [2][][2]soa.Piece{thinned(rng, all, bench.every), thinned(rng, all, bench.every)}
			w := newCarryWorld(b, 1, pieces)
			load(w, lists[0])
			for k := 0; b.Loop(); k++ {
				b.StopTimer()
				setFresh(w, lists[(k+1)%2])
				b.StartTimer()
				if w.rebuild.altered.ready = !bench.anew; !w.alterTiles() {
					w.renewTiles()
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*w.Candidates()), "ns/pair")
		})
	}
}

// FuzzAlterTiles alters tiles repeatedly by lists that bytes select from all pairs of a few pieces.
func FuzzAlterTiles(f *testing.F) {
	f.Add([]byte("pairs come and go"), uint8(3))
	f.Add([]byte{0, 0xff, 0, 0x55, 0xaa, 1, 2, 4, 8}, uint8(200))
	f.Fuzz(func(t *testing.T, data []byte, tilePairs uint8) {
		const pieces = 24
		w := newCarryWorld(t, 1, pieces)
		w.tiles.most = max(1, int(tilePairs))
		list := func(at int) (list [][2]soa.Piece) {
			for k := range pieces * pieces {
				if a, b := k/pieces, k%pieces; a < b && (len(data) == 0 || data[(at+k/8)%len(data)]>>(k%8)&1 != 0) {
					list = append(list, [2]soa.Piece{soa.Piece(a), soa.Piece(b)})
				}
			}
			return list
		}
		from := list(0)
		for at := range len(data) {
			load(w, from)
			to := list(at)
			setFresh(w, to)
			if !w.alterTiles() {
				w.renewTiles()
			}
			checkCarried(t, w, from, to)
			from = to
		}
	})
}

// TestTileSize checks that one worker has full tiles, and that several workers have enough tiles to
// share.
func TestTileSize(t *testing.T) {
	for _, c := range []struct{ pairs, workers, most, want int }{
		{10, 1, 2000, fullPairs}, {1e6, 1, 2000, fullPairs}, {1e6, 1, 200, 200}, {3000, 2, 2000, leastPairs},
		{200 * 2 * workerTiles, 2, 2000, 200}, {1e6, 2, 2000, fullPairs}, {64 * workerTiles * fullPairs, 64, 2000, fullPairs}, {3000, 2, 17, 17},
	} {
		tiles := tiles{most: c.most}
		if got := tiles.pairsOf(c.pairs, c.workers); got != c.want {
			t.Errorf("%d pairs, %d workers, at most %d: %d pairs a tile, expected %d", c.pairs, c.workers, c.most, got, c.want)
		}
	}
}
