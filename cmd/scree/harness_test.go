package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/scree-dem/scree/bench"
)

// result is the result of a call of the command.
type result struct {
	status   int
	out, err string
}

// call runs the command in this process.
func call(args ...string) result { return callWith("", args...) }

func callWith(stdin string, args ...string) result {
	var out, errs bytes.Buffer
	status := Main(args, strings.NewReader(stdin), &out, &errs)
	return result{status, out.String(), errs.String()}
}

// wants checks the exit status, and that standard error contains all texts.
func (r result) wants(t *testing.T, status int, texts ...string) {
	t.Helper()
	if r.status != status {
		t.Errorf("status %d, expected %d; standard error:\n%s", r.status, status, r.err)
	}
	for _, text := range texts {
		if !strings.Contains(r.err, text) {
			t.Errorf("standard error %q, expected %q in it", r.err, text)
		}
	}
}

// wantsOneLine checks that there is one line on standard error and nothing on standard output.
func (r result) wantsOneLine(t *testing.T, status int, texts ...string) {
	t.Helper()
	r.wants(t, status, texts...)
	if n := strings.Count(r.err, "\n"); n != 1 || !strings.HasPrefix(r.err, "scree: ") {
		t.Errorf("standard error has %d lines, expected one that begins with \"scree: \":\n%s", n, r.err)
	}
	if strings.Contains(r.err, "goroutine") {
		t.Errorf("standard error holds a trace:\n%s", r.err)
	}
}

// write writes content to a file in a new folder.
func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// reportOf is what a study writes as JSON.
type reportOf[R any] struct {
	Machine bench.Machine
	Rows    []R
}

func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in JSON:\n%s", err, text)
	}
	return v
}

// small returns a scene of eight cubes above a floor. head comes before its tables, and tables are
// lines after them; the first of these may be keys of [output].
func small(head string, tables ...string) string {
	return head + `
seed = 3
[time]
dt = 1e-4
steps = 100
[materials.stone]
density = 2600
[shapes.cube]
builtin = "box:0.1x0.1x0.1"
material = "stone"
[[bodies]]
generator = "grid"
shapes = ["cube"]
count = [2, 2, 2]
spacing = 0.15
origin = [0, 0, 0.06]
[[walls]]
name = "floor"
material = "stone"
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[law]
stiffness = 5e5
friction = 0.5
restitution = 0.5
[output]
every = 50
` + strings.Join(tables, "\n")
}

// cubeOBJ returns a unit cube whose corner i is moved by move.
func cubeOBJ(move func(i int, v *[3]float64), faces ...string) string {
	var b strings.Builder
	for i := range 8 {
		v := [3]float64{float64(i & 1), float64(i >> 1 & 1), float64(i >> 2)}
		if move != nil {
			move(i, &v)
		}
		fmt.Fprintf(&b, "v %g %g %g\n", v[0], v[1], v[2])
	}
	if faces == nil {
		faces = []string{"1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"}
	}
	for _, f := range faces {
		fmt.Fprintf(&b, "f %s\n", f)
	}
	return b.String()
}

// home is the folder of the built program. It is removed at the end.
var home string

// program builds the command once for the tests that need a process.
var program = sync.OnceValues(func() (string, error) {
	path := filepath.Join(home, "scree")
	if text, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, text)
	}
	return path, nil
})

func built(t *testing.T) string {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMain(m *testing.M) {
	var err error
	if home, err = os.MkdirTemp("", "scree-test-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	_ = os.RemoveAll(home)
	os.Exit(status)
}
