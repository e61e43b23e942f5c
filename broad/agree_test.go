package broad_test

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/auto"
	"github.com/scree-dem/scree/broad/brute"
	"github.com/scree-dem/scree/broad/cells"
	"github.com/scree-dem/scree/broad/lc"
	"github.com/scree-dem/scree/broad/lll"
	"github.com/scree-dem/scree/broad/multilevel"
	"github.com/scree-dem/scree/broad/vl"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

// methods lists all methods, which must find the same pairs.
var methods = []struct {
	name string
	make func() broad.Method
}{
	{"brute", func() broad.Method { return brute.New() }},
	{"cells", func() broad.Method { return cells.New() }},
	{"multilevel", func() broad.Method { return multilevel.New() }},
	{"auto", func() broad.Method { return auto.New() }},
	{"lc", func() broad.Method { return lc.New(lc.Options{}) }},
	{"lc, wide cells", func() broad.Method { return lc.New(lc.Options{Cell: 2}) }},
	{"vl", func() broad.Method { return vl.New(vl.Options{}) }},
	{"vl over multilevel", func() broad.Method { return vl.New(vl.Options{Build: multilevel.New()}) }},
	{"lll", func() broad.Method { return lll.New(multilevel.New()) }},
}

// truth returns the pairs of a set by their definition. It shares no code with the methods under
// test.
func truth(s *broad.Input) (pairs [][2]uint32) {
	return truthOf(s, func(i, j int) bool { return true })
}

// truthOf returns those pairs of a set whose rows are asked for.
func truthOf(s *broad.Input, asked func(i, j int) bool) (pairs [][2]uint32) {
	n := s.Len()
	name := func(i int) uint32 {
		if s.ID != nil {
			return s.ID[i]
		}
		return uint32(i)
	}
	places := make([][3]interval, n)
	for i := range places {
		places[i] = axes(s, i)
	}
	for i := range n {
		for j := range n {
			if name(i) < name(j) && asked(i, j) && anyImage(s, places, i, j) {
				pairs = append(pairs, [2]uint32{name(i), name(j)})
			}
		}
	}
	slices.SortFunc(pairs, func(p, q [2]uint32) int { return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1])) })
	return pairs
}

type interval struct{ lo, hi float64 }

// axes returns the sides, or the centre, of row i. They are moved into the domain by whole periods
// in exact arithmetic, and rounded once.
func axes(s *broad.Input, i int) (a [3]interval) {
	if s.Box != nil {
		b := s.Box[i]
		a = [3]interval{{b.Min.X, b.Max.X}, {b.Min.Y, b.Max.Y}, {b.Min.Z, b.Max.Z}}
	} else {
		c := s.Centre[i]
		a = [3]interval{{c.X, c.X}, {c.Y, c.Y}, {c.Z, c.Z}}
	}
	lo, length := from(s)
	for k := range a {
		if s.Periodic[k] {
			a[k] = inPeriod(a[k], lo[k], length[k])
		}
	}
	return a
}

// inPeriod moves an interval by whole periods so that its centre x satisfies from ≤ x < from +
// length.
func inPeriod(a interval, from, length float64) interval {
	exact := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	lo, hi, period := exact(a.lo), exact(a.hi), exact(length)
	turns := new(big.Rat).Add(lo, hi)
	turns.Mul(turns, big.NewRat(1, 2)).Sub(turns, exact(from)).Quo(turns, period)
	whole := new(big.Int).Div(turns.Num(), turns.Denom()) // Div rounds down because the divisor is positive.
	by := new(big.Rat).Mul(new(big.Rat).SetInt(whole), period)
	a.lo, _ = lo.Sub(lo, by).Float64()
	a.hi, _ = hi.Sub(hi, by).Float64()
	return a
}

func from(s *broad.Input) (lo, length [3]float64) {
	d := s.Domain
	return [3]float64{d.Min.X, d.Min.Y, d.Min.Z}, [3]float64{d.Max.X - d.Min.X, d.Max.Y - d.Min.Y, d.Max.Z - d.Min.Z}
}

// anyImage reports whether row i pairs with some image of row j.
func anyImage(s *broad.Input, places [][3]interval, i, j int) bool {
	a, b := places[i], places[j]
	_, length := from(s)
	shifts := func(k int) []float64 {
		if s.Periodic[k] {
			return []float64{-length[k], 0, length[k]}
		}
		return []float64{0}
	}
	for _, x := range shifts(0) {
		for _, y := range shifts(1) {
			for _, z := range shifts(2) {
				c := b
				for k, by := range [3]float64{x, y, z} {
					c[k].lo += by
					c[k].hi += by
				}
				if isPair(s, a, c, i, j) {
					return true
				}
			}
		}
	}
	return false
}

