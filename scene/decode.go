package scene

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

const (
	// maxValues is how many values one expression may hold, a list or tables in braces: the parser's tree takes 56 bytes for each.
	maxValues = 1 << 22
	// fewValues is how many it may hold without a look at its key before its tree is made.
	fewValues = 1 << 10
)

// decoder reads a scene file into a document, one expression after the other. Cost: one pass, and a look-up for each key. The
// decoder of the TOML library compares the name of every table with those of all others.
type decoder struct {
	*outline
	text   []byte // of the expression in hand
	line   int    // of byte offset of text, counted on from there
	offset int
	parser unstable.Parser
	types  map[reflect.Type]map[string]reflect.StructField
}

// parse reads a scene file into d and returns where its keys are. Every key and the type of every
// value is checked against d, and numbers have to be finite.
func parse(file string, content []byte, d *document) (*outline, error) {
	c := decoder{
		outline: &outline{file: file, places: map[string]place{}, entries: map[string]int{}},
		line:    1, types: map[reflect.Type]map[string]reflect.StructField{},
	}
	root := reflect.ValueOf(d).Elem()
	table, at := root, ""
	for rest := bytes.TrimPrefix(content, []byte("\xef\xbb\xbf")); len(rest) > 0; {
		e := nextExpression(rest)
		c.text, c.offset = rest[:e.end:e.end], 0
		if e.values > fewValues {
			if err := c.long(table, at, e); err != nil {
				return nil, err
			}
		}
		c.parser.Reset(c.text)
		for c.parser.NextExpression() {
			var err error
			if x := c.parser.Expression(); x.Kind == unstable.KeyValue {
				err = c.pair(table, at, x)
			} else {
				table, at, err = c.heading(root, x)
			}
			if err != nil {
				return nil, err
			}
		}
		if err := c.parser.Error(); err != nil {
			return nil, c.syntax(err)
		}
		c.lineAt(e.end)
		rest = rest[e.end:]
	}
	return c.outline, nil
}

// long checks an expression of many values before the parser makes a tree of it: that its key is known, and that the values
// are not too many.
func (c *decoder) long(table reflect.Value, at string, e expression) error {
	if e.equals >= 0 {
		c.parser.Reset(append(bytes.Clone(c.text[:e.equals]), "=0"...))
		if c.parser.NextExpression() {
			_, path, err := c.enter(table, at, c.parser.Expression())
			if err != nil {
				return err
			}
			delete(c.places, path) // The expression itself defines it.
		}
	}
	if e.values < maxValues {
		return nil
	}
	return &fault{file: c.file, line: c.lineAt(e.start), what: fmt.Sprintf(
		"found %d values in one list, expected at most %d: more bodies are a [[bodies]] table each, or a generator's", e.values+1, maxValues)}
}

// lineAt returns the line of a byte of the text in hand. It counts on from the last that was asked for.
func (c *decoder) lineAt(offset int) int {
	if offset > c.offset {
		c.line += bytes.Count(c.text[c.offset:offset], []byte{'\n'})
		c.offset = offset
	}
	return c.line
}

// syntax returns the error of the TOML parser as a fault.
func (c *decoder) syntax(err error) error {
	f := &fault{file: c.file, what: err.Error(), cause: err}
	if p := (*unstable.ParserError)(nil); errors.As(err, &p) {
		f.line = c.lineAt(int(c.parser.Range(p.Highlight).Offset))
		f.cause = nil // It may not outlive the parser.
	}
	return f
}

// heading begins the table or the entry that a heading names.
func (c *decoder) heading(root reflect.Value, e *unstable.Node) (reflect.Value, string, error) {
	v, at, err := c.enter(root, "", e)
	if err != nil {
		return v, at, err
	}
	t := v.Type()
	isList := t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct
	switch {
	case e.Kind == unstable.ArrayTable && isList:
		n := c.entries[at]
		at, c.entries[at] = entry(at, n), n+1
		c.places[at] = place{int32(c.line), tableKey}
		return grown(v), at, nil
	case e.Kind == unstable.ArrayTable:
		return v, "", c.fault(at, found("[["+shorten(at)+"]]", "a single table ["+shorten(at)+"]"))
	case isList:
		return v, "", c.fault(at, found("["+shorten(at)+"]", "one [["+shorten(at)+"]] for each"))
	case t.Kind() != reflect.Struct && t.Kind() != reflect.Map:
		return v, "", c.fault(at, found("a table", wantOf(t)))
	}
	return v, at, nil
}

