package invariants

import "testing"

// taggedOn is set by the file that only the tag compiles.
var taggedOn = false

func TestEnabledFollowsTheTag(t *testing.T) {
	if Enabled != taggedOn {
		t.Errorf("Enabled is %v, the build tag says %v", Enabled, taggedOn)
	}
}
