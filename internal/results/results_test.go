package results

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestReadLeavesOut: Read returns the same for two runs that differ only in data of the process,
// and different results for other differences.
func TestReadLeavesOut(t *testing.T) {
	read := func(history, summary string) string {
		dir := t.TempDir()
		for name, text := range map[string]string{"history.csv": history, "summary.json": summary} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		return fmt.Sprint(Read(t, dir))
	}
	first := read("step,contacts,stage_drift,active\n1,2,3,4\n", `{"steps": 1, "workers": 1}`)
	if again := read("step,contacts,stage_drift,active\n1,9,9,4\n", `{"workers": 2, "steps": 1}`); again != first {
		t.Errorf("%s, expected %s", again, first)
	}
	if other := read("step,contacts,stage_drift,active\n1,2,3,5\n", `{"steps": 1, "workers": 1}`); other == first {
		t.Error("another number of active contacts is read as the same")
	}
	if other := read("step,contacts,stage_drift,active\n1,2,3,4\n", `{"steps": 2, "workers": 1}`); other == first {
		t.Error("another number of steps is read as the same")
	}
}

// TestDocument: docs/output.md contains the same list.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "output.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(text), "| file | may differ |\n")
	if !found {
		t.Fatal("docs/output.md has no table of what may differ")
	}
	lines := strings.Split(after, "\n")
	for i, names := range [][]string{columns, keys} {
		var told []string
		for k, part := range strings.Split(lines[1+i], "`") {
			if k%2 == 1 && k > 1 {
				told = append(told, part)
			}
		}
		if !slices.Equal(told, names) {
			t.Errorf("docs/output.md has %q, expected %q", told, names)
		}
	}
}
