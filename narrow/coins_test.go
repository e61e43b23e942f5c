package narrow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/narrow/internal/proof"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// coin returns a prism of n sides.
func coin(t testing.TB, n int) *soa.View {
	t.Helper()
	p, err := geometry.Prism(n, 1, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	return addTemplate(t, p.Template())
}

// onCoin returns the pose of a coin on another one, rotated by turn corners, tilted and moved
// aside.
func onCoin(n int, turn, aside, lift, tilt float64) vec.Pose {
	q := vec.FromRotationVector(vec.V(tilt, 0.3*tilt, 0)).Mul(vec.FromRotationVector(vec.V(0, 0, 2*math.Pi*turn/float64(n))))
	return vec.Pose{Pos: vec.V(aside, aside/3, lift), Rot: q}
}

// TestLowestAroundIsTheLowest compares the walk around a polygon with a test of all corners, for
// directions that rotate either way or jump.
func TestLowestAroundIsTheLowest(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 15))
	for _, n := range []int{5, 16, 17, 40, 300} {
		v := coin(t, n)
		s := NewSearch()
		if !s.in.Load(v, at(0, 0, 0), v, onCoin(n, 0.5, 0.2, 0.5, 1e-3)) {
			t.Fatal("not loaded")
		}
		q := proof.Corners(nil, v, 0)
		for f := range v.NFaces {
			if c := proof.Corners(nil, v, f); len(c) > len(q) {
				q = c
			}
		}
		if len(q) != n {
			t.Fatalf("%d corners, expected %d", len(q), n)
		}
		from := 0
		for k := range 3000 {
			angle := 0.01 * float64(k)
			switch k / 1000 {
			case 1:
				angle = -angle
			case 2:
				angle = 7 * r.Float64()
			}
			sin, cos := vec.Sincos(angle)
			d := vec.V(cos, sin, 1e-3).Scale(math.Ldexp(1, r.IntN(20)-10))
			if k%5 == 0 { // along a side, whose two corners have equal height
				i := r.IntN(len(q))
				e := s.in.HullB.At(int(q[i])).Sub(s.in.HullB.At(int(q[(i+1)%n])))
				d = e.Cross(vec.V(0, 0, 1))
			}
			want := math.Inf(1)
			for _, j := range q {
				want = min(want, d.Dot(s.in.HullB.At(int(j))))
			}
			low := 0.0
			if from, low = s.in.LowestAround(&s.in.HullB, q, from, d); low != want {
				t.Fatalf("%d corners, direction %v: %v, expected %v", n, d, low, want)
			}
		}
	}
}

// TestAskewCoins has faces of many corners at tiny angles to each other. Each of the pairs of their
// edges would cost a support, so a search must answer, with the search's bits.
func TestAskewCoins(t *testing.T) {
	const n = 120
	v := coin(t, n)
	for _, tilt := range []float64{1e-12, 1e-10, 1e-9, 1e-7, 1e-5, 1e-3} {
		for _, aside := range []float64{0, 0.3} {
			pb := onCoin(n, 0.37, aside, 0.4999+0.5*tilt, tilt)
			t.Run(fmt.Sprintf("tilt=%v/aside=%v", tilt, aside), func(t *testing.T) {
				s, u := NewSearch(), NewSearch()
				var got, want Answer
				s.Resolve(v, at(0, 0, 0), v, pb, math.Inf(1), &got)
				u.Iterate(v, at(0, 0, 0), v, pb, math.Inf(1), &want)
				if got.Gap != want.Gap || got.Facet != want.Facet || got.Normal != want.Normal || got.ArmA != want.ArmA || got.ArmB != want.ArmB {
					t.Errorf("%+v, by GJK and EPA %+v", got, want)
				}
				u = NewSearch()
				u.in.Load(v, at(0, 0, 0), v, pb)
				u.in.FacePair(want.Facet)
				if k := len(u.in.EdgesA) * len(u.in.EdgesB); k > n*n/2 {
					t.Errorf("%d pairs of edges asked", k)
				}
			})
		}
	}
}

