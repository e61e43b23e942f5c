package scree_test

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// mostAsked bounds the places outside soa/kinds.go that ask for a property of a kind: what a new kind must
// look at.
const mostAsked = 107

// TestKindsAreComparedInOneFile counts the places that compare the kind of a piece with a certain kind,
// outside soa/kinds.go: a new kind is to be a row of the tables of that file. Elsewhere, code asks for a
// property of a kind, or for an entry of the matrix of kinds.
func TestKindsAreComparedInOneFile(t *testing.T) {
	kinds, count, inTable := map[string]bool{}, 0, 0
	asked, files := 0, map[string]bool{}
	forEachFile(t, func(path, _ string, f *ast.File) {
		if path != "soa/kinds.go" {
			return
		}
		first := true // the first block of constants is that of the kinds
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST && first {
				first = false
				for _, s := range g.Specs {
					kinds[s.(*ast.ValueSpec).Names[0].Name] = true
				}
			}
		}
	})
	delete(kinds, "NKinds")
	if len(kinds) < 4 || !kinds["Ball"] || !kinds["Plane"] {
		t.Fatalf("the kinds are %v", kinds)
	}
	forEachFile(t, func(path, pkg string, f *ast.File) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		isKind := func(e ast.Expr) bool {
			e = ast.Unparen(e)
			if id, ok := e.(*ast.Ident); ok {
				return pkg == "soa" && kinds[id.Name]
			}
			s, ok := e.(*ast.SelectorExpr)
			if !ok {
				return false
			}
			id, ok := s.X.(*ast.Ident)
			return ok && id.Name == "soa" && kinds[s.Sel.Name]
		}
		ast.Inspect(f, func(n ast.Node) bool {
			found := 0
			switch n := n.(type) {
			case *ast.CallExpr:
				if s, ok := n.Fun.(*ast.SelectorExpr); ok && len(n.Args) == 0 && path != "soa/kinds.go" {
					switch s.Sel.Name {
					case "IsRound", "IsPolyhedron", "IsFlat", "IsEndless", "IsSolid":
						asked++
						files[path] = true
					}
				}
			case *ast.BinaryExpr:
				if (n.Op == token.EQL || n.Op == token.NEQ || n.Op == token.LSS || n.Op == token.GTR || n.Op == token.LEQ || n.Op == token.GEQ) && (isKind(n.X) || isKind(n.Y)) {
					found = 1
				}
			case *ast.CaseClause:
				for _, e := range n.List {
					if isKind(e) {
						found++
					}
				}
			}
			if path == "soa/kinds.go" {
				inTable += found
			} else if count += found; found > 0 {
				t.Errorf("%s: compares kinds in %d places", path, found)
			}
			return true
		})
	})
	t.Logf("%d places in %d files ask for a property of a kind", asked, len(files))
	if asked > mostAsked {
		t.Errorf("%d places ask for a property of a kind, expected at most %d", asked, mostAsked)
	}
	if count > 0 {
		t.Errorf("%d places compare kinds outside soa/kinds.go, expected none", count)
	}
	if inTable < len(kinds) {
		t.Errorf("soa/kinds.go compares kinds in %d places, expected one for each of %d kinds", inTable, len(kinds))
	}
}
