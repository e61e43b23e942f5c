package require

import (
	"os"
	"testing"
)

// If the environment variable allName has the value allValue, a missing tool fails a test. If
// longName has it, tests of random cases draw as many as a soak does.
const (
	allName  = "SCREE_REQUIRE"
	longName = "SCREE_LONG"
	allValue = "all"
)

// Tool returns if ok is true. Otherwise it skips the test with the reason, or fails it under
// SCREE_REQUIRE=all, so that continuous integration cannot pass by skipping tests.
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
