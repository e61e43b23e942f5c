package scree_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// folder counts the handwritten Go code of a folder, without tests: files, lines that are neither
// blank nor comments, and exported functions, methods of exported types, and types.
type folder struct{ files, lines, exported int }

// houseRow matches a row of the table in docs/architecture.md.
var houseRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|$")

// TestHouse compares the sizes of all folders with the table in docs/architecture.md, with a
// tolerance of 5 % or a few. With -v it prints the current table, with -update it writes it.
func TestHouse(t *testing.T) {
	house := map[string]*folder{}
	walkAll(t, func(path string) {
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return
		}
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(source[:min(len(source), 400)], []byte("Code generated")) {
			return
		}
		at := folderOf(path)
		if house[at] == nil {
			house[at] = &folder{}
		}
		house[at].add(t, path, source)
	})

	var table strings.Builder
	row := func(name string, f *folder) {
		fmt.Fprintf(&table, "| `%s` | %d | %d | %d |\n", name, f.files, f.lines, f.exported)
	}
	table.WriteString("| folder | files | lines | exported |\n|---|---:|---:|---:|\n")
	all := &folder{}
	for _, name := range slices.Sorted(maps.Keys(house)) {
		f := house[name]
		row(name, f)
		all.files, all.lines, all.exported = all.files+f.files, all.lines+f.lines, all.exported+f.exported
	}
	house["all"] = all
	row("all", all)
	t.Logf("the house:\n\n%s", table.String())
	if *update {
		generated(t, "docs/architecture.md", "size", table.String())
	}

	_, section, _ := strings.Cut(read(t, "docs/architecture.md"), "\n## Size\n")
	section, _, _ = strings.Cut(section, "\n## ")
	said := map[string]bool{}
	for _, m := range houseRow.FindAllStringSubmatch(section, -1) {
		f := house[m[1]]
		if said[m[1]] = true; f == nil {
			t.Errorf("docs/architecture.md counts the folder %s, which is not there", m[1])
			continue
		}
		for i, is := range []struct {
			n, room int
			of      string
		}{{f.files, 3, "files"}, {f.lines, 60, "lines"}, {f.exported, 5, "exported functions and types"}} {
			if says, err := strconv.Atoi(m[2+i]); err != nil || max(says-is.n, is.n-says) > max(is.n/20, is.room) {
				t.Errorf("docs/architecture.md: %s has %s %s, expected %d; go test -run TestHouse -v . prints the table", m[1], m[2+i], is.of, is.n)
			}
		}
	}
	for name := range house {
		if !said[name] {
			t.Errorf("docs/architecture.md does not count the folder %s", name)
		}
	}
}

// folderOf returns the folder of the table that a file belongs to: the first two elements of its
// path.
func folderOf(path string) string {
	dir := filepath.ToSlash(filepath.Dir(path))
	if parts := strings.Split(dir, "/"); len(parts) > 2 {
		dir = strings.Join(parts[:2], "/")
	}
	if strings.HasPrefix(dir, "internal/") {
		return "internal"
	}
	return dir
}

// add counts a file.
func (f *folder) add(t *testing.T, path string, source []byte) {
	t.Helper()
	f.files++
	fset := token.NewFileSet()
	file := fset.AddFile(path, -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, 0)
	last := 0
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue // the automatic semicolon at the end of a line
		}
		first := file.Line(pos)
		end := first + strings.Count(text, "\n") // last line of a multi-line string
		f.lines += end - max(first, last+1) + 1
		last = end
	}
	tree, err := parser.ParseFile(fset, path, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type))) {
				f.exported++
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if s, ok := spec.(*ast.TypeSpec); ok && s.Name.IsExported() {
					f.exported++
				}
			}
		}
	}
}

// receiver returns the name of the type of a method receiver.
func receiver(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}
