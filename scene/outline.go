package scene

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/scree-dem/scree/internal/keys"
	"github.com/scree-dem/scree/internal/mark"
)

// outline holds the line of every key of a scene file, so that checks long after parsing can report
// it. Keys have the form "bodies[2].shape"; entries are counted from 0 in the order of the file.
type outline struct {
	file    string
	places  map[string]place
	entries map[string]int      // number of entries of each [[table]]
	files   []fileName          // of meshes, in order
	given   map[string]*setting // values set after the file was read, and the tables that they made
}

// place is the line of a key and the way the file defines the key.
type place struct {
	line int32
	end  int32 // offset after the key, or after the line of a heading; in a list: of the start of an inline table
	kind placeKind
}

// meshForm and meshesForm are the forms of all keys that name files.
const (
	meshForm   = "the name of a mesh file"
	meshesForm = "names of mesh files"
)

// fileName is a value that names a file, or a list of such.
type fileName struct {
	end   int32 // offset after its key
	list  bool
	names []string
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

// fault returns the error for a key, with the line of the key, or of its table if the key is
// missing.
func (o *outline) fault(key, what string) error { return o.faultOf(key, what) }

func (o *outline) faultOf(key, what string) *fault {
	f := &fault{file: o.file, line: o.line(key), key: key, what: what}
	for at := key; at != ""; at = parent(at) {
		if s := o.given[at]; s != nil {
			_ = s.blame(f)
			break
		}
	}
	return f
}

// because is fault with a cause. The message is the text of the cause without the package prefix,
// which means nothing to users.
func (o *outline) because(key string, err error) error {
	f := o.faultOf(key, mark.WithoutPackage(err.Error()))
	f.cause = err
	return f
}

// line returns the line of a key, or of the nearest enclosing table, or 0.
func (o *outline) line(key string) int {
	for key != "" {
		if p, ok := o.places[key]; ok {
			return int(p.line)
		}
		key = parent(key)
	}
	return 0
}

// parent returns the key of the table or list with a key.
func parent(key string) string { return key[:max(strings.LastIndexAny(key, ".["), 0)] }

func (o *outline) has(key string) bool {
	_, ok := o.places[key]
	return ok
}

// nearShown is the length, in bytes, of the longest key for which a similar key is searched. All
// known keys are shorter than half of it.
const nearShown = 64

// unknown returns the error for an unknown key: what stands for a key of another program or release; or the most
// similar known key if at most a third of the letters differ, or two; or all keys of the table, because a bad
// suggestion would mislead.
func (o *outline) unknown(line int, path, name string, table keys.Set) error {
	f := &fault{file: o.file, line: line, key: path}
	if text := hintOf(withoutNumbers(path), name); strings.HasPrefix(text, later) {
		f.what = strconv.Quote(name) + text
		return f
	} else if f.what = "unknown key " + strconv.Quote(shorten(name)); text != "" {
		f.what += ", expected " + text
	}
	if len(name) > nearShown || strings.Contains(f.what, ", expected ") {
		return f
	}
	names := slices.Sorted(slices.Values(table.Names(func(*keys.Key) bool { return true })))
	best, least := "", math.MaxInt
	for _, k := range names {
		if d := levenshtein.ComputeDistance(name, k); d < least {
			best, least = k, d
		}
	}
	if least <= max(1, len(name)/3, min(2, len(name)/2)) {
		f.what += fmt.Sprintf(", the nearest known one is %q", best)
	} else {
		f.what += ", expected one of " + strings.Join(names, ", ")
	}
	return f
}

// notAWord returns the message for a text that is not among the words of a key.
func notAWord(path string, k *keys.Key, text string) string {
	switch hint := hintOf(withoutNumbers(path)+"="+text, k.Name+"="+text); {
	case strings.HasPrefix(hint, later):
		return strconv.Quote(text) + hint
	case hint != "":
		return found(text, k.Wants()+": "+hint)
	}
	if k.Type.Kind() == reflect.Slice {
		return found(text, keys.Joined(k.Words, " or "))
	}
	return found(text, k.Wants())
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
