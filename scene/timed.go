package scene

import (
	"fmt"
	"reflect"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/keys"
	"github.com/scree-dem/scree/vec"
)

// timed is the value of a key that may vary in time: a value, a list [[t, value], …], or a table { table, period }.
// The table is nil if the key is not given.
type timed[V float64 | vec.Vec3] struct{ table *engine.TimeTable[V] }

type (
	timedNumber = timed[float64]
	timedVector = timed[vec.Vec3]
)

// timedValue is implemented by pointers to timed.
type timedValue interface {
	read(c *decoder, l location, k *keys.Key, n *unstable.Node) error
}

var timedType = reflect.TypeFor[timedValue]()

// Form returns the form of the value, for messages.
func (timed[V]) Form() string {
	if _, isNumber := any(*new(V)).(float64); isNumber {
		return "a number, or a table of time [[t, number], …]"
	}
	return "three numbers [x, y, z], or a table of time [[t, [x, y, z]], …]"
}

// String returns all points.
func (v timed[V]) String() string {
	if v.table == nil {
		return ""
	}
	return fmt.Sprint(*v.table)
}

// start returns the value at time 0.
func (v timed[V]) start() V { return v.table.At(0) }

// varying returns the table if it has more than one point, else nil.
func (v timed[V]) varying() *engine.TimeTable[V] {
	if v.table == nil || len(v.table.Times) < 2 && v.table.Period == 0 {
		return nil
	}
	return v.table
}

// values returns the values of the table.
func (v timed[V]) values() []V {
	if v.table == nil {
		return nil
	}
	return v.table.Values
}

// read implements timedValue.
func (v *timed[V]) read(c *decoder, l location, k *keys.Key, n *unstable.Node) error {
	list, period := n, 0.0
	if n.Kind == unstable.InlineTable {
		list = nil
		for it := n.Children(); it.Next(); {
			key := it.Node().Key()
			key.Next()
			at, value := location{at: l.path() + "." + string(key.Node().Data), index: -1}, it.Node().Value()
			switch string(key.Node().Data) {
			case "table":
				list = value
			case "period":
				x, err := c.read(at, k, value)
				if err != nil {
					return err
				}
				var isNumber bool
				if period, isNumber = oneNumber(x); !isNumber || !(period > 0) {
					return c.fault(at.path(), found(x, "a time > 0 s"))
				}
			default:
				return c.fault(at.path(), "unknown key, expected table and period")
			}
		}
		if list == nil || period == 0 {
			return c.fault(l.path(), found(plain("a table without table or without period"), k.Wants()))
		}
	}
	x, err := c.read(l, k, list)
	if err != nil {
		return err
	}
	var one V
	if period == 0 && assign(reflect.ValueOf(&one).Elem(), k, x) {
		v.table = engine.Constant(one)
		return nil
	}
	points, ok := x.([]any)
	if ok = ok && len(points) > 0; ok {
		_, ok = points[0].([]any)
	}
	if !ok {
		if n.Kind == unstable.Float || n.Kind == unstable.Integer {
			return c.fault(l.path(), found(plain(n.Data), k.Wants()))
		}
		return c.fault(l.path(), found(x, k.Wants()))
	}
	b := &engine.TimeTable[V]{Period: period}
	for i, p := range points {
		pair, _ := p.([]any)
		t, isTime := 0.0, false
		if len(pair) == 2 {
			t, isTime = oneNumber(pair[0])
		}
		of := l.entry(i)
		at := of.path()
		switch n := len(b.Times); {
		case !isTime || !assign(reflect.ValueOf(&one).Elem(), k, pair[1]):
			return c.fault(at, found(p, "a time and a value, in "+k.Wants()))
		case n > 0 && !(t > b.Times[n-1]):
			return c.fault(at, found(t, fmt.Sprintf("a time after %g s, that of the point before", b.Times[n-1])))
		case period > 0 && (t < 0 || t > period):
			return c.fault(at, found(t, fmt.Sprintf("a time from 0 s to the period, %g s", period)))
		}
		b.Times, b.Values = append(b.Times, t), append(b.Values, one)
	}
	v.table = b
	return nil
}
