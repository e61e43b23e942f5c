//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/brute"
	"github.com/scree-dem/scree/internal/require"
)

// TestInterruptPairs interrupts a table. The status is 130, and the file has the complete rows.
func TestInterruptPairs(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.csv")
	cmd, stdin, stdout, errs := startFed(t, "pairs", "--pairs", "-", "-o", out, "--json")
	const rows = 200000
	text := []byte(pairsHead + "\n" + strings.Repeat("box:1x1x1,box:1x1x1,0,0,0,1,0,0,0,3,0,0,1,0,0,0\n", rows))
	// A pipe holds less than the rest of the table after this point, so the program has processed
	// the rows before.
	if _, err := stdin.Write(text); err != nil {
		t.Fatal(err)
	}
	r := interrupted(t, cmd, stdout, errs)
	r.wantsOneLineOfError(t, statusInterrupted, "interrupted after row")
	if strings.Contains(r.err, "canceled") {
		t.Errorf("the message names what is of no use to the user: %q", r.err)
	}
	s := decode[pairsReport](t, r.out)
	table := read(t, out)
	if n := strings.Count(table, "\n"); !s.Interrupted || int64(n) != s.Pairs+1 || s.Pairs < rows/2 || !strings.HasSuffix(table, "\n") {
		t.Errorf("%d lines in the file, %d rows answered, interrupted %v", n, s.Pairs, s.Interrupted)
	}
	if left, _ := filepath.Glob(out + ".*"); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
}

// TestFullPairs writes the output to a full device.
func TestFullPairs(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.Tool(t, err == nil, "needs /dev/full")
	defer full.Close() //nolint:errcheck // Nothing was written.
	table := filepath.Join(examplePairs, "pairs.csv")
	for _, args := range [][]string{nil, {"-o", "/dev/full"}, {"--json"}} {
		var errs bytes.Buffer
		status := Main(append([]string{"pairs", "--shapes", examplePairs, "--pairs", table}, args...), strings.NewReader(""), full, &errs)
		result{status: status, err: errs.String()}.wantsOneLine(t, 1, "no space left")
	}
}

// TestInterruptInside interrupts a table of points. The file has the complete rows.
func TestInterruptInside(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.csv")
	cmd, stdin, stdout, errs := startFed(t, "inside", "--mesh", "octa:1", "--points", "-", "--method", "ray", "-o", out, "--json")
	// A pipe holds less than the table after its first three batches, so the program has processed
	// one batch.
	text := []byte("x,y,z\n" + strings.Repeat("0.125,0,0\n", 6*insideRows))
	if _, err := stdin.Write(text); err != nil {
		t.Fatal(err)
	}
	r := interrupted(t, cmd, stdout, errs)
	r.wantsOneLineOfError(t, statusInterrupted, "interrupted after row")
	s := decode[insideReport](t, r.out)
	table := read(t, out)
	if n := strings.Count(table, "\n"); !s.Interrupted || int64(n) != s.Points+1 || s.Points < insideRows || s.Inside != s.Points || !strings.HasSuffix(table, "\n") {
		t.Errorf("%d lines in the file, %d points answered, interrupted %v", n, s.Points, s.Interrupted)
	}
	if left, _ := filepath.Glob(out + ".*"); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
}

// TestInterruptSetUp interrupts a table before its first result. The setup of a large mesh does not
// delay the end.
func TestInterruptSetUp(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.csv")
	if err := os.WriteFile(out, []byte("kept"), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd, stdin, stdout, errs := startFed(t, "inside", "--mesh", "sphere:1,8", "--points", "-", "--method", "fmm", "-o", out, "--json")
	// A pipe holds less than this text, so the program is reading. It has the mesh and sets it up
	// next.
	if _, err := stdin.Write([]byte("x,y,z\n" + strings.Repeat("0.125,0,0\n", 1<<15))); err != nil {
		t.Fatal(err)
	}
	if err := stdin.Close(); err != nil {
		t.Fatal(err)
	}
	r := interrupted(t, cmd, stdout, errs)
	r.wantsOneLineOfError(t, statusInterrupted, "interrupted")
	if s := decode[insideReport](t, r.out); !s.Interrupted || s.Points != 0 {
		t.Errorf("%d points answered, interrupted %v", s.Points, s.Interrupted)
	}
	if kept, err := os.ReadFile(out); err != nil || string(kept) != "kept" {
		t.Errorf("the file that was there: %q, %v", kept, err)
	}
}

// TestInterruptNeighbors interrupts a brute-force search over many bodies. The program does not
// wait for the search. Earlier frames stay complete in the output. Without earlier frames, the
// previous file stays, and no message mentions a file.
func TestInterruptNeighbors(t *testing.T) {
	for _, c := range []struct {
		before int64
		form   []string
	}{{0, []string{"--json"}}, {1, []string{"--json"}}, {0, nil}} {
		before := c.before
		out := filepath.Join(t.TempDir(), "out.csv")
		if err := os.WriteFile(out, []byte("kept"), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd, stdin, stdout, errs := startFed(t, append([]string{"neighbors", "--in", "-", "--method", "brute", "-o", out}, c.form...)...)
		// A pipe holds less than the last frame. The program has therefore read all but a block,
		// and searches the frame once the input ends.
		text, want := &strings.Builder{}, "kept"
		text.WriteString("frame,x,y,z,r\n")
		if before == 1 {
			text.WriteString("0,0,0,0,1\n0,1,0,0,1\n")
			want = "frame,i,j\n0,0,1\n"
		}
		for i := range 400_000 {
			fmt.Fprintf(text, "1,%d,0,0,0.25\n", i)
		}
		if _, err := stdin.Write([]byte(text.String())); err != nil {
			t.Fatal(err)
		}
		if err := stdin.Close(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(500 * time.Millisecond) // The search takes minutes; reading the rest takes a few milliseconds.
		began := time.Now()
		r := interrupted(t, cmd, stdout, errs)
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%d frames before: ended after %s", before, took)
		}
		told := fmt.Sprintf("interrupted while frame 1 was searched, after %d frames", before)
		if c.form == nil {
			r.wantsOneLine(t, statusInterrupted, told)
		} else {
			r.wantsOneLineOfError(t, statusInterrupted, told)
			if s := decode[neighborsReport](t, r.out); !s.Interrupted || s.Frames != before || (s.Output == out) != (before > 0) {
				t.Errorf("%d frames, interrupted %v, file %q, expected %d frames", s.Frames, s.Interrupted, s.Output, before)
			}
		}
		if table := read(t, out); table != want {
			t.Errorf("the file has %q, expected %q", table, want)
		}
		if left, _ := filepath.Glob(out + ".*"); len(left) != 0 {
			t.Errorf("left over: %v", left)
		}
	}
}

// TestInterruptLastFrame: an interruption while the pairs of the last frame are written is
// reported, and the frame is complete.
func TestInterruptLastFrame(t *testing.T) {
	for range 20 { // Whether the end of the table or the interruption is seen first is random.
		ctx, stop := context.WithCancel(t.Context())
		var out bytes.Buffer
		n := neighborSearch{finder: broad.NewFinder(brute.New()), progress: func(int64) { stop() }}
		err := n.run(ctx, strings.NewReader("x,y,z,r\n0,0,0,1\n1,0,0,1\n"), "bodies", &out)
		if !errors.Is(err, context.Canceled) || out.String() != "i,j\n0,1\n" || n.report.Frames != 1 {
			t.Fatalf("%v, %q, %d frames, expected an interruption after 1 frame", err, out.String(), n.report.Frames)
		}
	}
}
