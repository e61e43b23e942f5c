package overlap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/vec"
)

// overlapTols are the largest errors of Volume and Dual, in multiples of the sum of the radii.
const (
	volumeTol   = 1e-10
	centroidTol = 1e-9
)

// dualOf asks Dual for the overlap of a pair.
func dualOf(d *Dual, p *pair, kept *DualKept) (float64, vec.Vec3, DualResult) {
	return d.Overlap(p.a, p.pa, p.b, p.pb, p.normal, p.gap, p.armA, p.armB, kept)
}

// TestFullAndDualAreExact compares Volume and Dual, which share no code, with exact arithmetic, cold and
// along random paths.
func TestFullAndDualAreExact(t *testing.T) {
	n := max(150, *soakOverlaps)
	c, d := NewClipper(), &Dual{}
	r := rand.New(rand.NewPCG(9, 9))
	counted, results := 0, map[DualResult]int{}
	worst := [2][2]float64{}
	overlaps(t, n, 32, 2, func(o overlapping) {
		var kept DualKept
		for step := range 3 {
			if step > 0 {
				o.pb.Pos = o.pb.Pos.AddScaled(0.05*o.depth, direction(r))
				o.pb.Rot = vec.FromRotationVector(direction(r).Scale(0.01 * o.depth / o.size)).Mul(o.pb.Rot)
			}
			truth := oracle.NewOverlap(o.a, o.pa, o.b, o.pb).At(vec.Vec3{}, vec.Vec3{}, vec.Vec3{})
			p := solve(o.a, o.pa, o.b, o.pb)
			if truth == nil || -p.gap < 1.1*thinnestDual*o.size {
				return
			}
			want, _ := truth.Volume.Float64()
			size := o.a.Radius + o.b.Radius
			check := func(k int, volume float64, centroid vec.Vec3) {
				off, away := math.Abs(volume-want)/(size*size*size), centroid.Sub(truth.Centre()).Norm()/size
				worst[k][0], worst[k][1] = max(worst[k][0], off), max(worst[k][1], away)
				if !(off <= volumeTol && away <= centroidTol) {
					t.Errorf("method %d, %d and %d vertices, %.3g deep: volume %g of %g, off by %.3g, centroid by %.3g",
						k, o.a.NVerts, o.b.NVerts, o.depth, volume, want, off, away)
				}
			}
			counted++
			if volume, centroid, ok := c.Volume(o.a, o.pa, o.b, o.pb, p.normal); ok {
				check(0, volume, centroid)
			} else {
				t.Errorf("no volume of an overlap %g deep", o.depth)
			}
			volume, centroid, how := dualOf(d, &p, &kept)
			if results[how]++; how == DualNone {
				t.Errorf("the dual finds no overlap %g deep", -p.gap)
				continue
			}
			check(1, volume, centroid)
		}
	})
	t.Logf("%d overlaps, %v by result; full and dual are off by %.2g in volume and %.2g in centroid", counted, results, worst[0], worst[1])
	if results[DualReuse] < counted/4 || counted < 2*n {
		t.Errorf("of %d overlaps %v by result", counted, results)
	}
}
