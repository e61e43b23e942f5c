package keys

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Key is one key of a table. Each string comes from the tag of the same name in lower case, but Name from the tag key.
type Key struct {
	Name    string
	Unit    string
	Default string  // the value without the key, in words where it is no constant; Required if there is none
	Bounds  string  // "> 0", "> 0 and ≤ 1", "1 to 9", "0.5 or 1"
	Form    string  // of a list, "three numbers [x, y, z]"
	Doc     string  // the meaning
	Of      string  // what has the key, words with spaces between them; "" for all
	Group   string  // at most one key of a group may be given; one must be if the default of any of them is Required
	With    string  // a key without which this one may not be given
	Share   float64 // the default is this share of the value of the group ShareOf
	ShareOf string
	Words   []string // texts that the key accepts, from the tag words: the texts, or the name of a list

	Index   []int        // of the field
	Type    reflect.Type // of the field
	limits  []limit
	initial reflect.Value // the default, if it is a constant
}

// Required is the default of a key that must be given.
const Required = "required"

// limit is a bound on a number: x op number, with op one of > ≥ < ≤ =. A number meets one of several bounds with =.
type limit struct {
	op     string
	number float64
}

// Set is the keys of a struct, in the order of its fields. Those of embedded structs are among them.
type Set struct {
	Keys []Key
	by   map[string]int
}

// Of returns the table of a struct type. lists has the lists of words that tags name.
func Of(t reflect.Type, lists map[string][]string) *Set {
	table := &Set{}
	for _, f := range reflect.VisibleFields(t) {
		for _, prefix := range []string{"", "also"} {
			if name, ok := f.Tag.Lookup(prefix + "key"); ok {
				table.Add(keyOf(f, prefix, name, lists))
			}
		}
	}
	return table
}

// Add appends a key.
func (t *Set) Add(k Key) {
	if t.by == nil {
		t.by = map[string]int{}
	}
	t.by[k.Name] = len(t.Keys)
	t.Keys = append(t.Keys, k)
}

// Key returns the key of a name, or nil.
func (t *Set) Key(name string) *Key {
	if i, ok := t.by[name]; ok {
		return &t.Keys[i]
	}
	return nil
}

// Names returns the names of all keys, sorted.
func (t *Set) Names() []string {
	var names []string
	for i := range t.Keys {
		names = append(names, t.Keys[i].Name)
	}
	slices.Sort(names)
	return names
}

// Group returns the names of the keys of a group.
func (t *Set) Group(group string) (names []string) {
	for i := range t.Keys {
		if group != "" && t.Keys[i].Group == group {
			names = append(names, t.Keys[i].Name)
		}
	}
	return names
}

// SetDefaults sets the fields of the struct v whose default is a constant.
func (t *Set) SetDefaults(v reflect.Value) {
	for i := range t.Keys {
		if k := &t.Keys[i]; k.initial.IsValid() {
			v.FieldByIndex(k.Index).Set(k.initial)
		}
	}
}

// Describe copies unit, default, bounds, meaning and the like of another key, unless k has a meaning of its own.
func (k *Key) Describe(other *Key) {
	if k.Doc == "" {
		name, index, of := k.Name, k.Index, k.Of
		*k = *other
		k.Name, k.Index, k.Of = name, index, of
	}
}

// forms are the forms of lists by the type of the field.
var forms = map[string]string{
	"vec.Vec3": "three numbers [x, y, z]", "vec.Quat": "a quaternion [w, x, y, z]", "[2]vec.Vec3": "two corners [[x, y, z], [x, y, z]]",
}

// keyOf reads the tags of a field. A field with two keys has the tags of the second one with a prefix.
func keyOf(f reflect.StructField, prefix, name string, lists map[string][]string) Key {
	tag := func(name string) string { return f.Tag.Get(prefix + name) }
	k := Key{
		Name: name, Unit: tag("unit"), Default: tag("default"), Bounds: tag("bounds"), Form: tag("form"), Doc: tag("doc"), Of: tag("of"),
		Group: tag("group"), With: tag("with"), Index: f.Index, Type: f.Type,
	}
	if k.Type.Kind() == reflect.Pointer {
		k.Type = k.Type.Elem()
	}
	if k.Form == "" {
		k.Form = forms[k.Type.String()]
	}
	if words := tag("words"); words != "" {
		if k.Words = lists[words]; k.Words == nil {
			k.Words = strings.Fields(words)
		}
	}
	k.limits = limitsOf(k.Bounds)
	if share, of, ok := strings.Cut(tag("share"), " of "); ok {
		k.Share, k.ShareOf = number(share), of
	}
	k.initial = k.constant(f.Type)
	return k
}

