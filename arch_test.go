package scree_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/scree-dem/scree"

// layers is the house from the ground up (docs/architecture.md): a package imports packages of lower
// layers only, and never one of its own row. A change here needs a note in docs/decisions.
var layers = [][]string{
	{"vec", "internal/invariants", "internal/require", "internal/cpu", "internal/backends", "internal/disjoint", "internal/disk", "internal/mark", "internal/results", "internal/chart"},
	{"soa", "sched", "asm", "geometry/hull", "internal/boxtree", "internal/oracle"},
	{"kernels", "geometry"},
	{"geometry/surfaces", "geometry/inside/internal/tri", "internal/floors"},
	{"geometry/inside/internal/winding", "geometry/inside/internal/clusters"},
	{"geometry/inside/internal/ray", "geometry/inside/internal/voxels", "geometry/inside/internal/treecode", "geometry/inside/internal/multipole"},
	{"geometry/inside"},
	{"engine/narrow/internal/pair"},
	{"engine/narrow/internal/ball", "engine/narrow/internal/facets"},
	{"engine/narrow/internal/proof"},
	{"engine/narrow/internal/search", "engine/narrow/internal/typing"},
	{"engine/narrow/internal/methods"},
	{"engine/broad", "engine/narrow", "engine/overlap", "engine/force"},
	{"engine/broad/brute", "engine/broad/cells", "engine/broad/multilevel", "engine/broad/lc", "engine/broad/vl", "engine/broad/lll", "engine/surface"},
	{"engine/coplanar", "engine/broad/auto"},
	{"engine", "fileio"},
	{"scene", "pairs"},
	{"bench/peers"},
	{"bench"},
	{"cmd/scree"},
	{"."},
}

// inRow lists the imports within a row that the table allows all the same: each is one way.
var inRow = map[[2]string]bool{
	{"internal/oracle", "soa"}:            true, // reads the views it checks
	{"internal/backends", "internal/cpu"}: true, // goes over its backends

	{"geometry/inside/internal/clusters", "geometry/inside/internal/winding"}: true, // asks it about points on triangles
}

// testOnly lists packages that only tests may import.
var testOnly = map[string]bool{"internal/oracle": true, "internal/require": true, "internal/backends": true, "internal/results": true, "internal/floors": true}

// notOnlyTests lists the imports of testOnly packages that the table allows all the same.
var notOnlyTests = map[[2]string]bool{
	{"bench", "internal/oracle"}: true, // studies compare what they time with the truth
}

// TestImportOrder parses every file, whatever its build tags.
func TestImportOrder(t *testing.T) {
	row := map[string]int{}
	for i, names := range layers {
		for _, n := range names {
			row[n] = i
		}
	}
	seen := map[string]bool{}
	forEachFile(t, func(path, pkg string, f *ast.File) {
		seen[pkg] = true
		from, known := row[pkg]
		if !known {
			t.Errorf("%s: package %q has no row in the table", path, pkg)
			return
		}
		isTest := strings.HasSuffix(path, "_test.go")
		for _, spec := range f.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			if imp != module && !strings.HasPrefix(imp, module+"/") {
				continue
			}
			to := strings.TrimPrefix(strings.TrimPrefix(imp, module), "/")
			at, known := row[to]
			switch {
			case !known:
				t.Errorf("%s imports %q, which has no row in the table", path, to)
			case isTest:
				// Tests may use what stands on any row: nothing imports them.
			case testOnly[to] && !notOnlyTests[[2]string{pkg, to}]:
				t.Errorf("%s imports %q, which is for tests", path, to)
			case at >= from && !inRow[[2]string{pkg, to}]:
				t.Errorf("%s imports %q: row %d is not below row %d", path, to, at, from)
			}
		}
	})
	for _, names := range layers {
		for _, n := range names {
			if !seen[n] {
				t.Errorf("the table names %q, which has no Go file", n)
			}
		}
	}
}

