//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/scree-dem/scree/fileio"
)

// TestOutputsKeepInputs: no command overwrites its inputs, under any name, or waits for the reader
// of a pipe.
func TestOutputsKeepInputs(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if r := call("shape", "make", "box:1x1x1", "-o", at("cube.obj")); r.status != 0 {
		t.Fatal(r.err)
	}
	if err := fileio.WriteSettled(at("step.csv"), &fileio.Settled{}); err != nil {
		t.Fatal(err)
	}
	table := write(t, "pairs.csv", pairsHead+"\n")
	for _, err := range []error{
		os.Symlink(at("cube.obj"), at("link.obj")), os.Link(at("step.csv"), at("hard.txt")), syscall.Mkfifo(at("pipe.obj"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	mesh, pile := read(t, at("cube.obj")), read(t, at("step.csv"))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"shape", "hull", at("cube.obj"), "-o", at("cube.obj")}, "is the mesh that is read"},
		{[]string{"shape", "hull", at("cube.obj"), "-o", at("link.obj")}, "is the mesh that is read"},
		{[]string{"shape", "hull", at("link.obj"), "-o", at("cube.obj")}, "is the mesh that is read"},
		{[]string{"bench", "step", "--settled", at("step.csv"), "--cpuprofile", at("step.csv")}, "is a file that --settled reads"},
		{[]string{"bench", "step", "--settled", at("step.csv"), "--cpuprofile", at("hard.txt")}, "is a file that --settled reads"},
		{[]string{"bench", "step", "--settled", at("hard.txt"), "-o", dir}, "is a file that --settled reads"},
		{[]string{"bench", "cache", "--settled", at("hard.txt"), "--trace", at("step.csv")}, "is a file that --settled reads"},
		{[]string{"bench", "cache", "--settled", at("hard.txt"), "--trace", at("cache.csv"), "-o", dir}, "is a table that -o writes"},
		{[]string{"bench", "step", "--settled", at("hard.txt"), "--cpuprofile", at("none/x")}, "but there is no folder"},
		{[]string{"shape", "hull", at("cube.obj"), "-o", at("pipe.obj")}, "a pipe, which waits for its reader, expected a file"},
		{[]string{"pairs", "--pairs", table, "-o", at("pipe.obj")}, "a pipe, which waits for its reader, expected a file"},
		{[]string{"bench", "settle", "--bodies", "2", "-o", at("pipe.obj")}, "a pipe, which waits for its reader, expected a file"},
		{[]string{"bench", "step", "--settled", at("step.csv"), "--cpuprofile", at("pipe.obj")}, "a pipe, which waits for its reader, expected a file"},
	} {
		call(c.args...).wantsOneLine(t, 2, c.want)
	}
	if read(t, at("cube.obj")) != mesh || read(t, at("step.csv")) != pile {
		t.Error("an input was changed")
	}
	for _, args := range [][]string{{"bench", "step", "--settled", at("hard.txt")}, {"bench", "narrow"}} {
		call(append(args, "-o", "/dev/null")...).wantsOneLine(t, 2, "-o is /dev/null, expected a folder: ")
	}
	for _, out := range []string{"/dev/null", "/dev/stderr"} {
		if r := call("pairs", "--pairs", table, "-o", out); r.status != 0 {
			t.Errorf("-o %s: %s", out, r.err)
		}
	}
}

