package scree_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
	"testing"
)

// promised lists the packages that programs may rely on (docs/architecture.md).
var promised = map[string]bool{
	"vec": true, "soa": true, "geometry": true, "fileio": true, "engine": true, "force": true, "narrow": true,
	"scene": true, "pairs": true, "geometry/inside": true, "geometry/surfaces": true,
}

// obvious lists structs whose fields are the components that the comment of the type explains.
var obvious = map[string]bool{
	"vec.Vec3": true, "vec.Quat": true, "vec.Mat3": true, "vec.Sym3": true, "vec.Box": true,
	"soa.Vec3s": true, "soa.Quats": true, "soa.Sym3s": true,
}

// within lists structs that packages of the engine exchange and programs do not need.
var within = map[string]bool{"force.ActiveContact": true, "narrow.ProvenPair": true, "soa.Prism": true, "soa.Clearance": true}

// units matches the unit of a field in a comment.
var units = regexp.MustCompile(`(^|[ ,;:(/])(m|s|kg|N|J|W|Pa|rad|m²|m³|ns|bytes|1|unit|share|coefficient)([/·,;:.) ^²³]|$)`)

// numeric lists the types of fields that have a unit, or that count something the comment must
// name.
var numeric = map[string]bool{"float64": true, "float32": true, "vec.Vec3": true, "vec.Sym3": true, "vec.Mat3": true, "Vec3s": true, "Sym3s": true}

// TestExportedFieldsAreExplained requires a comment for every exported field of the promised
// packages. The comment may be on the line of the field, above the field, or above a run of fields.
// A comment above a run covers fields of numeric types only if it names units.
func TestExportedFieldsAreExplained(t *testing.T) {
	fields := 0
	forEachCommentedFile(t, func(path, pkg string, fset *token.FileSet, f *ast.File) {
		if !promised[pkg] || strings.HasSuffix(path, "_test.go") {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			// A one-line struct has its comment on the same line.
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

// leads reports whether the first field starts a run: the next line has another exported field
// without its own comment.
func leads(fset *token.FileSet, fields []*ast.Field) bool {
	exported := func(f *ast.Field) bool { return len(f.Names) > 0 && f.Names[0].IsExported() }
	return len(fields) > 1 && exported(fields[1]) && fields[1].Doc == nil && fields[1].Comment == nil &&
		fset.Position(fields[1].Pos()).Line == fset.Position(fields[0].End()).Line+1
}

// elementOf returns the element type of a slice, an array or a pointer. Other types are returned
// unchanged.
func elementOf(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.ArrayType:
		return elementOf(x.Elt)
	case *ast.StarExpr:
		return elementOf(x.X)
	}
	return e
}
