package keys

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Key is one key of a table. Each text comes from the tag of the same name in lower case, but Name from the tag key.
type Key struct {
	Name    string
	Unit    string
	Default string   // the value without the key, in words where it is no constant; Required if there is none
	Bounds  string   // "> 0", "≥ 0", "> 0 and ≤ 1", "1 to 9", "0.5 or 1"
	Form    string   // of a list or a table, "three numbers [x, y, z]"
	Doc     string   // the meaning
	Of      string   // what has the key, words with spaces between them; "" for all
	Group   string   // at most one key of a group may be given; one must be if the default of any of them is Required
	With    string   // a key without which this one may not be given, or the key and its value
	Share   string   // "0.8 of GROUP": the default is this share of the value of a group
	Words   []string // texts that the key accepts, from the tag words: the texts, or the name of a list

	Index    []int        // of the field
	Type     reflect.Type // of the field, or of what it points to
	Constant any          // the default, if it is a constant, else nil
	ranges   [][2]float64
}

// Required is the default of a key that must be given.
const Required = "required"

// Set is the keys of a struct, in the order of its fields.
type Set []Key

// Of returns the keys of a struct type. lists has the lists of words that tags name. A field may have a second key,
// whose tags begin with also.
func Of(t reflect.Type, lists map[string][]string) (s Set) {
	for _, f := range reflect.VisibleFields(t) {
		for _, prefix := range []string{"", "also"} {
			if _, ok := f.Tag.Lookup(prefix + "key"); ok {
				s = append(s, keyOf(f, prefix, lists))
			}
		}
	}
	return s
}

// Key returns the key of a name, or nil.
func (s Set) Key(name string) *Key {
	for i := range s {
		if s[i].Name == name {
			return &s[i]
		}
	}
	return nil
}

// Names returns the names of the keys for which a condition holds, in order.
func (s Set) Names(of func(k *Key) bool) (names []string) {
	for i := range s {
		if of(&s[i]) {
			names = append(names, s[i].Name)
		}
	}
	return names
}

// Group returns the names of the keys of a group.
func (s Set) Group(group string) []string {
	return s.Names(func(k *Key) bool { return group != "" && k.Group == group })
}

// SetDefaults sets the fields of the struct v whose default is a constant.
func (s Set) SetDefaults(v reflect.Value) {
	for i := range s {
		if x := s[i].Constant; x != nil {
			v.FieldByIndex(s[i].Index).Set(reflect.ValueOf(x))
		}
	}
}

// forms are the forms of lists by the type of the field.
var forms = map[string]string{
	"vec.Vec3": "three numbers [x, y, z]", "vec.Quat": "a quaternion [w, x, y, z] of norm 1, within 1e-3", "[2]vec.Vec3": "two corners [[x, y, z], [x, y, z]]",
}

func keyOf(f reflect.StructField, prefix string, lists map[string][]string) Key {
	tag := func(name string) string { return f.Tag.Get(prefix + name) }
	k := Key{
		Name: tag("key"), Unit: tag("unit"), Default: tag("default"), Bounds: tag("bounds"), Form: tag("form"), Doc: tag("doc"), Of: tag("of"),
		Group: tag("group"), With: tag("with"), Share: tag("share"), Words: lists[tag("words")], Index: f.Index, Type: f.Type, ranges: rangesOf(tag("bounds")),
	}
	if k.Words == nil {
		k.Words = strings.Fields(tag("words"))
	}
	x, err := strconv.ParseFloat(k.Default, 64)
	switch isNumber := err == nil; k.Type.Kind() {
	case reflect.Float64, reflect.Int64:
		if isNumber {
			k.Constant = reflect.ValueOf(x).Convert(k.Type).Interface()
		}
	case reflect.Bool:
		k.Constant = k.Default == "true"
	case reflect.String:
		if slices.Contains(k.Words, k.Default) {
			k.Constant = k.Default
		}
	case reflect.Pointer:
		k.Type = k.Type.Elem()
	}
	if k.Form == "" {
		k.Form = forms[k.Type.String()]
	}
	if v, ok := reflect.Zero(k.Type).Interface().(interface{ Form() string }); ok && k.Form == "" {
		k.Form = v.Form()
	}
	return k
}