// grown appends a zero to a list and returns it.
func grown(list reflect.Value) reflect.Value {
	n := list.Len()
	list.Grow(1)
	list.SetLen(n + 1)
	return list.Index(n)
}

// enter goes down the parts of a key to its value, and notes their lines. Of a list on the way it takes the newest entry.
// What a key may be added to follows TOML 1.0.
func (c *decoder) enter(v reflect.Value, at string, e *unstable.Node) (reflect.Value, string, error) {
	key := e.Key()
	for key.Next() {
		line := c.lineAt(int(key.Node().Raw.Offset))
		if t := v.Type(); t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct && c.entries[at] > 0 {
			at = entry(at, c.entries[at]-1)
			v = v.Index(v.Len() - 1)
		}
		name := string(key.Node().Data)
		path := joined(at, name)
		switch v.Kind() {
		case reflect.Struct:
			field, ok := c.fields(v.Type())[name]
			if !ok {
				return v, at, c.unknown(line, path, name, c.fields(v.Type()))
			}
			v = v.FieldByIndex(field.Index)
		case reflect.Map: // of pointers to tables
			if v.IsNil() {
				v.Set(reflect.MakeMap(v.Type()))
			}
			to := v.MapIndex(reflect.ValueOf(name))
			if !to.IsValid() {
				to = reflect.New(v.Type().Elem().Elem())
				v.SetMapIndex(reflect.ValueOf(name), to)
			}
			v = to
		default:
			return v, at, c.fault(at, found("a table", wantOf(v.Type())))
		}
		if err := c.define(path, line, e.Kind, key.IsLast()); err != nil {
			return v, at, err
		}
		at = path
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
	}
	return v, at, nil
}

// define notes the line of a part of a key of an expression, and refuses what the file has defined otherwise.
func (c *decoder) define(path string, line int, of unstable.Kind, last bool) error {
	was, there := c.places[path]
	var now placeKind
	ok := !there
	switch {
	case of == unstable.KeyValue && last:
		now = valueKey
	case of == unstable.KeyValue:
		now, ok = dottedKey, ok || was.kind == dottedKey
	case of == unstable.ArrayTable && last:
		now, ok = listKey, ok || was.kind == listKey
	case last:
		now, ok = tableKey, ok || was.kind == impliedBy
	default:
		now, ok = impliedBy, ok || was.kind != valueKey
		if there {
			now = was.kind
		}
	}
	if !ok {
		return &fault{file: c.file, line: line, key: path, what: fmt.Sprintf("is given in line %d already, expected once", was.line)}
	}
	if !there {
		was.line = int32(line)
	}
	c.places[path] = place{was.line, now}
	return nil
}

// fields returns the keys of a table, embedded ones included.
func (c *decoder) fields(t reflect.Type) map[string]reflect.StructField {
	keys, ok := c.types[t]
	if !ok {
		keys = map[string]reflect.StructField{}
		for _, f := range reflect.VisibleFields(t) {
			if !f.Anonymous {
				keys[f.Tag.Get("toml")] = f
			}
		}
		c.types[t] = keys
	}
	return keys
}

// pair reads a key and its value.
func (c *decoder) pair(v reflect.Value, at string, e *unstable.Node) error {
	v, at, err := c.enter(v, at, e)
	if err != nil {
		return err
	}
	return c.value(v, location{at: at, index: -1}, e.Value())
}

// location is where a value stands: a key, or an entry of the list there. Its path is made only where it is needed: lists may have millions.
type location struct {
	at    string
	of    *location // of a list within a list
	index int       // -1: that of the key
}

func (l *location) path() string {
	switch {
	case l.index < 0:
		return l.at
	case l.of != nil:
		return entry(l.of.path(), l.index)
	}
	return entry(l.at, l.index)
}

