package scene

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/keys"
	"github.com/scree-dem/scree/vec"
)

// TestParseManyTables parses a file with many tables. It would take minutes if each table were
// compared with all others, or if lines were counted again for each table.
func TestParseManyTables(t *testing.T) {
	const n = 40_000
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "[materials.m%d]\n[[bodies]]\nshape = 'x'\n", i)
	}
	var d document
	o, err := parse("many.toml", b.Bytes(), &d)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Materials) != n || len(d.Bodies) != n {
		t.Fatalf("%d materials and %d bodies, expected %d of each", len(d.Materials), len(d.Bodies), n)
	}
	if line := o.line(fmt.Sprintf("bodies[%d].shape", n-1)); line != 3*n {
		t.Errorf("the last shape is in line %d, expected %d", line, 3*n)
	}
}

// allocated returns the number of bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestUnknownKeyOfALongList: an unknown key is rejected before its value is parsed. The tree of the
// value would take 28 times its bytes.
func TestUnknownKeyOfALongList(t *testing.T) {
	text := []byte("[[bodies]]\nfoo\t= [" + strings.Repeat("1,", 1<<20) + "1]\n")
	var err error
	var d document
	bytes := allocated(func() { _, err = parse("long.toml", text, &d) })
	if err == nil || !strings.Contains(err.Error(), `long.toml:2: bodies[0].foo: unknown key "foo"`) {
		t.Errorf("error %v, expected one of the key foo", err)
	}
	if most := uint64(1 << 18); bytes > most {
		t.Errorf("parsing took %d bytes for a text of %d, expected %d at most", bytes, len(text), most)
	}
}

// TestLongValues: messages are short, however long the values, keys or names in them are.
func TestLongValues(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	many := strings.Repeat("1,", 1<<16)
	for _, c := range []struct{ name, text, want string }{
		{"key", long + " = 1", "unknown key"},
		{"table", "[" + long + "]", "unknown key"},
		{"name in quotes", "\"" + strings.Repeat("\\u0001", 1<<18) + "\" = 1", "unknown key"},
		{"text", "dim = '" + long + "'", "expected 2 or 3"},
		{"number", "dim = " + strings.Repeat("7", 1<<20), "expected a whole number"},
		{"list", "dim = [" + many + "]", `found a list, expected 2 or 3`},
		{"values", "[[bodies]]\nshapes = [" + strings.Repeat(" [],\n", maxValues) + "]", "line.toml:2: found 4194305 values in one list"},
		{"entry", "[[bodies]]\nweights = [" + many + "'a']", "weights[65536]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var d document
			_, err := parse("line.toml", []byte(c.text), &d)
			if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 1000 {
				t.Errorf("error %.2000v, expected a short one that says %q", err, c.want)
			}
		})
	}
	for _, v := range []any{long, strings.Fields(long + " " + strings.Repeat("a ", 1<<16)), make([]float64, 1<<16), [][]float64{make([]float64, 1<<10)}} {
		if text := found(v, "less"); len(text) > 400 {
			t.Errorf("found gives %d bytes for a value of type %T", len(text), v)
		}
	}
}

// TestParseIsTheLibrarys compares the parsed examples with the results of the TOML library's
// decoder.
func TestParseIsTheLibrarys(t *testing.T) {
	paths, err := filepath.Glob("../examples/*.toml")
	if err != nil || len(paths) < 4 {
		t.Fatalf("%d examples, %v", len(paths), err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var d document
		if _, err := parse(path, text, &d); err != nil {
			t.Fatal(err)
		}
		isTheLibrarys(t, text, &d)
	}
}

// isTheLibrarys compares a document with what the decoder of the TOML library reads from its text.
func isTheLibrarys(t *testing.T, text []byte, d *document) {
	t.Helper()
	want := map[string]any{}
	if err := toml.Unmarshal(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), &want); err != nil {
		t.Fatalf("parse took what is an error: %v", err)
	}
	if !isValue(reflect.ValueOf(d).Elem(), nil, want) {
		t.Errorf("parse gave %+v, expected %+v", d, want)
	}
}

