package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/scree-dem/scree/bench"
	"github.com/scree-dem/scree/internal/disk"
)

// TestFullDiskKeepsStudy: where a study cannot be written, the tables of an earlier one stay as they were, and the rows are
// shown all the same.
func TestFullDiskKeepsStudy(t *testing.T) {
	dir := t.TempDir()
	args := []string{"bench", "narrow", "--location", "--shape", "tetra", "--pairs", "16", "--repeat", "1", "--time", "0.0001", "-q", "-o", dir}
	call(args...).wants(t, 0)
	files := []string{"location.csv", "location.json"}
	var was []string
	for _, name := range files {
		was = append(was, read(t, dir, name))
	}
	disk.Before = func(op disk.Op, path string, n int) (int, error) {
		if op == disk.OpWrite {
			return n / 2, syscall.ENOSPC
		}
		return 0, nil
	}
	defer func() { disk.Before = nil }()
	r := call(args...)
	r.wants(t, 1, "location.csv", "no space left")
	if !strings.Contains(r.out, "ns_pair") {
		t.Errorf("the rows are not shown: %q", r.out)
	}
	for i, name := range files {
		if read(t, dir, name) != was[i] {
			t.Errorf("%s is not as it was", name)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// TestStudiesOnAllProcessors: --workers 0 is one worker for each processor. They are counted in the rows, and timed by the clock of
// the wall: that of one thread runs while others work, or not at all.
func TestStudiesOnAllProcessors(t *testing.T) {
	all := runtime.GOMAXPROCS(0)
	r := call("bench", "inside", "--mesh", "sphere:1,2", "--side", "5", "--method", "auto", "--repeat", "1", "--workers", "0", "--json")
	r.wants(t, 0)
	for _, row := range decode[reportOf[bench.InsideRow]](t, r.out).Rows {
		if row.Workers != all || !(row.NsPoint > 0) || !(row.Setup > 0) {
			t.Errorf("%d workers, %g ns, setup %g ms; expected %d workers and times above 0", row.Workers, row.NsPoint, row.Setup, all)
		}
	}
	r = call("bench", "broad", "--bodies", "50", "--ratio", "1", "--method", "multilevel", "--repeat", "1", "--workers", "0", "--json")
	r.wants(t, 0)
	for _, row := range decode[reportOf[bench.BroadRow]](t, r.out).Rows {
		if row.Workers != all || all > 1 && row.Gain == 0 {
			t.Errorf("%d workers, gain %g; expected %d workers", row.Workers, row.Gain, all)
		}
	}
}

// TestGuideOfStudies builds the command with the study of the guide, and runs the example of the study.
func TestGuideOfStudies(t *testing.T) {
	guide := read(t, "..", "..", "docs", "howto", "add-a-study.md")
	_, code, _ := strings.Cut(guide, "```go\n")
	code, _, _ = strings.Cut(code, "```")
	at, err := filepath.Abs(filepath.Join("..", "..", "bench", "hulls.go"))
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{at: write(t, "hulls.go", code)}})
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "scree")
	if text, err := exec.Command("go", "build", "-overlay", write(t, "overlay.json", string(overlay)), "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	text, err := exec.Command(program, strings.Fields("bench hulls --points 20,200 --repeat 3 -q")...).CombinedOutput()
	if lines := strings.Split(string(text), "\n"); err != nil || len(lines) != 4 || lines[0] != "points  vertices  ns_point  spread" || !strings.HasPrefix(lines[2], "200 ") {
		t.Errorf("%v: %s", err, text)
	}
	text, err = exec.Command(program, strings.Fields("bench hulls --points 3")...).CombinedOutput()
	if want := "scree: --points is 3, expected 4 to 100000\n"; err == nil || string(text) != want {
		t.Errorf("%v: %q, expected %q", err, text, want)
	}
}
