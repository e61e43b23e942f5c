package pairs

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// bytesOf returns the memory that a new worker allocates for one pair.
func bytesOf(t *testing.T, q question, o *Options, kind narrow.Type) uint64 {
	t.Helper()
	s, r := new(solver), make([]result, 1)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s.solve(&q, o, nil, &r[0])
	runtime.ReadMemStats(&after)
	if r[0].fault != nil || r[0].kind != kind {
		t.Errorf("type %v, fault %v, expected %v", r[0].kind, r[0].fault, kind)
	}
	return after.TotalAlloc - before.TotalAlloc
}

// TestCoinsTakeMemoryByCorners puts one n-sided prism on another, so that faces with n corners
// meet. The memory for the answer must grow with n, not with n².
func TestCoinsTakeMemoryByCorners(t *testing.T) {
	pose := func(n int, turn, lift, tilt float64) vec.Pose {
		q := vec.FromRotationVector(vec.V(tilt, 0, 0)).Mul(vec.FromRotationVector(vec.V(0, 0, 2*math.Pi*turn/float64(n))))
		return vec.Pose{Pos: vec.V(0, 0, lift), Rot: q}
	}
	for _, c := range []struct {
		name             string
		turn, lift, tilt float64
	}{{"corner on corner", 0, 0.5, 0}, {"corner on side", 0.5, 0.499, 0}, {"askew", 0.37, 0.4999, 1e-9}} {
		for _, m := range []narrow.Method{narrow.Auto, narrow.GJKEPA} {
			o := defaults()
			o.Method = m
			var taken [2]uint64
			for i, n := range []int{500, 2000} {
				coin := makeBuiltin(fmt.Sprintf("prism:%d,1,0.5", n))
				q := question{a: coin, b: coin, pa: vec.Pose{Rot: vec.Identity}, pb: pose(n, c.turn, c.lift, c.tilt)}
				taken[i] = bytesOf(t, q, &o, narrow.TypeFaceFace)
			}
			if float64(taken[1]) > 8*float64(taken[0]) {
				t.Errorf("%s, %v: %d bytes with 500 corners, %d with 2000", c.name, m, taken[0], taken[1])
			}
		}
	}
}
