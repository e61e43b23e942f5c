package scene

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/scree-dem/scree/internal/keys"
)

const (
	// maxValues is the largest number of values in one expression, which may be a list or inline
	// tables. The parser's tree takes 56 bytes for each value.
	maxValues = 1 << 22
	// fewValues is the number of values above which the key is checked before the tree is built.
	fewValues = 1 << 10
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// decoder reads a scene file into a document, one expression at a time. Cost: one pass, and one
// lookup for each key. The decoder of the TOML library is not used, because it compares the name of
// every table with the names of all other tables.
type decoder struct {
	*outline
	text   []byte // the current expression
	line   int    // line number at byte offset of text
	offset int
	base   int // offset of text in the file
	parser unstable.Parser
	key    *keys.Key // of the expression, or of the inner table that is read
	set    *setting  // if not nil, the keys are those of a setting: an entry stands for one that is there
}

// parse reads a scene file into d and returns the positions of its keys. It checks every key, and the type, bounds
// and form of every value, by the tags of document.
func parse(file string, content []byte, d *document) (*outline, error) {
	c := decoder{
		outline: &outline{file: file, places: map[string]place{}, entries: map[string]int{}},
		line:    1,
	}
	root := reflect.ValueOf(d).Elem()
	begin(root)
	table, at := root, ""
	for rest := bytes.TrimPrefix(content, byteOrderMark); len(rest) > 0; {
		e := nextExpression(rest)
		c.text, c.offset, c.base = rest[:e.end:e.end], 0, len(content)-len(rest)
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
			return nil, c.syntax(err, at, e)
		}
		c.lineAt(e.end)
		rest = rest[e.end:]
	}
	return c.outline, nil
}

// long checks an expression with many values before the parser builds its tree: the key must be
// known, and the number of values must be below maxValues.
func (c *decoder) long(table reflect.Value, at string, e expression) error {
	if e.equals >= 0 {
		c.parser.Reset(append(bytes.Clone(c.text[:e.equals]), "=0"...))
		if c.parser.NextExpression() {
			_, path, err := c.enter(table, at, c.parser.Expression())
			if err != nil {
				return err
			}
			delete(c.places, path) // The expression defines the key when it is read.
		}
	}
	if e.values < maxValues {
		return nil
	}
	return &fault{file: c.file, line: c.lineAt(e.start), what: fmt.Sprintf(
		"found %d values in one list, expected at most %d: more bodies are a [[bodies]] table each, or a generator's", e.values+1, maxValues)}
}

// lineAt returns the line number of a byte of c.text. It counts from the last queried byte, so
// offsets must not decrease.
func (c *decoder) lineAt(offset int) int {
	if offset > c.offset {
		c.line += bytes.Count(c.text[c.offset:offset], []byte{'\n'})
		c.offset = offset
	}
	return c.line
}

// syntax returns an error of the TOML parser as a fault. The fault names the key of the expression
// if there is one, and the line of the error.
func (c *decoder) syntax(err error, at string, e expression) error {
	f := &fault{file: c.file, what: err.Error(), cause: err}
	if p := (*unstable.ParserError)(nil); errors.As(err, &p) {
		at := int(c.parser.Range(p.Highlight).Offset)
		f.line = c.lineAt(at)
		// The parser reports the first byte of a UTF-8 character as a Latin-1 character. Replace
		// it.
		if r, n := utf8.DecodeRune(c.text[at:]); n > 1 {
			f.what = strings.Replace(f.what, fmt.Sprintf("%#U", rune(c.text[at])), fmt.Sprintf("%#U", r), 1)
		}
		f.cause = nil // The error refers to memory of the parser.
	}
	key, value := "", c.text[e.start:e.end]
	if e.equals >= 0 && !bytes.ContainsRune(c.text[e.start:e.equals], '\n') {
		key, value = string(bytes.TrimSpace(c.text[e.start:e.equals])), c.text[e.equals+1:e.end]
	}
	value, _, _ = bytes.Cut(bytes.TrimSpace(value), []byte{'\n'})
	if key != "" {
		f.key = strings.TrimPrefix(at+"."+key, ".")
	}
	f.what = fmt.Sprintf("found %q: %s", shorten(string(value)), f.what)
	for _, of := range [][2]string{
		{`^(True|False|yes|no)$`, "true or false"}, {`^[A-Za-z]`, "a text stands in quotes"},
		{`^\(`, "a list stands in brackets [ ]"}, {`^[0-9]+,[0-9]+$`, "a number has a point, as 0.5"}, {`^[-0-9.e]+ *(//|--)`, "a comment begins with #"},
		{`^[-0-9.e]+( +[a-zA-Z]|[a-z°%])`, "a number has no unit"}, {`^[-0-9.e]+ *[*/^]`, "a number has no arithmetic, as 1e5"},
	} {
		if key != "" && regexp.MustCompile(of[0]).Match(value) {
			f.what += "; " + of[1]
			break
		}
	}
	return f
}

