package narrow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// coin is a prism of n sides.
func coin(t testing.TB, n int) *soa.View {
	t.Helper()
	p, err := geometry.Prism(n, 1, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	return addTemplate(t, p.Template())
}

// onCoin lays a coin on another one, turned by so many corners, tilted and moved aside.
func onCoin(n int, turn, aside, lift, tilt float64) vec.Pose {
	q := vec.FromRotationVector(vec.V(tilt, 0.3*tilt, 0)).Mul(vec.FromRotationVector(vec.V(0, 0, 2*math.Pi*turn/float64(n))))
	return vec.Pose{Pos: vec.V(aside, aside/3, lift), Rot: q}
}

// TestLowestAroundIsTheLowest compares the way around a polygon with all its corners, for directions that turn either way or jump.
func TestLowestAroundIsTheLowest(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 15))
	for _, n := range []int{5, 16, 17, 40, 300} {
		v := coin(t, n)
		s := NewSearch()
		if !s.load(v, at(0, 0, 0), v, onCoin(n, 0.5, 0.2, 0.5, 1e-3)) {
			t.Fatal("not loaded")
		}
		q := corners(nil, v, 0)
		for f := range v.NFaces {
			if c := corners(nil, v, f); len(c) > len(q) {
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
			if k%5 == 0 { // along a side, where two corners are level
				i := r.IntN(len(q))
				e := s.b.at(int(q[i])).Sub(s.b.at(int(q[(i+1)%n])))
				d = e.Cross(vec.V(0, 0, 1))
			}
			want := math.Inf(1)
			for _, j := range q {
				want = min(want, d.Dot(s.b.at(int(j))))
			}
			low := 0.0
			if from, low = s.lowestAround(&s.b, q, from, d); low != want {
				t.Fatalf("%d corners, direction %v: %v, expected %v", n, d, low, want)
			}
		}
	}
}

// TestAskewCoins has faces of many corners that lean from each other by next to nothing: the pairs of their edges, all of which would
// cost a support, are left to a search, and the answer is that of one.
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
				u.load(v, at(0, 0, 0), v, pb)
				u.facePair(want.Facet)
				if k := len(u.edgesA) * len(u.edgesB); k > n*n/2 {
					t.Errorf("%d pairs of edges asked", k)
				}
			})
		}
	}
}
