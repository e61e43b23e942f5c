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

// outline holds the line of every key of a scene file, so that checks long after parsing can report
// it. Keys have the form "bodies[2].shape"; entries are counted from 0 in the order of the file.
type outline struct {
	file    string
	places  map[string]place
	entries map[string]int // number of entries of each [[table]]
}

// place is the line of a key and the way the file defines the key.
type place struct {
	line int32
	kind placeKind
}

// placeKind is the way a file defines a key. It determines what the file may still add to the key.
type placeKind uint8

const (
	valueKey  placeKind = iota // KEY = VALUE, inline tables included; the file may add nothing
	dottedKey                  // the a of a.b = VALUE; the file may add dotted keys and tables inside a
	impliedBy                  // the a of [a.b]; the file may add the heading [a] and tables inside a
	tableKey                   // the a of [a]; the file may add tables inside a
	listKey                    // the a of [[a]]; the file may add entries
)

// absent lists keys of the format that this release does not support.
var absent = map[string]bool{
	"periodic": true, "bonds": true, "bond": true, "processes": true, "walls.servo": true, "output.report": true, "law.bond": true, "bodies.parts": true,
	"bodies.clump": true, "bodies.rounding": true, "shapes.rounding": true, "contact.rounding": true,
	"law.rolling": true, "law.rolling_friction": true, "law.twisting_friction": true, "law.cohesion": true, "law.surface_energy": true,
	"law.points": true, "law.exponent": true, "shapes.pieces": true, "shapes.files": true,
	"bodies.fixed": true, "bodies.force": true, "bodies.torque": true, "bodies.damping": true, "remove": true, "domain": true,
	"order": true, "stage": true, "measure": true, "output.contacts_every": true,
}

// fault returns the error for a key, with the line of the key, or of its table if the key is
// missing.
func (o *outline) fault(key, what string) error {
	return &fault{file: o.file, line: o.line(key), key: key, what: what}
}

// because is fault with a cause. The message is the text of the cause without the package prefix,
// which means nothing to users.
func (o *outline) because(key string, err error) error {
	return &fault{file: o.file, line: o.line(key), key: key, what: mark.WithoutPackage(err.Error()), cause: err}
}

// line returns the line of a key, or of the nearest enclosing table, or 0.
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

// nearShown is the length, in bytes, of the longest key for which a similar key is searched. All
// known keys are shorter than half of it.
const nearShown = 64

// unknown returns the error for an unknown key. It suggests the most similar known key if at most a
// third of the letters differ, or two. Otherwise it lists all keys of the table, because a bad
// suggestion would mislead.
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

// joined returns the path of a key in the table at. A name that paths could confuse with a longer
// path is quoted, as in TOML: materials."a.b".
func joined(at, name string) string {
	if strings.ContainsAny(name, `.["`) {
		name = strconv.Quote(name)
	}
	if at == "" {
		return name
	}
	return at + "." + name
}

// entry returns the path of entry i of a list.
func entry(at string, i int) string { return at + "[" + strconv.Itoa(i) + "]" }

// withoutNumbers removes indices such as "[2]" and the names of materials and shapes from a path.
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

// wantOf returns a text for the values that a key of type t accepts.
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
