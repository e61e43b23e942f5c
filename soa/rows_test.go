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

// numberedContacts returns n contacts; row i has the value i+first in every column.
func numberedContacts(rows, first int) *Contacts {
	var c Contacts
	c.Resize(rows)
	everyColumn(reflect.ValueOf(&c).Elem(), "Contacts", func(_ string, column reflect.Value) {
		for i := range rows {
			numbered(column.Index(i), i+first)
		}
	})
	return &c
}

// check fails unless row i of every column has the value want(i).
func check(t *testing.T, c *Contacts, what string, want func(row int) int) {
	t.Helper()
	checkColumns(t, c, what, func(_ string, row int) int { return want(row) })
}

// checkColumns is check with a value that depends on the column.
func checkColumns(t *testing.T, c *Contacts, what string, want func(column string, row int) int) {
	t.Helper()
	everyColumn(reflect.ValueOf(c).Elem(), "Contacts", func(name string, column reflect.Value) {
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

// TestContactsCarryRows checks that every column is carried over except those of results, which a
// step writes before it reads them.
func TestContactsCarryRows(t *testing.T) {
	for _, run := range []struct{ at, first, n int }{{0, 0, 9}, {2, 5, 3}, {8, 0, 1}, {4, 4, 0}} {
		c, from := numberedContacts(9, 1), numberedContacts(11, 102)
		c.CarryRows(run.at, from, run.first, run.n)
		what := fmt.Sprintf("%d rows from %d to %d", run.n, run.first, run.at)
		results := 0
		checkColumns(t, c, what, func(column string, row int) int {
			if result.MatchString(column) {
				results++
				return row + 1
			}
			if row >= run.at && row < run.at+run.n {
				return row - run.at + run.first + 102
			}
			return row + 1
		})
		if results != 9*4 {
			t.Errorf("%d values of results, expected those of 4 columns", results)
		}
		check(t, from, what+", the source", func(row int) int { return row + 102 })
	}
}

// If a PoseBound is none, only its Motion is carried over.
func TestContactsCarryNoHold(t *testing.T) {
	c, from := numberedContacts(3, 1), numberedContacts(3, 102)
	from.PoseBounds[1].Motion = 0
	c.CarryRows(0, from, 0, 3)
	if c.PoseBounds[0] != from.PoseBounds[0] || c.PoseBounds[1].Motion != 0 || c.PoseBounds[2] != from.PoseBounds[2] {
		t.Errorf("got %v, want %v", c.PoseBounds, from.PoseBounds)
	}
}

func TestContactsClearRows(t *testing.T) {
	for _, run := range [][2]int{{0, 9}, {2, 5}, {8, 9}, {4, 4}} {
		c := numberedContacts(9, 1)
		c.ClearRows(run[0], run[1])
		checkColumns(t, c, fmt.Sprintf("rows %d to %d cleared", run[0], run[1]), func(column string, row int) int {
			if !result.MatchString(column) && row >= run[0] && row < run[1] {
				return 0
			}
			return row + 1
		})
	}
}
