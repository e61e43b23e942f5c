package engine

import "testing"

// TestPairsAreDescribedAnew checks the description of each pair after steps with many searches, and in
// a restored world.
func TestPairsAreDescribedAnew(t *testing.T) {
	cfg := Config{Workers: 2, Skin: 0.002}
	w := rubble(t, cfg)
	overlaps := 0
	check := func(w *World) {
		t.Helper()
		_, n, err := w.space.Internals().Keys()
		if overlaps += n; err != nil {
			t.Fatalf("step %d: %v", w.Steps(), err)
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
	if rebuilds := w.AnsweredBy().Rebuilds; rebuilds < 10 || overlaps < 200 {
		t.Errorf("%d rebuilds, %d pairs of which the overlap is asked", rebuilds, overlaps)
	}
}
