package scree_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/scene"
)

// The tests in this file check that documents and code agree.

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// documents returns every Markdown file in the tree.
func documents(t *testing.T) []string {
	t.Helper()
	var paths []string
	walk(t, func(path string) {
		if strings.HasSuffix(path, ".md") {
			paths = append(paths, path)
		}
	})
	if len(paths) < 10 {
		t.Fatalf("found %d documents, expected those of docs as well", len(paths))
	}
	return paths
}

func TestDocsReadme(t *testing.T) {
	text := read(t, "README.md")
	if n := strings.Count(text, "\n"); n > 150 {
		t.Errorf("README.md has %d lines, expected at most 150", n)
	}
	_, after, ok := strings.Cut(text, "```go\n")
	code, _, closed := strings.Cut(after, "```")
	if !ok || !closed {
		t.Fatal("README.md has no Go example")
	}
	if n := strings.Count(code, "\n"); n > 20 {
		t.Errorf("its example has %d lines, expected at most 20", n)
	}
	if !strings.Contains(read(t, "example_test.go"), code) {
		t.Error("the example of README.md is not that of example_test.go")
	}
}

var link = regexp.MustCompile(`\]\(([^)#]+)(#[^)]*)?\)`)

// fenced matches a code block.
var fenced = regexp.MustCompile("(?s)```.*?```")

func TestDocsLinksLead(t *testing.T) {
	for _, path := range documents(t) {
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(read(t, path), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), m[1])); err != nil {
				t.Errorf("%s: %s leads nowhere", path, m[1])
			}
		}
	}
}

var quoted = regexp.MustCompile("`([^`]+)`")

// tableRows returns the cells of the table below a heading, without the two header lines.
func tableRows(text, heading string) [][]string {
	_, after, _ := strings.Cut(text, heading+"\n")
	section, _, _ := strings.Cut(after, "\n## ")
	var rows [][]string
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows
}

func TestDocsRowsAreTheTable(t *testing.T) {
	var got [][]string
	for _, cells := range tableRows(read(t, "docs/architecture.md"), "## Layers")[2:] {
		var names []string
		for _, m := range quoted.FindAllStringSubmatch(cells[1], -1) {
			names = append(names, m[1])
		}
		slices.Sort(names)
		got = append(got, names)
	}
	slices.Reverse(got)
	var want [][]string
	for _, names := range layers {
		want = append(want, slices.Sorted(slices.Values(names)))
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("docs/architecture.md has the layers\n%v\nexpected those of arch_test.go\n%v", got, want)
	}
}

// cited matches a citation in a comment: names, then a year. Other text may contain years too, so
// only this form counts.
var cited = regexp.MustCompile(
	`(?:van den )?[A-Z][\p{L}]+(?:(?:, | & | and | et al\.)[\p{L}]*)*,? (?:1[89]|20)\d\d\b`)

func TestDocsReferencesAreComplete(t *testing.T) {
	text := read(t, "docs/references.md")
	entry := regexp.MustCompile(`(?m)^- \*\*(.+)\*\*: (.+)$`)
	keys := map[string]bool{}
	var order []string
	for _, m := range entry.FindAllStringSubmatch(text, -1) {
		keys[keyOf(m[1])] = false
		order = append(order, strings.ToLower(m[1]))
	}
	if len(keys) < 20 {
		t.Fatalf("found %d entries", len(keys))
	}
	if !slices.IsSorted(order) {
		t.Error("the entries are not sorted by key")
	}
	fset := token.NewFileSet()
	walk(t, func(path string) {
		if !strings.HasSuffix(path, ".go") || path == "docs_test.go" {
			return
		}
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range f.Comments {
			for _, m := range cited.FindAllString(strings.Join(strings.Fields(group.Text()), " "), -1) {
				if _, ok := keys[keyOf(m)]; !ok {
					t.Errorf("%s cites %q, which docs/references.md does not have", path, m)
				}
				keys[keyOf(m)] = true
			}
		}
	})
	for _, path := range documents(t) {
		if path == filepath.FromSlash("docs/references.md") {
			continue
		}
		for _, m := range cited.FindAllString(strings.Join(strings.Fields(read(t, path)), " "), -1) {
			if _, ok := keys[keyOf(m)]; ok {
				keys[keyOf(m)] = true
			}
		}
	}
	for key, used := range keys {
		if !used {
			t.Errorf("docs/references.md has %q, which nothing cites", key)
		}
	}
}

