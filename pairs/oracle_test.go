package pairs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

var solids = []string{"box:1x1x1", "box:1x0.5x0.25", "tetra:1.2", "octa:1", "dodeca:0.4", "prism:5,0.6,0.8", "rock:3,12,0.7", "rock:4,20,0.6"}

// wild returns a table of pairs near contact: with any orientation, aligned, and far from the
// origin.
func wild(r *rand.Rand, n int) (table string, a, b []string, pa, pb []vec.Pose) {
	var text strings.Builder
	text.WriteString(head + "\n")
	for range n {
		x, y := solids[r.IntN(len(solids))], solids[r.IntN(len(solids))]
		p, q := randomPose(r, []float64{0, 1, 1e3}[r.IntN(3)]), randomPose(r, 0)
		if r.IntN(3) == 0 {
			q.Rot = p.Rot
		}
		q.Pos = p.Pos.Add(randomUnit(r).Scale(0.2 + 1.5*r.Float64()))
		text.WriteString(row(x, y, p, q))
		a, b, pa, pb = append(a, x), append(b, y), append(pa, p), append(pb, q)
	}
	return text.String(), a, b, pa, pb
}

// TestOracle compares all methods with an exhaustive search over the facets of K. Methods without
// an exact depth may return more.
func TestOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	table, a, b, pa, pb := wild(r, 300)
	shapes := shapesOf(t)
	for _, m := range narrow.Methods() {
		o := defaults()
		o.Method = m
		list, stats := run(t, table, o, shapes)
		if stats.Status[touching] < 50 || stats.Status[apart] < 50 || stats.Status[failed] != 0 {
			t.Fatalf("%v: %v", m, stats.Status)
		}
		for i, got := range list {
			ha, hb := shapes.find(a[i]), shapes.find(b[i])
			base := pa[i].Pos
			p, q := pa[i], pb[i]
			p.Pos, q.Pos = p.Pos.Sub(base), q.Pos.Sub(base)
			// The poses refer to the frame of the file, so shift them to the frame of the view.
			fa, fb := p, q
			fa.Pos, fb.Pos = p.Point(ha.origin), q.Point(hb.origin)
			bodyA, bodyB := oracle.FromView(ha.view, fa, vec.Vec3{}), oracle.FromView(hb.view, fb, vec.Vec3{})
			want := oracle.Gap(bodyA, bodyB)
			size := max(ha.view.Radius, hb.view.Radius)
			if math.Abs(want.Gap) > 1e-12*size && (want.Gap > 0) != (got.status == apart) {
				t.Fatalf("%v, row %d: %s, and the gap is %g", m, i+1, got.status, want.Gap)
			}
			if !got.hasPoints {
				if m.Measures() || !(got.gap > 0 && got.gap <= want.Gap+1e-12*size) {
					t.Fatalf("%v, row %d: bound %g of %g", m, i+1, got.gap, want.Gap)
				}
				continue
			}
			if deeper := got.gap < want.Gap && got.status == touching && !m.Deepens(); math.Abs(got.gap-want.Gap) > 1e-12*size && !deeper {
				t.Fatalf("%v, row %d: gap %g, expected %g", m, i+1, got.gap, want.Gap)
			}
			if d := bodyA.Support(got.normal) + bodyB.Support(got.normal.Neg()) + got.gap; math.Abs(d) > 1e-11*size || math.Abs(got.normal.Norm()-1) > 1e-14 {
				t.Fatalf("%v, row %d: the normal has the gap %g less", m, i+1, d)
			}
			far := 1e-15 * (1 + base.Norm()) * 8
			if got.onB.Sub(got.onA.AddScaled(got.gap, got.normal)).Norm() > far {
				t.Fatalf("%v, row %d: wb is not wa + gap·n", m, i+1)
			}
			onA, onB := got.onA.Sub(base), got.onB.Sub(base)
			// The witness points lie on the bodies and on their supporting planes.
			for _, w := range []struct {
				body oracle.ConvexBody
				p, n vec.Vec3
			}{{bodyA, onA, got.normal}, {bodyB, onB, got.normal.Neg()}} {
				if d := w.n.Dot(w.p) - w.body.Support(w.n); math.Abs(d) > 1e-11*size+far {
					t.Fatalf("%v, row %d: a witness point is %g off the supporting plane", m, i+1, d)
				}
				middle := w.body.Middle()
				if !w.body.Inside(middle.AddScaled(1-1e-9*(1+base.Norm()), w.p.Sub(middle))) {
					t.Fatalf("%v, row %d: a witness point is outside of its body", m, i+1)
				}
			}
			if got.hasAt != (got.status == touching) {
				t.Fatalf("%v, row %d: a location for %s", m, i+1, got.status)
			}
			if got.hasAt && math.Abs(got.normal.Dot(got.at.Sub(got.onA.AddScaled(0.5*got.gap, got.normal)))) > 1e-11*size+far {
				t.Fatalf("%v, row %d: the location is not on the plane midway", m, i+1)
			}
		}
	}
}

