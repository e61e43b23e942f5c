package scene

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
)

// objectFault is an error in a JSON object.
type objectFault struct {
	line int // from 1
	what string
}

// readObject decodes a JSON object that a run has written into the struct that v points to. It rejects all that the run
// would have written otherwise: unknown keys, keys that differ in case, missing and duplicate keys, other values.
func readObject(text []byte, v any) *objectFault {
	var was, is map[string]any
	if err := json.Unmarshal(text, &was); err != nil || was == nil {
		at := int64(0)
		if where := (*json.SyntaxError)(nil); errors.As(err, &where) {
			at = where.Offset
		}
		return &objectFault{1 + bytes.Count(text[:at], []byte{'\n'}), "is not the JSON object that a run writes"}
	}
	_ = json.Unmarshal(text, v) // A value of another type leaves another value.
	again, err := json.Marshal(v)
	if err != nil {
		return &objectFault{1, "holds numbers that are not finite"}
	}
	_ = json.Unmarshal(again, &is)
	if key, what := difference(was, is, ""); what != "" {
		before, _, _ := bytes.Cut(text, []byte(`"`+key+`"`))
		return &objectFault{1 + bytes.Count(before, []byte{'\n'}), what}
	}
	// As the keys are the same, a text is longer if a key stands in it twice.
	var escaped, plain bytes.Buffer
	json.HTMLEscape(&escaped, text)
	if _ = json.Compact(&plain, escaped.Bytes()); plain.Len() != len(again) {
		return &objectFault{1, fmt.Sprintf("has %d bytes without spaces, expected %d: a key stands in it twice", plain.Len(), len(again))}
	}
	return nil
}

// difference returns the first key, in order, in which an object differs from what a run writes, and a message.
func difference(was, run map[string]any, path string) (key, what string) {
	all := maps.Clone(was)
	maps.Copy(all, run)
	for _, key := range inOrder(all) {
		x, has := was[key]
		y := run[key]
		inner, isObject := x.(map[string]any)
		other, both := y.(map[string]any)
		switch {
		case !has:
			return key, fmt.Sprintf("has no key %q", path+key)
		case isObject && both:
			if key, what := difference(inner, other, path+key+"."); what != "" {
				return key, what
			}
		case !reflect.DeepEqual(x, y):
			value, _ := json.Marshal(x)
			return key, fmt.Sprintf("has %s as %q, which no run writes", shorten(string(value)), shorten(path+key))
		}
	}
	return "", ""
}