func isPair(s *broad.Input, a, b [3]interval, i, j int) bool {
	if s.Box == nil {
		dx, dy, dz := a[0].lo-b[0].lo, a[1].lo-b[1].lo, a[2].lo-b[2].lo
		r := s.Radius[i] + s.Radius[j] + s.Skin
		return (float64(dx*dx)+float64(dy*dy))+float64(dz*dz) <= float64(r*r)
	}
	for k := range 3 {
		if math.Max(a[k].lo, b[k].lo)-math.Min(a[k].hi, b[k].hi) > s.Skin {
			return false
		}
	}
	return true
}

// compare fails if the found pairs differ from want.
func compare(t *testing.T, name string, found *broad.Found, want [][2]uint32) {
	t.Helper()
	got := make([][2]uint32, len(found.A))
	for k := range got {
		got[k] = [2]uint32{found.A[k], found.B[k]}
	}
	if slices.Equal(got, want) {
		return
	}
	k := 0
	for k < len(got) && k < len(want) && got[k] == want[k] {
		k++
	}
	t.Fatalf("%s: %d pairs, expected %d; pair %d differs: %v, expected %v",
		name, len(got), len(want), k, got[k:min(k+3, len(got))], want[k:min(k+3, len(want))])
}

// configuration returns the set of a seed. The sets contain, alone and combined, everything that
// has made searches fail.
func configuration(seed uint64) *broad.Input {
	r := rand.New(rand.NewPCG(seed, 15))
	n := []int{0, 1, 2, 3, 10, 40, 80}[r.IntN(7)]
	ratio := []float64{1, 1, 2, 20, 100}[r.IntN(5)]
	s := &broad.Input{}
	at := vec.Vec3{}
	if r.IntN(4) == 0 {
		at = vec.V(1e6, -3e7, 1e5)
	}
	side := math.Cbrt(float64(n)+1) * (0.5 + 2*r.Float64())
	flat := r.IntN(5) == 0
	place := r.IntN(6)
	balls := r.IntN(2) == 0
	first := vec.Vec3{}
	for i := range n {
		c := vec.V(r.Float64(), r.Float64(), r.Float64()).Scale(side)
		radius := 0.5 * math.Pow(ratio, -r.Float64())
		switch place {
		case 1: // clustered
			c = vec.V(float64(r.IntN(2)), float64(r.IntN(2)), 0).Scale(8 * side).Add(c.Scale(0.2))
		case 2: // on a lattice, where boxes touch
			c = vec.V(float64(r.IntN(5)), float64(r.IntN(5)), float64(r.IntN(5)))
			radius = math.Ldexp(1, -1-r.IntN(1+int(math.Log2(ratio))))
		case 3: // coincident
			c = vec.V(float64(r.IntN(2)), 0, 0)
		case 4: // identical
			if i > 0 && r.IntN(2) == 0 {
				c, radius = first, 0.5
			}
		case 5: // one far away
			if i == n/2 {
				c = c.Scale(1e9)
			}
		}
		if flat {
			c.Z = 0
		}
		first = c
		c = c.Add(at)
		if balls {
			s.Centre, s.Radius = append(s.Centre, c), append(s.Radius, radius)
			continue
		}
		half := vec.V(radius, radius*(0.2+0.8*r.Float64()), radius)
		if place == 2 {
			half.Y = radius
		}
		if flat {
			half.Z = 0
		}
		s.Box = append(s.Box, vec.Box{Min: c.Sub(half), Max: c.Add(half)})
	}
	if r.IntN(3) == 0 {
		s.Skin = []float64{0.25, 0.1 * r.Float64()}[r.IntN(2)]
	}
	s.Margin = []float64{0, 0.01, 0.3}[r.IntN(3)]
	if r.IntN(3) == 0 {
		s.Domain = vec.Box{Min: at, Max: at.Add(vec.V(side, side, side).Scale(0.5 + r.Float64()))}
		s.Periodic = [3]bool{r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0}
	}
	if r.IntN(3) == 0 {
		for _, k := range r.Perm(n) {
			s.ID = append(s.ID, uint32(3*k+7))
		}
	}
	return s
}

// TestConfigurations compares all methods with truth on random configurations. Each method uses one
// finder for all configurations, because what it stores of one set must not affect the next.
func TestConfigurations(t *testing.T) {
	pool := sched.New(2)
	defer pool.Close()
	finders := make([]*broad.Finder, len(methods))
	for k := range finders {
		finders[k] = broad.NewFinder(methods[k].make())
	}
	found, pairs := &broad.Found{}, 0
	for seed := range uint64(soak(400, 10_000)) {
		s := configuration(seed)
		want := truth(s)
		pairs += len(want)
		for k, m := range methods {
			if s.Pool = nil; seed%3 == 0 {
				s.Pool = pool
			}
			if err := finders[k].Find(s, found); err != nil {
				t.Fatalf("%s, seed %d: %v", m.name, seed, err)
			}
			compare(t, fmt.Sprintf("%s, seed %d", m.name, seed), found, want)
		}
	}
	if pairs == 0 {
		t.Fatal("no pairs")
	}
}
