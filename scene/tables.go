package scene

import (
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
	return t.Kind() == reflect.Struct && t != reflect.TypeFor[vec.Vec3]() && t != reflect.TypeFor[vec.Quat]()
}

var tables sync.Map // *keys.Set by reflect.Type

// tableOf returns the keys of a table type. Those of the laws are among the keys of [law] and of [[law.pair]].
func tableOf(t reflect.Type) *keys.Set {
	if table, ok := tables.Load(t); ok {
		return table.(*keys.Set)
	}
	table := keys.Of(t, words)
	if f, ok := t.FieldByName("Keys"); ok && f.Type == lawKeysType {
		all := force.KeysOf("")
		for i := range all.Keys {
			k := all.Keys[i]
			if strings.Contains(k.Name, ".") {
				continue // of another table
			}
			if k.Index = f.Index; t != reflect.TypeFor[lawTable]() {
				k.Default = "" // A pair needs none of them.
			}
			k.WithoutInitial()
			table.Add(k)
		}
	}
	tables.Store(t, table)
	return table
}

// begin sets the defaults of a new table and returns it.
func begin(v reflect.Value) reflect.Value {
	if isTable(v.Type()) {
		table := tableOf(v.Type())
		table.SetDefaults(v)
		for i := range table.Keys {
			if f := v.FieldByIndex(table.Keys[i].Index); f.Kind() == reflect.Struct && isTable(f.Type()) {
				begin(f)
			}
		}
	}
	return v
}

// add adds a key of the laws and returns the value to set. of is the field that holds l.
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
	case v.Kind() == reflect.Map && v.Type() != lawKeysType:
		names := make([]string, 0, v.Len())
		for _, name := range v.MapKeys() {
			names = append(names, name.String())
		}
		slices.Sort(names)
		for _, name := range names {
			s.checkTable(joined(at, name), v.MapIndex(reflect.ValueOf(name)))
		}
	case isTable(v.Type()):
		s.checkKeysOf(at, v)
	}
}

// checkKeysOf is checkKeys for one table and the tables in it.
func (s *checks) checkKeysOf(at string, v reflect.Value) {
	table, kind := tableOf(v.Type()), ""
	if t, ok := v.Addr().Interface().(*bodyTable); ok {
		if kind = t.Generator; kind == "" {
			kind = "one"
		}
	}
	has := func(name string) bool { return s.at.has(joined(at, name)) }
	mine := func(k *keys.Key) bool { return k.Of == "" || kind == "" || slices.Contains(strings.Fields(k.Of), kind) }
	for i := range table.Keys {
		k := &table.Keys[i]
		path := joined(at, k.Name)
		given := has(k.Name)
		idle := v.FieldByIndex(k.Index).IsZero() // needs no other key
		group := table.Group(k.Group)
		var beside, more []string
		for _, other := range group {
			if other != k.Name && mine(table.Key(other)) {
				more = append(more, other)
				if has(other) {
					beside = append(beside, other)
				}
			}
		}
		with, value, _ := strings.Cut(k.With, " ")
		switch {
		case given && !mine(k):
			s.fault(path, s.notOf(table, kind, mine))
		case given && len(beside) > 0 && slices.Index(group, beside[0]) < slices.Index(group, k.Name):
			s.fault(path, fmt.Sprintf("is given beside %s, expected one of %s", beside[0], oneOf(append(more, k.Name))))
		case given && !idle && value != "" && v.FieldByIndex(table.Key(with).Index).String() != value:
			s.fault(path, fmt.Sprintf("is given without %s = %q, expected both", with, value))
		case given && !idle && with != "" && value == "" && !has(with):
			s.fault(path, fmt.Sprintf("is given without %s, expected both", with))
		case !given && k.Default == keys.Required && mine(k) && len(beside) == 0:
			s.fault(path, missing(keys.Joined(append([]string{k.Wants()}, more...), ", or ")))
		}
		if v.FieldByIndex(k.Index).Type() != lawKeysType {
			s.checkTable(path, v.FieldByIndex(k.Index))
		}
	}
}

// oneOf is the text of the keys of a group.
func oneOf(names []string) string {
	if len(names) == 2 {
		return "the two"
	}
	slices.Sort(names)
	return keys.Joined(names, " and ")
}

// notOf is the message for a key that a kind of bodies does not have.
func (s *checks) notOf(table *keys.Set, kind string, mine func(*keys.Key) bool) string {
	var takes []string
	for i := range table.Keys {
		if k := &table.Keys[i]; k.Of != "" && mine(k) {
			takes = append(takes, k.Name)
		}
	}
	if kind = fmt.Sprintf("generator %q", kind); kind == `generator "one"` {
		kind = "one body"
	}
	return "does not belong to " + kind + ", expected among " + strings.Join(takes, ", ")
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
	table, n := tableOf(of), len(all)
	all = append(all, t)
	for i := range table.Keys {
		k := &table.Keys[i]
		inner, name, isList := k.Type, joined(path, k.Name), false
		switch {
		case inner.Kind() == reflect.Map:
			inner, name = inner.Elem().Elem(), name+".NAME"
		case inner.Kind() == reflect.Slice && isTable(inner.Elem()):
			inner, isList = inner.Elem(), true
		}
		within := isTable(inner)
		if within {
			heading := "[" + name + "]"
			if isList {
				heading = "[" + heading + "]"
			}
			all = keyTables(all, KeyTable{Name: heading, Doc: k.Doc}, inner, name)
		}
		ofPair := of == reflect.TypeFor[pairTable]() && k.Name != "materials"
		if !ofPair && (!within || path != "" && !isList) {
			all[n].Rows = append(all[n].Rows, rowOf(table, k))
		}
	}
	return all
}

func rowOf(table *keys.Set, k *keys.Key) KeyRow {
	r := KeyRow{Key: k.Name, Unit: k.Unit, Default: k.Default, Accepts: k.Bounds, Meaning: k.Doc}
	var words []string
	for _, w := range k.Words {
		if words = append(words, strconv.Quote(w)); w == k.Default {
			r.Default = strconv.Quote(w)
		}
	}
	switch {
	case k.Form != "" && k.Form != "a name" && k.Bounds == "":
		r.Accepts = keys.Joined(append([]string{k.Form}, words...), " or ")
	case len(words) > 0:
		r.Accepts = keys.Joined(words, " or ")
	}
	if k.Of != "" {
		r.Meaning = strings.Replace(strings.Join(strings.Fields(k.Of), ", "), "one", "one body", 1) + ": " + r.Meaning
	}
	if with, value, ok := strings.Cut(k.With, " "); ok {
		r.Meaning += "; only with " + with + " = " + strconv.Quote(value)
	} else if with != "" {
		r.Meaning += "; only with " + with
	}
	group := table.Group(k.Group)
	if next := slices.Index(group, k.Name) + 1; next > 0 && next < len(group) {
		r.Meaning += "; or " + group[next]
	}
	return r
}
