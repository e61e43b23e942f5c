package scene

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/scree-dem/scree/internal/keys"
)

// A value is set in the text of the scene: the text of the value takes the place of that in the file, or a line is
// added to the innermost table that the file has. The text is then read as any file. So a set value has the types, bounds
// and messages of its key, and the text can be kept as the scene of the run.

// offsets are places in the text of a scene, where values can be set.
type offsets struct {
	of    map[string]int    // by key: the end of the key, the start of an inline table in a list, or the end of a heading's line
	files map[string]string // names of mesh files by key
}

func (o *offsets) add(key string, at int) {
	if o != nil {
		o.of[key] = at
	}
}

func (o *offsets) addFile(key, name string) {
	if o != nil {
		o.files[key] = name
	}
}

// meshForm is the form of all keys that name files.
const meshForm = "the name of a mesh file"

// setting is a value that was set, and what that did to the lines of the text.
type setting struct {
	text  string // KEY=VALUE
	key   string // as in messages
	line  int    // of the value in the text as set
	lines int    // number of lines that the text has gained; 1 if the line holds nothing else
}

// locate replaces the line in the text as set by the line of the file, or by the setting that caused the fault.
func (f *fault) locate(sets []setting) {
	for _, s := range slices.Backward(sets) {
		inner, ok := strings.CutPrefix(f.key, s.key)
		if ok && (inner == "" || inner[0] == '.' || inner[0] == '[') || s.lines > 0 && f.line == s.line {
			if f.file, f.line = "--set "+shorten(s.text), 0; ok && inner == "" {
				f.key = ""
			}
			return
		}
		if f.line > s.line {
			f.line -= s.lines
		}
	}
}

// parseSet is parse for a scene in which values are set, in order. It also returns the text of the scene as set, in
// which the names of files in the folder dir are absolute.
func parseSet(file, dir string, content []byte, d *document, sets []string) (*outline, []byte, error) {
	var done []setting
	for i := 0; ; i++ {
		var read document
		o := &offsets{map[string]int{}, map[string]string{}}
		at, err := parseOffsets(file, content, &read, o)
		if f := (*fault)(nil); errors.As(err, &f) {
			f.locate(done)
		}
		if err != nil {
			return nil, nil, err
		}
		if at.sets = done; i == len(sets) {
			*d = read
			content, err = withAbsolute(content, o, dir)
			return at, content, err
		}
		s := setting{text: sets[i]}
		if content, err = s.apply(content, at, o, &read); err != nil {
			return nil, nil, err
		}
		done = append(done, s)
	}
}

// step is a part of the path of a key: the key up to this part, and the TOML of the parts after it.
type step struct{ key, rest string }

// apply sets the value in the text of a scene, and returns the new text.
func (s *setting) apply(content []byte, at *outline, o *offsets, d *document) ([]byte, error) {
	steps, value, err := s.parse(at, d)
	if err != nil {
		return nil, err
	}
	for i, st := range slices.Backward(steps) {
		p, ok := at.places[st.key]
		if root := st.key == ""; !root && (!ok || i < len(steps)-1 && p.kind != valueKey && p.kind != tableKey) {
			continue
		}
		from, to, text := o.of[st.key], 0, st.rest+" = "+value
		switch {
		case i == len(steps)-1 && p.kind != valueKey:
			return nil, s.fault("", "is a table of the file, expected a key of this table")
		case st.key == "" || p.kind == tableKey: // a line of its own, after the heading
			if from > 0 && content[from-1] != '\n' {
				text = "\n" + text
			}
			if st.key == "" && bytes.HasPrefix(content, []byte("\xef\xbb\xbf")) {
				from = 3
			}
			to, text, s.lines = from, text+"\n", 1
		default:
			from += bytes.IndexFunc(content[from:], func(c rune) bool { return !strings.ContainsRune("= \t", c) })
			if to = valueEnd(content, from); i == len(steps)-1 {
				text, s.lines = value, -bytes.Count(content[from:to], []byte{'\n'})
				break
			}
			if from++; len(bytes.TrimSpace(content[from:to])) > 1 { // the inline table has keys
				text += ", "
			}
			to = from
		}
		s.line = 1 + bytes.Count(content[:from], []byte{'\n'}) + strings.Count(strings.TrimRight(text, "\n"), "\n")
		return slices.Concat(content[:from], []byte(text), content[to:]), nil
	}
	panic("scene: every key is below the root")
}

// bareWord matches values that are no TOML, and stand for a text. bareKey matches keys that need no quotes.
var (
	bareWord = regexp.MustCompile(`^[\p{L}./_~][^"'\x00-\x1f\x7f]*$`)
	bareKey  = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
)

