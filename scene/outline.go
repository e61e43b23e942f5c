package scene

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/scree-dem/scree/internal/mark"
)

// outline knows the line of every key of a scene file, so that checks made long after parsing can
// name it. Keys are written as "bodies[2].shape", entries counted from 0 in the order of the file.
type outline struct {
	file    string
	places  map[string]place
	entries map[string]int // of each [[table]], how many there are
}

// place is where a key is and how the file defines it.
type place struct {
	line int32
	kind placeKind
}

// placeKind says how a key came to be. It decides what the file may still add to it.
type placeKind uint8

const (
	valueKey  placeKind = iota // KEY = VALUE, inline tables included: nothing
	dottedKey                  // the a of a.b = VALUE: other dotted keys, and tables within it
	impliedBy                  // the a of [a.b]: its own heading, and tables within it
	tableKey                   // the a of [a]: tables within it
	listKey                    // the a of [[a]]: entries
)

// absent lists the keys that the format knows and this release does not have.
var absent = map[string]bool{
	"periodic": true, "bonds": true, "bond": true, "processes": true, "walls.servo": true, "output.report": true, "law.bond": true, "bodies.parts": true,
	"bodies.clump": true, "bodies.rounding": true, "shapes.rounding": true, "contact.rounding": true,
	"law.rolling": true, "law.rolling_friction": true, "law.twisting_friction": true, "law.cohesion": true, "law.surface_energy": true,
	"law.points": true, "law.exponent": true, "shapes.pieces": true, "shapes.files": true,
	"bodies.fixed": true, "bodies.force": true, "bodies.torque": true, "bodies.damping": true, "remove": true, "domain": true,
	"order": true, "stage": true, "measure": true, "output.contacts_every": true,
}

// fault returns the error for a key, at the line of the key or of the table it is missing in.
func (o *outline) fault(key, what string) error {
	return &fault{file: o.file, line: o.line(key), key: key, what: what}
}

// because is fault with a cause, whose text is what is wrong: without the name of the package,
// which tells users nothing.
func (o *outline) because(key string, err error) error {
	return &fault{file: o.file, line: o.line(key), key: key, what: mark.WithoutPackage(err.Error()), cause: err}
}

// line returns the line of a key, or else of the nearest table around it.
func (o *outline) line(key string) int {
	for key != "" {
		if p, ok := o.places[key]; ok {
			return int(p.line)
		}
		key = key[:max(strings.LastIndexAny(key, ".["), 0)]
	}
	return 0
}

func (o *outline) has(key string) bool {
	_, ok := o.places[key]
	return ok
}

// nearShown is the longest key, in bytes, whose nearest known one is looked for: no known key is half as long.
const nearShown = 64

// unknown returns the error for a key that no table has. It names the nearest known key if a
// third of the letters or two of them differ at most, else all keys of the table: a far one would
// mislead.
func (o *outline) unknown(line int, path, name string, known map[string]reflect.StructField) error {
	f := &fault{file: o.file, line: line, key: path}
	if plain := withoutNumbers(path); absent[plain] {
		f.what = unavailable(strconv.Quote(name))
		return f
	}
	if len(name) > nearShown {
		f.what = "unknown key " + strconv.Quote(shorten(name))
		return f
	}
	best, least := "", math.MaxInt
	for _, k := range inOrder(known) {
		if d := levenshtein.ComputeDistance(name, k); d < least {
			best, least = k, d
		}
	}
	if f.what = fmt.Sprintf("unknown key %q, the nearest known one is %q", name, best); least > max(1, len(name)/3, min(2, len(name)/2)) {
		f.what = fmt.Sprintf("unknown key %q, expected one of %s", name, strings.Join(inOrder(known), ", "))
	}
	return f
}

func joined(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// entry is the path of an entry of a list.
func entry(at string, i int) string { return at + "[" + strconv.Itoa(i) + "]" }

// withoutNumbers takes "[2]" and the like out of a key, and the names out of maps of tables.
func withoutNumbers(path string) string {
	var parts []string
	for _, p := range strings.Split(path, ".") {
		name, _, _ := strings.Cut(p, "[")
		parts = append(parts, name)
	}
	if len(parts) > 2 && (parts[0] == "materials" || parts[0] == "shapes") {
		parts = append(parts[:1], parts[2:]...)
	}
	return strings.Join(parts, ".")
}

// wantOf says in words what a key of the type takes.
func wantOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Float64:
		return "a number"
	case reflect.Int64:
		return "a whole number"
	case reflect.String:
		return "a text in quotes"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Struct {
			return "tables"
		}
		return "a list in brackets"
	case reflect.Struct, reflect.Map:
		return "a table"
	}
	return "a number, a text or a list"
}
