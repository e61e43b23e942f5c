package engine

import (
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// BenchmarkRotate turns one free body at the speed of a tumbling rock.
func BenchmarkRotate(b *testing.B) {
	inverse, _ := vec.Sym3{XX: 1, YY: 2, ZZ: 2.5, XY: 0.1, XZ: 0.2, YZ: 0.1}.Inverse()
	q, l := vec.Identity, vec.V(20, 10, 5)
	turned := 0.0
	for b.Loop() {
		q, turned = rotate(q, l, inverse, 5e-5)
	}
	if !(turned > 0) || !q.Finite() {
		b.Fatal("the body does not turn")
	}
}

// BenchmarkStep steps a settled heap.
func BenchmarkStep(b *testing.B) {
	w := heap(b, Config{}, 96)
	steps(b, w, 4000, heapStep)
	bodies := float64(w.bodies.Len() - len(w.walls))
	b.ResetTimer()
	n := 0
	for b.Loop() {
		steps(b, w, 1, heapStep)
		n++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n)/bodies, "ns/body-step")
}

// BenchmarkFloor measures a step of bodies that slide over a floor of one facet and of 200 facets.
func BenchmarkFloor(b *testing.B) {
	for _, c := range []struct {
		kind  string
		floor triangles
		facet string
	}{
		{"block", square, "1"}, {"block", gridFloor(10, 0.3, 1), "200"},
		{"rock", square, "1"}, {"rock", gridFloor(10, 0.3, 1), "200"},
		{"ball", square, "1"}, {"ball", gridFloor(10, 0.3, 1), "200"},
	} {
		b.Run("kind="+c.kind+"/facets="+c.facet, func(b *testing.B) {
			w := newWorld(b, Config{Gravity: down, Workers: 1}, force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.4, ByRestitution: true, Restitution: 0.1})
			c.floor.wall(b, w, vec.IdentityPose, Motion{})
			shape := map[string]*soa.Template{"block": box(b, 0.08, 0.06, 0.04), "rock": rock(b, 3, 20, 0.04), "ball": ball(b, 0.03)}[c.kind]
			s := addShape(b, w, shape)
			for i := range 100 {
				p := vec.V(-0.85+0.19*float64(i%10), -0.85+0.19*float64(i/10), 0.05)
				addBody(b, w, BodySpec{Parts: one(s, 1000), Pose: vec.Pose{Pos: p, Rot: vec.Identity}, Vel: vec.V(0.01, 0.02, 0)})
			}
			steps(b, w, 4000, 2e-4)
			if n := activeContacts(w); n < 90 || n > 110 {
				b.Fatalf("%d contacts, expected one or so for each body", n)
			}
			for b.Loop() {
				steps(b, w, 1, 2e-4)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/body")
		})
	}
}
