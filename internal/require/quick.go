package require

import "testing"

// Quick reports whether a test should do only its short part: with -short, and under the race
// detector. The race detector checks memory accesses, not numbers, and makes tests ten times
// slower.
func Quick() bool { return testing.Short() || race }

// Numbers skips a test if Quick. It is for long tests of numerical results, if other tests run the
// same code.
func Numbers(t testing.TB) {
	t.Helper()
	if Quick() {
		t.Skip("takes long, and is of numbers")
	}
}
