package scene

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/keys"
	"github.com/scree-dem/scree/vec"
)

var lawKeysType = reflect.TypeFor[lawKeys]()

// isTable reports whether values of a type are tables of a scene file with keys of their own.
func isTable(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t != reflect.TypeFor[vec.Vec3]() && t != reflect.TypeFor[vec.Quat]() && !reflect.PointerTo(t).Implements(timedType)
}

var sets sync.Map // keys.Set by reflect.Type

// keysOf returns the keys of a table type. Those of the laws are among the keys of [law] and of [[law.pair]].
func keysOf(t reflect.Type) keys.Set {
	if set, ok := sets.Load(t); ok {
		return set.(keys.Set)
	}
	set := keys.Of(t, words)
	if f, ok := t.FieldByName("Keys"); ok && f.Type == lawKeysType {
		for _, k := range force.KeysOf("") {
			k.Index, k.Constant = f.Index, nil
			if t != reflect.TypeFor[lawTable]() {
				k.Default = "" // A pair needs none of them.
			}
			if !strings.Contains(k.Name, ".") { // else of another table
				set = append(set, k)
			}
		}
	}
	sets.Store(t, set)
	return set
}

// begin sets the defaults of a new table and of the tables in it, and returns it.
func begin(v reflect.Value) reflect.Value {
	if isTable(v.Type()) {
		set := keysOf(v.Type())
		set.SetDefaults(v)
		for i := range set {
			begin(v.FieldByIndex(set[i].Index))
		}
	}
	return v
}

// add adds a key and returns the value to set. of is the field that holds l.
func (l lawKeys) add(of reflect.Value, k *keys.Key) reflect.Value {
	if l == nil {
		l = lawKeys{}
		of.Set(reflect.ValueOf(l))
	}
	v := reflect.New(k.Type)
	l[k.Name] = v.Interface()
	return v.Elem()
}

// number returns the number of a key, or nil if it is not given.
func (l lawKeys) number(key string) *float64 {
	x, _ := l[key].(*float64)
	return x
}

// checkKeys reports required keys that are missing, keys that exclude each other, and keys without others that they
// need, in all tables.
func (s *checks) checkKeys(d *document) { s.checkTable("", reflect.ValueOf(d).Elem()) }

func (s *checks) checkTable(at string, v reflect.Value) {
	switch {
	case s.first != nil:
	case v.Kind() == reflect.Pointer && !v.IsNil():
		s.checkTable(at, v.Elem())
	case v.Kind() == reflect.Slice && isTable(v.Type().Elem()):
		for i := range v.Len() {
			s.checkTable(entry(at, i), v.Index(i))
		}
	case v.Type() == lawKeysType:
	case v.Kind() == reflect.Map:
		names := v.MapKeys()
		slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, name := range names {
			s.checkTable(joined(at, name.String()), v.MapIndex(name))
		}
	case isTable(v.Type()):
		kind := ""
		if t, ok := v.Addr().Interface().(*lawTable); ok && at != "law" && len(t.Keys) == 0 { // of a stage, which sets pairs alone
			s.checkTable(joined(at, "pair"), reflect.ValueOf(t.Pair))
			return
		}
		if e, ok := v.Addr().Interface().(ending); ok && e.ended() {
			return
		}
		if t, ok := v.Addr().Interface().(*bodyTable); ok {
			kind = cmp.Or(t.Generator, "one")
		}
		set := keysOf(v.Type())
		for i := range set {
			k, path := &set[i], joined(at, set[i].Name)
			if given := s.at.has(path); given && k.Of+k.Group+k.With != "" || !given && k.Default == keys.Required {
				s.checkKey(at, v, set, k, kind)
			}
			switch f := v.FieldByIndex(k.Index); f.Kind() {
			case reflect.Struct, reflect.Pointer, reflect.Slice, reflect.Map:
				s.checkTable(path, f)
			}
		}
	}
}

