package force

import (
	"reflect"
	"strings"
	"sync"

	"github.com/scree-dem/scree/internal/keys"
)

// named lists the laws that scene files name with law.normal. The first is the default. Tags of the fields state the
// keys of the parameters. A key whose tag has no more than the name means what it means for an earlier law.
var named = []struct {
	name string
	zero Parameters
}{{"thickness", Thickness{}}, {"linear", Linear{}}}

// Names returns the names of the laws that scene files may give. The first is the default.
func Names() (names []string) {
	for _, l := range named {
		names = append(names, l.name)
	}
	return names
}

// tables returns the tables of keys of the named laws, and the table of all their keys.
var tables = sync.OnceValues(func() ([]*keys.Set, *keys.Set) {
	var each []*keys.Set
	all := &keys.Set{}
	for _, l := range named {
		t := keys.Of(reflect.TypeOf(l.zero), nil)
		for i := range t.Keys {
			k := &t.Keys[i]
			if known := all.Key(k.Name); known != nil {
				k.Describe(known)
				known.Of += " " + l.name
			} else {
				one := *k
				one.Of = l.name
				all.Add(one)
			}
		}
		each = append(each, t)
	}
	for i := range all.Keys {
		if k := &all.Keys[i]; k.Of == strings.Join(Names(), " ") {
			k.Of = ""
		}
	}
	return each, all
})

// KeysOf returns the table of the keys of a named law, or of all of them for "". In the latter, Of is the names of
// the laws that have a key, or "" if all have it.
func KeysOf(name string) *keys.Set {
	each, all := tables()
	for i, l := range named {
		if l.name == name {
			return each[i]
		}
	}
	return all
}

// FromKeys returns the parameters of a named law from the values of its keys: float64 or bool. The default of a key
// holds if no key of its group has a value. Values of keys that the law does not have are ignored.
func FromKeys(name string, values map[string]any) Parameters {
	zero := named[0].zero
	for _, l := range named {
		if l.name == name {
			zero = l.zero
		}
	}
	table, v := KeysOf(name), reflect.New(reflect.TypeOf(zero)).Elem()
	table.SetDefaults(v)
	for i := range table.Keys {
		k := &table.Keys[i]
		if x, ok := values[k.Name]; ok {
			v.FieldByIndex(k.Index).Set(reflect.ValueOf(x))
			for _, other := range table.Group(k.Group) {
				if o := table.Key(other); o.Index[0] != k.Index[0] {
					v.FieldByIndex(o.Index).SetZero()
				}
			}
		}
	}
	for _, f := range reflect.VisibleFields(v.Type()) {
		if key := f.Tag.Get("given"); key != "" {
			_, ok := values[key]
			v.FieldByIndex(f.Index).SetBool(ok)
		}
	}
	return v.Interface().(Parameters)
}

// checkParameters returns an error for the first parameter of a named law that is out of its bounds, for friction
// without a tangential spring, and for a reference gap beyond the interaction distance, or nil.
func checkParameters(law Parameters, friction, tangential, gap, interaction float64) error {
	each, _ := tables()
	for i, l := range named {
		if v := reflect.ValueOf(law); reflect.TypeOf(l.zero) == v.Type() {
			if err := each[i].Check(v); err != nil {
				return &parameterError{err}
			}
		}
	}
	switch {
	case friction > 0 && tangential == 0:
		return wrong("tangential_stiffness", tangential, "a stiffness > 0 N/m where there is friction")
	case !(gap <= interaction):
		return wrong("reference_gap", gap, "at most the interaction distance")
	}
	return nil
}

// parameterError is an ErrLaw about the value of a key. It wraps a keys.Error.
type parameterError struct{ error }

// Unwrap returns the keys.Error and the kind.
func (e *parameterError) Unwrap() []error { return []error{e.error, ErrLaw} }

func wrong(key string, value float64, want string) error {
	return &parameterError{&keys.Error{Key: key, Value: value, Want: want}}
}