// isValue reports whether v, of key k, holds what the library has decoded, and defaults where it has nothing.
func isValue(v reflect.Value, k *keys.Key, want any) bool {
	table, ok := want.(map[string]any)
	if v.CanAddr() && want == false {
		if e, ok := v.Addr().Interface().(ending); ok {
			return e.ended()
		}
	}
	if timed, ok := v.Interface().(fmt.Stringer); ok && v.Addr().Type().Implements(timedType) {
		return timed.String() == pointsOf(v.Interface(), k, want)
	}
	switch {
	case v.Kind() == reflect.Pointer:
		return isValue(v.Elem(), k, want)
	case v.Kind() == reflect.Slice:
		list, ok := want.([]any)
		for i := 0; ok && i < v.Len() && i < len(list); i++ {
			ok = isValue(v.Index(i), k, list[i])
		}
		return ok && v.Len() == len(list)
	case v.Kind() == reflect.Map:
		for _, name := range v.MapKeys() {
			ok = ok && isValue(v.MapIndex(name), k, table[name.String()])
		}
		return ok && v.Len() == len(table)
	case !isTable(v.Type()):
		value := reflect.New(v.Type()).Elem()
		return assign(value, k, want) && reflect.DeepEqual(v.Interface(), value.Interface())
	}
	read, fresh := 0, begin(reflect.New(v.Type()).Elem())
	for _, k := range keysOf(v.Type()) {
		f, unread := v.FieldByIndex(k.Index), fresh.FieldByIndex(k.Index)
		given, has := table[k.Name]
		if law, ok := f.Interface().(lawKeys); ok {
			f, unread = reflect.ValueOf(law[k.Name]), reflect.Value{}
		}
		if has {
			read++
			ok = ok && f.IsValid() && isValue(f, &k, given)
		} else if ok = ok && f.IsValid() == unread.IsValid(); ok && f.IsValid() {
			ok = reflect.DeepEqual(f.Interface(), unread.Interface())
		}
	}
	return ok && read == len(table)
}

// pointsOf returns the String of a timed value of the type of v that holds what the library has decoded.
func pointsOf(v any, k *keys.Key, want any) string {
	if _, three := v.(cellStress); three {
		var stress cellStress
		for i, of := range want.([]any) {
			if of != free {
				stress.axes[i].table = tableOf[float64](k, of)
			}
		}
		return stress.String()
	}
	if _, isNumber := v.(timedNumber); isNumber {
		return timedNumber{tableOf[float64](k, want)}.String()
	}
	return timedVector{tableOf[vec.Vec3](k, want)}.String()
}

func tableOf[V float64 | vec.Vec3](k *keys.Key, want any) *engine.TimeTable[V] {
	b, one := &engine.TimeTable[V]{}, *new(V)
	if assign(reflect.ValueOf(&one).Elem(), k, want) {
		return engine.Constant(one)
	}
	if table, ok := want.(map[string]any); ok {
		want = table["table"]
		b.Period, _ = oneNumber(table["period"])
	}
	for _, p := range want.([]any) {
		t, _ := oneNumber(p.([]any)[0])
		assign(reflect.ValueOf(&one).Elem(), k, p.([]any)[1])
		b.Times, b.Values = append(b.Times, t), append(b.Values, one)
	}
	return b
}

// TestPrefixedNumbers: whole numbers with the prefixes of TOML are numbers for all keys that take one, and for lists.
func TestPrefixedNumbers(t *testing.T) {
	var d, want document
	for text, to := range map[string]*document{
		"[law]\nstiffness = 0x1F\nfriction = 0b0\n[gravity]\nvector = [0, 0o17, -9]": &d,
		"[law]\nstiffness = 31\nfriction = 0\n[gravity]\nvector = [0, 15, -9]":       &want,
	} {
		if _, err := parse("numbers.toml", []byte(text), to); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(d, want) {
		t.Errorf("parse gave %+v, expected %+v", d, want)
	}
}

// TestQuotedNames: the names of materials and shapes may have points and brackets, which paths of
// keys have too. Each key keeps its own line.
func TestQuotedNames(t *testing.T) {
	text := `materials.a.density = 1
materials."a.density".density = 2
materials."a[0]".density = 3
materials.'"a"'.density = 4
materials."a.b".density = 5
`
	var d document
	o, err := parse("names.toml", []byte(text), &d)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"a", "a.density", "a[0]", `"a"`, "a.b"} {
		if line := o.line(joined("materials", name) + ".density"); line != i+1 {
			t.Errorf("the density of %q is in line %d, expected %d", name, line, i+1)
		}
	}
	_, err = Decode(strings.NewReader("[time]\ndt = 1\nsteps = 1\n[materials.\"a.b\"]\ndensity = -1\n"), "names.toml", ".")
	if want := `names.toml:5: materials."a.b".density: found -1, expected a density > 0 kg/m³`; err == nil || err.Error() != want {
		t.Errorf("error %v, expected %s", err, want)
	}
}
