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

// layers is the table of packages from the bottom up (docs/architecture.md). A package imports
// packages of lower layers only, never one of its own layer. A change requires a note in
// docs/decisions.
var layers = [][]string{
	{"vec", "internal/keys", "internal/invariants", "internal/require", "internal/cpu", "internal/backends", "internal/disjoint", "internal/halfedge", "internal/disk", "internal/mark", "internal/results", "internal/chart", "internal/distribution", "internal/curve", "internal/access", "internal/cachesim", "internal/release"},
	{"soa", "sched", "asm", "geometry/hull", "geometry/internal/earcut", "internal/boxtree", "internal/weld", "internal/oracle", "internal/meet"},
	{"kernels", "geometry"},
	{"geometry/surfaces", "geometry/inside/internal/tri", "internal/floors", "wall/mesh"},
	{"geometry/inside/internal/winding", "geometry/inside/internal/clusters"},
	{"geometry/inside/internal/ray", "geometry/inside/internal/voxels", "geometry/inside/internal/treecode", "geometry/inside/internal/multipole"},
	{"geometry/inside"},
	{"narrow/internal/pair"},
	{"narrow/internal/ball", "narrow/internal/facets"},
	{"narrow/internal/proof"},
	{"narrow/internal/search", "narrow/internal/typing"},
	{"narrow/internal/methods"},
	{"broad", "narrow", "overlap", "section", "force"},
	{"broad/brute", "broad/cells", "broad/multilevel", "broad/lc", "broad/vl", "broad/lll", "engine/surface"},
	{"engine/coplanar", "broad/auto"},
	{"engine/contact", "fileio"},
	{"engine"},
	{"scene", "pairs"},
	{"report", "verify"},
	{"bench/peers"},
	{"bench"},
	{"cmd/scree", "examples/conveyor"},
	{"."},
}

// inRow lists the allowed imports within a row. Each is in one direction.
var inRow = map[[2]string]bool{
	{"internal/oracle", "soa"}:            true, // reads the views that it checks
	{"internal/meet", "soa"}:              true, // reads the views that it poses
	{"internal/backends", "internal/cpu"}: true, // loops over the backends

	{"geometry/inside/internal/clusters", "geometry/inside/internal/winding"}: true, // uses solid angles of points on triangles
}

// testOnly lists packages that only tests may import.
var testOnly = map[string]bool{"internal/oracle": true, "internal/require": true, "internal/backends": true, "internal/results": true, "internal/floors": true, "internal/meet": true}

// notOnlyTests lists the allowed imports of testOnly packages outside tests.
var notOnlyTests = map[[2]string]bool{
	{"bench", "internal/oracle"}: true, // studies compare the timed results with exact ones
	{"bench", "internal/meet"}:   true, // studies pose pairs as the tests do
}

// TestImportOrder checks the imports of every file, with any build tags.
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
				// Tests may import packages of any row, because nothing imports tests.
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

// rounded lists the functions of package math whose results are exact or correctly rounded, and
// therefore the same on every architecture. The others differ, because Go fuses multiply-adds in
// them on arm64.
var rounded = map[string]bool{
	"Sqrt": true, "FMA": true, "Abs": true, "Floor": true, "Ceil": true, "Trunc": true, "Copysign": true,
	"Round": true, "RoundToEven": true, "Float64bits": true, "Float64frombits": true,
	"Float32bits": true, "Float32frombits": true, "Frexp": true, "Ldexp": true, "IsNaN": true, "IsInf": true,
	"NaN": true, "Inf": true, "Max": true, "Min": true, "Nextafter": true, "Nextafter32": true, "Signbit": true,
	"Modf": true, "Mod": true,
}

// people lists the packages whose numbers are for people and never affect state.
var people = map[string]bool{"bench": true, "report": true, "verify": true, "cmd/scree": true, "internal/oracle": true, "internal/chart": true, "internal/distribution": true, ".": true}

// sumsOfVek lists the packages that may import vek, whose order of summation depends on the
// processor. describes lists the packages that may import internal/distribution, which uses vek: they
// show its numbers to people (docs/decisions/0004-floating-point.md).
var (
	sumsOfVek = map[string]bool{"internal/distribution": true}
	describes = map[string]bool{"pairs": true, "cmd/scree": true}
)

// TestSumsAreForPeople checks who may use sums whose bits depend on the processor. All other
// packages, above all those that compute state, may not.
func TestSumsAreForPeople(t *testing.T) {
	used := map[string]bool{}
	forEachFile(t, func(path, pkg string, f *ast.File) {
		for _, spec := range f.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			vek := strings.HasPrefix(imp, "github.com/viterin/")
			if vek && !sumsOfVek[pkg] || imp == module+"/internal/distribution" && !describes[pkg] {
				t.Errorf("%s imports %s, whose sums depend on the processor: only packages that show numbers to people may", path, imp)
			}
			if vek {
				used[pkg] = true
			}
		}
	})
	for pkg := range sumsOfVek {
		if !used[pkg] || !people[pkg] {
			t.Errorf("package %q may import vek, but does not, or is not one whose numbers are for people", pkg)
		}
	}
}

// TestMathIsRounded rejects functions of package math that differ between architectures in code
// that computes state, shapes or seeded random numbers.
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

// TestAssemblyIsAtHome checks that assembly and architecture build tags occur only in asm and
// internal/cpu.
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

// walkAll is walk that includes the module asm/gen.
func walkAll(t *testing.T, visit func(path string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != "." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules") {
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
