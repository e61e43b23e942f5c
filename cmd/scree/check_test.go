package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/scene"
)

// TestCheck checks a scene with --check, as text and as JSON. No folder may be created.
func TestCheck(t *testing.T) {
	path := write(t, "scene.toml", small(""))
	dir := filepath.Join(t.TempDir(), "out")
	r := call("run", path, "--check", "-o", dir)
	r.wants(t, 0)
	for _, want := range []string{"can run", "8, walls 1, pieces 9", "100 of 0.0001 s; at most", "memory", "disk", "3 frames"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("%q is not in\n%s", want, r.out)
		}
	}
	r = call("run", path, "--check", "--json", "--steps", "1000", "-o", dir)
	r.wants(t, 0)
	if rep := decode[scene.Report](t, r.out); rep.Bodies != 8 || rep.Steps != 1000 || rep.Frames != 21 {
		t.Errorf("%+v", rep)
	}
	r = call("run", write(t, "scene.toml", small("", "checkpoint_every = 100")), "--check")
	if r.wants(t, 0); !strings.Contains(r.out, " rows, 1 checkpoint\n") {
		t.Errorf("the report is\n%s", r.out)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder was made")
	}
	call("run", write(t, "bad.toml", strings.Replace(small(""), "1e-4", "1e-1", 1)), "--check").wantsOneLine(t, 2, "time.dt")
}

// TestSummaryTellsLevels: the summary describes in words what answered the pairs.
func TestSummaryTellsLevels(t *testing.T) {
	r := call("run", write(t, "scene.toml", small("")), "-o", filepath.Join(t.TempDir(), "out"), "-q", "--steps", "600")
	r.wants(t, 0)
	if !strings.Contains(r.out, "% skipped: not moved far enough to touch (odometer)") {
		t.Errorf("the summary is\n%s", r.out)
	}
}