// heading starts the table, or the entry of a list of tables, that a heading names.
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
		c.places[at] = place{int32(c.line), int32(c.base + len(c.text)), tableKey}
		return begin(grown(v)), at, nil
	case e.Kind == unstable.ArrayTable:
		return v, "", c.fault(at, found("[["+shorten(at)+"]]", cmp.Or(c.key.Form, "a single table ["+shorten(at)+"]")))
	case isList:
		return v, "", c.fault(at, found("["+shorten(at)+"]", c.key.Form))
	case !isTable(t) && t.Kind() != reflect.Map:
		return v, "", c.fault(at, found(plain("a table"), c.key.Wants()))
	}
	return v, at, nil
}

// grown appends a zero value to a list and returns the new element.
func grown(list reflect.Value) reflect.Value {
	n := list.Len()
	list.Grow(1)
	list.SetLen(n + 1)
	return list.Index(n)
}

// enter follows the parts of a key to its value and records their lines. A list of tables on the
// path stands for its newest entry. The rules for extending tables are those of TOML 1.0.
func (c *decoder) enter(v reflect.Value, at string, e *unstable.Node) (reflect.Value, string, error) {
	key := e.Key()
	for key.Next() {
		line, name := c.lineAt(int(key.Node().Raw.Offset)), string(key.Node().Data)
		isList := v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct
		if c.set != nil {
			c.set.pass(c.outline, at, string(c.text[key.Node().Raw.Offset:]))
		}
		switch {
		case isList && c.set != nil:
			i, err := c.set.choose(v, at, name)
			if err != nil {
				return v, at, err
			}
			at, v = entry(at, i), v.Index(i)
			continue
		case isList && c.entries[at] > 0:
			at, v = entry(at, c.entries[at]-1), v.Index(v.Len()-1)
		}
		path := joined(at, name)
		switch {
		case isTable(v.Type()):
			table := keysOf(v.Type())
			k := table.Key(name)
			if k == nil {
				return v, at, c.unknown(line, path, name, table)
			}
			c.key, v = k, v.FieldByIndex(k.Index)
			if v.Type() == lawKeysType {
				v = v.Interface().(lawKeys).add(v, k)
			}
		case v.Kind() == reflect.Map: // whose values are pointers to tables
			if name == "" {
				return v, at, &fault{file: c.file, line: line, key: at, what: found("", "a name")}
			}
			if what := badName(name); what != "" {
				return v, at, &fault{file: c.file, line: line, key: path, what: what}
			}
			if v.IsNil() {
				v.Set(reflect.MakeMap(v.Type()))
			}
			to := v.MapIndex(reflect.ValueOf(name))
			if !to.IsValid() && c.set != nil && !strings.HasPrefix(at, "stage[") { // A stage names walls and bodies of other tables.
				return v, at, c.set.noEntry(v, at, name)
			} else if !to.IsValid() {
				to = reflect.New(v.Type().Elem().Elem())
				v.SetMapIndex(reflect.ValueOf(name), to)
				begin(to.Elem())
			}
			v = to
		default:
			return v, at, c.fault(at, found(plain("a table"), c.key.Wants()))
		}
		if c.set == nil {
			end := c.base + len(c.text)
			if e.Kind == unstable.KeyValue {
				end = c.base + int(key.Node().Raw.Offset+key.Node().Raw.Length)
			}
			if err := c.define(path, place{line: int32(line), end: int32(end)}, e.Kind, key.IsLast()); err != nil {
				return v, at, err
			}
		}
		at = path
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
				begin(v.Elem())
			}
			v = v.Elem()
		}
	}
	return v, at, nil
}

// define records the place of one part of a key. It rejects a part that the file defines twice.
func (c *decoder) define(path string, at place, of unstable.Kind, last bool) error {
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
		return &fault{file: c.file, line: int(at.line), key: path, what: fmt.Sprintf("is given in line %d already, expected once", was.line)}
	}
	if there {
		at.line = was.line
	}
	if !last {
		at.end = was.end
	}
	at.kind = now
	c.places[path] = at
	return nil
}

// pair reads a key and its value.
func (c *decoder) pair(v reflect.Value, at string, e *unstable.Node) error {
	v, at, err := c.enter(v, at, e)
	if err != nil {
		return err
	}
	k := c.key
	switch err = c.value(v, location{at: at, index: -1}, k, e.Value()); {
	case err != nil:
	case k.Form == meshForm:
		c.files = append(c.files, fileName{c.places[at].end, false, []string{v.String()}})
	case k.Form == meshesForm:
		c.files = append(c.files, fileName{c.places[at].end, true, v.Interface().([]string)})
	}
	return err
}
