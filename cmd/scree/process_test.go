//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/require"
)

// start starts a process of the command.
func start(t *testing.T, args ...string) (cmd *exec.Cmd, out, errs *bytes.Buffer) {
	t.Helper()
	cmd = exec.Command(built(t), args...)
	out, errs = begin(t, cmd)
	return cmd, out, errs
}

// startFed is start with a pipe to standard input.
func startFed(t *testing.T, args ...string) (cmd *exec.Cmd, in io.WriteCloser, out, errs *bytes.Buffer) {
	t.Helper()
	cmd = exec.Command(built(t), args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, errs = begin(t, cmd)
	return cmd, in, out, errs
}

// begin starts a process, which ends with the test.
func begin(t *testing.T, cmd *exec.Cmd) (out, errs *bytes.Buffer) {
	t.Helper()
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return out, errs
}

// interrupted sends SIGINT to a process, waits for its end, and returns its output.
func interrupted(t *testing.T, cmd *exec.Cmd, out, errs *bytes.Buffer) result {
	t.Helper()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	status := statusAfter(t, cmd)
	return result{status: status, out: out.String(), err: errs.String()}
}

// statusAfter waits for the process and returns its exit status.
func statusAfter(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// waitFor waits until a file has at least the given number of lines.
func waitFor(t *testing.T, path string, lines int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if content, err := os.ReadFile(path); err == nil && bytes.Count(content, []byte("\n")) >= lines {
			return
		}
	}
	t.Fatalf("%s has no %d lines after 10 s", path, lines)
}

// TestInterrupt interrupts a run. The status is 130, all files are readable, and a restart from its
// checkpoint reaches the same state as an uninterrupted run.
func TestInterrupt(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			path := write(t, "long.toml", small("", "history_every = 10"))
			dir := t.TempDir()
			cmd, out, errs := start(t, "run", path, "-o", dir, "--json", "--steps", "100000000")
			waitFor(t, filepath.Join(dir, "history.csv"), 20)
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			r := result{status: statusAfter(t, cmd), out: out.String(), err: errs.String()}
			r.wants(t, statusInterrupted, "interrupted at step", "to go on: scree run "+path+" -o "+dir+" --steps 100000000 --restart "+dir)
			readable(t, dir)
			s := decode[summaryJSON](t, r.out)
			if file := decode[summaryJSON](t, read(t, dir, "summary.json")); !s.Interrupted || file.StateHash != s.StateHash {
				t.Errorf("summary %+v, in the folder %+v", s, file)
			}
			checkpoint := filepath.Join(dir, fmt.Sprintf("checkpoint-%08d.scree", s.Steps))
			steps := fmt.Sprint(s.Steps + 50)
			var hashes []string
			for _, args := range [][]string{{"--restart", checkpoint}, nil} {
				r := call(append([]string{"run", path, "-o", t.TempDir(), "--steps", steps, "--json", "--quiet"}, args...)...)
				r.wants(t, 0)
				hashes = append(hashes, decode[summaryJSON](t, r.out).StateHash)
			}
			if hashes[0] != hashes[1] {
				t.Errorf("state hash %s after the restart, %s without an interruption", hashes[0], hashes[1])
			}
		})
	}
}

// TestInterruptEarly interrupts a run while it waits for its scene, and while it makes its bodies.
// The status is 130 at once, and there is no folder. The memory of the bodies is announced before.
func TestInterruptEarly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	path := write(t, "many.toml", strings.Replace(small(""), "count = [2, 2, 2]", "count = [200, 200, 50]", 1))
	t.Run("scene", func(t *testing.T) {
		cmd, stdin, out, errs := startFed(t, "run", "-", "-o", dir)
		defer stdin.Close() //nolint:errcheck // The file is only read.
		time.Sleep(300 * time.Millisecond)
		interrupted(t, cmd, out, errs).wantsOneLine(t, statusInterrupted, "interrupted")
	})
	t.Run("bodies", func(t *testing.T) {
		cmd, out, errs := start(t, "run", path, "-o", dir)
		time.Sleep(300 * time.Millisecond)
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		status := statusAfter(t, cmd)
		// The memory for so many bodies is announced before they are made.
		memory, rest, _ := strings.Cut(errs.String(), "\n")
		if !strings.HasPrefix(memory, "scree: memory: bodies take about 2.48 GB") {
			t.Errorf("the first line is %q, expected the memory of two million bodies", memory)
		}
		result{status, out.String(), rest}.wantsOneLine(t, statusInterrupted, "interrupted before the first step")
	})
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder was made: %v", err)
	}
}