// keyOf returns a normalised citation: "Sutherland & Hodgman 1974" and "Sutherland and Hodgman
// 1974" are the same.
func keyOf(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(key, " & ", " and "), ",", ""), " and ", " ")
}

// TestDocsTolerances compares docs/numerics.md with the constants of the code. Each row must match
// its constant, and each constant with the name of a tolerance must have a row.
func TestDocsTolerances(t *testing.T) {
	consts := constants(t)
	documented := map[string]bool{}
	count := 0
	for _, cells := range tableRows(read(t, "docs/numerics.md"), "## Tolerances") {
		if len(cells) < 3 || !strings.HasPrefix(cells[0], "`") {
			continue
		}
		count++
		name, pkg, value := strings.Trim(cells[0], "`"), strings.Trim(cells[1], "`"), strings.Trim(cells[2], "`")
		documented[pkg+"."+name] = true
		expr, ok := consts[pkg][name]
		if !ok {
			t.Errorf("docs/numerics.md has %s of %s, which is no constant there", name, pkg)
			continue
		}
		want, err := parser.ParseExpr(value)
		if err != nil {
			t.Errorf("%s of %s: %v", name, pkg, err)
			continue
		}
		got, err1 := evaluate(expr, pkg, consts)
		doc, err2 := evaluate(want, pkg, consts)
		if err1 != nil || err2 != nil || !constant.Compare(got, token.EQL, doc) {
			t.Errorf("docs/numerics.md says %s of %s is %s, which is %v; it is %v (%v, %v)", name, pkg, value, doc, got, err1, err2)
		}
	}
	if count < 40 {
		t.Errorf("docs/numerics.md has %d constants, expected more", count)
	}
	named := regexp.MustCompile(`^tol[A-Z]|Tol$|Tolerance$|Rel$`)
	for pkg, names := range consts {
		if people[pkg] || pkg == "." {
			continue
		}
		for name, expr := range names {
			if _, alias := expr.(*ast.SelectorExpr); alias {
				continue // belongs to another package
			}
			if named.MatchString(name) && !documented[pkg+"."+name] {
				t.Errorf("%s of %s is a tolerance that docs/numerics.md does not have", name, pkg)
			}
		}
	}
}

// constants returns the expressions of the package-level constants of each package, without tests.
// It includes those of the kernel generator in its own module.
func constants(t *testing.T) map[string]map[string]ast.Expr {
	all := map[string]map[string]ast.Expr{}
	add := func(path, pkg string, f *ast.File) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		if all[pkg] == nil {
			all[pkg] = map[string]ast.Expr{}
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, spec := range g.Specs {
				v := spec.(*ast.ValueSpec)
				for i, name := range v.Names {
					if i < len(v.Values) {
						all[pkg][name.Name] = v.Values[i]
					}
				}
			}
		}
	}
	forEachFile(t, add)
	programs, err := filepath.Glob("asm/gen/*.go")
	if err != nil || len(programs) == 0 {
		t.Fatalf("asm/gen has %d files, %v", len(programs), err)
	}
	for _, path := range programs {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		add(path, "asm/gen", f)
	}
	return all
}

// evaluate returns the value of a constant expression. The expression may contain numbers,
// constants of its package, and constants of other packages of the module. The last path elements
// of these packages must be unique.
func evaluate(e ast.Expr, pkg string, all map[string]map[string]ast.Expr) (constant.Value, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0), nil
	case *ast.ParenExpr:
		return evaluate(e.X, pkg, all)
	case *ast.Ident:
		if x, ok := all[pkg][e.Name]; ok {
			return evaluate(x, pkg, all)
		}
	case *ast.SelectorExpr:
		from := e.X.(*ast.Ident).Name
		for other := range all {
			if path.Base(other) == from && all[other][e.Sel.Name] != nil {
				return evaluate(e.Sel, other, all)
			}
		}
	case *ast.UnaryExpr:
		x, err := evaluate(e.X, pkg, all)
		if err == nil {
			x = constant.UnaryOp(e.Op, x, 0)
		}
		return x, err
	case *ast.BinaryExpr:
		x, err := evaluate(e.X, pkg, all)
		if err != nil {
			return nil, err
		}
		y, err := evaluate(e.Y, pkg, all)
		if err != nil {
			return nil, err
		}
		if e.Op == token.SHL || e.Op == token.SHR {
			n, _ := constant.Uint64Val(y)
			return constant.Shift(x, e.Op, uint(n)), nil
		}
		return constant.BinaryOp(constant.ToFloat(x), e.Op, constant.ToFloat(y)), nil
	}
	return nil, fmt.Errorf("not a constant expression of numbers: %T", e)
}

