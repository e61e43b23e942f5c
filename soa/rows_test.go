package soa

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"testing"
)

// everyColumn calls f with each column of a struct of columns, and its name.
func everyColumn(v reflect.Value, name string, f func(name string, column reflect.Value)) {
	for i := range v.NumField() {
		field := v.Field(i)
		path := name + "." + v.Type().Field(i).Name
		if field.Kind() == reflect.Struct {
			everyColumn(field, path, f)
			continue
		}
		if field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.Slice {
			for k := range field.Len() {
				f(fmt.Sprintf("%s[%d]", path, k), field.Index(k))
			}
			continue
		}
		f(path, field)
	}
}

// numbered sets a value of a column to the number of a row. A bool is set to its lowest bit.
func numbered(v reflect.Value, row int) {
	switch v.Kind() {
	case reflect.Float64:
		v.SetFloat(float64(row))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		v.SetUint(uint64(row))
	case reflect.Int8:
		v.SetInt(int64(int8(row)))
	case reflect.Bool:
		v.SetBool(row%2 == 1)
	case reflect.Struct:
		for i := range v.NumField() {
			numbered(v.Field(i), row)
		}
	case reflect.Array:
		for i := range v.Len() {
			numbered(v.Index(i), row)
		}
	default:
		panic(fmt.Sprintf("a column of %v", v.Type()))
	}
}

// numberAll sets row i of every column of a struct of columns to the number i+first.
func numberAll(columns any, first int) {
	everyColumn(reflect.ValueOf(columns).Elem(), "", func(_ string, column reflect.Value) {
		for i := range column.Len() {
			numbered(column.Index(i), i+first)
		}
	})
}

// checkColumns fails unless row i of every column has the number want(column, i).
func checkColumns(t *testing.T, columns any, what string, want func(column string, row int) int) {
	t.Helper()
	everyColumn(reflect.ValueOf(columns).Elem(), "", func(name string, column reflect.Value) {
		for i := range column.Len() {
			expected := reflect.New(column.Type().Elem()).Elem()
			numbered(expected, want(name, i))
			if !column.Index(i).Equal(expected) {
				t.Errorf("%s: row %d of %s is %v, want %v", what, i, name, column.Index(i), expected)
			}
		}
	})
}

// result matches the columns of results.
var result = regexp.MustCompile(`\.(Gap|Location)(\.[XYZ])?$`)

// TestCopyRowCopiesEveryColumn checks that CopyRow copies every column but those of results, which a step writes before it
// reads them.
func TestCopyRowCopiesEveryColumn(t *testing.T) {
	var c Contacts
	c.Resize(6)
	numberAll(&c, 100)
	c.CopyRow(4, 1)
	checkColumns(t, &c, "copied", func(column string, row int) int {
		if row == 4 && !result.MatchString(column) {
			return 101
		}
		return row + 100
	})
}

// TestRearrange brings rows into random orders, with new rows, rows that are dropped, chains and cycles.
func TestRearrange(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	cycles := 0
	for range 5000 {
		rows, n := r.IntN(12), r.IntN(12)
		column := make([]int, max(rows, n)+1)
		for i := range rows {
			column[i] = 100 + i
		}
		from, order := r.Perm(rows), make([]uint32, n)
		for k := range order {
			if order[k] = NoRow; k < rows && r.IntN(4) > 0 {
				order[k] = uint32(from[k])
			}
		}
		want, copies := slices.Clone(order), map[int]int{}
		Rearrange(order, rows, func(to, from int) {
			cycles += b2i(to == max(rows, n))
			copies[to]++
			column[to] = column[from]
		})
		for k, row := range want {
			switch {
			case row != NoRow && (column[k] != 100+int(row) || order[k] != uint32(k)), row == NoRow && order[k] != NoRow, copies[k] > 1:
				t.Fatalf("%d rows in the order %v: %v, row %d was copied %d times, the order is now %v", rows, want, column, k, copies[k], order)
			}
		}
	}
	if cycles < 1000 {
		t.Errorf("%d cycles", cycles)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestClearRow checks that ClearRow clears every column of one row, except results and the pair.
func TestClearRow(t *testing.T) {
	var c Contacts
	c.Resize(3)
	numberAll(&c, 1)
	c.ClearRow(1)
	checkColumns(t, &c, "cleared", func(column string, row int) int {
		if row == 1 && column != ".Pair" && !result.MatchString(column) {
			return 0
		}
		return row + 1
	})
}

// TestPairsCarryRows checks that every column but A and B is carried, within one list, too.
func TestPairsCarryRows(t *testing.T) {
	for _, run := range []struct{ at, first, n int }{{0, 0, 9}, {2, 5, 3}, {8, 0, 1}, {4, 4, 0}} {
		var p, from Pairs
		p.Resize(9)
		from.Resize(11)
		numberAll(&p, 1)
		numberAll(&from, 102)
		p.CarryRows(run.at, &from, run.first, run.n)
		checkColumns(t, &p, fmt.Sprintf("%d rows from %d to %d", run.n, run.first, run.at), func(column string, row int) int {
			if column != ".A" && column != ".B" && row >= run.at && row < run.at+run.n {
				return row - run.at + run.first + 102
			}
			return row + 1
		})
	}
}
