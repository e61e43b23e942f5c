package scene

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestResumeTable: a restart keeps complete rows before its step, of a table with the same columns.
func TestResumeTable(t *testing.T) {
	for _, c := range []struct{ name, was, want string }{
		{"all before", "step,x\n1,a\n2,b\n", "step,x\n1,a\n2,b\n5,0\n"},
		{"some after", "step,x\n1,a\n4,b\n5,c\n9,d\n", "step,x\n1,a\n4,b\n5,0\n"},
		{"cut row", "step,x\n1,a\n2,b", "step,x\n1,a\n5,0\n"},
		{"cut header", "step,", "step,x\n5,0\n"},
		{"empty", "", "step,x\n5,0\n"},
		{"other columns", "step,y\n1,a\n", "step,x\n5,0\n"},
		{"no number", "step,x\n1,a\nb,c\n2,d\n", "step,x\n1,a\n5,0\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.csv")
			if err := os.WriteFile(path, []byte(c.was), 0o644); err != nil {
				t.Fatal(err)
			}
			tab, err := openTable(path, []string{"step", "x"}, true, 5, 0)
			if err != nil {
				t.Fatal(err)
			}
			tab.Int(5)
			tab.sum(0)
			if err := errors.Join(tab.EndRow(), tab.flush(), tab.close()); err != nil {
				t.Fatal(err)
			}
			if got, _ := os.ReadFile(path); string(got) != c.want {
				t.Errorf("the file holds %q, expected %q", got, c.want)
			}
		})
	}
}

// TestSum: sums have 12 digits, and no −0.
func TestSum(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	tab, err := openTable(path, []string{"a", "b", "c"}, false, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	zero := 0.0
	tab.sum(1.0 / 3)
	tab.sum(-1 / (1 / zero)) // −0
	tab.sum(-1e-30)
	if err := errors.Join(tab.EndRow(), tab.flush(), tab.close()); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); string(got) != "a,b,c\n0.333333333333,0,-1e-30\n" {
		t.Errorf("the file holds %q", got)
	}
}