// checkKey checks a key of table v beside the other keys. kind is what makes the bodies of the table, or "".
func (s *checks) checkKey(at string, v reflect.Value, set keys.Set, k *keys.Key, kind string) {
	path, f := joined(at, k.Name), v.FieldByIndex(k.Index)
	has := func(name string) bool { return s.at.has(joined(at, name)) }
	mine := func(k *keys.Key) bool { return k.Of == "" || kind == "" || slices.Contains(strings.Fields(k.Of), kind) }
	group := slices.DeleteFunc(set.Group(k.Group), func(name string) bool { return !mine(set.Key(name)) })
	first := slices.IndexFunc(group, has)
	if !has(k.Name) {
		if k.Default == keys.Required && mine(k) && first < 0 && !(s.staged && at == "time" && k.Group == "length") {
			others := slices.DeleteFunc(group, func(name string) bool { return name == k.Name })
			s.fault(path, missing(keys.Joined(append([]string{k.Wants()}, others...), ", or ")))
		}
		return
	}
	with, value, _ := strings.Cut(k.With, " ")
	switch {
	case !mine(k):
		takes := set.Names(func(k *keys.Key) bool { return k.Of != "" && mine(k) })
		kind = strings.Replace(fmt.Sprintf("generator %q", kind), `generator "one"`, "one body, without a generator", 1)
		s.fault(path, "does not belong to "+kind+", expected among "+strings.Join(takes, ", "))
	case len(group) > 0 && group[first] != k.Name:
		s.fault(path, fmt.Sprintf("is given beside %s, expected one of %s", group[first], keys.Joined(group, " and ")))
	case f.IsZero(): // has no effect
	case value != "" && v.FieldByIndex(set.Key(with).Index).String() != value:
		s.fault(path, fmt.Sprintf("is given without %s = %q, expected both or neither", with, value))
	case with != "" && value == "" && !has(with):
		s.fault(path, fmt.Sprintf("is given without %s, expected both or neither", with))
	}
}

// KeyTable is a table of a scene file, with a row for each key.
type KeyTable struct {
	Name string   // the heading, as in [time]; empty for the top of the file
	Doc  string   // what the table is for
	Rows []KeyRow // the keys, in the order of the file
}

// KeyRow describes a key of a scene file, for people.
type KeyRow struct {
	Key, Unit, Default, Accepts, Meaning string // texts; empty where there is nothing to say
}

// KeyTables returns all tables of a scene file and their keys.
func KeyTables() []KeyTable {
	return keyTables(nil, KeyTable{Doc: "keys before the first table"}, reflect.TypeFor[document](), "")
}

// keyTables appends a table, and the tables in it.
func keyTables(all []KeyTable, t KeyTable, of reflect.Type, path string) []KeyTable {
	set, n := keysOf(of), len(all)
	all = append(all, t)
	for i := range set {
		k := &set[i]
		inner, heading := k.Type, "["+joined(path, k.Name)+"]"
		switch {
		case strings.HasPrefix(k.Form, "as "): // described there
			inner = reflect.TypeFor[float64]()
		case inner.Kind() == reflect.Map:
			inner, heading = inner.Elem().Elem(), "["+joined(path, k.Name)+".NAME]"
		case inner.Kind() == reflect.Slice && isTable(inner.Elem()):
			inner, heading = inner.Elem(), "["+heading+"]"
		}
		if isTable(inner) {
			all = keyTables(all, KeyTable{Name: heading, Doc: k.Doc}, inner, joined(path, k.Name))
		}
		if k.Doc != "" && !isTable(inner) && (of != reflect.TypeFor[pairTable]() || k.Default != "") || isTable(k.Type) && path != "" {
			all[n].Rows = append(all[n].Rows, rowOf(set, k))
		}
	}
	return all
}

func rowOf(set keys.Set, k *keys.Key) KeyRow {
	r := KeyRow{Key: k.Name, Unit: k.Unit, Default: k.Default, Accepts: k.Bounds, Meaning: k.Doc}
	var accepted []string
	if len(k.Words) > 0 && k.Bounds != "" {
		accepted = append(accepted, k.Bounds)
	}
	if k.Form != "" && k.Form != "a name" && k.Bounds == "" {
		accepted = append(accepted, k.Form)
	}
	for _, w := range k.Words {
		if accepted = append(accepted, strconv.Quote(w)); w == k.Default {
			r.Default = strconv.Quote(w)
		}
	}
	if len(accepted) > 0 {
		r.Accepts = keys.Joined(accepted, " or ")
	}
	if k.Of != "" {
		r.Meaning = strings.Replace(strings.Join(strings.Fields(k.Of), ", "), "one", "one body", 1) + ": " + r.Meaning
	}
	if with, value, _ := strings.Cut(k.With, " "); with != "" {
		r.Meaning += strings.TrimSuffix(fmt.Sprintf("; only with %s = %q", with, value), ` = ""`)
	}
	group := set.Group(k.Group)
	if next := slices.Index(group, k.Name) + 1; next > 0 && next < len(group) {
		r.Meaning += "; or " + group[next]
	}
	return r
}
