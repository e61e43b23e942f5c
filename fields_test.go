package scree_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
	"testing"
)

// promised are the packages that programs may rely on (docs/architecture.md).
var promised = map[string]bool{
	"vec": true, "soa": true, "geometry": true, "fileio": true, "engine": true, "engine/force": true, "engine/narrow": true,
	"scene": true, "pairs": true, "geometry/inside": true, "geometry/surfaces": true,
}

// obvious are structs whose fields are the components of what the type's own comment explains.
var obvious = map[string]bool{
	"vec.Vec3": true, "vec.Quat": true, "vec.Mat3": true, "vec.Sym3": true, "vec.Box": true,
	"soa.Vec3s": true, "soa.Quats": true, "soa.Sym3s": true,
}

// within are structs between packages of the engine, which programs have no use for.
var within = map[string]bool{"engine/force.ActiveContact": true, "engine/narrow.ProvenPair": true, "soa.Prism": true, "soa.Clearance": true}

// units are how a comment names the unit of a field, beside those of its own sentence.
var units = regexp.MustCompile(`(^|[ ,;:(/])(m|s|kg|N|J|W|Pa|rad|m²|m³|ns|bytes|1|unit|share|coefficient)([/·,;:.) ^²³]|$)`)

// numeric are the types of fields that have a unit, or are counts that say of what.
var numeric = map[string]bool{"float64": true, "float32": true, "vec.Vec3": true, "vec.Sym3": true, "vec.Mat3": true, "Vec3s": true, "Sym3s": true}

// TestExportedFieldsAreExplained wants a comment at every exported field of the packages that
// programs may rely on: its own, at its line or above, or one above a run of fields that it opens.
// One above a run counts for numbers that may have a unit only where it names units.
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
			explained, last := "", -1
			for i, field := range s.Fields.List {
				line := fset.Position(field.Pos()).Line
				alone := field.Doc != nil && !leads(fset, s.Fields.List[i:])
				if field.Doc != nil {
					explained = strings.Join(strings.Fields(field.Doc.Text()), " ")
				} else if line != last+1 {
					explained = "" // a new paragraph
				}
				enough := explained != "" && (alone || !numeric[types.ExprString(elementOf(field.Type))] || units.MatchString(explained))
				last = fset.Position(field.End()).Line
				for _, name := range field.Names {
					if fields++; name.IsExported() && !enough && field.Comment == nil {
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

// leads reports whether the first of some fields opens a run: the next line has another exported one
// without a comment of its own.
func leads(fset *token.FileSet, fields []*ast.Field) bool {
	exported := func(f *ast.Field) bool { return len(f.Names) > 0 && f.Names[0].IsExported() }
	return len(fields) > 1 && exported(fields[1]) && fields[1].Doc == nil && fields[1].Comment == nil &&
		fset.Position(fields[1].Pos()).Line == fset.Position(fields[0].End()).Line+1
}

// elementOf returns what a slice, an array or a pointer is of, and other types as they are.
func elementOf(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.ArrayType:
		return elementOf(x.Elt)
	case *ast.StarExpr:
		return elementOf(x.X)
	}
	return e
}