// TestCombineByBoxesIsAll compares the two methods of listing contacts, for faces of few and of
// many corners, as they lie on each other, and with tolerances from rounding to a tenth of the
// size.
func TestCombineByBoxesIsAll(t *testing.T) {
	_, shapes := capped(t)
	kinds := [NTypes]int{}
	r := rand.New(rand.NewPCG(3, 14))
	coins := []*soa.View{coin(t, 5), coin(t, 24), coin(t, 90), shapes[1], shapes[2], shapes[5]}
	p, err := geometry.FromMesh(squareBoxMesh(10, vec.FromRotationVector(vec.V(0.4, 0.2, 0.3)), vec.V(20, 20, 20)))
	if err != nil {
		t.Fatal(err)
	}
	bent := labelledView(t, p.Template(), p.Template().Label)
	side := 0
	for f, label := range bent.Label {
		if int(label) != f {
			side = int(label)
		}
	}
	down := turnTo(bent.Normal(soa.Face(side)), vec.V(0, 0, -1))
	coins = append(coins, bent)
	for k := range 700 {
		a, b := coins[k%len(coins)], coins[r.IntN(len(coins))]
		if k%3 == 0 {
			b = a
		}
		n := max(a.NVerts/2, 1)
		turn, aside, tilt := 0.5*float64(r.IntN(3)), float64(r.IntN(2))*r.Float64(), 0.0
		if r.IntN(3) == 0 {
			turn, tilt = r.Float64(), math.Pow(10, -1-8*r.Float64())
		}
		s := NewSearch()
		var answer Answer
		pb := onCoin(n, turn, aside, 0, tilt)
		if b == bent {
			pb.Rot = pb.Rot.Mul(down)
		}
		// Move B along z until the bodies overlap slightly.
		s.Resolve(a, at(0, 0, 0), b, vec.Pose{Pos: pb.Pos.Add(vec.V(0, 0, 10)), Rot: pb.Rot}, math.Inf(1), &answer)
		pb.Pos.Z = 10 - answer.Gap - math.Pow(10, -2-8*r.Float64())
		s.Resolve(a, at(0, 0, 0), b, pb, math.Inf(1), &answer)
		dtol := math.Pow(10, -1-8*r.Float64())
		if !s.in.Load(a, at(0, 0, 0), b, pb) {
			t.Fatal("not loaded")
		}
		kind, near := s.in.Typist().Typed(dtol, &answer)
		if !near {
			continue
		}
		s.in.Typist().SnapNormal()
		s.in.Typist().Planes.Contact.World = s.in.RotA.Rotate(s.in.Typist().Planes.Contact.N)
		y := &s.in.Typist().Planes
		s.in.Typist().OutlineOf(&y.OnA, s.in.ViewA, &s.in.HullA, y.SetA, 1)
		s.in.Typist().OutlineOf(&y.OnB, s.in.ViewB, &s.in.HullB, y.SetB, -1)
		var all, many ContactList
		s.in.Typist().CombineOutlines(&all, true)
		s.in.Typist().CombineOutlines(&many, false)
		if !slices.Equal(all.Basic, many.Basic) {
			t.Fatalf("pair %d, type %v, dtol %g: %d contacts, expected %d", k, kind, dtol, len(many.Basic), len(all.Basic))
		}
		for _, c := range all.Basic {
			kinds[c.Type]++
		}
	}
	for _, k := range []Type{TypeVertexVertex, TypeVertexEdge, TypeVertexFace, TypeEdgeVertex, TypeFaceVertex, TypeEdgeEdge} {
		if kinds[k] < 100 {
			t.Errorf("%d contacts of type %v, expected 100 or more", kinds[k], k)
		}
	}
}

// TestCoinContactsTakeMemoryByCorners lists the contacts of coplanar faces of n corners. The memory
// must grow as n.
func TestCoinContactsTakeMemoryByCorners(t *testing.T) {
	for _, turn := range []float64{0, 0.5} {
		var taken [2]uint64
		for i, n := range []int{500, 1000} {
			v := coin(t, n)
			s, pb := NewSearch(), onCoin(n, turn, 0, 0.4999, 0)
			var answer Answer
			s.Resolve(v, at(0, 0, 0), v, pb, 0, &answer)
			var list ContactList
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s.Contacts(v, at(0, 0, 0), v, pb, Dtol(v, v), &answer, &list)
			runtime.ReadMemStats(&after)
			taken[i] = after.TotalAlloc - before.TotalAlloc
			want := n // corner on corner
			if turn > 0 {
				want = 2 * n // each side crosses two
			}
			if list.Type != TypeFaceFace || len(list.Basic) != want {
				t.Errorf("%d corners: %v, %d contacts, expected %d", n, list.Type, len(list.Basic), want)
			}
			s.Contacts(v, at(0, 0, 0), v, pb, Dtol(v, v), &answer, &list) // the ContactList holds two lists
			if got := testing.AllocsPerRun(2, func() {
				s.Contacts(v, at(0, 0, 0), v, pb, Dtol(v, v), &answer, &list)
			}); got != 0 {
				t.Errorf("%d corners: %v allocations a list, expected none", n, got)
			}
		}
		if float64(taken[1]) > 2.5*float64(taken[0]) {
			t.Errorf("turned by %v corners: %d bytes with 500 corners, %d with 1000", turn, taken[0], taken[1])
		}
	}
}

// TestSurpassedIsNoFacet tests all pairs of edges of coins for being a facet, by a check of some
// vertices and by the supports of all. It counts the pairs that the check leaves to the supports:
// of n² pairs only a few for each corner.
func TestSurpassedIsNoFacet(t *testing.T) {
	const n = 90
	v := coin(t, n)
	for _, tilt := range []float64{0, 1e-9, 1e-7, 1e-4, 0.3} {
		s := NewSearch()
		if !s.in.Load(v, at(0, 0, 0), v, onCoin(n, 0.37, 0.1, 0.4999, tilt)) {
			t.Fatal("not loaded")
		}
		asked, facets := 0, 0
		limit := s.in.Separating(pair.NegInf).H + s.in.Tol.Tie
		for ea := range v.Edge {
			for eb := range v.Edge {
				gap, m, ok := s.in.Finalise(soa.FacetID{A: uint16(ea), B: uint16(eb), Kind: soa.EdgeEdge})
				if !ok || -gap > limit {
					continue
				}
				_, high := s.in.HullA.Highest(m)
				_, low := s.in.HullB.Lowest(m)
				facet := high-low <= limit && high-low+gap <= s.in.Tol.Tie
				if !s.in.Surpassed(ea, eb, gap, m, limit) {
					asked++
				} else if facet {
					t.Fatalf("tilt %v: edges %d and %d make a facet, which is passed over", tilt, ea, eb)
				}
				if facet {
					facets++
				}
			}
		}
		if tilt >= 1e-9 && asked > 4*n {
			t.Errorf("tilt %v: %d pairs of edges are asked, of %d facets", tilt, asked, facets)
		}
	}
}
