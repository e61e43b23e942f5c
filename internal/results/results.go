package results

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The columns of history.csv and contacts.csv and the keys of summary.json that depend on the process. A star stands
// for the rest of a name.
var (
	columns = []string{"contacts", "stage_*", "level", "level_*", "rebuilds", "fallbacks"}
	keys    = []string{"first_step", "changed_from", "workers", "backend", "processor", "contacts", "wall_s", "stepping_s", "body_steps_per_s",
		"stage_s", "certificate_levels", "scheduling"}
)

// Read returns the contents of the files in a folder, by name, without the data that depends on the
// process.
func Read(t testing.TB, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		switch e.Name() {
		case "history.csv", "contacts.csv":
			text, err = withoutColumns(text)
		case "summary.json":
			text, err = withoutKeys(text)
		}
		if err != nil {
			t.Fatalf("%s: %v", e.Name(), err)
		}
		files[e.Name()] = string(text)
	}
	return files
}

func withoutColumns(text []byte) ([]byte, error) {
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	var b bytes.Buffer
	for _, r := range rows {
		for i, x := range r {
			if !ofProcess(rows[0][i]) {
				fmt.Fprintf(&b, "%s,", x)
			}
		}
		b.WriteString("\n")
	}
	return b.Bytes(), err
}

func ofProcess(column string) bool {
	return slices.ContainsFunc(columns, func(name string) bool {
		start, open := strings.CutSuffix(name, "*")
		return column == name || open && strings.HasPrefix(column, start)
	})
}

func withoutKeys(text []byte) ([]byte, error) {
	var summary map[string]json.RawMessage
	if err := json.Unmarshal(text, &summary); err != nil {
		return nil, err
	}
	for _, k := range keys {
		delete(summary, k)
	}
	return json.MarshalIndent(summary, "", "  ")
}

// Same reports an error unless the results of Read for two folders are equal.
func Same(t testing.TB, what string, got, want map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			t.Errorf("%s: %s differs:\n%.2000s\nexpected\n%.2000s", what, name, got[name], want[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s is there", what, name)
		}
	}
}

// Folder returns a temporary folder, in memory if possible, because a run often waits for the disk.
func Folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "scree-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