// value reads a value, whose type has to be that of v.
func (c *decoder) value(v reflect.Value, l location, n *unstable.Node) error {
	ok := false
	switch k := v.Kind(); k {
	case reflect.Float64:
		if n.Kind == unstable.Float || n.Kind == unstable.Integer {
			x, err := c.number(l, n)
			v.SetFloat(x)
			return err
		}
	case reflect.Int64:
		if n.Kind == unstable.Integer {
			i, err := c.whole(l, n)
			v.SetInt(i)
			return err
		}
	case reflect.String:
		if n.Kind == unstable.String {
			v.SetString(string(n.Data))
			return nil
		}
	case reflect.Bool:
		if n.Kind == unstable.Bool {
			v.SetBool(len(n.Data) == len("true"))
			return nil
		}
	case reflect.Interface:
		x, err := c.anyOf(l, n)
		if err == nil {
			v.Set(reflect.ValueOf(x))
		}
		return err
	case reflect.Slice:
		ok = n.Kind == unstable.Array
	case reflect.Struct, reflect.Map:
		ok = n.Kind == unstable.InlineTable
	}
	if !ok {
		return c.fault(l.path(), found(shown(n), wantOf(v.Type())))
	}
	it := n.Children()
	if n.Kind == unstable.InlineTable {
		for it.Next() {
			if err := c.pair(v, l.path(), it.Node()); err != nil {
				return err
			}
		}
		return nil
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0)) // Not nil, which is a key that is not there.
	for i := 0; it.Next(); i++ {
		if err := c.entry(grown(v), l.entry(i), it.Node()); err != nil {
			return err
		}
	}
	return nil
}

// entry returns the location of an entry of the list at l.
func (l location) entry(i int) location {
	if l.index < 0 {
		return location{at: l.at, index: i}
	}
	return location{of: &l, index: i}
}

// entry reads an entry of a list. That of a table has a line of its own.
func (c *decoder) entry(v reflect.Value, l location, n *unstable.Node) error {
	if v.Kind() == reflect.Struct && n.Kind == unstable.InlineTable {
		at := l.path()
		c.places[at] = place{int32(c.lineAt(int(n.Raw.Offset))), valueKey}
		l = location{at: at, index: -1}
	}
	return c.value(v, l, n)
}

// anyOf returns the value of a key that takes several types: float64, int64, string or []any.
func (c *decoder) anyOf(l location, n *unstable.Node) (any, error) {
	switch n.Kind {
	case unstable.Float:
		return c.number(l, n)
	case unstable.Integer:
		return c.whole(l, n)
	case unstable.String:
		return string(n.Data), nil
	case unstable.Array:
		list := []any{}
		for it, i := n.Children(), 0; it.Next(); i++ {
			x, err := c.anyOf(l.entry(i), it.Node())
			if err != nil {
				return nil, err
			}
			list = append(list, x)
		}
		return list, nil
	}
	return nil, c.fault(l.path(), found(shown(n), "a number, a text or a list"))
}

// The range of numbers in a scene, but for those of lists, which may be as small as they like: moments of inertia are fifth
// powers of lengths, and their inverses have to be numbers too. It is that of coordinates in package geometry.
const (
	maxNumber = 1e50
	minNumber = 1e-50
)

// number reads a decimal number within the range of a scene.
func (c *decoder) number(l location, n *unstable.Node) (float64, error) {
	if n.Kind == unstable.Integer {
		if _, err := wholeOf(n); err != nil {
			want := "a whole number of 64 bits"
			if !strings.HasPrefix(string(n.Data), "0") {
				want += ", or with a point: " + shorten(string(n.Data)) + ".0"
			}
			return 0, c.fault(l.path(), found(shown(n), want))
		}
	}
	x, err := strconv.ParseFloat(strings.ReplaceAll(string(n.Data), "_", ""), 64)
	want := ""
	switch size := math.Abs(x); {
	case err != nil || math.IsNaN(x) || math.IsInf(x, 0):
		want = "a finite number"
	case size > maxNumber:
		want = fmt.Sprintf("a number of at most %g in size", maxNumber)
	case x != 0 && size < minNumber && l.index < 0:
		want = fmt.Sprintf("0, or a number of at least %g in size", minNumber)
	default:
		return x, nil
	}
	return 0, c.fault(l.path(), found(shown(n), want))
}

// whole reads a whole number, decimal or with the prefix 0x, 0o or 0b.
func (c *decoder) whole(l location, n *unstable.Node) (int64, error) {
	i, err := wholeOf(n)
	if err != nil {
		return 0, c.fault(l.path(), found(shown(n), "a whole number of 64 bits"))
	}
	return i, nil
}

func wholeOf(n *unstable.Node) (int64, error) {
	return strconv.ParseInt(strings.ReplaceAll(string(n.Data), "_", ""), 0, 64)
}

// shown is a value as a message repeats it.
func shown(n *unstable.Node) string {
	switch n.Kind {
	case unstable.Array:
		return "a list"
	case unstable.InlineTable:
		return "a table"
	}
	return string(n.Data)
}
