package force

import (
	"reflect"
	"slices"
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

// sets returns the keys of each law, and behind them the keys of all. In the latter, Of names the laws that have a key,
// and is empty if all have it.
var sets = sync.OnceValue(func() (each []keys.Set) {
	var all keys.Set
	for _, l := range named {
		set := keys.Of(reflect.TypeOf(l.zero), nil)
		for i := range set {
			k := set[i]
			if known := all.Key(k.Name); known == nil {
				k.Of = l.name
				all = append(all, k)
			} else if k.Doc == "" {
				known.Of += " " + l.name
				set[i], set[i].Index, set[i].Of = *known, k.Index, ""
			}
		}
		each = append(each, set)
	}
	for i := range all {
		if all[i].Of == strings.Join(Names(), " ") {
			all[i].Of = ""
		}
	}
	return append(each, all)
})

// KeysOf returns the keys of a law, or of all laws for "".
func KeysOf(name string) keys.Set {
	if i := slices.Index(Names(), name); i >= 0 {
		return sets()[i]
	}
	return sets()[len(named)]
}

// FromKeys returns the parameters of the law with a name from the values of its keys: float64 or bool. The default of a
// key holds if no key of its group has a value. Values of keys that the law does not have are ignored.
func FromKeys(name string, values map[string]any) Parameters {
	set := KeysOf(name)
	v := reflect.New(reflect.TypeOf(named[max(slices.Index(Names(), name), 0)].zero)).Elem()
	set.SetDefaults(v)
	for i := range set {
		if x, ok := values[set[i].Name]; ok {
			for _, other := range set.Group(set[i].Group) {
				v.FieldByIndex(set.Key(other).Index).SetZero()
			}
			v.FieldByIndex(set[i].Index).Set(reflect.ValueOf(x))
		}
	}
	for _, f := range reflect.VisibleFields(v.Type()) {
		if key := f.Tag.Get("given"); key != "" {
			v.FieldByIndex(f.Index).SetBool(values[key] != nil)
		}
	}
	return v.Interface().(Parameters)
}

// checkParameters returns an error for the first parameter of a law that is out of its bounds, for friction without a
// tangential spring, and for a reference gap beyond the interaction distance, or nil.
func checkParameters(name string, law Parameters, friction, tangential, gap, interaction float64) error {
	if err := KeysOf(name).Check(reflect.ValueOf(law)); err != nil {
		return &parameterError{err}
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
