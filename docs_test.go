package scree_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/scree-dem/scree/scene"
	"github.com/scree-dem/scree/soa"
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

// TestDocsPackage checks that the code of the package's page is that of an example, and that what the page links to
// is there.
func TestDocsPackage(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	example := read(t, "example_test.go")
	links, codes := 0, 0
	visit := func(text []comment.Text) {
		for _, part := range text {
			link, ok := part.(*comment.DocLink)
			if !ok {
				continue
			}
			links++
			dir := strings.TrimPrefix(link.ImportPath, module+"/")
			files, err := filepath.Glob(filepath.Join(dir, "*.go"))
			found := err == nil && len(files) > 0 && link.Name == ""
			for _, file := range files {
				code := read(t, file)
				found = found || strings.Contains(code, "\nfunc "+link.Name+"(") || strings.Contains(code, "\ntype "+link.Name+" ")
			}
			if !found {
				t.Errorf("doc.go links to %s %s, which is not there", link.ImportPath, link.Name)
			}
		}
	}
	for _, block := range new(comment.Parser).Parse(f.Doc.Text()).Content {
		switch b := block.(type) {
		case *comment.Paragraph:
			visit(b.Text)
		case *comment.List:
			for _, item := range b.Items {
				visit(item.Content[0].(*comment.Paragraph).Text)
			}
		case *comment.Code:
			codes++
			if code := "\t" + strings.ReplaceAll(strings.TrimSpace(b.Text), "\n", "\n\t") + "\n"; !strings.Contains(example, code) {
				t.Errorf("the code of doc.go is in no example of example_test.go:\n%s", code)
			}
		}
	}
	if links < 10 || codes != 1 {
		t.Errorf("doc.go has %d links and %d pieces of code", links, codes)
	}
}

// TestDocsCitation checks the fields of CITATION.cff against its format, 1.2.0.
func TestDocsCitation(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(read(t, "CITATION.cff")), "\n")
	got := map[string]string{}
	for k, line := range lines {
		key, value, ok := strings.Cut(line, ":")
		switch {
		case regexp.MustCompile(`^  - (name: )?[A-Za-z][^:#]*$`).MatchString(line) && k > 0 && !strings.HasPrefix(lines[k-1], "version"):
		case !ok || got[key] != "":
			t.Errorf("line %d of CITATION.cff is %q, expected a key of its own", k+1, line)
		default:
			got[key] = strings.TrimSpace(value)
		}
	}
	for key, want := range map[string]string{
		"cff-version": `1\.2\.0`, "message": `[^:#]+`, "title": `[^:#]+`, "abstract": `[^:#]+`, "type": `software|dataset`, "authors": ``,
		"version": `\d+\.\d+\.\d+`, "license": `Apache-2\.0`, "repository-code": `https://` + module, "keywords": ``,
	} {
		if value, ok := got[key]; !ok || !regexp.MustCompile(`^(`+want+`)$`).MatchString(value) {
			t.Errorf("CITATION.cff has %s: %q, expected a match of %s", key, value, want)
		}
		delete(got, key)
	}
	if len(got) > 0 {
		t.Errorf("CITATION.cff has keys that are not checked: %v", got)
	}
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

var link = regexp.MustCompile(`\]\(([^)#]*)(#[^)]*)?\)`)

// fenced matches a code block.
var fenced = regexp.MustCompile("(?s)```.*?```")

func TestDocsLinksLead(t *testing.T) {
	for _, page := range documents(t) {
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(read(t, page), ""), -1) {
			to := filepath.Join(filepath.Dir(page), m[1])
			if m[1] == "" {
				to = page
			}
			if strings.Contains(m[1], "://") {
				continue
			} else if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %s leads nowhere", page, m[1])
			} else if m[2] != "" && !anchors(read(t, to))[m[2]] {
				t.Errorf("%s: %s%s: no heading of that page has this name", page, m[1], m[2])
			}
		}
	}
}

// anchors returns the anchors of the headings of a page, as GitHub makes them.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for line := range strings.Lines(text) {
		if title := strings.TrimLeft(line, "#"); title != line && strings.HasPrefix(title, " ") {
			found["#"+strings.Map(func(r rune) rune {
				switch {
				case r == ' ':
					return '-'
				case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
					return unicode.ToLower(r)
				}
				return -1
			}, strings.TrimSpace(title))] = true
		}
	}
	return found
}

// TestDocsTestsAreThere checks that each pattern after -run or -bench in a page matches a test.
func TestDocsTestsAreThere(t *testing.T) {
	var names []string
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example|Benchmark)\w*)\(`)
	walkAll(t, func(path string) {
		if strings.HasSuffix(path, "_test.go") {
			for _, m := range declared.FindAllStringSubmatch(read(t, path), -1) {
				names = append(names, m[1])
			}
		}
	})
	command := regexp.MustCompile(` -(?:run|bench)[ =](?:'([^']+)'|([\w/.$^]+))`)
	patterns := 0
	for _, page := range documents(t) {
		for _, m := range command.FindAllStringSubmatch(strings.Join(strings.Fields(read(t, page)), " "), -1) {
			for pattern := range strings.SplitSeq(m[1]+m[2], "|") {
				pattern, _, _ = strings.Cut(pattern, "/")
				if pattern == "XXX" || pattern == "NONE" || pattern == "xxx" || pattern == "^$" {
					continue // no test, only benchmarks
				}
				patterns++
				if re, err := regexp.Compile(pattern); err != nil || !slices.ContainsFunc(names, re.MatchString) {
					t.Errorf("%s: no test matches %q", page, pattern)
				}
			}
		}
	}
	if patterns < 100 {
		t.Errorf("the pages have %d patterns", patterns)
	}
}

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

