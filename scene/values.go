package scene

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/keys"
	"github.com/scree-dem/scree/vec"
)

// location is the place of a value: a key, or an entry of the list of a key. The path is built only
// if it is needed, because lists may have millions of entries.
type location struct {
	at    string
	of    *location // location of the enclosing list, for nested lists
	index int       // -1: the value of the key itself
}

func (l *location) path() string {
	switch {
	case l.index < 0:
		return l.at
	case l.of != nil:
		return entry(l.of.path(), l.index)
	}
	return entry(l.at, l.index)
}

// value reads the value of a key, or of an entry of its list, into v. Type, bounds and form must match.
func (c *decoder) value(v reflect.Value, l location, k *keys.Key, n *unstable.Node) error {
	if to, ok := v.Addr().Interface().(timedValue); ok {
		return to.read(c, l, k, n)
	}
	isList := v.Kind() == reflect.Slice
	if off, ok := v.Addr().Interface().(ending); ok && n.Kind == unstable.Bool && string(n.Data) == "false" {
		off.end()
		return nil
	}
	switch {
	case n.Kind == unstable.InlineTable && (isTable(v.Type()) || v.Kind() == reflect.Map):
		for it := n.Children(); it.Next(); {
			if err := c.pair(v, l.path(), it.Node()); err != nil {
				return err
			}
		}
		return nil
	case n.Kind == unstable.Array && isList:
		v.Set(reflect.MakeSlice(v.Type(), 0, 0)) // Not nil, which stands for an absent key.
		for i, it := 0, n.Children(); it.Next(); i++ {
			if err := c.entry(begin(grown(v)), l.entry(i), k, it.Node()); err != nil {
				return err
			}
		}
		return nil
	case n.Kind == unstable.Array && v.Kind() != reflect.Array && v.Kind() != reflect.Struct && v.Kind() != reflect.Interface:
		return c.fault(l.path(), found(plain("a list"), k.Wants()))
	}
	x, err := c.read(l, k, n)
	if err != nil {
		return err
	}
	want := ""
	if text, ok := x.(string); ok && (v.Kind() == reflect.String || v.Kind() == reflect.Interface) {
		if what := badText(l.path(), k, text); what != "" {
			return c.fault(l.path(), what)
		}
	} else if v.Kind() == reflect.Int64 {
		want = plainly(x)
	}
	if !assign(v, k, x) {
		switch n.Kind {
		case unstable.InlineTable:
			x = plain("a table")
		case unstable.Array, unstable.String:
		default:
			x = plain(n.Data)
		}
		return c.fault(l.path(), found(x, k.Wants()+want))
	}
	return nil
}

// assign sets v to what read has returned. It reports whether type, bounds and form match.
func assign(v reflect.Value, k *keys.Key, x any) bool {
	number, isNumber := oneNumber(x)
	whole, isWhole := x.(int64)
	list, isList := numbers(x)
	switch to := v.Addr().Interface().(type) {
	case *float64:
		*to = number
		return isNumber && k.Holds(number)
	case *int64:
		*to = whole
		return isWhole && k.HoldsWhole(whole)
	case *any:
		*to = x
		_, isText := x.(string)
		return isNumber && k.Holds(number) || isText || isList && k.Form != ""
	case *vec.Vec3:
		if isList && len(list) == 3 {
			*to = vec.V(list[0], list[1], list[2])
		}
		return isList && len(list) == 3
	case *vec.Quat:
		if isList && len(list) == 4 {
			*to, isNumber = fileio.UnitQuat(vec.Quat{W: list[0], X: list[1], Y: list[2], Z: list[3]})
		}
		return isNumber
	case *[2]vec.Vec3:
		two, _ := x.([]any)
		return len(two) == 2 && assign(reflect.ValueOf(&to[0]).Elem(), k, two[0]) && assign(reflect.ValueOf(&to[1]).Elem(), k, two[1])
	}
	if y := reflect.ValueOf(x); y.IsValid() && y.Type() == v.Type() { // a text or a switch
		v.Set(y)
		return true
	}
	return false
}

