// Package require decides what a test does when a tool it needs is not there: it skips with the
// reason, or fails where everything is demanded to run. It owns that one choice and nothing else.
package require

import (
	"os"
	"testing"
)

// All is the environment variable, and its value, under which a missing tool fails a test.
const (
	allName  = "SCREE_REQUIRE"
	allValue = "all"
)

// Tool lets the test go on when ok. Otherwise it skips the test with the reason, or fails it when
// SCREE_REQUIRE=all, so that continuous integration cannot pass by skipping.
func Tool(t testing.TB, ok bool, reason string) {
	t.Helper()
	if ok {
		return
	}
	if os.Getenv(allName) == allValue {
		t.Fatalf("%s=%s: %s", allName, allValue, reason)
	}
	t.Skip(reason)
}
