package require

import "testing"

// Quick reports whether a test does only its short share: with -short, and under the race detector. That looks at memory and
// not at numbers, and takes ten times as long.
func Quick() bool { return testing.Short() || race }

// Numbers skips a test where tests do only their short share: one that takes long and is of the numbers that come out, which other
// tests make with the same code.
func Numbers(t testing.TB) {
	t.Helper()
	if Quick() {
		t.Skip("takes long, and is of numbers")
	}
}
