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
	switch to := v.Addr().Interface().(type) {
	case *float64:
		if n.Kind == unstable.Float || n.Kind == unstable.Integer {
			x, err := c.number(l, n)
			*to = x
			return c.within(l, k, n, err, k.Holds(x))
		}
	case *int64:
		if n.Kind == unstable.Integer {
			i, err := c.whole(l, n)
			*to = i
			return c.within(l, k, n, err, k.HoldsWhole(i))
		}
	case *string:
		if n.Kind == unstable.String {
			*to = string(n.Data)
			return c.accepted(l, k, *to)
		}
	case *bool:
		if n.Kind == unstable.Bool {
			*to = len(n.Data) == len("true")
			return nil
		}
	case *any:
		x, err := c.anyOf(l, k, n)
		*to = x
		return err
	case *vec.Vec3:
		return c.components(l, k, n, &to.X, &to.Y, &to.Z)
	case *[2]vec.Vec3:
		if n.Kind == unstable.Array {
			return c.vectors(l, k, n, to)
		}
	case *vec.Quat:
		err := c.components(l, k, n, &to.W, &to.X, &to.Y, &to.Z)
		unit, ok := fileio.UnitQuat(*to)
		*to = unit
		if err == nil && !ok {
			err = c.fault(l.path(), found(listOf(n), unitNorm))
		}
		return err
	default:
		if n.Kind == unstable.Array && v.Kind() == reflect.Slice {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0)) // Not nil, which stands for an absent key.
			for i, it := 0, n.Children(); it.Next(); i++ {
				if err := c.entry(begin(grown(v)), l.entry(i), k, it.Node()); err != nil {
					return err
				}
			}
			return nil
		}
		if n.Kind == unstable.InlineTable && v.Kind() != reflect.Slice {
			for it := n.Children(); it.Next(); {
				if err := c.pair(v, l.path(), it.Node()); err != nil {
					return err
				}
			}
			return nil
		}
	}
	want := k.Wants()
	if x, err := strconv.ParseFloat(string(n.Data), 64); v.Kind() == reflect.Int64 && n.Kind == unstable.Float && err == nil {
		want += plainly(x)
	}
	return c.fault(l.path(), found(shown(n), want))
}

const unitNorm = "a quaternion of norm 1, within 1e-3"

// within returns err, or an error for a number out of the bounds of its key.
func (c *decoder) within(l location, k *keys.Key, n *unstable.Node, err error, ok bool) error {
	if err != nil || ok {
		return err
	}
	return c.fault(l.path(), found(listOf(n), k.Wants()))
}

// accepted checks a text: it is not empty, and is one of the words of its key. A name fits into messages and tables.
func (c *decoder) accepted(l location, k *keys.Key, text string) error {
	what := ""
	switch {
	case text == "":
		what = found("", "a text, or that the key is left out")
	case k.Name == "name":
		what = badName(text)
	case len(k.Words) > 0 && !slices.Contains(k.Words, text):
		what = notAWord(l.path(), k, text)
	}
	if what == "" {
		return nil
	}
	return c.fault(l.path(), what)
}

// components reads a list with a number for each component of a vector.
func (c *decoder) components(l location, k *keys.Key, n *unstable.Node, to ...*float64) error {
	i := 0
	for it := n.Children(); n.Kind == unstable.Array && it.Next(); i++ {
		x := it.Node()
		if x.Kind != unstable.Float && x.Kind != unstable.Integer || i >= len(to) {
			i = len(to) + 1
			break
		}
		var err error
		if *to[i], err = c.number(l.entry(i), x); err != nil {
			return err
		}
	}
	if i != len(to) {
		return c.fault(l.path(), found(listOf(n), k.Wants()))
	}
	return nil
}

// vectors reads a list of two vectors.
func (c *decoder) vectors(l location, k *keys.Key, n *unstable.Node, to *[2]vec.Vec3) error {
	i := 0
	for it := n.Children(); it.Next(); i++ {
		if i < len(to) {
			if err := c.components(l.entry(i), k, it.Node(), &to[i].X, &to[i].Y, &to[i].Z); err != nil {
				return err
			}
		}
	}
	if i != len(to) {
		return c.fault(l.path(), found(listOf(n), k.Wants()))
	}
	return nil
}

// listOf returns the value of a node for a message: a text in quotes as it is, a list by its entries.
func listOf(n *unstable.Node) any {
	if n.Kind != unstable.Array {
		if n.Kind == unstable.String {
			return string(n.Data)
		}
		return plain(shown(n))
	}
	list := []any{}
	for it := n.Children(); it.Next(); {
		list = append(list, listOf(it.Node()))
	}
	return list
}

// plain is a text that messages show without quotes.
type plain string

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
		c.places[at] = place{int32(c.lineAt(int(n.Raw.Offset))), valueKey}
		l = location{at: at, index: -1}
	}
	return c.value(v, l, k, n)
}

// anyOf returns the value of a key that accepts several types: float64, int64, string or []any.
func (c *decoder) anyOf(l location, k *keys.Key, n *unstable.Node) (any, error) {
	switch n.Kind {
	case unstable.Float:
		x, err := c.number(l, n)
		return x, c.within(l, k, n, err, k.Holds(x))
	case unstable.Integer:
		i, err := c.whole(l, n)
		return i, c.within(l, k, n, err, k.HoldsWhole(i))
	case unstable.String:
		return string(n.Data), c.accepted(l, k, string(n.Data))
	case unstable.Array:
		list := []any{}
		for it, i := n.Children(), 0; it.Next(); i++ {
			x, err := c.anyOf(l.entry(i), k, it.Node())
			if err != nil {
				return nil, err
			}
			list = append(list, x)
		}
		return list, nil
	}
	return nil, c.fault(l.path(), found(shown(n), k.Wants()))
}

// The range of numbers in a scene. Entries of lists have no lower limit. Moments of inertia are
// fifth powers of lengths, and their inverses must be finite too. Package geometry has the same
// range of coordinates.
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
