package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
)

// layout lists the columns of a structure of package asm, in the order of its fields. The number of
// a column is its place in this list. Each element of an array of columns is a column.
type layout struct {
	structure string
	fields    []field
}

// field is one column, or one uniform of a structure of uniforms.
type field struct {
	name    string // as Go selects it: Gap, Rows[3]
	array   string // the name of the array that has this element, or ""
	at      int    // the index of the element
	shifted bool   // the array has the tag asm:"shifted": its element j is a table without the first j numbers
}

// in returns the Go expression of a field of the structure to which v points.
func (f field) in(v string) string { return v + "." + f.name }

// column returns the number of a column by the name of its field. The name of an array means its
// first element. Pos, Rot and Inertia mean the first of PosX to PosZ, RotW to RotZ, and InertiaXX
// to InertiaYZ.
func (l *layout) column(name string) column {
	for _, first := range []string{"", "W", "X", "XX"} {
		for i, f := range l.fields {
			if f.name == name+first || f.array == name {
				return column(i)
			}
		}
	}
	panic(fmt.Sprintf("gen: structure %s of asm has no field %s", l.structure, name))
}

// lastColumn returns the number of the last column of an array.
func (l *layout) lastColumn(array string) column {
	last := l.column(array)
	for int(last+1) < len(l.fields) && l.fields[last+1].array == array {
		last++
	}
	return last
}

// layoutOf reads a structure from the source of package asm. It does not need the generated files.
func layoutOf(structure string) *layout {
	object := asmSource().Lookup(structure)
	if object == nil {
		panic(fmt.Sprintf("gen: package asm has no structure %s", structure))
	}
	l := &layout{structure: structure}
	s, ok := object.Type().Underlying().(*types.Struct)
	if !ok {
		panic(fmt.Sprintf("gen: %s of package asm is no structure", structure))
	}
	for i := range s.NumFields() {
		f := s.Field(i)
		shifted := reflect.StructTag(s.Tag(i)).Get("asm") == "shifted"
		switch t := f.Type().Underlying().(type) {
		case *types.Struct:
			panic(fmt.Sprintf("gen: field %s of %s is a structure", f.Name(), structure))
		case *types.Array:
			for k := range int(t.Len()) {
				name := fmt.Sprintf("%s[%d]", f.Name(), k)
				l.fields = append(l.fields, field{name: name, array: f.Name(), at: k, shifted: shifted})
			}
		default:
			l.fields = append(l.fields, field{name: f.Name()})
		}
	}
	return l
}

// uniformOf returns a uniform by its name in the structure u.
func (p *program) uniformOf(u *layout, name string) num { return p.uniform(int(u.column(name))) }

// asmNumber returns a constant of package asm.
func asmNumber(name string) float64 {
	if c, ok := asmSource().Lookup(name).(*types.Const); ok {
		v, _ := constant.Float64Val(constant.ToFloat(c.Val()))
		return v
	}
	panic("gen: package asm has no constant " + name)
}

// asmWhole returns a constant of package asm that is an unsigned integer.
func asmWhole(name string) uint64 {
	if c, ok := asmSource().Lookup(name).(*types.Const); ok {
		if v, exact := constant.Uint64Val(constant.ToInt(c.Val())); exact {
			return v
		}
	}
	panic("gen: package asm has no whole number " + name)
}

// asmColumn returns a constant of package asm that is an offset between columns.
func asmColumn(name string) column { return column(asmWhole(name)) }

// asmFolder is the folder of package asm: go generate and go test run in asm/gen.
const asmFolder = ".."

// asmSource returns the scope of package asm. It ignores bodies of functions and other packages. It
// also ignores errors, and leaves them to the compiler: while a kernel is new, the package lacks
// the files that are still to be generated.
var asmSource = sync.OnceValue(func() *types.Scope {
	paths, err := filepath.Glob(filepath.Join(asmFolder, "*.go"))
	if err != nil || len(paths) == 0 {
		panic(fmt.Sprintf("gen: %d Go files in %s: %v", len(paths), asmFolder, err))
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") || isGenerated(path) {
			continue
		}
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			panic("gen: " + err.Error())
		}
		files = append(files, f)
	}
	config := types.Config{IgnoreFuncBodies: true, Importer: noImports{}, Error: func(error) {}}
	pkg, _ := config.Check("asm", fset, files, nil)
	return pkg.Scope()
})

type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) { return nil, errors.New("not read") }

// isGenerated reports whether a file begins with the line of generated files.
func isGenerated(path string) bool {
	text, err := os.ReadFile(path)
	if err != nil {
		panic("gen: " + err.Error())
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.HasPrefix(line, "// Code generated ") && strings.HasSuffix(line, " DO NOT EDIT.")
}
