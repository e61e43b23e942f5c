package engine

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
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
func setFresh(w *World, list [][2]soa.Piece) {
	w.fresh.Resize(len(list))
	for k, pair := range list {
		w.fresh.A[k], w.fresh.B[k] = pair[0], pair[1]
	}
}

// load lays tiles over a list of pairs and marks each contact by a unique number.
func load(w *World, list [][2]soa.Piece) {
	setFresh(w, list)
	w.layTiles(&w.fresh)
	w.pairs.Resize(0)
	w.contacts.Resize(0)
	w.pairs.Resize(w.tiles.rows())
	w.contacts.Resize(w.tiles.rows())
	w.described = make([]tilePair, w.tiles.rows())
	c := &w.contacts
	for t := range w.tiles.costs {
		lo, hi := w.tiles.bounds(t)
		for i := lo; i < hi; i++ {
			k := w.tiles.from[t] + i - lo
			x := float64(k + 1)
			w.pairs.A[i], w.pairs.B[i], w.pairs.Expiry[i] = list[k][0], list[k][1], x
			c.History[0][i], c.Axis.Y[i], c.Proven[i], c.Facet[i].A = x, x, x, uint16(k)
			c.PoseBounds[i].Motion, c.PoseBounds[i].Lever = float64(k%2)*x, x
			c.Active[i], c.AnsweredBy[i] = k%3 > 0, uint8(k)
			w.describe(i, &w.described[i])
		}
	}
	w.connect()
	w.altered.ready = true
}

// stale fills the destination rows with values that must not survive.
func stale(w *World, rows int) {
	w.old.pairs.Resize(rows)
	w.old.contacts.Resize(rows)
	for i := range rows {
		w.old.contacts.History[2][i], w.old.contacts.Active[i], w.old.contacts.PoseBounds[i].Motion = 7, true, 7
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
					w := carryWorld(t, workers, pieces)
					load(w, c.from)
					stale(w, len(c.to)/3)
					setFresh(w, c.to)
					if w.altered.ready = !anew; w.alterTiles() {
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
					w.bookDropped()
					if workers == 1 && anew {
						ledger = w.dropped.value()
					}
					if want := tileReleased(c.from, c.to); w.dropped.value() != ledger || math.Abs(ledger-want) > 1e-12*want {
						t.Errorf("%d workers: %.17g J let go, the first %.17g, want %.17g", workers, w.dropped.value(), ledger, want)
					}
				}
			}
		})
	}
}

const carryStiffness = 2.0

// carryWorld returns a world of bodies of one piece each, without positions.
func carryWorld(t testing.TB, workers, pieces int) *World {
	w := newWorld(t, Config{Workers: workers, TilePairs: 300}, force.Linear{Kn: 4, Kt: carryStiffness})
	w.tiles.most = w.cfg.TilePairs
	of := &w.pieces
	of.Material, of.Body, of.Shape = make([]soa.Material, pieces), make([]soa.Body, pieces), make([]soa.Shape, pieces)
	of.Kind, of.Offset = make([]soa.Kind, pieces), make([]bool, pieces)
	for i := range of.Body {
		of.Body[i] = soa.Body(i)
	}
	w.bodies.InvMass = make([]float64, pieces)
	w.contacts.History, w.old.contacts.History = make([][]float64, 3), make([][]float64, 3)
	return w
}

// tileReleased returns the energy, J, in the springs of marked contacts that are only in the first
// list.
func tileReleased(from, to [][2]soa.Piece) (sum float64) {
	kept := map[[2]soa.Piece]bool{}
	for _, p := range to {
		kept[p] = true
	}
	for k, p := range from {
		if !kept[p] && k%3 > 0 {
			sum += 0.5 * carryStiffness * float64(k+1) * float64(k+1)
		}
	}
	return sum
}

