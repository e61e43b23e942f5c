package scene

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A value is set in the text of the scene: the text of the value takes the place of that in the file, or a line is
// added to the innermost table that the file has. The text is then read as any file. So a set value has the types, bounds
// and messages of its key, and the text can be kept as the scene of the run.

// setting is a value that is set.
type setting struct {
	text string   // KEY=VALUE
	key  string   // as in messages
	made []string // the key, and tables that the file does not have

	// The innermost table of the file on the way to the key where the text can be changed, and KEY = VALUE from there.
	place place
	rest  string
}

// parseSet is parse for a scene in which values are set, in order. It also returns the text of the scene as set. Lines are
// those of the file.
func parseSet(file string, content []byte, d *document, sets []string) (*outline, []byte, error) {
	content = bytes.TrimPrefix(content, byteOrderMark)
	o, err := parse(file, content, d)
	if err != nil || len(sets) == 0 {
		return o, content, err
	}
	of := o.places
	given := map[string]*setting{}
	for _, text := range sets {
		s := &setting{text: text}
		if content, err = s.apply(content, o, d); err == nil {
			*d = document{}
			o, err = parse(file, content, d)
		}
		if err != nil {
			return nil, nil, s.blame(err)
		}
		for _, key := range s.made {
			given[key] = s
		}
	}
	for key, p := range of {
		if now, there := o.places[key]; there {
			o.places[key] = place{p.line, now.end, now.kind}
		}
	}
	o.given = given
	return o, content, nil
}

// asRun returns the text of a scene for scene.toml, in which the names of files in the folder dir are absolute.
func (o *outline) asRun(content []byte, dir string) ([]byte, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("scene: %w", err)
	}
	text, at := make([]byte, 0, len(Head)+len(content)), 0
	if !bytes.HasPrefix(content, []byte(Head)) {
		text = append(text, Head...)
	}
	for _, f := range o.files {
		if !slices.ContainsFunc(f.names, func(name string) bool { return !filepath.IsAbs(name) }) {
			continue
		}
		var names []string
		for _, name := range f.names {
			if !filepath.IsAbs(name) {
				name = filepath.Join(dir, name)
			}
			names = append(names, quoted(name))
		}
		value := strings.Join(names, ", ")
		if f.list {
			value = "[" + value + "]"
		}
		from, to := valueAt(content, f.end)
		text = append(append(text, content[at:from]...), value...)
		at = to
	}
	return append(text, content[at:]...), nil
}

// apply sets the value in the text of a scene, which it changes, and returns the new text.
func (s *setting) apply(content []byte, o *outline, d *document) ([]byte, error) {
	name, value, ok := CutSet(s.text)
	if !ok {
		return nil, s.fault("", "is no KEY=VALUE, expected one as law.friction=0.3")
	}
	if !isTOML(value) {
		if !bareWord.MatchString(value) {
			return nil, s.fault("", found(value, "a TOML value, or a word that stands for a text"))
		}
		value = quoted(value)
	}
	c := decoder{outline: o, text: []byte(name + " = " + value), set: s}
	if c.parser.Reset(c.text); !c.parser.NextExpression() || c.parser.Expression().Kind != unstable.KeyValue {
		return nil, s.fault("", found(name, "a key as law.friction or walls.1.motion"))
	}
	_, key, err := c.enter(reflect.ValueOf(d).Elem(), "", c.parser.Expression())
	if err != nil {
		return nil, err
	}
	s.key = key
	s.pass(o, key, "")
	switch at, there := o.places[key]; {
	case there && at.kind != valueKey:
		return nil, s.fault("", "is a table of the file, expected a key of this table")
	case there:
		from, to := valueAt(content, at.end)
		return slices.Replace(content, from, to, []byte(value)...), nil
	case s.place.kind == valueKey: // an inline table
		from, to := valueAt(content, s.place.end)
		if from++; len(bytes.TrimSpace(content[from:to])) > 1 { // It has keys.
			s.rest += ", "
		}
		return slices.Insert(content, from, []byte(s.rest)...), nil
	default: // a line of its own, after the heading
		from := int(s.place.end)
		if from > 0 && content[from-1] != '\n' {
			s.rest = "\n" + s.rest
		}
		return slices.Insert(content, from, []byte(s.rest+"\n")...), nil
	}
}

// pass records that the key passes a table, or ends there. rest is KEY = VALUE from there.
func (s *setting) pass(o *outline, key, rest string) {
	switch p, there := o.places[key]; {
	case key == "":
		s.place, s.rest = place{kind: tableKey}, rest
	case !there || rest == "":
		s.made = append(s.made, key)
	case p.kind == valueKey || p.kind == tableKey:
		s.place, s.rest = p, rest
	}
}

// choose returns the index of an entry of a list of tables, given by its name or its number from 1.
func (s *setting) choose(list reflect.Value, key, name string) (int, error) {
	var names []string
	for i := range list.Len() {
		if f := list.Index(i).FieldByName("Name"); f.IsValid() && f.String() == name {
			return i, nil
		} else if f.IsValid() && f.String() != "" {
			names = append(names, f.String())
		}
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= list.Len() {
		return n - 1, nil
	}
	return 0, s.fault(key, found(name, "one of "+among(append(names, fmt.Sprintf("a number from 1 to %d", list.Len())))))
}

// noEntry returns the error for a name that is not in a map of tables.
func (s *setting) noEntry(tables reflect.Value, key, name string) error {
	var names []string
	for _, k := range tables.MapKeys() {
		names = append(names, k.String())
	}
	slices.Sort(names)
	return s.fault(key, found(name, "one of "+among(names)))
}

// fault returns an error of the value that is set.
func (s *setting) fault(key, what string) error { return s.blame(&fault{key: key, what: what}) }

// blame returns the error with the setting in place of the line. The key is named if it is another.
func (s *setting) blame(err error) error {
	if f := (*fault)(nil); errors.As(err, &f) {
		name, _, _ := CutSet(s.text)
		if f.file, f.line = "--set "+shorten(s.text), 0; f.key == s.key || f.key == name {
			f.key = ""
		}
	}
	return err
}

// bareWord matches values that are no TOML, and stand for a text.
var bareWord = regexp.MustCompile(`^[\p{L}./_~][^"'\x00-\x1f\x7f]*$`)

// CutSet cuts KEY=VALUE, and returns false for a text that is none.
func CutSet(set string) (key, value string, ok bool) {
	equals := nextExpression([]byte(set)).equals
	if equals < 0 {
		return "", "", false
	}
	return strings.TrimSpace(set[:equals]), strings.TrimSpace(set[equals+1:]), true
}

// valueAt returns the start and the end of the value that follows byte i, the end of its key.
func valueAt(text []byte, i int32) (from, to int) {
	from = len(text) - len(bytes.TrimLeft(text[i:], "= \t"))
	return from, valueEnd(text, from)
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