var update = flag.Bool("update", false, "write the generated tables of pages, instead of comparing them")

// generated compares a table in a page with what the code says. The table stands between the lines
// <!-- begin NAME --> and <!-- end NAME -->.
func generated(t *testing.T, page, name, table string) {
	t.Helper()
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->\n"
	before, rest, ok := strings.Cut(read(t, page), begin)
	old, after, closed := strings.Cut(rest, end)
	switch {
	case !ok || !closed:
		t.Fatalf("%s has no place for the table %q, expected the lines %s and %s", page, name, begin, end)
	case old == table:
	case *update:
		if err := os.WriteFile(page, []byte(before+begin+table+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table %q of %s is not that of the code; go test . -run '^%s$' -update writes it", name, page, t.Name())
	}
}

// TestDocsSceneKeys makes the tables of docs/scenes.md from the keys that package scene reads.
func TestDocsSceneKeys(t *testing.T) {
	for _, table := range scene.KeyTables() {
		if len(table.Rows) == 0 {
			continue
		}
		text := "| key | unit | default | accepts | meaning |\n|---|---|---|---|---|\n"
		for _, r := range table.Rows {
			text += fmt.Sprintf("| `%s` | %s | %s | %s | %s |\n", r.Key, r.Unit, r.Default, r.Accepts, r.Meaning)
		}
		generated(t, "docs/scenes.md", strings.TrimSpace("keys "+table.Name), text)
	}
}

// TestDocsStepHeadings checks that the headings of docs/step.md are comments of step.go, in that
// order.
func TestDocsStepHeadings(t *testing.T) {
	code := read(t, "engine/step.go")
	heading := regexp.MustCompile(`(?m)^## (\d .+)$`)
	found := heading.FindAllStringSubmatch(read(t, "docs/step.md"), -1)
	if want := strings.Count(code, "\n\t// 1 ") + len(regexp.MustCompile(`(?m)^\t// [2-9] `).FindAllString(code, -1)); len(found) != want {
		t.Errorf("docs/step.md has %d stages, step.go %d", len(found), want)
	}
	at := 0
	for _, m := range found {
		k := strings.Index(code[at:], "\t// "+m[1]+":")
		if k < 0 {
			t.Errorf("step.go has no stage %q after the one before", m[1])
			continue
		}
		at += k
	}
}

// TestDocsSceneExample loads the first scene in docs/scenes.md.
func TestDocsSceneExample(t *testing.T) {
	_, after, _ := strings.Cut(read(t, "docs/scenes.md"), "```toml\n")
	text, _, ok := strings.Cut(after, "```")
	if !ok {
		t.Fatal("docs/scenes.md has no example")
	}
	path := filepath.Join(t.TempDir(), "example.toml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := scene.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build(1)
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
}

// TestDocsPaths checks that each Go file named in a page exists. Decisions that were replaced keep the
// names of their time.
func TestDocsPaths(t *testing.T) {
	file := regexp.MustCompile("`((?:[a-z0-9]+/)+[a-z0-9_]+\\.go)`")
	named := 0
	pages := []string{"README.md", "CONTRIBUTING.md"}
	walk(t, func(path string) {
		if strings.HasPrefix(path, "docs/") && strings.HasSuffix(path, ".md") {
			pages = append(pages, path)
		}
	})
	for _, page := range pages {
		text := read(t, page)
		if strings.HasPrefix(page, "docs/decisions/") && strings.Contains(text, "\nReplaced by [") {
			continue
		}
		for _, m := range file.FindAllStringSubmatch(text, -1) {
			named++
			if _, err := os.Stat(m[1]); err != nil && !strings.HasPrefix(page, "docs/howto/") {
				t.Errorf("%s names `%s`, which does not exist", page, m[1])
			}
		}
	}
	if named < 60 {
		t.Errorf("the pages name %d files", named)
	}
}
