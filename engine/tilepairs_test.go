package engine

import "testing"

// TestPairsAreDescribedAnew checks the tilePair of each pair, after steps with many rebuilds, and
// in a restored world.
func TestPairsAreDescribedAnew(t *testing.T) {
	cfg := Config{Workers: 2, Skin: 0.002}
	w := rubble(t, cfg)
	shared := 0
	check := func(w *World) {
		t.Helper()
		for i := range w.pairs.A {
			if w.pairs.Vacant(i) {
				continue
			}
			var want tilePair
			got := w.described[i]
			if w.describe(i, &want); got != want {
				t.Fatalf("step %d: pair %d is %+v, expected %+v", w.Steps(), i, got, want)
			}
			if got.shared {
				shared++
			}
		}
	}
	for range 20 {
		steps(t, w, 20, 8e-4)
		check(w)
	}
	again := rubble(t, cfg)
	if err := again.Restore(w.State()); err != nil {
		t.Fatal(err)
	}
	steps(t, again, 1, 8e-4)
	check(again)
	if rebuilds := w.AnsweredBy().Rebuilds; rebuilds < 10 || shared < 200 {
		t.Errorf("%d rebuilds, %d pairs of which the overlap is asked", rebuilds, shared)
	}
}