// TestInterruptBench interrupts studies before their first row. One line reports the interruption.
func TestInterruptBench(t *testing.T) {
	for _, c := range []struct {
		want string
		args []string
	}{
		{"interrupted: hulls200", []string{"step", "--settled", "../../bench/testdata/hulls200.txt.gz", "--steps", "100000000", "--skin", "0.001"}},
		{"scree: interrupted", []string{"broad", "--paper", "--long", "--series", "picture"}},
		{"scree: interrupted", []string{"broad", "--scene", "equal", "--bodies", "1000", "--method", "brute", "--repeat", "1000000"}},
	} {
		cmd, out, errs := start(t, append([]string{"bench", "-q"}, c.args...)...)
		time.Sleep(300 * time.Millisecond)
		r := interrupted(t, cmd, out, errs)
		r.wantsOneLine(t, statusInterrupted, c.want)
		if r.out != "" {
			t.Errorf("standard output %q", r.out)
		}
	}
}

// TestInterruptBenchInside interrupts a study during one call of a method for all points, which
// takes seconds. The study must end at once.
func TestInterruptBenchInside(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results")
	cmd, out, errs := start(t, "bench", "inside", "-q", "--mesh", "foam:1,8", "--side", "200", "--method", "winding-fast", "-o", dir)
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(dir); err == nil {
			break // When the folder exists, the command already catches signals.
		}
	}
	time.Sleep(3 * time.Second) // By then the exact places are computed and the method runs.
	began := time.Now()
	interrupted(t, cmd, out, errs).wantsOneLine(t, statusInterrupted, "interrupted")
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it went on for %v", took)
	}
}

// TestExitStatus checks exit statuses as a shell sees them.
func TestExitStatus(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"info"}, 0},
		{[]string{"shape", "info", "box:1x1x1"}, 0},
		{[]string{"pairs", "--pairs", write(t, "p.csv", pairsHead+"\nsphere,sphere,0,0,0,1,0,0,0,3,0,0,1,0,0,0\n")}, 1},
		{[]string{"shape", "make", "box:1x1x1", "-o", "/no/such/folder/x.obj"}, 2},
		{[]string{"shape", "info", "no-such.obj"}, 2},
		{[]string{"pairs"}, 2},
	} {
		cmd, _, errs := start(t, c.args...)
		if got := statusAfter(t, cmd); got != c.want {
			t.Errorf("%v: status %d, expected %d: %s", c.args, got, c.want, errs)
		}
	}
}

// TestFullDisk: states.csv reaches the file size limit. The run fails with status 1 and names the
// file, and everything written before is complete.
func TestFullDisk(t *testing.T) {
	shell, err := exec.LookPath("sh")
	require.Tool(t, err == nil, "needs sh for its ulimit")
	text := strings.Replace(small("", "states_every = 1"), "steps = 100", "steps = 100000", 1)
	path := write(t, "scene.toml", text)
	dir := t.TempDir()
	// 200 blocks of 512 or 1024 bytes, depending on the shell.
	cmd := exec.Command(shell, "-c", `ulimit -f 200; exec "$0" run "$1" -o "$2" --json`, built(t), path, dir)
	out, errs := begin(t, cmd)
	r := result{status: statusAfter(t, cmd), out: out.String(), err: errs.String()}
	r.wantsOneLineOfError(t, 1, "states.csv", "file too large")
	readable(t, dir)
	if s := decode[summaryJSON](t, read(t, dir, "summary.json")); s.Error == "" || s.Steps == 0 {
		t.Errorf("summary.json has %+v, expected the error", s)
	}
}

// wantsOneLineOfError is wantsOneLine for a run that also has results on standard output.
func (r result) wantsOneLineOfError(t *testing.T, status int, texts ...string) {
	t.Helper()
	results := r.out
	r.out = ""
	r.wantsOneLine(t, status, texts...)
	if !json.Valid([]byte(results)) {
		t.Errorf("standard output is no JSON: %q", results)
	}
}

// TestFullOutput writes results to a full device.
func TestFullOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.Tool(t, err == nil, "needs /dev/full")
	defer full.Close() //nolint:errcheck // Nothing was written.
	for _, args := range [][]string{{"info"}, {"info", "--json"}, {"shape", "info", "box:1x1x1"}, {"help", "scene"},
		{"shape", "make", "box:1x1x1", "-o", "-", "--format", "obj"}} {
		var errs bytes.Buffer
		status := Main(args, strings.NewReader(""), full, &errs)
		result{status: status, err: errs.String()}.wantsOneLine(t, 1, "no space left")
	}
}

