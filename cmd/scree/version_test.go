package main

import (
	"runtime/debug"
	"testing"
)

// TestVersionOf: a tag is the version, and a commit without one is named by its revision.
func TestVersionOf(t *testing.T) {
	const revision = "0123456789abcdef0123"
	for _, c := range []struct{ module, revision, modified, want string }{
		{"(devel)", "", "", release},
		{"", "", "", release},
		{"(devel)", revision, "false", release + "+0123456789ab"},
		{"(devel)", revision, "true", release + "+0123456789ab.modified"},
		{"v0.40.0", "", "", "v0.40.0"}, // go install …@v0.40.0
		{"v0.40.0", revision, "false", "v0.40.0"},
		{"v0.40.0-rc.1", revision, "false", "v0.40.0-rc.1"},
		{"v0.40.0+dirty", revision, "true", "v0.40.0+0123456789ab.modified"},
		{"v0.40.1-0.20261129101032-0123456789ab", revision, "false", release + "+0123456789ab"},
		{"v0.40.1-0.20261129101032-0123456789ab+dirty", revision, "true", release + "+0123456789ab.modified"},
		{"v0.0.0-20261129101032-0123456789ab", "", "", release + "+0123456789ab"},
	} {
		b := &debug.BuildInfo{Main: debug.Module{Version: c.module}}
		if c.revision != "" {
			b.Settings = []debug.BuildSetting{{Key: "vcs.revision", Value: c.revision}, {Key: "vcs.modified", Value: c.modified}}
		}
		if got := versionOf(b); got != c.want {
			t.Errorf("%+v: %q, expected %q", c, got, c.want)
		}
	}
}
