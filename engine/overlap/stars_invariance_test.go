package overlap

import (
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestStarsInvariance: the same contact in other units, with A and B swapped, far away or rotated.
// Powers of two change no bit.
func TestStarsInvariance(t *testing.T) {
	r := rand.New(rand.NewPCG(111, 112))
	c := NewCutter()
	sizes := []vec.Vec3{vec.V(1, 1, 1), vec.V(1, 2, 0.5), vec.V(0.3, 0.4, 3)}
	make2 := func(i, j int, s float64) (a, b *soa.View) {
		of := func(k int) oracle.Body { v := sizes[k].Scale(s); return boxBody(v.X, v.Y, v.Z) }
		return view(t, of(i)), view(t, of(j))
	}
	answered := 0
	for range 150 {
		i, j := r.IntN(3), r.IntN(3)
		a, b := make2(i, j, 1)
		p := starPair(r, a, b)
		p.pb.Pos, p.pa.Pos = p.pb.Pos.Sub(p.pa.Pos), vec.Vec3{}
		if !p.byStars(c) {
			continue
		}
		at, area, _ := p.reduced(c)
		wide := c.Gyration()
		answered++
		// Nearly parallel features have fewer correct digits; see TestStarsAgainstSlowSection.
		tol := max(1e-12*max(1, p.condition()/100), 1e-15/-p.gap)
		same := func(what string, q pair, back func(vec.Vec3) vec.Vec3, unit, tol float64) {
			t.Helper()
			if !q.byStars(c) {
				t.Errorf("%s: no stars", what)
				return
			}
			got, gotArea, _ := q.reduced(c)
			nearVec(t, what+": location", back(got).Scale(1/unit), at, tol)
			near(t, what+": area", gotArea/unit/unit, area, tol)
			if w := c.Gyration(); what != "turned" {
				near(t, what+": moments", worstMoment(w.Scale(1/unit/unit), wide), 0, tol)
			}
		}
		still := func(v vec.Vec3) vec.Vec3 { return v }
		for _, s := range []float64{0x1p20, 0x1p-20, 1e6, 1e-6} {
			q := p
			q.a, q.b = make2(i, j, s)
			q.pb.Pos, q.gap, q.armA, q.armB = p.pb.Pos.Scale(s), p.gap*s, p.armA.Scale(s), p.armB.Scale(s)
			if s == 0x1p20 || s == 0x1p-20 {
				same("scaled", q, still, s, 0)
			} else {
				same("scaled", q, still, s, tol)
			}
		}
		same("swapped", p.swapped(), func(v vec.Vec3) vec.Vec3 { return v.Add(p.pb.Pos) }, 1, tol)
		moved := p
		moved.pa.Pos, moved.pb.Pos = vec.V(64, -32, 16), p.pb.Pos.Add(vec.V(64, -32, 16))
		same("moved", moved, still, 1, 64*tol) // positions have an error of 2⁻⁴⁶ there, 64 times larger
		turn := turn(r)
		turned := p
		turned.pa.Rot, turned.pb.Rot = turn.Mul(p.pa.Rot), turn.Mul(p.pb.Rot)
		turned.pb.Pos, turned.normal = turn.Rotate(p.pb.Pos), turn.Rotate(p.normal)
		turned.armA, turned.armB = turn.Rotate(p.armA), turn.Rotate(p.armB)
		same("turned", turned, turn.RotateInv, 1, tol)
	}
	if answered < 100 {
		t.Errorf("%d of 150 by stars", answered)
	}
}
