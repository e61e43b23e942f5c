package hull

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// beside returns the distance of a point from the nearest triangle of a face's fan.
func beside(pts []vec.Vec3, h *Hull, p vec.Vec3) float64 {
	least := math.Inf(1)
	for _, loop := range h.Faces {
		for j := 2; j < len(loop); j++ {
			least = min(least, fromTriangle(pts[h.Verts[loop[0]]], pts[h.Verts[loop[j-1]]], pts[h.Verts[loop[j]]], p))
		}
	}
	return least
}

// fromTriangle returns the distance of p from a triangle.
func fromTriangle(a, b, c, p vec.Vec3) float64 {
	least, in := math.Inf(1), true
	n := b.Sub(a).Cross(c.Sub(a)).Unit()
	for _, e := range [3][2]vec.Vec3{{a, b}, {b, c}, {c, a}} {
		d, v := e[1].Sub(e[0]), p.Sub(e[0])
		in = in && n.Dot(d.Cross(v)) >= 0
		least = min(least, v.AddScaled(-min(max(v.Dot(d)/d.Norm2(), 0), 1), d).Norm())
	}
	if in {
		return math.Abs(n.Dot(p.Sub(a)))
	}
	return least
}

// TestThinHullsKeepTheirTips checks wedges and lenses whose bevelled tips lie in the layer of their
// sides. Every removed vertex must be near the remaining hull.
func TestThinHullsKeepTheirTips(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 13))
	made, worst := 0, 0.0
	for k := range 20000 {
		pts := make([]vec.Vec3, 5+r.IntN(12))
		thin := math.Pow(10, -2-4*r.Float64())
		for i := range pts {
			x, y := 2*r.Float64()-1, 2*r.Float64()-1
			z := 2*r.Float64() - 1
			if k%2 == 0 {
				z *= 1 - x // a wedge
			}
			pts[i] = vec.V(x, y, thin*z)
		}
		pts = someRotation(pts)
		opt := Options{Merge: math.Pow(10, -3-6*r.Float64())}
		h, err := Compute(pts, opt)
		if errors.Is(err, ErrFlat) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		made++
		verify(t, pts, h, opt)
		tol, largest := tolerance(pts, opt)
		for i, p := range pts {
			out := math.Inf(-1)
			for f, n := range h.Normals {
				out = max(out, n.Dot(p)-h.Offsets[f])
			}
			if out <= 0 {
				continue
			}
			d := beside(pts, h, p)
			worst = max(worst, d/tol)
			if d > 3*tol+16*0x1p-53*largest {
				t.Errorf("set %d: point %d is %.3g tolerances away from the hull", k, i, d/tol)
			}
		}
	}
	t.Logf("%d hulls, at most %.3g tolerances away", made, worst)
}
