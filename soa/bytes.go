package soa

import (
	"reflect"
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
