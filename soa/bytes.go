package soa

import (
	"reflect"
	"slices"
	"unsafe"
)

// Bytes returns the size of the rows of all columns. It does not count spare capacity; columns
// double when they grow. For names and labels it counts only the slice headers of each shape, and
// not their contents.
//
// Most of a block's bytes are in tables for kernels: a box of 0.3 kB has 26 stars of 0.2 kB, 8
// corners and 6 quads.
func (s *Shapes) Bytes() int {
	made := 0
	for _, r := range s.rows {
		if r != nil {
			made++
		}
	}
	return columnBytes(reflect.ValueOf(s).Elem()) + made*int(unsafe.Sizeof(shapeRow{}))
}

// columnBytes adds up the sizes of the slices in a struct and in its nested structs.
func columnBytes(v reflect.Value) (bytes int) {
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Slice:
			bytes += f.Len() * int(f.Type().Elem().Size())
		case reflect.Struct:
			bytes += columnBytes(f)
		}
	}
	return bytes
}

// RowBytes returns the size of one row of a struct of columns, without the columns of the given names.
func RowBytes[T any](skip ...string) int { return rowBytes(reflect.TypeFor[T](), skip) }

func rowBytes(t reflect.Type, skip []string) (bytes int) {
	for i := range t.NumField() {
		switch f := t.Field(i); {
		case slices.Contains(skip, f.Name):
		case f.Type.Kind() == reflect.Slice:
			bytes += int(f.Type.Elem().Size())
		case f.Type.Kind() == reflect.Struct:
			bytes += rowBytes(f.Type, nil)
		}
	}
	return bytes
}