func limitsOf(bounds string) (all []limit) {
	if bounds == "" {
		return nil
	}
	for _, exact := range strings.Split(bounds, " or ") {
		if low, high, ok := strings.Cut(exact, " to "); ok {
			return []limit{{"≥", number(low)}, {"≤", number(high)}}
		}
		for _, b := range strings.Split(exact, " and ") {
			op, n, ok := strings.Cut(b, " ")
			if !ok {
				op, n = "=", b
			}
			all = append(all, limit{op, number(n)})
		}
	}
	return all
}

func number(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("keys: " + err.Error())
	}
	return x
}

// constant returns the default as a value of type t, if it is one.
func (k *Key) constant(t reflect.Type) (v reflect.Value) {
	to := reflect.New(t).Elem()
	switch to.Kind() {
	case reflect.Float64, reflect.Int64:
		if x, err := strconv.ParseFloat(k.Default, 64); err == nil {
			return reflect.ValueOf(x).Convert(t)
		}
	case reflect.Bool:
		if k.Default == "false" {
			return to
		}
	case reflect.String:
		if slices.Contains(k.Words, k.Default) {
			to.SetString(k.Default)
			return to
		}
	}
	return v
}

// Constant returns the default, or nil if it is no constant.
func (k *Key) Constant() any {
	if !k.initial.IsValid() {
		return nil
	}
	return k.initial.Interface()
}

// Holds reports whether a number meets the bounds and is finite.
func (k *Key) Holds(x float64) bool {
	exact := false
	for _, l := range k.limits {
		ok := false
		switch l.op {
		case ">":
			ok = x > l.number
		case "≥":
			ok = x >= l.number
		case "<":
			ok = x < l.number
		case "≤":
			ok = x <= l.number
		case "=":
			exact = exact || x == l.number
			continue
		default:
			panic("keys: " + k.Bounds)
		}
		if !ok {
			return false
		}
	}
	return x-x == 0 && (exact || len(k.limits) == 0 || k.limits[0].op != "=")
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
	"m": "a length", "s": "a time", "kg/m³": "a density", "N/m": "a stiffness", "Pa or Pa/m": "a modulus", "N·s/m": "a coefficient",
	"1/s": "a frequency", "steps": "a whole number of steps", "searches": "a whole number of searches",
}

// Wants returns a text for the values that the key accepts, for "expected …".
func (k *Key) Wants() string {
	var texts []string
	switch {
	case k.Form != "":
		texts = append(texts, k.Form)
	case len(k.limits) > 0 && k.limits[0].op == "=":
		texts = append(texts, k.Bounds)
	case strings.Contains(k.Bounds, " to "):
		texts = append(texts, strings.TrimSuffix(k.Bounds+" "+k.Unit, " "))
	default:
		texts = append(texts, k.extent())
	}
	if k.Type.Kind() == reflect.String && len(k.Words) > 0 {
		texts = nil
	}
	for _, word := range k.Words {
		if k.Type.Kind() != reflect.String {
			word = strconv.Quote(word)
		}
		texts = append(texts, word)
	}
	return Joined(texts, " or ")
}

// extent returns the noun, bounds and unit of a value without a form.
func (k *Key) extent() string {
	noun, unit := nouns[k.Unit], " "+k.Unit
	switch k.Type.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text in quotes"
	case reflect.Slice:
		return "a list in brackets"
	case reflect.Struct, reflect.Map:
		return "a table"
	}
	switch {
	case strings.HasPrefix(noun, "a whole number of "), k.Unit == "":
		unit = ""
	case k.Bounds == "":
		unit = " in" + unit
	}
	switch {
	case noun != "":
	case k.Type.Kind() == reflect.Int64:
		noun = "a whole number"
	default:
		noun = "a number"
	}
	return strings.TrimSuffix(noun+" "+k.Bounds, " ") + unit
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
// constant as its default, 0 stands for an absent key.
func (t *Set) Check(v reflect.Value) error {
	for i := range t.Keys {
		k := &t.Keys[i]
		f := v.FieldByIndex(k.Index)
		if f.Kind() != reflect.Float64 || k.Holds(f.Float()) || f.Float() == 0 && k.Default == "" {
			continue
		}
		return &Error{k.Name, f.Float(), k.Wants()}
	}
	return nil
}

// WithoutInitial makes SetDefaults leave the field of the key alone.
func (k *Key) WithoutInitial() { k.initial = reflect.Value{} }