// parse returns the steps from the root of the scene to the key, and the value as TOML.
func (s *setting) parse(at *outline, d *document) (steps []step, value string, err error) {
	name, value, ok := CutSet(s.text)
	if !ok {
		return nil, "", s.fault("", "is no KEY=VALUE, expected one as law.friction=0.3")
	}
	if !isTOML(value) {
		if !bareWord.MatchString(value) {
			return nil, "", s.fault("", found(value, "a TOML value, or a word that stands for a text"))
		}
		value = quoted(value)
	}
	var p unstable.Parser
	if p.Reset([]byte(name + "=0")); !p.NextExpression() || p.Expression().Kind != unstable.KeyValue {
		return nil, "", s.fault("", found(name, "a key as law.friction or walls.1.motion"))
	}
	steps = []step{{}}
	v, k := reflect.ValueOf(d).Elem(), &keys.Key{}
	for key := p.Expression().Key(); key.Next(); {
		name := string(key.Node().Data)
		if s.key, v, k, err = s.enter(at, v, k, name); err != nil {
			return nil, "", err
		}
		if !bareKey.MatchString(name) {
			name = quoted(name)
		}
		for i := range steps {
			steps[i].rest = strings.TrimPrefix(steps[i].rest+"."+name, ".")
		}
		steps = append(steps, step{key: s.key})
	}
	return steps, value, nil
}

// enter returns a key of the table v, or an entry of the list v by its name or its number from 1. k is the key of v.
func (s *setting) enter(at *outline, v reflect.Value, k *keys.Key, name string) (string, reflect.Value, *keys.Key, error) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v = reflect.New(v.Type().Elem())
		}
		v = v.Elem()
	}
	path := joined(s.key, name)
	switch list := v.Kind() == reflect.Slice && isTable(v.Type().Elem()); {
	case isTable(v.Type()):
		table := keysOf(v.Type())
		if k = table.Key(name); k == nil {
			return "", v, k, s.fault("", at.unknown(0, path, name, table).(*fault).what)
		}
		if v = v.FieldByIndex(k.Index); v.Type() == lawKeysType {
			v = reflect.New(k.Type).Elem()
		}
		return path, v, k, nil
	case list || v.Kind() == reflect.Map:
		names := namesOf(v)
		i := slices.Index(names, name)
		if n, err := strconv.Atoi(name); list && i < 0 && err == nil {
			i = n - 1
		}
		if list && i >= 0 && i < len(names) {
			return entry(s.key, i), v.Index(i), k, nil
		} else if i >= 0 && !list {
			return path, v.MapIndex(reflect.ValueOf(name)), k, nil
		}
		names = slices.DeleteFunc(names, func(name string) bool { return name == "" })
		if list {
			names = append(names, fmt.Sprintf("a number from 1 to %d", v.Len()))
		}
		return "", v, k, s.fault(s.key, found(name, "one of "+among(names)))
	}
	return "", v, k, s.fault(s.key, "is no table, expected "+k.Wants())
}

// namesOf returns the names of the entries of a list of tables, "" for those without one, or of a map.
func namesOf(v reflect.Value) (names []string) {
	if v.Kind() == reflect.Map {
		for _, name := range v.MapKeys() {
			names = append(names, name.String())
		}
		slices.Sort(names)
		return names
	}
	for i := range v.Len() {
		name := ""
		if f := v.Index(i).FieldByName("Name"); f.IsValid() {
			name = f.String()
		}
		names = append(names, name)
	}
	return names
}

func (s *setting) fault(key, what string) error {
	return &fault{file: "--set " + shorten(s.text), key: key, what: what}
}

// CutSet cuts KEY=VALUE, and returns false for a text that is none.
func CutSet(set string) (key, value string, ok bool) {
	equals := nextExpression([]byte(set)).equals
	if equals < 0 {
		return "", "", false
	}
	return strings.TrimSpace(set[:equals]), strings.TrimSpace(set[equals+1:]), true
}

// valueEnd returns the end of the value of TOML that starts at byte i.
func valueEnd(text []byte, i int) int {
	start, depth := i, 0
scan:
	for i < len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\'':
			i = stringEnd(text, i)
			continue
		case depth == 0 && strings.IndexByte(",]}\n#", c) >= 0:
			break scan
		case c == '#':
			i = lineEnd(text, i)
			continue
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
		i++
	}
	return start + len(bytes.TrimRight(text[start:i], " \t\r"))
}

// isTOML reports whether a text is one value of TOML, in one line and without a comment.
func isTOML(text string) bool {
	var p unstable.Parser
	p.Reset([]byte("x=" + text))
	return !strings.ContainsFunc(text, unicode.IsControl) && valueEnd([]byte(text), 0) == len(text) && p.NextExpression() && !p.NextExpression() && p.Error() == nil
}

// quoted returns a text as TOML. The strings of JSON are among those of TOML.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic("scene: " + err.Error()) // Every string has a form in JSON.
	}
	return string(b)
}

// withAbsolute returns the text of a scene in which the names of files in the folder dir are absolute.
func withAbsolute(content []byte, o *offsets, dir string) ([]byte, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("scene: %w", err)
	}
	files := slices.SortedFunc(maps.Keys(o.files), func(a, b string) int { return o.of[a] - o.of[b] })
	var text bytes.Buffer
	at := 0
	for _, key := range files {
		if name := o.files[key]; !filepath.IsAbs(name) {
			from := o.of[key] + bytes.IndexAny(content[o.of[key]:], `"'`)
			text.Write(content[at:from])
			text.WriteString(quoted(filepath.Join(dir, name)))
			at = valueEnd(content, from)
		}
	}
	text.Write(content[at:])
	return text.Bytes(), nil
}
