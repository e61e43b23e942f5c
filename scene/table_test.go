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

	"github.com/scree-dem/scree/internal/results"
)

// freshTable creates a table under its final name.
func freshTable(t *testing.T, path string, columns []string) *table {
	t.Helper()
	tab, err := newTable(path, columns, true)
	if err == nil {
		err = errors.Join(tab.prepare(), tab.place())
	}
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// TestResumeTable: a restart keeps exactly the rows of the schedule up to its step.
func TestResumeTable(t *testing.T) {
	for _, c := range []struct {
		name, was, want string
		each            int64 // rows per step
		s               schedule
		step            int64
		due             bool
	}{
		{"all before", "step,x\n1,a\n4,b\n", "step,x\n1,a\n4,b\n", 1, schedule{first: 1, every: 4}, 6, false},
		{"some after", "step,x\n1,a\n4,b\n8,c\n12,d\n", "step,x\n1,a\n4,b\n", 1, schedule{first: 1, every: 4}, 6, false},
		{"the step stays", "step,x\n1,a\n4,b\n8,c\n12,d\n", "step,x\n1,a\n4,b\n8,c\n", 1, schedule{first: 1, every: 4}, 8, false},
		{"the step is missing", "step,x\n1,a\n4,b\n12,d\n", "step,x\n1,a\n4,b\n", 1, schedule{first: 1, every: 4}, 8, true},
		{"off the schedule at the step", "step,x\n1,a\n4,b\n6,c\n8,d\n", "step,x\n1,a\n4,b\n", 1, schedule{first: 1, every: 4}, 6, false},
		{"off the schedule before the step", "step,x\n1,a\n4,b\n6,c\n", "step,x\n1,a\n4,b\n", 1, schedule{first: 1, every: 4}, 8, true},
		{"the first and the last step only", "step,x\n1,a\n6,b\n", "step,x\n1,a\n", 1, schedule{first: 1, every: 0}, 8, false},
		{"the step of three", "step,x\n1,a\n1,b\n1,c\n4,a\n4,b\n4,c\n9,d\n", "step,x\n1,a\n1,b\n1,c\n4,a\n4,b\n4,c\n", 3, schedule{first: 1, every: 4}, 4, false},
		{"the step is not whole", "step,x\n1,a\n1,b\n1,c\n4,a\n4,b\n4,c", "step,x\n1,a\n1,b\n1,c\n", 3, schedule{first: 1, every: 4}, 4, true},
		{"the step begins the table", "step,x\n5,c\n6,d\n", "step,x\n5,c\n", 1, schedule{first: 5, every: 4}, 5, false},
		{"cut row", "step,x\n1,a\n4,b", "step,x\n1,a\n", 1, schedule{first: 1, every: 4}, 4, true},
		{"zeros of a power failure", "step,x\n1,a\n\x00\x00\x00\n7,b\n", "step,x\n1,a\n", 1, schedule{first: 1, every: 4}, 4, true},
		{"cut header", "step,", "step,x\n", 1, schedule{first: 5, every: 4}, 5, true},
		{"empty", "", "step,x\n", 1, schedule{first: 5, every: 4}, 5, true},
		{"no number", "step,x\n1,a\nb,c\n2,d\n", "step,x\n1,a\n", 1, schedule{first: 1, every: 4}, 4, true},
		{"large number", "step,x\n1,a\n99999999999999999999,c\n2,d\n", "step,x\n1,a\n", 1, schedule{first: 1, every: 4}, 4, true},
		{"quoted", "step,x\n1,\"a, \"\"4\"\",\n\"\n4,b\n7,c\n", "step,x\n1,\"a, \"\"4\"\",\n\"\n4,b\n", 1, schedule{first: 1, every: 4}, 5, false},
		{"no rows at all", "step,x\n", "step,x\n", 0, schedule{first: never, every: 4}, 5, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.csv")
			if err := os.WriteFile(path, []byte(c.was), 0o644); err != nil {
				t.Fatal(err)
			}
			tab, err := resumeTable(path, []string{"step", "x"}, 0, c.step, c.each, c.s)
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := os.ReadFile(path); string(got) != c.was {
				t.Errorf("the file holds %q before the run writes, expected what it was", got)
			}
			if tab.due != c.due {
				t.Errorf("due %v, expected %v", tab.due, c.due)
			}
			tab.Int(6)
			tab.sums(0)
			if err := errors.Join(tab.prepare(), tab.place(), tab.EndRow(), tab.write()); err != nil {
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

// TestHolesOfTables: a table without all rows of the schedule before the step is rejected with the
// first missing row, and stays unchanged.
func TestHolesOfTables(t *testing.T) {
	for _, c := range []struct {
		name, was, want string
		each            int64
	}{
		{"no table", "", "does not exist", 1},
		{"cut header", "step,", "has no rows", 1},
		{"no rows", "step,x\n", "has no rows, expected those of step 0", 1},
		{"ends early", "step,x\n0,a\n4,b\n", "ends with step 4, expected the rows of step 8", 1},
		{"the last row is cut", "step,x\n0,a\n4,b\n8,c", "ends with step 4, expected the rows of step 8", 1},
		{"a row in the middle is gone", "step,x\n0,a\n8,c\n12,d\n", "a row of step 8 where the rows of step 4", 1},
		{"the first row is gone", "step,x\n4,b\n8,c\n", "a row of step 4 where the rows of step 0", 1},
		{"a row of two is gone", "step,x\n0,a\n0,a\n4,b\n8,c\n8,c\n12,d\n12,d\n", "a row of step 8 where the rows of step 4", 2},
		{"rows of another interval", "step,x\n0,a\n3,b\n6,c\n9,d\n12,e\n", "a row of step 3 where the rows of step 4", 1},
		{"a row twice", "step,x\n0,a\n4,b\n4,b\n8,c\n", "a row of step 4 where the rows of step 8", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.csv")
			if c.was != "" {
				if err := os.WriteFile(path, []byte(c.was), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			_, err := resumeTable(path, []string{"step", "x"}, 0, 10, c.each, schedule{first: 0, every: 4})
			if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v, expected one of %q", err, c.want)
			}
			if got, _ := os.ReadFile(path); string(got) != c.was {
				t.Error("the file was changed")
			}
			if left, _ := filepath.Glob(path + ".*"); len(left) != 0 {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

// TestCutByName: names with commas and quotes do not hide the step column after them.
func TestCutByName(t *testing.T) {
	const rows = "0,\"a, 7\",3,x\n1,\"b \"\"9,\"\"\",3,x\n0,c,4,x\n1,d,8,x\n"
	c, err := findCut(byteReader{strings.NewReader(rows)}, 100, 2, 2, schedule{first: 3, every: 1}, 4)
	want := cut{end: 100 + int64(strings.Index(rows, "0,c")), last: 3, next: 4, found: 8}
	if err != nil || c != want {
		t.Errorf("cut %+v, %v, expected %+v", c, err, want)
	}
}

// byteReader returns one byte per call.
type byteReader struct{ from io.Reader }

func (r byteReader) Read(b []byte) (int, error) { return r.from.Read(b[:min(len(b), 1)]) }

// TestOtherColumns: a table with other columns is rejected with the name of one, and stays
// unchanged.
func TestOtherColumns(t *testing.T) {
	for _, c := range []struct{ name, was, want string }{
		{"another", "step,y\n1,a\n", `no column "x"`},
		{"fewer", "step\n1\n", `no column "x"`},
		{"more", "step,x,wall_lid_fx\n1,a,0\n", `the column "wall_lid_fx"`},
		{"another order", "x,step\n1,a\n", `the column "x" where this run writes "step"`},
		{"another end of line", "step,x\r\n1,a\r\n", "written otherwise"},
		{"one long line", strings.Repeat("a,", 1<<20), `no column "step"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.csv")
			if err := os.WriteFile(path, []byte(c.was), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := resumeTable(path, []string{"step", "x"}, 0, 5, 1, schedule{first: 1, every: 1})
			if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
				t.Fatalf("error %v, expected one of %q", err, c.want)
			}
			if got, _ := os.ReadFile(path); string(got) != c.was {
				t.Error("the file was changed")
			}
		})
	}
}

// TestCutIsSmall: cutting a table needs memory that does not depend on its rows.
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
	tab, err := resumeTable(path, []string{"step", "x"}, 0, steps-2, 1, schedule{first: 0, every: 1})
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
	if stat, err := os.Stat(path); err != nil || stat.Size() != int64(size)-int64(len("199999,\n")+30) {
		t.Errorf("%v bytes are left, %v, expected all but the last row", stat.Size(), err)
	}
}

// TestSum: sums have 12 digits, and −0 is written as 0.
func TestSum(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	tab := freshTable(t, path, []string{"a", "b", "c"})
	zero := 0.0
	tab.sums(1.0 / 3)
	tab.sums(-1 / (1 / zero)) // −0
	tab.sums(-1e-30)
	if err := errors.Join(tab.EndRow(), tab.write()); err != nil {
		t.Fatal(err)
	}
	tab.close()
	if got, _ := os.ReadFile(path); string(got) != "a,b,c\n0.333333333333,0,-1e-30\n" {
		t.Errorf("the file holds %q", got)
	}
}

// TestAdviceForAHeader: following the advice in the message about a changed header works.
func TestAdviceForAHeader(t *testing.T) {
	s, dir := loadTumbling(t), results.Folder(t)
	if err := quietly(t, s, Options{Dir: dir, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	was := results.Read(t, dir)
	path := filepath.Join(dir, historyName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, spoilt := range []string{"time,", "Step,", `"step",`} {
		if err := os.WriteFile(path, bytes.Replace(whole, []byte("step,"), []byte(spoilt), 1), 0o666); err != nil {
			t.Fatal(err)
		}
		restart := Options{Dir: dir, Restart: checkpointAt(dir, 7), Workers: 1}
		refused(t, s, restart, path+":1: ", "; put the header back as the run wrote it, or go on in another folder with -o")
		restart.Dir = results.Folder(t)
		if err := quietly(t, s, restart); err != nil {
			t.Errorf("in another folder: %v", err)
		}
		if err := os.WriteFile(path, whole, 0o666); err != nil {
			t.Fatal(err)
		}
		restart.Dir = dir
		if err := quietly(t, s, restart); err != nil {
			t.Errorf("with the header as it was: %v", err)
		}
		results.Same(t, "after the header was put back", results.Read(t, dir), was)
	}
}
