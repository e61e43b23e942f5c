package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestReport: run --report and report write the same page, but for the times of the run.
func TestReport(t *testing.T) {
	path, dir := write(t, "scene.toml", small("")), t.TempDir()
	page := filepath.Join(dir, reportName)
	run := call("run", path, "-o", dir, "-q", "--steps", "100", "--report")
	run.wants(t, 0)
	was := read(t, page)
	again := call("report", dir)
	again.wants(t, 0)
	if !strings.Contains(run.out, "open "+page+" in a browser") || !strings.HasPrefix(again.out, page) {
		t.Errorf("the commands print %q and %q", run.out, again.out)
	}
	if read(t, page) != was || !strings.Contains(was, "id=\"scree-frame-2\"") || strings.Contains(was, "id=\"scree-frame-3\"") {
		t.Errorf("the pages have %d and %d bytes", len(was), len(read(t, page)))
	}
	call("report", dir, "--frames", "1").wants(t, 0)
	if strings.Contains(read(t, page), "id=\"scree-frame-1\"") {
		t.Error("the page has more than one frame")
	}
	empty := t.TempDir()
	call("report", empty).wantsOneLine(t, 2, empty, "expected the folder of a run")
	call("view", empty).wantsOneLine(t, 2, empty, "expected the folder of a run")
	call("report", dir, "--frames", "0").wantsOneLine(t, 2, "--frames is 0", "at least 1")
	call("view", dir, "--port", "65536").wantsOneLine(t, 2, "--port is 65536", "65535")
	call("view", dir, "--every-body", "0").wantsOneLine(t, 2, "--every-body is 0", "at least 1")
}
