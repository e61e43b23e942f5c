package scene

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// freshTable begins a table and puts it in its place.
func freshTable(t *testing.T, path string, columns []string) *table {
	t.Helper()
	tab, err := newTable(path, columns)
	if err == nil {
		err = errors.Join(tab.prepare(), tab.place())
	}
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// TestResumeTable: a restart keeps complete rows before its step, and those of its step where the run writes them and they
// are all there.
func TestResumeTable(t *testing.T) {
	for _, c := range []struct {
		name, was, want string
		each            int64 // rows of a step
		on, due         bool
		last            int64
	}{
		{"all before", "step,x\n1,a\n2,b\n", "step,x\n1,a\n2,b\n", 1, false, false, 2},
		{"some after", "step,x\n1,a\n4,b\n5,c\n9,d\n", "step,x\n1,a\n4,b\n", 1, false, false, 4},
		{"the step stays", "step,x\n1,a\n4,b\n5,c\n9,d\n", "step,x\n1,a\n4,b\n5,c\n", 1, true, false, 4},
		{"the step is missing", "step,x\n1,a\n9,d\n", "step,x\n1,a\n", 1, true, true, 1},
		{"the step of three", "step,x\n1,a\n5,c\n5,d\n5,e\n9,d\n", "step,x\n1,a\n5,c\n5,d\n5,e\n", 3, true, false, 1},
		{"the step is not whole", "step,x\n1,a\n5,c\n5,d\n5,e", "step,x\n1,a\n", 3, true, true, 1},
		{"the step alone", "step,x\n5,c\n6,d\n", "step,x\n", 1, false, true, -1},
		{"cut row", "step,x\n1,a\n2,b", "step,x\n1,a\n", 1, false, false, 1},
		{"zeros of a power failure", "step,x\n1,a\n\x00\x00\x00\n7,b\n", "step,x\n1,a\n", 1, false, false, 1},
		{"cut header", "step,", "step,x\n", 1, false, true, -1},
		{"empty", "", "step,x\n", 1, false, true, -1},
		{"no number", "step,x\n1,a\nb,c\n2,d\n", "step,x\n1,a\n", 1, false, false, 1},
		{"large number", "step,x\n1,a\n99999999999999999999,c\n2,d\n", "step,x\n1,a\n", 1, false, false, 1},
		{"quoted", "step,x\n1,\"a, \"\"4\"\",\n\"\n2,b\n7,c\n", "step,x\n1,\"a, \"\"4\"\",\n\"\n2,b\n", 1, false, false, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.csv")
			if err := os.WriteFile(path, []byte(c.was), 0o644); err != nil {
				t.Fatal(err)
			}
			tab, err := resumeTable(path, []string{"step", "x"}, 0, 5, c.each, c.on)
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := os.ReadFile(path); string(got) != c.was {
				t.Errorf("the file holds %q before the run writes, expected what it was", got)
			}
			if tab.due != c.due || tab.before(5) != c.last {
				t.Errorf("due %v, the last step before is %d, expected %v and %d", tab.due, tab.before(5), c.due, c.last)
			}
			tab.Int(6)
			tab.sum(0)
			if err := errors.Join(tab.prepare(), tab.place(), tab.endRow(6), tab.write()); err != nil {
				t.Fatal(err)
			}
			tab.close()
			if got, _ := os.ReadFile(path); string(got) != c.want+"6,0\n" {
				t.Errorf("the file holds %q, expected %q and a row", got, c.want)
			}
			if left, _ := filepath.Glob(path + ".*"); len(left) != 0 {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

// TestCutByName: names with commas and quotes do not hide the step behind them.
func TestCutByName(t *testing.T) {
	const rows = "0,\"a, 7\",3,x\n1,\"b \"\"9,\"\"\",3,x\n0,c,4,x\n1,d,8,x\n"
	c, err := findCut(byteReader{strings.NewReader(rows)}, 100, 2, 4)
	want := cut{before: 100 + int64(strings.Index(rows, "0,c")), after: 100 + int64(strings.Index(rows, "1,d")), last: 3, at: 1}
	if err != nil || c != want {
		t.Errorf("cut %+v, %v, expected %+v", c, err, want)
	}
}

// byteReader gives one byte at a time.
type byteReader struct{ from io.Reader }

func (r byteReader) Read(b []byte) (int, error) { return r.from.Read(b[:min(len(b), 1)]) }

// TestOtherColumns: a table of other columns is refused by the name of one, and stays.
func TestOtherColumns(t *testing.T) {
	for _, c := range []struct{ name, was, want string }{
		{"another", "step,y\n1,a\n", `no column "x"`},
		{"fewer", "step\n1\n", `no column "x"`},
		{"more", "step,x,wall.lid.fx\n1,a,0\n", `the column "wall.lid.fx"`},
		{"another order", "x,step\n1,a\n", `the column "x" where this run writes "step"`},
		{"another end of line", "step,x\r\n1,a\r\n", "written otherwise"},
		{"one long line", strings.Repeat("a,", 1<<20), `no column "step"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.csv")
			if err := os.WriteFile(path, []byte(c.was), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := resumeTable(path, []string{"step", "x"}, 0, 5, 1, true)
			if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
				t.Fatalf("error %v, expected one of %q", err, c.want)
			}
			if got, _ := os.ReadFile(path); string(got) != c.was {
				t.Error("the file was changed")
			}
		})
	}
}

// TestCutIsSmall: a table is cut in memory that does not grow with its rows.
func TestCutIsSmall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	var b bytes.Buffer
	b.WriteString("step,x\n")
	const steps = 200000
	for i := range steps {
		fmt.Fprintf(&b, "%d,%030d\n", i, i)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	size := uint64(b.Len())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	tab, err := resumeTable(path, []string{"step", "x"}, 0, steps-1, 1, false)
	if err == nil {
		err = errors.Join(tab.prepare(), tab.place())
	}
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	tab.close()
	if used := after.TotalAlloc - before.TotalAlloc; used > size/16 {
		t.Errorf("%d bytes allocated for a table of %d", used, size)
	}
	if stat, err := os.Stat(path); err != nil || stat.Size() != int64(size)-int64(len("199999,\n")+30) || tab.before(steps-1) != steps-2 {
		t.Errorf("%v bytes are left, up to step %d, %v, expected all but the last row", stat.Size(), tab.before(steps-1), err)
	}
}

// TestSum: sums have 12 digits, and no −0.
func TestSum(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	tab := freshTable(t, path, []string{"a", "b", "c"})
	zero := 0.0
	tab.sum(1.0 / 3)
	tab.sum(-1 / (1 / zero)) // −0
	tab.sum(-1e-30)
	if err := errors.Join(tab.endRow(0), tab.write()); err != nil {
		t.Fatal(err)
	}
	tab.close()
	if got, _ := os.ReadFile(path); string(got) != "a,b,c\n0.333333333333,0,-1e-30\n" {
		t.Errorf("the file holds %q", got)
	}
}
