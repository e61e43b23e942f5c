package engine

import (
	"testing"

	"github.com/scree-dem/scree/vec"
)

// BenchmarkMeasureRegion measures a heap of 1000 bodies, in whole, beside a step of it.
func BenchmarkMeasureRegion(b *testing.B) {
	w := heap(b, Config{}, 1000)
	steps(b, w, 2000, 5e-4)
	r, err := BoxRegion(vec.Box{Min: vec.V(-2, -2, 0), Max: vec.V(2, 2, 9)})
	if err != nil {
		b.Fatal(err)
	}
	var m RegionMeasure
	for _, part := range []struct {
		name string
		run  func() error
	}{
		{"measure", func() error { return w.MeasureRegion(r, &m) }},
		{"unbalanced", func() error { _ = w.Unbalanced(); return nil }},
		{"solid", func() error { _, err := w.SolidFraction(r); return err }},
		{"step", func() error { return w.Step(5e-4) }},
	} {
		b.Run("of="+part.name, func(b *testing.B) {
			for b.Loop() {
				if err := part.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	if m.Bodies < 900 || m.Contacts < 900 {
		b.Fatalf("the region has %d bodies and %d contacts", m.Bodies, m.Contacts)
	}
}
