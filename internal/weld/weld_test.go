package weld

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// brute implements the rule of Points directly.
func brute(points []vec.Vec3, tol float64) (kept []vec.Vec3, index []int32) {
next:
	for _, p := range points {
		for k, q := range kept {
			if tol == 0 && p == q || tol > 0 && within(q, p, tol) {
				index = append(index, int32(k))
				continue next
			}
		}
		index = append(index, int32(len(kept)))
		kept = append(kept, p)
	}
	return kept, index
}

func FuzzPoints(f *testing.F) {
	for seed := range uint64(6) {
		f.Add(seed, uint8(40+20*seed), int8(seed)-3, 0.02*float64(seed))
	}
	f.Add(uint64(9), uint8(200), int8(30), 1e-13)
	f.Fuzz(func(t *testing.T, seed uint64, n uint8, exponent int8, relative float64) {
		rng := rand.New(rand.NewPCG(seed, 2))
		size := math.Ldexp(1, int(exponent))
		points := make([]vec.Vec3, n)
		for i := range points {
			// A lattice with most points slightly off it, so that there are ties and near misses.
			points[i] = vec.Vec3{X: float64(rng.IntN(9)), Y: float64(rng.IntN(9)), Z: float64(rng.IntN(9))}.Scale(size / 8)
			points[i] = points[i].AddScaled(size*1e-2*rng.Float64()*float64(rng.IntN(3)), vec.Vec3{X: rng.Float64(), Y: 1})
		}
		if relative = math.Abs(relative); !(relative < 1e6) || relative > 0 && relative < 1e-100 {
			t.Skip("the tolerance is out of range")
		}
		wantKept, wantIndex := brute(points, relative*size)
		gotKept, gotIndex := Points(points, relative*size)
		if !reflect.DeepEqual(gotKept, wantKept) || len(points) > 0 && !reflect.DeepEqual(gotIndex, wantIndex) {
			t.Fatalf("got %v %v\nwant %v %v", gotKept, gotIndex, wantKept, wantIndex)
		}
	})
}
