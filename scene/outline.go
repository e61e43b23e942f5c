package scene

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// outline knows the line of every key of a scene file, so that checks made long after parsing can
// name it. Keys are written as "bodies[2].shape", entries counted from 0 in the order of the file.
type outline struct {
	file    string
	content []byte
	lines   map[string]int
	entries map[string]int // of each [[table]], how many there are
}

// absent lists the keys that the format knows and this release does not have.
var absent = map[string]bool{
	"periodic": true, "walls.servo": true, "output.report": true, "law.bond": true, "bodies.parts": true,
	"bodies.clump": true, "bodies.rounding": true, "shapes.rounding": true, "contact.rounding": true,
	"law.rolling": true, "time.integrator": true,
}

// parse reads a scene file into d and returns where its keys are. Every key and the type of every
// value is checked against d, and numbers have to be finite.
func parse(file string, content []byte, d *document) (*outline, error) {
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	o := &outline{file: file, content: content, lines: map[string]int{}, entries: map[string]int{}}
	if err := o.walk(reflect.TypeFor[document]()); err != nil {
		return nil, err
	}
	// What the walk cannot see: keys and tables that are given twice.
	if err := toml.Unmarshal(content, new(map[string]any)); err != nil {
		return nil, o.syntax(err)
	}
	if err := toml.NewDecoder(bytes.NewReader(content)).DisallowUnknownFields().Decode(d); err != nil {
		return nil, o.syntax(err)
	}
	return o, nil
}

// syntax returns the error of the TOML parser as a fault.
func (o *outline) syntax(err error) error {
	f := &fault{file: o.file, what: strings.TrimPrefix(err.Error(), "toml: "), cause: err}
	if d := (*toml.DecodeError)(nil); errors.As(err, &d) {
		f.line, _ = d.Position()
		f.what = strings.TrimPrefix(d.Error(), "toml: ")
		f.key = strings.Join(d.Key(), ".")
	}
	return f
}

// The range of numbers in a scene, but for those of lists, which may be as small as they like: moments of inertia are fifth
// powers of lengths, and their inverses have to be numbers too. It is that of coordinates in package geometry.
const (
	maxNumber = 1e50
	minNumber = 1e-50
)

// fault returns the error for a key, at the line of the key or of the table it is missing in.
func (o *outline) fault(key, what string) error {
	return &fault{file: o.file, line: o.line(key), key: key, what: what}
}

// because is fault with a cause, whose text is what is wrong.
func (o *outline) because(key string, err error) error {
	return &fault{file: o.file, line: o.line(key), key: key, what: err.Error(), cause: err}
}

// line returns the line of a key, or else of the nearest table around it.
func (o *outline) line(key string) int {
	for key != "" {
		if n, ok := o.lines[key]; ok {
			return n
		}
		key = key[:max(strings.LastIndexAny(key, ".["), 0)]
	}
	return 0
}

func (o *outline) has(key string) bool { return o.lines[key] > 0 }

// walk visits every key of the file.
func (o *outline) walk(root reflect.Type) error {
	var p unstable.Parser
	p.Reset(o.content)
	table, at := root, ""
	for p.NextExpression() {
		e := p.Expression()
		var err error
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table, at, err = o.enter(root, "", e)
			if err == nil {
				table, at, err = o.open(table, at, e)
			}
		case unstable.KeyValue:
			err = o.pair(table, at, e)
		}
		if err != nil {
			return err
		}
	}
	if err := p.Error(); err != nil {
		// The same error from the decoder, which knows its line.
		if located := toml.Unmarshal(o.content, new(map[string]any)); located != nil {
			err = located
		}
		return o.syntax(err)
	}
	return nil
}

// open begins the table or the entry that a heading names.
func (o *outline) open(t reflect.Type, at string, e *unstable.Node) (reflect.Type, string, error) {
	isList := t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct
	switch {
	case e.Kind == unstable.ArrayTable && isList:
		at = fmt.Sprintf("%s[%d]", at, o.entries[at]-1)
		return t.Elem(), at, nil
	case e.Kind == unstable.ArrayTable:
		return nil, "", o.fault(at, found("[["+at+"]]", "a single table ["+at+"]"))
	case isList:
		return nil, "", o.fault(at, found("["+at+"]", "one [["+at+"]] for each"))
	case t.Kind() != reflect.Struct && t.Kind() != reflect.Map:
		return nil, "", o.fault(at, found("a table", wantOf(t)))
	}
	return t, at, nil
}

