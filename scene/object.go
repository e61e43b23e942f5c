package scene

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// objectFault is an error in a JSON object.
type objectFault struct {
	at   int64
	what string
}

// lineIn returns the line number of the fault in the text, from 1.
func (f *objectFault) lineIn(text []byte) int {
	return 1 + bytes.Count(text[:min(max(f.at, 0), int64(len(text)))], []byte{'\n'})
}

// readObject decodes a JSON object that a run has written into the struct that v points to. Unlike
// package json it rejects unknown keys, keys that differ in case, and duplicate keys. It also
// rejects missing keys, except those marked omitempty.
func readObject(text []byte, v any) *objectFault {
	d := json.NewDecoder(bytes.NewReader(text))
	r := objectReader{d: d}
	if f := r.object(reflect.ValueOf(v).Elem(), ""); f != nil {
		return f
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return r.fault("has more behind its last brace, expected one JSON object")
	}
	return nil
}

type objectReader struct{ d *json.Decoder }

func (r *objectReader) fault(format string, args ...any) *objectFault {
	return &objectFault{r.d.InputOffset(), fmt.Sprintf(format, args...)}
}

const notAnObject = "is not the JSON object that a run writes"

// object reads an object into the struct v. prefix is the path of the object followed by a point,
// or "".
func (r *objectReader) object(v reflect.Value, prefix string) *objectFault {
	if t, err := r.d.Token(); err != nil || t != json.Delim('{') {
		return r.fault(notAnObject)
	}
	seen := map[string]bool{}
	for r.d.More() {
		t, err := r.d.Token()
		key, ok := t.(string)
		if err != nil || !ok {
			return r.fault(notAnObject)
		}
		path := shorten(prefix + key)
		field := withKey(v.Type(), key)
		switch {
		case seen[key]:
			return r.fault("has the key %q twice, expected once", path)
		case field < 0:
			return r.fault("has a key %q, which no run writes", path)
		}
		seen[key] = true
		if f := r.value(v.Field(field), path); f != nil {
			return f
		}
		if _, option := keyOf(v.Type().Field(field)); option != "" && isEmpty(v.Field(field)) {
			return r.fault("has %v as %q, expected no such key: a run writes it only where there is something to say", v.Field(field), path)
		}
	}
	if _, err := r.d.Token(); err != nil { // the closing brace
		return r.fault(notAnObject)
	}
	for i := range v.NumField() {
		if key, option := keyOf(v.Type().Field(i)); option == "" && !seen[key] {
			return r.fault("has no key %q", prefix+key)
		}
	}
	return nil
}

// value reads the value of a key into v.
func (r *objectReader) value(v reflect.Value, path string) *objectFault {
	if v.Kind() == reflect.Struct {
		return r.object(v, path+".")
	}
	var raw json.RawMessage
	if err := r.d.Decode(&raw); err != nil {
		return r.fault(notAnObject)
	}
	found := "null" // which package json would ignore
	if string(raw) != found {
		err := json.Unmarshal(raw, v.Addr().Interface())
		if err == nil {
			return nil
		}
		typed := (*json.UnmarshalTypeError)(nil)
		if !errors.As(err, &typed) {
			return r.fault(notAnObject)
		}
		if found = "a " + typed.Value; strings.ContainsRune("ao", rune(typed.Value[0])) { // an array, an object
			found = "an " + typed.Value
		}
	}
	want := map[reflect.Kind]string{
		reflect.String: "a string", reflect.Int64: "a whole number", reflect.Float64: "a number", reflect.Bool: "true or false",
	}[v.Kind()]
	switch {
	case v.Kind() == reflect.Map:
		want = "an object of strings"
	case want == "":
		want = "a list of strings"
	}
	return r.fault("has %s as %q, expected %s", found, path, want)
}

// isEmpty reports whether a run omits the value v under omitempty.
func isEmpty(v reflect.Value) bool {
	return v.IsZero() || (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0
}

// withKey returns the index of the field with a key, or -1.
func withKey(t reflect.Type, key string) int {
	for i := range t.NumField() {
		if name, _ := keyOf(t.Field(i)); name == key {
			return i
		}
	}
	return -1
}

// keyOf returns the key of a field and its option: omitempty or "".
func keyOf(f reflect.StructField) (key, option string) {
	key, option, _ = strings.Cut(f.Tag.Get("json"), ",")
	return key, option
}