// checkCarried checks rows, tiles and incidence lists after a rebuild against the lists before and
// after it.
func checkCarried(t *testing.T, w *World, from, to [][2]soa.Piece) {
	t.Helper()
	at := map[[2]soa.Piece]int{}
	for k, p := range from {
		at[p] = k
	}
	con, next, places := &w.contacts, 0, make([][]uint32, len(w.bodies.InvMass))
	if w.pairs.Len() != w.tiles.rows() || con.Len() != w.tiles.rows() {
		t.Fatalf("%d pairs, %d contacts, expected %d rows", w.pairs.Len(), con.Len(), w.tiles.rows())
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
			if w.pairs.A[i] != want[0] || w.pairs.B[i] != want[1] || i < hi && w.pairs.Expiry[i] != expiry {
				t.Fatalf("row %d: pair %d %d, expiry %g, expected %v, %g", i, w.pairs.A[i], w.pairs.B[i], w.pairs.Expiry[i], want, expiry)
			}
			if con.History[0][i] != x || con.Axis.Y[i] != x || con.Proven[i] != x || con.Facet[i].A != uint16(k) || con.History[2][i] != 0 ||
				con.Active[i] != (known && k%3 > 0) || con.AnsweredBy[i] != uint8(k) || con.PoseBounds[i].Motion != motion || motion != 0 && con.PoseBounds[i].Lever != x {
				t.Fatalf("row %d: history %g, facet %v, active %v, motion %g, expected those of contact %g", i, con.History[0][i], con.Facet[i],
					con.Active[i], con.PoseBounds[i].Motion, x)
			}
		}
	}
	if next != len(to) || w.tiles.pairs != len(to) {
		t.Fatalf("tiles hold %d pairs, and say %d, expected %d", next, w.tiles.pairs, len(to))
	}
	for body, want := range places {
		if got := w.incidence.of(body); !slices.Equal(got, want) {
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
			w := carryWorld(b, 1, pieces)
			load(w, lists[0])
			for k := 0; b.Loop(); k++ {
				b.StopTimer()
				setFresh(w, lists[(k+1)%2])
				b.StartTimer()
				if w.altered.ready = !bench.anew; !w.alterTiles() {
					w.renewTiles()
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*w.tiles.pairs), "ns/pair")
		})
	}
}

// FuzzAlterTiles alters tiles repeatedly by lists that bytes select from all pairs of a few pieces.
func FuzzAlterTiles(f *testing.F) {
	f.Add([]byte("pairs come and go"), uint8(3))
	f.Add([]byte{0, 0xff, 0, 0x55, 0xaa, 1, 2, 4, 8}, uint8(200))
	f.Fuzz(func(t *testing.T, data []byte, tilePairs uint8) {
		const pieces = 24
		w := carryWorld(t, 1, pieces)
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

// TestFacetsInheritFromAnyDistance moves a ball that sticks to one facet of a floor to another facet,
// far away: by SetPose, and by its own speed in one step. The friction spring must pass to the other
// facet whether or not the pair with the first one is still a candidate, in a rebuild and in an
// update.
func TestFacetsInheritFromAnyDistance(t *testing.T) {
	for _, law := range setLaws {
		for _, jumps := range []bool{true, false} {
			var want uint64
			for _, cfg := range []Config{{Skin: 10}, {Skin: 1e-4, Horizon: 1e-12}, {Skin: 1e-4, Horizon: 1e-12, Workers: 2}} {
				w := newWorld(t, cfg, law)
				gridFloor(4, 0.3, 2).wall(t, w, vec.IdentityPose, Motion{})
				marble := addShape(t, w, ball(t, 0.1))
				id := addMoving(t, w, marble, at(-0.75, -0.8, 0.099), vec.V(0.1, 0, 0), vec.Vec3{})
				for i := range 130 { // at rest, so that only the pairs of the first ball are updated
					addMoving(t, w, marble, at(float64(i), 50, 0), vec.Vec3{}, vec.Vec3{})
				}
				steps(t, w, 3, 2e-5)
				if jumps {
					pose := w.Bodies().Pose(id)
					pose.Pos = pose.Pos.Add(vec.V(1.5, 1.6, 0))
					if err := w.SetPose(id, pose); err != nil {
						t.Fatal(err)
					}
				} else if err := w.SetVelocity(id, vec.V(7.5e4, 8e4, 0), vec.Vec3{}); err != nil {
					t.Fatal(err)
				}
				updates := w.AnsweredBy().Updates
				steps(t, w, 1, 2e-5)
				if n := w.AnsweredBy().Updates; cfg.Skin < 1 && !jumps && n == updates {
					t.Error("no update")
				}
				if w.Measure().Active != 1 {
					t.Fatal("the ball does not touch the floor")
				}
				if want == 0 {
					want = w.Hash()
				} else if w.Hash() != want {
					t.Errorf("%T, jumps %v, skin %g m: another hash", law, jumps, cfg.Skin)
				}
			}
		}
	}
}
