package require

import (
	"os"
	"testing"
)

// allName is the environment variable, and allValue its value, under which a missing tool fails a test.
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
