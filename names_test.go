package scree_test

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
)

// oftenNamed lists names that several packages may export, each for its own.
var oftenNamed = map[string]bool{"Config": true, "Options": true, "Method": true, "Stats": true, "Report": true, "Result": true}

// meantOnce lists words that name at most one type, whatever its capitals, because each means one
// thing (docs/architecture.md, Vocabulary).
var meantOnce = []string{"prism", "share", "surface", "solid", "group", "side"}

// TestOneNameOneThing rejects two types of a package whose names differ by capitals alone, exported
// types of two packages with one name, and two types that are named by one of the words above.
func TestOneNameOneThing(t *testing.T) {
	folded := map[string]map[string]bool{} // by package and name in lower case: the names
	exporters := map[string][]string{}     // by name: packages
	owners := map[string][]string{}        // by word: types
	forEachFile(t, func(path, pkg string, f *ast.File) {
		// The generator of assembly is a program with words of its own.
		if strings.HasSuffix(path, "_test.go") || strings.HasPrefix(pkg, "asm/gen") {
			return
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, s := range g.Specs {
				spec := s.(*ast.TypeSpec)
				name := spec.Name.Name
				key := pkg + "." + strings.ToLower(name)
				if folded[key] == nil {
					folded[key] = map[string]bool{}
				}
				if folded[key][name] || spec.Assign.IsValid() {
					continue // the same type for another platform, or an alias
				}
				folded[key][name] = true
				if spec.Name.IsExported() && f.Name.Name != "main" {
					exporters[name] = append(exporters[name], pkg)
				}
				if word := strings.ToLower(name); slices.Contains(meantOnce, word) {
					owners[word] = append(owners[word], pkg+"."+name)
				}
			}
		}
	})
	for key, names := range folded {
		if len(names) > 1 {
			t.Errorf("package of %s: types %v differ by capitals alone", key, slices.Sorted(maps.Keys(names)))
		}
	}
	for name, pkgs := range exporters {
		if len(pkgs) > 1 && !oftenNamed[name] {
			t.Errorf("packages %v each export a type %s, expected one name for one thing", pkgs, name)
		}
	}
	for word, types := range owners {
		if len(types) > 1 {
			t.Errorf("%q names %v, expected one type", word, types)
		}
	}
}