// TestDocsLayers makes the table of layers of docs/architecture.md.
func TestDocsLayers(t *testing.T) {
	var table strings.Builder
	table.WriteString("| layer | packages |\n|---|---|\n")
	for i, names := range slices.Backward(layers) {
		fmt.Fprintf(&table, "| %d | `%s` |\n", i+1, strings.Join(names, "`, `"))
	}
	generated(t, "docs/architecture.md", "layers", table.String())
}

// TestDocsBytes makes the table of rows and their bytes of docs/layout.md.
func TestDocsBytes(t *testing.T) {
	generated(t, "docs/layout.md", "bytes", fmt.Sprintf(`| row | constant | bytes |
|---|---|---:|
| body, hot columns | `+"`soa.BodyBytes`"+` | %d |
| candidate pair | `+"`soa.PairBytes`"+` | %d |
| contact, for pairs that touch or nearly touch | `+"`soa.ContactBytes`"+` | %d |
| what laws keep and compute of a contact, with three columns of history | `+"`soa.ForceBytes`"+` | %d |
`, soa.BodyBytes, soa.PairBytes, soa.ContactBytes, soa.ForceBytes))
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

// TestDocsAreShort bounds the words of all pages that are written by hand.
func TestDocsAreShort(t *testing.T) {
	const most = 50000
	made := regexp.MustCompile(`(?s)<!-- begin .*?<!-- end [^>]*-->`)
	words := 0
	for _, page := range documents(t) {
		words += len(strings.Fields(made.ReplaceAllString(read(t, page), "")))
	}
	if words > most {
		t.Errorf("the pages have %d words without tables made from the code, expected at most %d", words, most)
	}
}

// TestTolerances makes the table of docs/tolerances.md from the comments of constants. A constant
// is in the table if its comment says what a smaller or a larger value does. The comment of a
// tolerance must say so. Packages whose numbers are for people are left out.
func TestTolerances(t *testing.T) {
	rows := map[string][]string{}
	says := regexp.MustCompile(`\b(Smaller|Larger|Another value)\b|\b([Ww]ith|[Aa]) (much )?(smaller|larger|longer|wider)\b|\b(smaller|larger) (values?|ones?)\b`)
	named := regexp.MustCompile(`^tol[A-Z]|(Tol|Tolerance|Rel|Rounding|Bound)$`)
	visit := func(path, pkg string, fset *token.FileSet, f *ast.File) {
		if people[pkg] || strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			comment, last := g.Doc.Text(), 0
			for _, spec := range g.Specs {
				v := spec.(*ast.ValueSpec)
				line := fset.Position(v.Pos()).Line
				if own := v.Doc.Text() + v.Comment.Text(); own != "" && g.Lparen.IsValid() {
					comment = own
				} else if own != "" {
					comment += own
				} else if g.Doc == nil && line != last+1 {
					comment = "" // a comment covers the lines that follow without a gap
				}
				last = fset.Position(v.End()).Line
				for i, name := range v.Names {
					if i >= len(v.Values) {
						continue
					}
					_, alias := v.Values[i].(*ast.SelectorExpr) // a constant of another package
					switch says := says.MatchString(strings.Join(strings.Fields(comment), " ")); {
					case !says && !alias && named.MatchString(name.Name):
						t.Errorf("%s: the comment of %s does not say what a smaller or a larger value does", path, name.Name)
					case says:
						rows[pkg] = append(rows[pkg], fmt.Sprintf("- `%s = %s`: %s\n", name.Name, types.ExprString(v.Values[i]), meaningOf(name.Name, comment)))
					}
				}
			}
		}
	}
	forEachCommentedFile(t, visit)
	programs, err := filepath.Glob("asm/gen/*.go")
	if err != nil || len(programs) == 0 {
		t.Fatalf("asm/gen has %d files, %v", len(programs), err)
	}
	for _, path := range programs {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		visit(path, "asm/gen", fset, f)
	}
	var table strings.Builder
	for _, pkg := range slices.Sorted(maps.Keys(rows)) {
		slices.Sort(rows[pkg])
		fmt.Fprintf(&table, "\n**`%s`**\n\n%s", pkg, strings.Join(rows[pkg], ""))
	}
	generated(t, "docs/tolerances.md", "tolerances", table.String()+"\n")
}

// meaningOf returns the first sentence of a comment that names the constant, else the first sentence.
func meaningOf(name, comment string) string {
	sentences := strings.SplitAfter(strings.Join(strings.Fields(comment), " "), ". ")
	k := max(0, slices.IndexFunc(sentences, func(s string) bool { return regexp.MustCompile(`\b` + name + `\b`).MatchString(s) }))
	for _, prefix := range []string{" is ", ", ", ": ", " "} {
		if rest, ok := strings.CutPrefix(sentences[k], name+prefix); ok && !strings.HasPrefix(rest, "and ") {
			return strings.TrimSpace(rest)
		}
	}
	return strings.TrimSpace(sentences[k])
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

// TestDocsPaths checks that each Go file named in a page exists.
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

// TestGallery checks that docs/examples.md has a picture and the command of each scene in examples.
func TestGallery(t *testing.T) {
	page := read(t, "docs/examples.md")
	scenes, err := filepath.Glob("examples/*.toml")
	if err != nil || len(scenes) < 15 {
		t.Fatal(scenes, err)
	}
	for _, path := range scenes {
		name := strings.TrimSuffix(filepath.Base(path), ".toml")
		if !strings.Contains(page, "(pictures/examples/"+name+".png)") || !strings.Contains(page, "scree run "+path) || !regexp.MustCompile(`(?m)^`+name+`( --|$)`).MatchString(page) {
			t.Errorf("the page lacks %s", name)
		}
	}
}