// rangesOf returns the ranges of numbers, ends included, that bounds describe.
func rangesOf(bounds string) (all [][2]float64) {
	for _, text := range strings.Split(bounds, " or ") {
		r := [2]float64{-math.MaxFloat64, math.MaxFloat64}
		for _, b := range strings.Split(strings.Replace(text, " to ", " and ≤ ", 1), " and ") {
			op, n, ok := strings.Cut(b, " ")
			if !ok {
				n = op
			}
			x, err := strconv.ParseFloat(n, 64)
			switch {
			case bounds == "":
			case err != nil:
				panic("keys: bounds " + bounds)
			case op == ">":
				r[0] = math.Nextafter(x, math.Inf(1))
			case op == "≤":
				r[1] = x
			case op == "≥" || strings.Contains(text, " to "):
				r[0] = x
			default:
				r = [2]float64{x, x}
			}
		}
		all = append(all, r)
	}
	return all
}

// Within reports whether a number is finite and within bounds, which are a text as in Key.
func Within(bounds string, x float64) bool { return (&Key{ranges: rangesOf(bounds)}).Holds(x) }

// Holds reports whether a number is finite and within the bounds.
func (k *Key) Holds(x float64) bool {
	return slices.ContainsFunc(k.ranges, func(r [2]float64) bool { return x >= r[0] && x <= r[1] })
}

// HoldsWhole is Holds for a whole number, which a float64 may not represent.
func (k *Key) HoldsWhole(i int64) bool {
	x := float64(i)
	if int64(x) != i {
		x = math.Nextafter(x, math.Inf(1)*x)
	}
	return k.Holds(x)
}

// nouns are the words for values of a unit.
var nouns = map[string]string{
	"m": "a length", "s": "a time", "kg/m³": "a density", "N/m": "a stiffness", "Pa or Pa/m": "a modulus", "N·s/m": "a coefficient", "1/s": "a frequency",
}

// kinds are the words for values of a kind of types.
var kinds = map[reflect.Kind]string{
	reflect.Bool: "true or false", reflect.String: "a text in quotes", reflect.Slice: "a list in brackets", reflect.Struct: "a table",
	reflect.Map: "a table", reflect.Int64: "a whole number", reflect.Float64: "a number", reflect.Interface: "a number",
}

// Wants returns a text for the values that the key accepts, for "expected …".
func (k *Key) Wants() string {
	text := k.Form
	switch kind := k.Type.Kind(); {
	case len(k.Words) > 0 && kind == reflect.String:
		return Joined(k.Words, " or ")
	case len(k.Words) > 0 && kind == reflect.Slice:
		return "a list of " + Joined(k.Words, " or ")
	}
	if text == "" {
		if text = nouns[k.Unit]; text == "" {
			text = kinds[k.Type.Kind()]
		}
		switch {
		case strings.Contains(k.Bounds, " to ") || strings.Contains(k.Bounds, " or "):
			text = k.Bounds
		case k.Bounds != "":
			text += " " + k.Bounds
		case k.Unit != "":
			text += " in"
		}
		text = strings.TrimSuffix(text+" "+k.Unit, " ")
	}
	for _, word := range k.Words {
		text += " or " + strconv.Quote(word)
	}
	return text
}

// Joined joins words as in a sentence, with link, such as " or ", before the last word.
func Joined(words []string, link string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + link + words[last]
}

// Error is a value that a key does not accept.
type Error struct {
	Key   string
	Value any
	Want  string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s is %v, expected %s", strings.ReplaceAll(e.Key, "_", " "), e.Value, e.Want)
}

// Check returns an Error for the first number of a struct that the bounds of its key exclude, or nil. Without a
// default, 0 stands for an absent key.
func (s Set) Check(v reflect.Value) error {
	for i := range s {
		k := &s[i]
		if x := v.FieldByIndex(k.Index); x.Kind() == reflect.Float64 && !k.Holds(x.Float()) && (x.Float() != 0 || k.Default != "") {
			return &Error{k.Name, x.Float(), k.Wants()}
		}
	}
	return nil
}
