package scene

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestGridOfRuns compares grids with the combinations that one writes by hand.
func TestGridOfRuns(t *testing.T) {
	for _, c := range []struct {
		sets []string
		want string // runs with " | " between them, or the message of an error
	}{
		{nil, ""},
		{[]string{"a=1"}, "a=1"},
		{[]string{"a.b=0.1, 0.3 ,0.5"}, "a.b=0.1 | a.b=0.3 | a.b=0.5"},
		{[]string{"a=1,2", "seed=-1:1"}, "a=1 seed=-1 | a=1 seed=0 | a=1 seed=1 | a=2 seed=-1 | a=2 seed=0 | a=2 seed=1"},
		{[]string{"a=7:7,9"}, "a=7 | a=9"},
		{[]string{`g=[0,0,-1],[0,0,-9.81]`, `t={a=1,b=[2,3]}`}, `g=[0,0,-1] t={a=1,b=[2,3]} | g=[0,0,-9.81] t={a=1,b=[2,3]}`},
		{[]string{`s="rock:1,12,0.05",'box:1x1x1'`}, `s="rock:1,12,0.05" | s='box:1x1x1'`},
		{[]string{"a"}, "--set a: expected one KEY=VALUE,VALUE for each key"},
		{[]string{"a=1", "a=2"}, "--set a=2: expected one KEY=VALUE,VALUE for each key"},
		{[]string{"a=1,,2"}, "--set a=1,,2: found \",2\", expected values with commas between them"},
		{[]string{"a=1,"}, "expected values with commas"},
		{[]string{"a=[1]]"}, "expected values with commas"},
		{[]string{"a=1 # x"}, "expected values with commas"},
		{[]string{"a=5:1"}, `found "5:1", expected a:b`},
		{[]string{"a=1:10001"}, `found "1:10001", expected a:b with at most 10000`},
		{[]string{"a=0:99999999999999999999"}, "expected a:b"},
		{[]string{"a=-9223372036854775808:9223372036854775807"}, "expected a:b"},
		{[]string{"a=1:200", "b=1:51"}, "--set b=1:51: makes 10200 runs, expected at most 10000"},
	} {
		runs, err := Grid(c.sets)
		var texts []string
		for _, run := range runs {
			texts = append(texts, strings.Join(run, " "))
		}
		switch got := strings.Join(texts, " | "); {
		case err != nil && (!errors.Is(err, ErrInput) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%q: error %v, expected %q", c.sets, err, c.want)
		case err == nil && got != c.want:
			t.Errorf("%q: %s, expected %s", c.sets, got, c.want)
		}
	}
	runs, err := Grid([]string{"a=1:100", "b=1:100"})
	if err != nil || len(runs) != 10_000 || fmt.Sprint(runs[9_999]) != "[a=100 b=100]" {
		t.Errorf("%v, %d runs", err, len(runs))
	}
}