// TestTwoOutputsOfOneName: a profile that is a table of -o is rejected, whether or not the table
// exists, and under any name.
func TestTwoOutputsOfOneName(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "b"), filepath.Join(dir, "link")
	if err := errors.Join(os.Mkdir(real, 0o777), os.Symlink("b", link)); err != nil {
		t.Fatal(err)
	}
	pile := filepath.Join(dir, "pile.txt")
	if err := fileio.WriteSettled(pile, &fileio.Settled{}); err != nil {
		t.Fatal(err)
	}
	refused := func(profiles ...string) {
		t.Helper()
		for _, profile := range profiles {
			call("bench", "step", "--settled", pile, "-o", real, "--cpuprofile", profile).
				wantsOneLine(t, 2, "--cpuprofile "+profile+" is a table that -o writes, expected another file")
		}
	}
	names := []string{filepath.Join(real, "step.csv"), dir + "/b/../b/step.json", filepath.Join(link, "step.csv")}
	refused(names...)
	if left, err := os.ReadDir(real); err != nil || len(left) != 0 {
		t.Errorf("%v was written, %v", left, err)
	}
	if err := os.WriteFile(names[0], []byte("kept"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("b/step.csv", filepath.Join(dir, "profile")); err != nil {
		t.Fatal(err)
	}
	refused(append(names, filepath.Join(dir, "profile"))...)
	if text := read(t, names[0]); text != "kept" {
		t.Errorf("the table was changed to %q", text)
	}
}

// TestWrongNamesAreToldBeforeMissingFiles: an unknown law is reported even if the file is missing.
func TestWrongNamesAreToldBeforeMissingFiles(t *testing.T) {
	call("bench", "step", "--law", "foo").wantsOneLine(t, 2, `--law is "foo", expected one of thickness, linear`)
	call("bench", "step", "--search", "foo").wantsOneLine(t, 2, `--search is "foo", expected one of `)
	call("bench", "step").wantsOneLine(t, 2, "needs --settled FILE")
}

// TestNumbersAreDecimal: numeric options accept decimal numbers only, not the other forms of Go.
func TestNumbersAreDecimal(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"pairs --pairs x --dtol 0x1p-3", `--dtol is "0x1p-3", expected a number`},
		{"pairs --pairs x --dtol 1_0", `--dtol is "1_0", expected a number`},
		{"bench step --settled x --dt nan", `--dt is "nan", expected a finite number`},
		{"bench step --settled x --stiffness -inf", `--stiffness is "-inf", expected a finite number`},
		{"bench step --settled x --skin 1e400", `--skin is "1e400", expected a finite number`},
		{"bench settle --time Infinity", `--time is "Infinity", expected a finite number`},
		{"bench settle --speed NaN", `--speed is "NaN", expected a finite number`},
		{"pairs --pairs x --dtol +Inf", `--dtol is "+Inf", expected a finite number`},
		{"info --workers 0x10", `--workers is "0x10", expected a whole number`},
		{"info --workers 0b1", `--workers is "0b1", expected a whole number`},
		{"info --workers 1e3", `--workers is "1e3", expected a whole number`},
		{"run x --steps 1_000", `--steps is "1_000", expected a whole number`},
		{"bench settle --seed -1", `--seed is "-1", expected a whole number ≥ 0`},
		{"bench settle --seed 99999999999999999999", `expected a whole number ≥ 0 of 64 bits`},
	} {
		call(strings.Fields(c.args)...).wantsOneLine(t, 2, c.want)
	}
	// Go reads 010 as 8.
	call("bench", "narrow", "--repeat", "010", "--pairs", "0").wantsOneLine(t, 2, "--pairs is 0")
	call("run", "nowhere.toml", "--workers", "08").wantsOneLine(t, 2, "nowhere.toml")
}

// TestOneErrorIsOneLine: an error is one line of limited length, even if a name contains line
// breaks or bidirectional marks; these are escaped.
func TestOneErrorIsOneLine(t *testing.T) {
	call("run", "a\nb\u202e.toml").wantsOneLine(t, 2, `a\nb\u202e.toml: cannot be read`)
	call("run", "x", "--a\nb\u202e").wantsOneLine(t, 2, `\n`, `\u202e`)
	call("run", strings.Repeat("x", 10_000)).wantsOneLine(t, 2, "…")
	table := write(t, "p.csv", pairsHead+"\n"+strings.Repeat("9", 400)+",box:1x1x1,0,0,0,1,0,0,0,3,0,0,1,0,0,0\n")
	r := call("pairs", "--pairs", table)
	if !strings.Contains(r.out+r.err, "unknown shape") || strings.Contains(r.out, strings.Repeat("9", 130)+`""`) {
		t.Errorf("%s%s", r.out, r.err)
	}
	if r := call("run", strings.Repeat("x", 10_000)); len(r.err) > messageShown+100 {
		t.Errorf("%d bytes", len(r.err))
	}
	// The error for a pile that cannot be run names its file.
	pile := write(t, "flat.txt", "shapes 1\n4 0 1 1 1\n0 0 0\n1 0 0\n0 1 0\n1 1 0\nstatic 0\nbodies 1\n0 0 0 0 1 0 0 0\n")
	call("bench", "step", "--settled", pile, "--steps", "1").wantsOneLine(t, 2, "flat.txt: line 2, shape 0: all vertices lie")
	const cube = "shapes 1\n8 1 1 1 1\n-1 -1 -1\n1 -1 -1\n-1 1 -1\n1 1 -1\n-1 -1 1\n1 -1 1\n-1 1 1\n1 1 1\n"
	for rows, want := range map[string]string{
		"static 0\nbodies 2\n0 0 0 0 1 0 0 0\n\n0 1e40 0 0 1 0 0 0\n":         `pile.txt: line 15, body 1 "body 1" of radius 1.73 m is at`,
		"static 2\n1 1 1 9 0 0\n1e-49 1 1 0 0 0\nbodies 1\n0 0 0 0 1 0 0 0\n": "pile.txt: line 13, fixed box 1: box: length",
	} {
		pile := write(t, "pile.txt", cube+rows)
		call("bench", "step", "--settled", pile, "--steps", "1").wantsOneLine(t, 2, want)
	}
}