// TestBackendVariable: an unavailable SCREE_BACKEND is an error for commands that compute, but
// scree info still shows the available backends.
func TestBackendVariable(t *testing.T) {
	path := write(t, "small.toml", small(""))
	t.Setenv("SCREE_BACKEND", "mmx")
	cmd, _, errs := start(t, "run", path, "-o", t.TempDir())
	result{status: statusAfter(t, cmd), err: errs.String()}.wantsOneLine(t, 2, "SCREE_BACKEND", "mmx", "generic")
	cmd, out, errs := start(t, "info")
	result{status: statusAfter(t, cmd), err: errs.String()}.wants(t, 0, "SCREE_BACKEND")
	if !strings.Contains(out.String(), "generic") {
		t.Errorf("standard output %q", out)
	}
}

// TestBenchStepKeepsRows interrupts bench step in its second pile: the rows of the first are shown and written.
func TestBenchStepKeepsRows(t *testing.T) {
	one := "shapes 1\n8 1 0.5 0.5 0.5\n"
	for i := range 8 {
		one += fmt.Sprintf("%g %g %g\n", float64(i&1)-0.5, float64(i>>1&1)-0.5, float64(i>>2)-0.5)
	}
	one += "static 1\n5 5 1 0 0 -1\nbodies 1\n0 0 0 0.5 1 0 0 0\n"
	dir := t.TempDir()
	cmd := exec.Command(built(t), "bench", "step", "--settled", write(t, "one.txt", one), "--settled", "../../bench/testdata/hulls200.txt.gz",
		"--steps", "20000", "--skin", "0.1", "-q", "-o", dir)
	var out bytes.Buffer
	cmd.Stdout = &out
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	// The first pile is done when there is a warning that nothing moved in it.
	if line, err := bufio.NewReader(errs).ReadString('\n'); !strings.Contains(line, "warning: one: ") || !strings.Contains(line, "no search for pairs") {
		t.Fatalf("standard error begins with %q, %v", line, err)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if status := statusAfter(t, cmd); status != statusInterrupted {
		t.Errorf("status %d, expected %d", status, statusInterrupted)
	}
	if table := read(t, dir, "step.csv"); strings.Count(table, "\n") != 2 || !strings.Contains(table, "\none,") || !strings.Contains(out.String(), "\none ") {
		t.Errorf("step.csv has %q, standard output %q; expected the row of the first pile", table, out.String())
	}
}

// TestNoHintWithoutCheckpoint: a run that is interrupted while the disk is full names no checkpoint to go on from, for there
// is none.
func TestNoHintWithoutCheckpoint(t *testing.T) {
	path, dir, rows := write(t, "long.toml", small("", "history_every = 10")), t.TempDir(), 0
	disk.Before = func(op disk.Op, path string, n int) (int, error) {
		name := filepath.Base(path)
		if op == disk.OpCreate && strings.HasPrefix(name, "checkpoint-") {
			return 0, syscall.ENOSPC
		}
		if op == disk.OpWrite && name == "history.csv" {
			if rows++; rows == 5 {
				return n, syscall.Kill(os.Getpid(), syscall.SIGINT)
			}
		}
		return n, nil
	}
	defer func() { disk.Before = nil }()
	r := call("run", path, "-o", dir, "--steps", "100000000", "-q")
	r.wants(t, statusInterrupted, "interrupted at step", "no space left")
	if strings.Contains(r.err, "to go on") {
		t.Errorf("standard error %q names a checkpoint", r.err)
	}
}

// TestForShell: a shell takes each name for one word, and plain names stay as they are.
func TestForShell(t *testing.T) {
	for _, name := range []string{"a.toml", "/tmp/x_1/checkpoint-00000010.scree", "größe.toml"} {
		if got := disk.ForShell(name); got != name {
			t.Errorf("%q became %q", name, got)
		}
	}
	for _, name := range []string{"my scene.toml", "it's $HOME", `a"b`, `back\slash`, "~/x", "a;b&c|d", "*?[x]", "new\nline", "``", ""} {
		out, err := exec.Command("sh", "-c", "printf %s "+disk.ForShell(name)).Output()
		if err != nil || string(out) != name {
			t.Errorf("%q came through a shell as %q, %v", name, out, err)
		}
	}
}