// badText returns the message for a text that is empty or not among the words of its key, and for a name that does not
// fit into messages and tables, or "".
func badText(path string, k *keys.Key, text string) string {
	switch {
	case text == "":
		return found("", "a text, or that the key is left out")
	case k.Name == "name":
		return badName(text)
	case len(k.Words) > 0 && !slices.Contains(k.Words, text):
		return notAWord(path, k, text)
	}
	return ""
}

// entry returns the location of entry i of the list at l.
func (l location) entry(i int) location {
	if l.index < 0 {
		return location{at: l.at, index: i}
	}
	return location{of: &l, index: i}
}

// entry reads an entry of a list. An entry that is a table gets its own line.
func (c *decoder) entry(v reflect.Value, l location, k *keys.Key, n *unstable.Node) error {
	if isTable(v.Type()) && n.Kind == unstable.InlineTable {
		at := l.path()
		c.places[at] = place{int32(c.lineAt(int(n.Raw.Offset))), int32(c.base) + int32(n.Raw.Offset), valueKey}
		l = location{at: at, index: -1}
	}
	return c.value(v, l, k, n)
}

// read returns the value of a node: float64, int64, string, bool or []any. It returns nil for a table or a date.
func (c *decoder) read(l location, k *keys.Key, n *unstable.Node) (any, error) {
	switch n.Kind {
	case unstable.Float, unstable.Integer:
		return c.number(l, k, n)
	case unstable.String:
		return string(n.Data), nil
	case unstable.Bool:
		return len(n.Data) == len("true"), nil
	case unstable.Array:
		list := []any{}
		for it, i := n.Children(), 0; it.Next(); i++ {
			x, err := c.read(l.entry(i), k, it.Node())
			if err != nil {
				return nil, err
			}
			list = append(list, x)
		}
		return list, nil
	}
	return nil, nil
}

// The range of numbers in a scene. Entries of lists have no lower limit. Moments of inertia are
// fifth powers of lengths, and their inverses must be finite too. Package geometry has the same
// range of coordinates.
// Larger maxNumber: overflow. Smaller minNumber: inverses overflow.
const (
	maxNumber = 1e50
	minNumber = 1e-50
)

// number reads a number within the range of a scene: float64, or int64 for one without a point and an exponent.
func (c *decoder) number(l location, k *keys.Key, n *unstable.Node) (any, error) {
	text, want := strings.ReplaceAll(string(n.Data), "_", ""), ""
	if n.Kind == unstable.Integer { // decimal, or with prefix 0x, 0o or 0b
		if i, err := strconv.ParseInt(text, 0, 64); err == nil {
			return i, nil
		} else if want = "a whole number of 64 bits"; k.Type.Kind() == reflect.Float64 && text[0] != '0' {
			want += ", or with a point: " + shorten(string(n.Data)) + ".0"
		}
		return nil, c.fault(l.path(), found(plain(n.Data), want))
	}
	x, err := strconv.ParseFloat(text, 64)
	switch size := math.Abs(x); {
	case err != nil || math.IsNaN(x) || math.IsInf(x, 0):
		want = "a finite number"
	case size > maxNumber:
		want = fmt.Sprintf("a number of at most %g in size", maxNumber)
	case x != 0 && size < minNumber && l.index < 0:
		want = fmt.Sprintf("a number of at least %g in size, or 0 where the key may be 0", minNumber)
	default:
		return x, nil
	}
	return nil, c.fault(l.path(), found(plain(n.Data), want))
}

// plain is a text that messages show without quotes.
type plain string

// plainly returns a hint on how to write a whole number that was given with a point or an exponent.
func plainly(v any) string {
	if x, ok := v.(float64); ok && x == math.Trunc(x) && math.Abs(x) <= maxSteps {
		return fmt.Sprintf(", without a point or an exponent: %d", int64(x))
	}
	return ""
}