// enter goes down the parts of a key and notes their lines. Of a list on the way it takes the newest
// entry; one at the end of a [[heading]] gets a new entry.
func (o *outline) enter(t reflect.Type, at string, e *unstable.Node) (reflect.Type, string, error) {
	key := e.Key()
	for key.Next() {
		n := key.Node()
		line := 1 + bytes.Count(o.content[:n.Raw.Offset], []byte{'\n'})
		if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct && o.entries[at] > 0 {
			at = fmt.Sprintf("%s[%d]", at, o.entries[at]-1)
			t = t.Elem()
		}
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		name := string(n.Data)
		path := joined(at, name)
		switch t.Kind() {
		case reflect.Struct:
			to, ok := fields(t)[name]
			if !ok {
				o.lines[path] = line
				return nil, "", o.unknown(path, name, t)
			}
			t = to
		case reflect.Map:
			t = t.Elem()
		default:
			return nil, "", o.fault(at, found("a table", wantOf(t)))
		}
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		at = path
		if _, known := o.lines[at]; !known {
			o.lines[at] = line
		}
		if e.Kind == unstable.ArrayTable && key.IsLast() {
			o.lines[fmt.Sprintf("%s[%d]", at, o.entries[at])] = line
			o.entries[at]++
		}
	}
	return t, at, nil
}

// pair checks a key and its value.
func (o *outline) pair(t reflect.Type, at string, e *unstable.Node) error {
	t, at, err := o.enter(t, at, e)
	if err != nil {
		return err
	}
	return o.value(t, at, e.Value())
}

// value checks the type of a value, and that its numbers are finite.
func (o *outline) value(t reflect.Type, at string, v *unstable.Node) error {
	ok := false
	switch t.Kind() {
	case reflect.Interface:
		ok = true
	case reflect.Float64:
		ok = v.Kind == unstable.Float || v.Kind == unstable.Integer
	case reflect.Int64:
		ok = v.Kind == unstable.Integer
	case reflect.String:
		ok = v.Kind == unstable.String
	case reflect.Bool:
		ok = v.Kind == unstable.Bool
	case reflect.Slice:
		ok = v.Kind == unstable.Array
	case reflect.Struct, reflect.Map:
		ok = v.Kind == unstable.InlineTable
	}
	if !ok {
		return o.fault(at, found(shown(v), wantOf(t)))
	}
	switch v.Kind {
	case unstable.Float:
		text := strings.ReplaceAll(string(v.Data), "_", "")
		x, err := strconv.ParseFloat(text, 64)
		switch size := math.Abs(x); {
		case err != nil || math.IsNaN(x) || math.IsInf(x, 0):
			return o.fault(at, found(string(v.Data), "a finite number"))
		case size > maxNumber:
			return o.fault(at, found(string(v.Data), fmt.Sprintf("a number of at most %g in size", maxNumber)))
		case x != 0 && size < minNumber && !strings.HasSuffix(at, "]"):
			return o.fault(at, found(string(v.Data), fmt.Sprintf("0, or a number of at least %g in size", minNumber)))
		}
	case unstable.Integer:
		if _, err := strconv.ParseInt(strings.ReplaceAll(string(v.Data), "_", ""), 0, 64); err != nil {
			want := "a whole number of 64 bits"
			if t.Kind() == reflect.Float64 && !strings.HasPrefix(string(v.Data), "0") {
				want += ", or with a point: " + string(v.Data) + ".0"
			}
			return o.fault(at, found(string(v.Data), want))
		}
	case unstable.Array:
		elem := t
		if t.Kind() == reflect.Slice {
			elem = t.Elem()
		}
		for it, i := v.Children(), 0; it.Next(); i++ {
			path := fmt.Sprintf("%s[%d]", at, i)
			if elem.Kind() == reflect.Struct {
				o.lines[path] = o.line(at)
			}
			if err := o.value(elem, path, it.Node()); err != nil {
				return err
			}
		}
	case unstable.InlineTable:
		if t.Kind() == reflect.Interface {
			return o.fault(at, found("a table", "a number, a text or a list"))
		}
		for it := v.Children(); it.Next(); {
			if err := o.pair(t, at, it.Node()); err != nil {
				return err
			}
		}
	}
	return nil
}

// unknown returns the error for a key that no table has, with the nearest that there is.
func (o *outline) unknown(path, name string, t reflect.Type) error {
	if plain := withoutNumbers(path); absent[plain] {
		return o.fault(path, unavailable(strconv.Quote(name)))
	}
	best, least := "", math.MaxInt
	known := fields(t)
	for _, k := range inOrder(known) {
		if d := levenshtein.ComputeDistance(name, k); d < least {
			best, least = k, d
		}
	}
	return o.fault(path, fmt.Sprintf("unknown key %q, the nearest known one is %q", name, best))
}

// fields returns the keys of a table and their types, embedded ones included.
func fields(t reflect.Type) map[string]reflect.Type {
	keys := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			for k, v := range fields(f.Type) {
				keys[k] = v
			}
			continue
		}
		keys[f.Tag.Get("toml")] = f.Type
	}
	return keys
}

func joined(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

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

// shown is a value as a message repeats it.
func shown(v *unstable.Node) string {
	switch v.Kind {
	case unstable.Array:
		return "a list"
	case unstable.InlineTable:
		return "a table"
	}
	return string(v.Data)
}
