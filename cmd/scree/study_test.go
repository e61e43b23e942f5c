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

// TestGuides builds the command with the study and the file format of the guides. It runs the study, and
// reads a mesh of the format.
func TestGuides(t *testing.T) {
	replaced := map[string]string{} // by path in the repository
	blocks := func(guide string) (code []string) {
		for _, part := range strings.Split(read(t, "..", "..", "docs", "howto", guide), "```go\n")[1:] {
			text, _, _ := strings.Cut(part, "```")
			code = append(code, text)
		}
		return code
	}
	put := func(folder, file, text string) {
		at, err := filepath.Abs(filepath.Join("..", "..", folder, file))
		if err != nil {
			t.Fatal(err)
		}
		replaced[at] = write(t, file, text)
	}
	put("bench", "hulls.go", blocks("add-a-study.md")[0])
	format := blocks("add-a-file-format.md")
	put("fileio", "tri.go", format[0])
	const constant, row = "	PLY // read only\n", "	PLY:       {\".ply\", (*meshBuilder).decodePLY, nil, nil},\n"
	mesh := read(t, "..", "..", "fileio", "mesh.go")
	if !strings.Contains(mesh, constant) || !strings.Contains(mesh, row) {
		t.Fatal("fileio/mesh.go has no constant or no row of PLY")
	}
	put("fileio", "mesh.go", strings.Replace(strings.Replace(mesh, constant, constant+format[1], 1), row, row+format[2], 1))

	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "scree")
	if text, err := exec.Command("go", "build", "-overlay", write(t, "overlay.json", string(overlay)), "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	run := func(line string) (string, error) {
		text, err := exec.Command(program, strings.Fields(line)...).CombinedOutput()
		return string(text), err
	}
	text, err := run("bench hulls --points 20,200 --repeat 3 -q")
	if lines := strings.Split(text, "\n"); err != nil || len(lines) != 4 || lines[0] != "points  vertices  ns_point  spread" || !strings.HasPrefix(lines[2], "200 ") {
		t.Errorf("%v: %s", err, text)
	}
	text, err = run("bench hulls --points 3")
	if want := "scree: --points is 3, expected 4 to 100000\n"; err == nil || text != want {
		t.Errorf("%v: %q, expected %q", err, text, want)
	}
	tetra := "0 0 0  0 1 0  1 0 0\n0 0 0  1 0 0  0 0 1\n0 0 0  0 0 1  0 1 0\n1 0 0  0 1 0  0 0 1\n"
	if text, err = run("shape info " + write(t, "tetra.tri", tetra)); err != nil || !strings.Contains(text, "0.166666666667") {
		t.Errorf("%v: %q, expected a volume of a sixth", err, text)
	}
	if text, err = run("shape info " + write(t, "bad.tri", tetra+"0 0 0 1 x\n")); err == nil || !strings.Contains(text, `line 5, triangle 4: found "x"`) {
		t.Errorf("%v: %q, expected an error that names line 5", err, text)
	}
}
