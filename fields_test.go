package scree_test

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// promised are the packages that programs may rely on (docs/architecture.md).
var promised = map[string]bool{
	"vec": true, "soa": true, "geometry": true, "fileio": true, "engine": true, "engine/force": true, "engine/narrow": true,
	"scene": true, "pairs": true,
}

// obvious are structs whose fields are the components of what the type's own comment explains.
var obvious = map[string]bool{
	"vec.Vec3": true, "vec.Quat": true, "vec.Mat3": true, "vec.Sym3": true, "vec.Box": true,
	"soa.Vec3s": true, "soa.Quats": true, "soa.Sym3s": true,
}

// within are structs between packages of the engine, which programs have no use for.
var within = map[string]bool{"engine/force.Touch": true, "engine/narrow.ProvenPair": true, "soa.Prism": true, "soa.Room": true}

// TestExportedFieldsAreExplained wants a comment at every exported field of the packages that
// programs may rely on: its own, at its line or above, or one above a run of fields that it
// opens.
func TestExportedFieldsAreExplained(t *testing.T) {
	fields := 0
	forEachCommentedFile(t, func(path, pkg string, fset *token.FileSet, f *ast.File) {
		if !promised[pkg] || strings.HasSuffix(path, "_test.go") {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			// A struct of one line has its comment behind it.
			if !ok || !spec.Name.IsExported() || spec.Comment != nil || obvious[pkg+"."+spec.Name.Name] || within[pkg+"."+spec.Name.Name] {
				return true
			}
			s, ok := spec.Type.(*ast.StructType)
			if !ok {
				return true
			}
			explained, last := false, -1
			for _, field := range s.Fields.List {
				line := fset.Position(field.Pos()).Line
				if field.Doc != nil {
					explained = true
				} else if line != last+1 {
					explained = false // a new paragraph
				}
				last = fset.Position(field.End()).Line
				for _, name := range field.Names {
					if fields++; name.IsExported() && !explained && field.Comment == nil {
						t.Errorf("%s:%d: %s.%s has no comment, expected its meaning, unit and frame", path, line, spec.Name.Name, name.Name)
					}
				}
			}
			return true
		})
	})
	if fields < 300 {
		t.Errorf("looked at %d fields", fields)
	}
}