// rounded are the functions of package math whose results are exact or correctly rounded, and so the
// same on every architecture. The others differ, for Go fuses multiply-adds inside them on arm64.
var rounded = map[string]bool{
	"Sqrt": true, "FMA": true, "Abs": true, "Floor": true, "Ceil": true, "Trunc": true, "Copysign": true,
	"Round": true, "RoundToEven": true, "Float64bits": true, "Float64frombits": true,
	"Float32bits": true, "Float32frombits": true, "Frexp": true, "Ldexp": true, "IsNaN": true, "IsInf": true,
	"NaN": true, "Inf": true, "Max": true, "Min": true, "Nextafter": true, "Nextafter32": true, "Signbit": true,
	"Modf": true, "Mod": true,
}

// people are the packages whose numbers reach people only, never state.
var people = map[string]bool{"bench": true, "cmd/scree": true, "internal/oracle": true, "internal/chart": true, ".": true}

// TestMathIsRounded keeps the functions of package math that differ between architectures out of
// state, shapes and seeded generators.
func TestMathIsRounded(t *testing.T) {
	forEachFile(t, func(path, pkg string, f *ast.File) {
		if people[pkg] || strings.HasSuffix(path, "_test.go") {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "math" && x.Obj == nil {
				name := sel.Sel.Name
				constant := strings.HasPrefix(name, "Max") || strings.HasPrefix(name, "Smallest") ||
					name == "Pi" || name == "E" || strings.HasPrefix(name, "Ln") || strings.HasPrefix(name, "Log2E") ||
					strings.HasPrefix(name, "Sqrt2") || name == "Phi" || name == "MinInt64"
				if !rounded[name] && !constant {
					t.Errorf("%s uses math.%s, whose bits differ between architectures: use package vec", path, name)
				}
			}
			return true
		})
	})
}

// TestAssemblyIsAtHome keeps assembly and architecture build tags inside asm and internal/cpu.
func TestAssemblyIsAtHome(t *testing.T) {
	walk(t, func(path string) {
		dir := filepath.ToSlash(filepath.Dir(path))
		if strings.HasSuffix(path, ".s") && dir != "asm" {
			t.Errorf("%s: assembly belongs in asm", path)
		}
		base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".go"), "_test")
		for _, arch := range []string{"_amd64", "_arm64"} {
			if strings.HasSuffix(base, arch) && dir != "asm" && dir != "internal/cpu" {
				t.Errorf("%s: files for one architecture belong in asm", path)
			}
		}
	})
}

func forEachFile(t *testing.T, visit func(path, pkg string, f *ast.File)) {
	t.Helper()
	parseEach(t, parser.SkipObjectResolution, func(path, pkg string, _ *token.FileSet, f *ast.File) { visit(path, pkg, f) })
}

// forEachCommentedFile is forEachFile with comments.
func forEachCommentedFile(t *testing.T, visit func(path, pkg string, fset *token.FileSet, f *ast.File)) {
	t.Helper()
	parseEach(t, parser.SkipObjectResolution|parser.ParseComments, visit)
}

func parseEach(t *testing.T, mode parser.Mode, visit func(path, pkg string, fset *token.FileSet, f *ast.File)) {
	t.Helper()
	fset := token.NewFileSet()
	count := 0
	walk(t, func(path string) {
		if !strings.HasSuffix(path, ".go") {
			return
		}
		f, err := parser.ParseFile(fset, path, nil, mode)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		count++
		visit(path, filepath.ToSlash(filepath.Dir(path)), fset, f)
	})
	if count < 50 {
		t.Fatalf("parsed %d files, expected the whole tree", count)
	}
}

func walk(t *testing.T, visit func(path string)) {
	t.Helper()
	walkAll(t, func(path string) {
		if !strings.HasPrefix(filepath.ToSlash(path), "asm/gen/") {
			visit(path)
		}
	})
}

// walkAll is walk with the module asm/gen.
func walkAll(t *testing.T, visit func(path string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != "." && (strings.HasPrefix(name, ".") || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		visit(path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
