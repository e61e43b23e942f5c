package main

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// columnOf returns the numbers of a column of CSV, of the rows that keep accepts.
func columnOf(t *testing.T, text, name string, keep func(row map[string]string) bool) (numbers []float64) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cells := range rows[1:] {
		row := map[string]string{}
		for i, head := range rows[0] {
			row[head] = cells[i]
		}
		if keep(row) {
			x, err := strconv.ParseFloat(row[name], 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, x)
		}
	}
	return numbers
}

// tooLong matches a number of more than 12 digits.
var tooLong = regexp.MustCompile(`[1-9][0-9]*\.?[0-9]{12,}|[1-9]\.[0-9]{12,}`)

// TestDistributions compares the distributions of --json with the columns of the table that the same
// command prints without --json.
func TestDistributions(t *testing.T) {
	all := func(map[string]string) bool { return true }
	pairsRows := []string{"pairs", "--shapes", examplePairs, "--pairs", filepath.Join(examplePairs, "pairs.csv")}
	failing := write(t, "failing.csv", "shape_a,shape_b,ax,ay,az,aqw,aqx,aqy,aqz,bx,by,bz,bqw,bqx,bqy,bqz\nnone,none,0,0,0,1,0,0,0,0,0,0,1,0,0,0\n")
	balls := []string{"neighbors", "--in", filepath.Join(exampleBodies, "balls.csv"), "--skin", "0.05"}
	torus := []string{"inside", "--mesh", filepath.Join(exampleInside, "torus.obj"), "--points", filepath.Join(exampleInside, "points.csv"), "--method"}
	chain := []string{"inside", "--bodies", filepath.Join(exampleInside, "chain.csv"), "--shapes", exampleInside}
	for _, c := range []struct {
		name, key, column string
		args, table       []string // table: more arguments without --json
		keep              func(row map[string]string) bool
		sign              float64
		status            int
	}{
		{"gaps", "gaps", "gap", pairsRows, nil, func(row map[string]string) bool { return row["status"] == "apart" }, 1, 0},
		{"depths", "depths", "gap", pairsRows, nil, func(row map[string]string) bool { return row["status"] == "touching" }, -1, 0},
		{"no gaps", "gaps", "gap", []string{"pairs", "--pairs", failing}, nil, func(row map[string]string) bool { return row["status"] == "apart" }, 1, 1},
		{"no depths", "depths", "gap", []string{"pairs", "--pairs", failing}, nil, func(row map[string]string) bool { return row["status"] == "touching" }, 1, 1},
		{"neighbours", "neighbors", "count", balls, []string{"--counts"}, all, 1, 0},
		{"neighbours and ids", "neighbors", "count", []string{"neighbors", "--in", write(t, "ids.csv", "id,x,y,z,r\n9,0,0,0,1\n4,1,0,0,1\n7,5,0,0,1\n")}, []string{"--counts"}, all, 1, 0},
		{"counts", "neighbors", "count", append(slices.Clone(balls), "--counts"), nil, all, 1, 0},
		{"no bodies", "neighbors", "count", []string{"neighbors", "--in", write(t, "none.csv", "x,y,z,r\n")}, []string{"--counts"}, all, 1, 0},
		{"exact values", "values", "value", append(slices.Clone(torus), "ray"), nil, all, 1, 0},
		{"values", "values", "value", append(slices.Clone(torus), "winding"), nil, all, 1, 0},
		{"no points", "values", "value", []string{"inside", "--mesh", "octa:1", "--points", write(t, "nowhere.csv", "x,y,z\n")}, nil, all, 1, 0},
	} {
		shown := call(append(slices.Clone(c.args), c.table...)...)
		r := call(append(slices.Clone(c.args), "--json")...)
		if shown.status != c.status || r.status != c.status {
			t.Errorf("%s: status %d and %d, %s%s", c.name, shown.status, r.status, shown.err, r.err)
			continue
		}
		want := columnOf(t, shown.out, c.column, c.keep)
		for i := range want {
			want[i] *= c.sign
		}
		slices.Sort(want)
		block := decode[map[string]json.RawMessage](t, r.out)[c.key]
		checkFigures(t, c.name, string(block), want)
	}
	// A row of --bodies has the nodes of both bodies.
	shown := call(chain...)
	a, b := columnOf(t, shown.out, "a_in_b", all), columnOf(t, shown.out, "b_in_a", all)
	for i := range a {
		a[i] += b[i]
	}
	slices.Sort(a)
	checkFigures(t, "nodes", string(decode[map[string]json.RawMessage](t, call(append(chain, "--json")...).out)["nodes"]), a)
}

// checkFigures compares a distribution with those of the sorted numbers want.
func checkFigures(t *testing.T, name, block string, want []float64) {
	t.Helper()
	got := decode[map[string]*float64](t, block)
	if len(got) != 7 || *got["number"] != float64(len(want)) || tooLong.MatchString(block) {
		t.Errorf("%s: %s, expected %d numbers of at most 12 digits, all finite", name, block, len(want))
	}
	n, sum := len(want), 0.0
	for _, x := range want {
		sum += x
	}
	rank := func(q float64) float64 {
		if n == 0 {
			return math.NaN()
		}
		at := q * float64(n-1)
		i := int(at)
		return want[i] + (at-float64(i))*(want[min(i+1, n-1)]-want[i])
	}
	for key, x := range map[string]float64{
		"min": rank(0), "lower_quartile": rank(0.25), "median": rank(0.5), "upper_quartile": rank(0.75), "max": rank(1), "mean": sum / float64(n),
	} {
		if is := got[key]; n == 0 && is != nil || n > 0 && !(math.Abs(*is-x) <= 1e-11*math.Abs(x)+1e-15) {
			t.Errorf("%s: %s, expected %s %g", name, block, key, x)
		}
	}
}
