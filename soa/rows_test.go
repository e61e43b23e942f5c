package soa

import (
	"fmt"
	"reflect"
	"regexp"
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

// TestOrderMovesEveryColumn checks that Order brings every column into an order except those of results,
// which a step writes before it reads them.
func TestOrderMovesEveryColumn(t *testing.T) {
	order := []uint32{4, NoRow, 0, 2, NoRow}
	var c Contacts
	c.Resize(6)
	numberAll(&c, 100)
	c.Order(order)
	if c.Len() != len(order) || c.Gap == nil || len(c.Gap) != len(order) || c.Location.Len() != len(order) {
		t.Fatalf("%d rows, %d gaps", c.Len(), len(c.Gap))
	}
	c.Pair[1], c.Pair[4] = 0, 0 // checked below
	checkColumns(t, &c, "ordered", func(column string, row int) int {
		switch {
		case result.MatchString(column):
			return row + 100
		case order[row] == NoRow:
			return 0
		}
		return int(order[row]) + 100
	})
	c.Order([]uint32{NoRow})
	if c.Pair[0] != NoRow {
		t.Errorf("a free row is of pair %d", c.Pair[0])
	}
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
