package require

import (
	"os"
	"testing"
)

// Quick reports whether a test should do only its short part: with -short, and under the race
// detector. The race detector checks memory accesses, not numbers, and makes tests ten times
// slower.
func Quick() bool { return testing.Short() || race }

// Rounds returns how often a test of random cases draws one: quick times if Quick, and plain times
// otherwise. With SCREE_LONG=all, which make soak-tests sets, it is long times.
func Rounds(quick, plain, long int) int {
	switch {
	case Quick():
		return quick
	case os.Getenv(longName) == allValue:
		return long
	}
	return plain
}

// Numbers skips a test if Quick. It is for long tests of numerical results, if other tests run the
// same code.
func Numbers(t testing.TB) {
	t.Helper()
	if Quick() {
		t.Skip("takes long, and is of numbers")
	}
}
