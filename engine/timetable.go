package engine

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/scree-dem/scree/vec"
)

// TimeTable is a number or vector that varies in time: straight lines between its points, and constant
// before the first and after the last one. The zero value is 0 at all times.
type TimeTable[V float64 | vec.Vec3] struct {
	Times  []float64 // s, rising, since Start
	Values []V       // one for each time
	Period float64   // s; > 0: the table repeats from 0 on, and its times lie from 0 to Period
	Start  float64   // s, the time of the world at which the table's time is 0; a Motion adds its From
}

// Constant returns the table of one value at all times.
func Constant[V float64 | vec.Vec3](v V) *TimeTable[V] {
	return &TimeTable[V]{Times: []float64{0}, Values: []V{v}}
}

// At returns the value at time t, s. That of a nil table is 0.
func (b *TimeTable[V]) At(t float64) (v V) {
	if b == nil {
		return v
	}
	t, _ = b.phase(t)
	return b.at(t)
}

// phase returns the time within the table, and the number of periods before it.
func (b *TimeTable[V]) phase(t float64) (within, periods float64) {
	if t -= b.Start; b.Period > 0 {
		periods = math.Floor(t / b.Period)
		t = min(max(t-float64(periods*b.Period), 0), b.Period)
	}
	return t, periods
}

// at returns the value at a time within the table.
func (b *TimeTable[V]) at(t float64) (v V) {
	n := len(b.Times)
	switch k := sort.SearchFloat64s(b.Times, t); {
	case n == 0:
		return v
	case k == 0:
		return b.Values[0]
	case k == n:
		return b.Values[n-1]
	default:
		u := (t - b.Times[k-1]) / (b.Times[k] - b.Times[k-1])
		return addScaled(b.Values[k-1], u, addScaled(b.Values[k], -1, b.Values[k-1]))
	}
}

// Integral returns the integral of the value from the table's time 0 to time t, s.
func (b *TimeTable[V]) Integral(t float64) (sum V) {
	t, periods := b.phase(t)
	if periods != 0 {
		sum = addScaled(sum, periods, b.upTo(b.Period))
	}
	return addScaled(sum, 1, b.upTo(t))
}

// upTo returns the integral from 0 to a time within the table: trapezoids between its points.
func (b *TimeTable[V]) upTo(t float64) (sum V) {
	lo, hi, sign := 0.0, t, 1.0
	if t < 0 {
		lo, hi, sign = t, 0, -1
	}
	last, v := lo, b.at(lo)
	trapezoid := func(to float64) {
		u := b.at(to)
		sum = addScaled(addScaled(sum, 0.5*(to-last), v), 0.5*(to-last), u)
		last, v = to, u
	}
	for _, x := range b.Times {
		trapezoid(min(max(x, lo), hi))
	}
	trapezoid(hi)
	return addScaled(*new(V), sign, sum)
}

// addScaled returns a + k·b.
func addScaled[V float64 | vec.Vec3](a V, k float64, b V) V {
	switch a := any(a).(type) {
	case float64:
		return any(a + float64(k*any(b).(float64))).(V)
	case vec.Vec3:
		return any(a.AddScaled(k, any(b).(vec.Vec3))).(V)
	}
	panic("engine: unreachable")
}

// norm returns the largest size of the values.
func (b *TimeTable[V]) norm() (most float64) {
	for k := range b.len() {
		switch v := any(b.Values[k]).(type) {
		case float64:
			most = max(most, math.Abs(v))
		case vec.Vec3:
			most = max(most, v.Norm())
		}
	}
	return most
}

// varies reports whether the table has two values that differ. A nil table does not vary.
func (b *TimeTable[V]) varies() bool {
	return b != nil && slices.ContainsFunc(b.Values, func(v V) bool { return v != b.Values[0] })
}

// value returns the k-th value, the last one beyond it, and 0 of a table without values.
func (b *TimeTable[V]) value(k int) (v V) {
	if n := b.len(); n > 0 {
		return b.Values[min(k, n-1)]
	}
	return v
}

func (b *TimeTable[V]) len() int {
	if b == nil {
		return 0
	}
	return len(b.Times)
}

// Check returns an error that says what is wrong with the points, or nil. A nil table is right.
func (b *TimeTable[V]) Check() error {
	if b == nil {
		return nil
	}
	if len(b.Times) != len(b.Values) {
		return fmt.Errorf("a table of %d times and %d values, expected as many", len(b.Times), len(b.Values))
	}
	if !(b.Period >= 0) || math.IsInf(b.Period, 1) || b.Start-b.Start != 0 {
		return fmt.Errorf("a table with period %g s from %g s on, expected finite, and a period ≥ 0", b.Period, b.Start)
	}
	if s := b.norm(); s-s != 0 || s > math.Sqrt(math.MaxFloat64) {
		return fmt.Errorf("a table with values up to %g, expected finite, as their squares", s)
	}
	for i, t := range b.Times {
		switch {
		case t-t != 0, i > 0 && !(t > b.Times[i-1]):
			return fmt.Errorf("the times %v of a table, expected them finite and rising", b.Times)
		case b.Period > 0 && (t < 0 || t > b.Period):
			return fmt.Errorf("the time %g s in a table of period %g s, expected 0 to the period", t, b.Period)
		}
	}
	return nil
}