// TestSwap: with A and B exchanged, the gap is the same to the bit if only one normal attains it,
// and the normal is reversed.
func TestSwap(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	_, a, b, pa, pb := wild(r, 200)
	a[0], a[1] = "ball:0.4", "ball:0.4"
	var one, two strings.Builder
	one.WriteString(roundsHead)
	two.WriteString(roundsHead)
	for i := range a {
		ra, rb := float64(i%3)*0.1, float64(i%2)*0.25
		one.WriteString(row(a[i], b[i], pa[i], pb[i], ra, rb))
		two.WriteString(row(b[i], a[i], pb[i], pa[i], rb, ra))
	}
	x, _ := run(t, one.String(), defaults(), shapesOf(t))
	y, _ := run(t, two.String(), defaults(), shapesOf(t))
	same := 0
	for i := range x {
		if math.Abs(x[i].gap-y[i].gap) > 4e-15 || x[i].status != y[i].status {
			t.Errorf("row %d: gap %g and %g", i+1, x[i].gap, y[i].gap)
		}
		if x[i].normal.Add(y[i].normal).Norm() < 1e-9 {
			same++
			if x[i].hasAt && x[i].at.Sub(y[i].at).Norm() > 1e-9*(1+pa[i].Pos.Norm()) {
				t.Errorf("row %d: location %v and %v", i+1, x[i].at, y[i].at)
			}
		}
	}
	if same < 150 {
		t.Errorf("only %d of %d normals turn", same, len(x))
	}
}

// TestScales: the status does not depend on the unit of length. For powers of two the results are
// the same to the bit.
func TestScales(t *testing.T) {
	shapes := shapesOf(t)
	r := rand.New(rand.NewPCG(5, 6))
	poses := make([][2]vec.Pose, 60)
	for i := range poses {
		poses[i] = [2]vec.Pose{randomPose(r, 2), {}}
		poses[i][1] = vec.Pose{Pos: poses[i][0].Pos.Add(randomUnit(r).Scale(0.3 + 1.4*r.Float64())), Rot: randomPose(r, 0).Rot}
	}
	at := func(k float64) []answer {
		name := fmt.Sprintf("box:%gx%gx%g", k, k/2, k)
		table := roundsHead
		for _, p := range poses {
			p[0].Pos, p[1].Pos = p[0].Pos.Scale(k), p[1].Pos.Scale(k)
			table += row(name, name, p[0], p[1], 0.0625*k, 0)
		}
		list, _ := run(t, table, defaults(), shapes)
		return list
	}
	unit := at(1)
	for _, k := range []float64{0x1p-20, 0x1p30, 1e-6, 1e6} {
		m, _ := math.Frexp(k)
		for i, got := range at(k) {
			want := unit[i]
			exact := m == 0.5 && (got.gap != want.gap*k || got.normal != want.normal || got.onA != want.onA.Scale(k) || got.at != want.at.Scale(k))
			if exact || math.Abs(got.gap-want.gap*k) > 1e-13*k || got.status != want.status {
				t.Errorf("scale %g, row %d: %+v, expected %+v", k, i+1, got, want)
			}
		}
	}
}
