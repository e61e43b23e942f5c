package scree_test

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDocsRobustness compares the tables of docs/robustness.md with the tests. Each row must name
// existing tests and, if given, cases. Each test TestUsers… must have a row.
func TestDocsRobustness(t *testing.T) {
	source := map[string]string{} // text of the test's file, by package and test name
	forEachFile(t, func(path, pkg string, f *ast.File) {
		if !strings.HasSuffix(path, "_test.go") {
			return
		}
		text, err := os.ReadFile(filepath.FromSlash(path))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && (strings.HasPrefix(fn.Name.Name, "Test") || strings.HasPrefix(fn.Name.Name, "Fuzz")) {
				source[pkg+"."+fn.Name.Name] = string(text)
			}
		}
	})
	listed := map[string]bool{}
	thread := regexp.MustCompile(`^\S+/(issues|pull)/\d+$`)
	rows := tableRows(read(t, "docs/robustness.md"), "## Threads")[2:]
	for _, cells := range rows {
		test, sub, hasCase := strings.Cut(strings.Trim(cells[3], "`"), "/")
		key := strings.Trim(cells[2], "`") + "." + test
		text, ok := source[key]
		if listed[key] = true; !ok || hasCase && !strings.Contains(text, `"`+sub+`"`) {
			t.Errorf("docs/robustness.md has the test %s in %s, which does not", cells[3], cells[2])
		}
		if !thread.MatchString(cells[1]) {
			t.Errorf("docs/robustness.md has the thread %q, expected an address", cells[1])
		}
	}
	if len(rows) < 35 {
		t.Errorf("docs/robustness.md has %d rows", len(rows))
	}
	for _, cells := range tableRows(read(t, "docs/robustness.md"), "## By theme")[2:] {
		for _, test := range strings.Split(cells[3], ", ") {
			exists := slices.ContainsFunc(strings.Split(cells[2], ", "), func(pkg string) bool {
				return source[strings.Trim(pkg, "`")+"."+strings.Trim(test, "`")] != ""
			})
			if !exists {
				t.Errorf("docs/robustness.md has the test %s in %s, which do not have it", test, cells[2])
			}
		}
	}
	for key := range source {
		if strings.Contains(key, ".TestUsers") && !listed[key] {
			t.Errorf("docs/robustness.md does not have %s", key)
		}
	}
}
