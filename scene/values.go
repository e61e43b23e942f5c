package scene

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
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

// value reads a value into v. The types must match.
func (c *decoder) value(v reflect.Value, l location, n *unstable.Node) error {
	ok := false
	switch k := v.Kind(); k {
	case reflect.Float64:
		if n.Kind == unstable.Float || n.Kind == unstable.Integer {
			x, err := c.number(l, n)
			v.SetFloat(x)
			return err
		}
	case reflect.Int64:
		if n.Kind == unstable.Integer {
			i, err := c.whole(l, n)
			v.SetInt(i)
			return err
		}
	case reflect.String:
		if n.Kind == unstable.String {
			if len(n.Data) == 0 {
				return c.fault(l.path(), found("", "a text, or that the key is left out"))
			}
			v.SetString(string(n.Data))
			return nil
		}
	case reflect.Bool:
		if n.Kind == unstable.Bool {
			v.SetBool(len(n.Data) == len("true"))
			return nil
		}
	case reflect.Interface:
		x, err := c.anyOf(l, n)
		if err == nil {
			v.Set(reflect.ValueOf(x))
		}
		return err
	case reflect.Slice:
		ok = n.Kind == unstable.Array
	case reflect.Struct, reflect.Map:
		ok = n.Kind == unstable.InlineTable
	}
	if !ok {
		want := wantOf(v.Type())
		if x, err := strconv.ParseFloat(string(n.Data), 64); v.Kind() == reflect.Int64 && n.Kind == unstable.Float && err == nil {
			want += plainly(x)
		}
		return c.fault(l.path(), found(shown(n), want))
	}
	it := n.Children()
	if n.Kind == unstable.InlineTable {
		for it.Next() {
			if err := c.pair(v, l.path(), it.Node()); err != nil {
				return err
			}
		}
		return nil
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0)) // Not nil, which stands for an absent key.
	for i := 0; it.Next(); i++ {
		if err := c.entry(grown(v), l.entry(i), it.Node()); err != nil {
			return err
		}
	}
	return nil
}

// entry returns the location of entry i of the list at l.
func (l location) entry(i int) location {
	if l.index < 0 {
		return location{at: l.at, index: i}
	}
	return location{of: &l, index: i}
}

// entry reads an entry of a list. An entry that is a table gets its own line.
func (c *decoder) entry(v reflect.Value, l location, n *unstable.Node) error {
	if v.Kind() == reflect.Struct && n.Kind == unstable.InlineTable {
		at := l.path()
		c.places[at] = place{int32(c.lineAt(int(n.Raw.Offset))), valueKey}
		l = location{at: at, index: -1}
	}
	return c.value(v, l, n)
}

// anyOf returns the value of a key that accepts several types: float64, int64, string or []any.
func (c *decoder) anyOf(l location, n *unstable.Node) (any, error) {
	switch n.Kind {
	case unstable.Float:
		return c.number(l, n)
	case unstable.Integer:
		return c.whole(l, n)
	case unstable.String:
		return string(n.Data), nil
	case unstable.Array:
		list := []any{}
		for it, i := n.Children(), 0; it.Next(); i++ {
			x, err := c.anyOf(l.entry(i), it.Node())
			if err != nil {
				return nil, err
			}
			list = append(list, x)
		}
		return list, nil
	}
	return nil, c.fault(l.path(), found(shown(n), "a number, a text or a list"))
}

// The range of numbers in a scene. Entries of lists have no lower limit. Moments of inertia are
// fifth powers of lengths, and their inverses must be finite too. Package geometry has the same
// range of coordinates.
// Larger maxNumber: overflow. Smaller minNumber: inverses overflow.
const (
	maxNumber = 1e50
	minNumber = 1e-50
)

// number reads a number within the range of a scene.
func (c *decoder) number(l location, n *unstable.Node) (float64, error) {
	if n.Kind == unstable.Integer {
		i, err := wholeOf(n)
		prefixed := len(n.Data) > 1 && n.Data[0] == '0' // with 0x, 0o or 0b
		if err != nil {
			want := "a whole number of 64 bits"
			if !prefixed {
				want += ", or with a point: " + shorten(string(n.Data)) + ".0"
			}
			return 0, c.fault(l.path(), found(shown(n), want))
		}
		if prefixed {
			return float64(i), nil
		}
	}
	x, err := strconv.ParseFloat(strings.ReplaceAll(string(n.Data), "_", ""), 64)
	want := ""
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
	return 0, c.fault(l.path(), found(shown(n), want))
}

// whole reads a whole number, decimal or with prefix 0x, 0o or 0b.
func (c *decoder) whole(l location, n *unstable.Node) (int64, error) {
	i, err := wholeOf(n)
	if err != nil {
		return 0, c.fault(l.path(), found(shown(n), "a whole number of 64 bits"))
	}
	return i, nil
}

// plainly returns a hint on how to write a whole number that was given with a point or an exponent.
func plainly(v any) string {
	if x, ok := v.(float64); ok && x == math.Trunc(x) && math.Abs(x) <= maxSteps {
		return fmt.Sprintf(", without a point or an exponent: %d", int64(x))
	}
	return ""
}

func wholeOf(n *unstable.Node) (int64, error) {
	return strconv.ParseInt(strings.ReplaceAll(string(n.Data), "_", ""), 0, 64)
}

// shown returns the text of a value for a message.
func shown(n *unstable.Node) string {
	switch n.Kind {
	case unstable.Array:
		return "a list"
	case unstable.InlineTable:
		return "a table"
	}
	return string(n.Data)
}
