package oracle

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/vec"
)

func TestGapKnown(t *testing.T) {
	unitCube := box(1, 1, 1)
	corner := cornerDown()
	for _, c := range []struct {
		name   string
		a, b   ConvexBody
		gap    float64
		normal vec.Vec3
		ties   int
	}{
		{"V1 cubes offset", unitCube, unitCube.Moved(vec.V(0.3, 0.2, 0.1)), -0.7, vec.V(1, 0, 0), 1},
		{"V10 cubes 2 offset 0.5", box(2, 2, 2), box(2, 2, 2).Moved(vec.V(0.5, 0, 0)), -1.5, vec.V(1, 0, 0), 1},
		{"libccd 25", box(2, 2, 2), box(2, 2, 2).Moved(vec.V(1.9, 0, 0)), -0.1, vec.V(1, 0, 0), 1},
		{"concentric cubes", unitCube, unitCube, -1, vec.Vec3{}, 6},
		{"small in large", box(0.1, 0.1, 0.1), unitCube.Moved(vec.V(-0.1, 0, 0)), -0.45, vec.V(-1, 0, 0), 1},
		{"V5 corner in a block", corner.Moved(vec.V(0, 0, -0.1)), box(8, 8, 4).Moved(vec.V(0, 0, -2)), -0.1, vec.V(0, 0, -1), 1},
		{"V6 edge in a block", bar(2, 1, true).Moved(vec.V(0, 0, 0.9)), box(8, 8, 4).Moved(vec.V(0, 0, -2)), -0.1, vec.V(0, 0, -1), 1},
		{"V7 crossed bars", bar(6, 1, true).Moved(vec.V(0, 0, 0.95)), bar(6, 1, false).Moved(vec.V(0, 0, -0.95)), -0.1, vec.V(0, 0, -1), 1},
		{"V4 tetra and its negative", tetra(), Hull([]vec.Vec3{vec.V(-1, -1, -1), vec.V(-1, 1, 1), vec.V(1, -1, 1), vec.V(1, 1, -1)}),
			-2 / math.Sqrt(3), vec.Vec3{}, 4},
		{"faces apart", unitCube, unitCube.Moved(vec.V(1.25, 0.5, 0)), 0.25, vec.V(1, 0, 0), 1},
		{"faces graze", unitCube, unitCube.Moved(vec.V(1, 0.5, 0)), 0, vec.V(1, 0, 0), 1},
		{"parallel edges apart", unitCube, unitCube.Moved(vec.V(1.3, 1.4, 0)), 0.5, vec.V(0.6, 0.8, 0), 1},
		{"vertices apart", unitCube, unitCube.Moved(vec.V(2, 3, 3)), 3, vec.V(1, 2, 2).Scale(1.0 / 3), 1},
		{"crossed edges apart", bar(6, 1, true).Moved(vec.V(0, 0, 1.5)), bar(6, 1, false).Moved(vec.V(0, 0, -1)), 0.5, vec.V(0, 0, -1), 1},
		{"facet under a cube", unitCube.Moved(vec.V(0, 0, 0.4)), facet(vec.V(-3, -3, 0), vec.V(3, -3, 0), vec.V(0, 5, 0)), -0.1, vec.V(0, 0, -1), 1},
		{"facet beside a cube", unitCube, facet(vec.V(0.75, -1, 0), vec.V(0.75, 1, 0), vec.V(3, 0, 0)), 0.25, vec.V(1, 0, 0), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := Gap(c.a, c.b)
			near(t, "gap", r.Gap, c.gap, 1e-14)
			if c.ties != r.Ties {
				t.Errorf("ties %d, want %d", r.Ties, c.ties)
			}
			if c.ties == 1 {
				nearVec(t, "normal", r.Normal, c.normal, 1e-14)
			}
			nearVec(t, "points' difference", r.PointB.Sub(r.PointA), r.Normal.Scale(r.Gap), 1e-14)
		})
	}
}

// cornerDown returns a cube of side 2 with its lowest corner at the origin and a vertical diagonal.
func cornerDown() ConvexBody {
	c := box(2, 2, 2).Moved(vec.V(1, 1, 1))
	axis := vec.V(1, 1, 1).Cross(vec.V(0, 0, 1))
	q := vec.FromRotationVector(axis.Unit().Scale(vec.Acos(1 / math.Sqrt(3))))
	return c.Placed(q, vec.Vec3{})
}

// TestGapIsMaximum compares Gap with random directions, none of which may be better, and with the
// distance over feature pairs, which does not use Gap's directions.
func TestGapIsMaximum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	overlapping, apart := 0, 0
	for range 120 {
		a, b := rock(r, 4+r.IntN(8)), rock(r, 4+r.IntN(8))
		b = b.Placed(turn(r), unit(r).Scale(3*r.Float64()))
		g := Gap(a, b)
		for range 500 {
			n := g.Normal.AddScaled(math.Exp(-20*r.Float64()), unit(r)).Unit()
			if s := -(a.Support(n) + b.Support(n.Neg())); s > g.Gap+1e-14 {
				t.Fatalf("direction %v has gap %g, more than %g", n, s, g.Gap)
			}
		}
		switch {
		case g.Gap > 0:
			apart++
			d, _, _ := Distance(a, b)
			near(t, "gap against distance", g.Gap, d, 1e-14)
		default:
			overlapping++
			// Moved apart by the depth, the bodies touch; moved by less, they still overlap.
			d, _, _ := Distance(a, b.Moved(g.Normal.Scale(-g.Gap+0.01)))
			near(t, "distance once moved apart", d, 0.01, 1e-14)
			if g.Gap < -0.01 {
				less := Gap(a, b.Moved(g.Normal.Scale(-g.Gap-0.01))).Gap
				near(t, "gap once moved less", less, -0.01, 1e-13)
			}
		}
	}
	if overlapping < 30 || apart < 20 {
		t.Errorf("%d overlapping and %d apart: the sample is lopsided", overlapping, apart)
	}
}

func TestGapSwapAndMove(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		a, b := rock(r, 4+r.IntN(6)), rock(r, 4+r.IntN(6))
		b = b.Placed(turn(r), unit(r).Scale(2.2*r.Float64()))
		g, s := Gap(a, b), Gap(b, a)
		near(t, "swapped gap", s.Gap, g.Gap, 1e-14)
		nearVec(t, "swapped normal", s.Normal, g.Normal.Neg(), 1e-12)
		q := turn(r)
		m := Gap(a.Placed(q, vec.Vec3{}), b.Placed(q, vec.Vec3{}))
		near(t, "turned gap", m.Gap, g.Gap, 1e-13)
		nearVec(t, "turned normal", m.Normal, q.Rotate(g.Normal), 1e-10)
	}
}

// TestCrossOfDifferences tests vectors with exact inputs whose directions differ by 1e-15.
func TestCrossOfDifferences(t *testing.T) {
	e := math.Ldexp(1, -50)
	n := CrossOfDifferences(vec.V(0, 0, 0), vec.V(1+e, 1, 3), vec.V(0, 0, 0), vec.V(1, 1-e, 3))
	// (1+e)(1-e) - 1 = -e², which plain float64 products round to 0.
	nearVec(t, "product", n, vec.V(3*e, -3*e, -e*e), 0)
}
