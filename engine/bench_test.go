package engine

import (
	"testing"

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
