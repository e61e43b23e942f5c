package keys

import (
	"math"
	"reflect"
	"slices"
	"testing"
)

type inner struct {
	Size float64 `key:"size" unit:"m" default:"2" bounds:"> 0 and ≤ 10"`
}

type sample struct {
	inner
	Free    float64   `key:"free"`
	Steps   int64     `key:"steps" unit:"steps" bounds:"1 to 9007199254740992"`
	Choice  float64   `key:"choice" bounds:"0.5 or 1" alsokey:"other" alsounit:"s" alsobounds:"≥ -1"`
	Word    string    `key:"word" words:"list" default:"b"`
	Text    *string   `key:"text"`
	Numbers []float64 `key:"numbers" form:"two numbers [x, y]"`
	Switch  bool      `key:"switch"`
	Plain   int
}

// TestKeys reads tags: bounds, what is expected, and defaults.
func TestKeys(t *testing.T) {
	set := Of(reflect.TypeFor[sample](), map[string][]string{"list": {"a", "b"}})
	for _, c := range []struct {
		key, wants string
		in, out    []float64
	}{
		{"size", "a length > 0 and ≤ 10 m", []float64{5e-324, 10}, []float64{0, -1, 10.1, math.NaN(), math.Inf(1)}},
		{"free", "a number", []float64{0, -math.MaxFloat64}, []float64{math.NaN(), math.Inf(-1)}},
		{"steps", "1 to 9007199254740992 steps", []float64{1, 1 << 53}, []float64{0, -3, 1<<53 + 2}},
		{"choice", "0.5 or 1", []float64{0.5, 1}, []float64{0, 0.75}},
		{"other", "a time ≥ -1 s", []float64{-1, 7}, []float64{-1.1}},
		{"word", "a or b", nil, nil},
		{"text", "a text in quotes", nil, nil},
		{"numbers", "two numbers [x, y]", nil, nil},
		{"switch", "true or false", nil, nil},
	} {
		k := set.Key(c.key)
		if k == nil || k.Wants() != c.wants {
			t.Fatalf("%s: %+v, expected %q", c.key, k, c.wants)
		}
		if slices.ContainsFunc(c.in, func(x float64) bool { return !k.Holds(x) }) || slices.ContainsFunc(c.out, k.Holds) {
			t.Errorf("%s does not hold what it should: %v in, %v out", c.key, c.in, c.out)
		}
	}
	if k := set.Key("steps"); k.HoldsWhole(1<<53+1) || k.HoldsWhole(math.MinInt64) || !k.HoldsWhole(1<<53) {
		t.Error("whole numbers beyond float64 are taken for others")
	}
	var v sample
	if set.SetDefaults(reflect.ValueOf(&v).Elem()); v.Size != 2 || v.Word != "b" || set.Key("plain") != nil {
		t.Errorf("defaults are %+v", v)
	}
	if err := set.Check(reflect.ValueOf(v)); err != nil {
		t.Error(err)
	}
	v.Size, v.Choice = -1, 0.75
	if err := set.Check(reflect.ValueOf(v)); err == nil || err.Error() != "size is -1, expected a length > 0 and ≤ 10 m" {
		t.Errorf("error %v", err)
	}
}
