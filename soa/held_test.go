package soa

import (
	"reflect"
	"testing"
	"unsafe"
)

// TestHeld counts slices once with their spare capacity, however often and whence they are reached.
func TestHeld(t *testing.T) {
	type table struct {
		Column []float64
		Part   []float64 // of Column
		Lists  [][]uint16
		Names  []string
		Array  [2][]byte
		Kinds  map[uint32]uint64
		Any    any
		self   *table
		other  *[4]uint64
		call   func()
	}
	column := make([]float64, 3, 10)
	v := table{
		Column: column, Part: column[1:2], Lists: [][]uint16{make([]uint16, 2, 5), nil}, Names: []string{"abc", ""}, Array: [2][]byte{make([]byte, 7)},
		Kinds: map[uint32]uint64{1: 2, 3: 4}, Any: column, other: new([4]uint64), call: func() {},
	}
	v.self = &v
	want := 10*8 + (2*unsafe.Sizeof(v.Names) + 5*2) + (2*unsafe.Sizeof("") + 3) + 7 + 2*(4+8) + 4*8
	var h Held
	h.Skip(unsafe.Pointer(&v))
	if got := h.Of(reflect.ValueOf(&v).Elem()); got != uint64(want) {
		t.Errorf("%d bytes, expected %d", got, want)
	}
	if again := h.Of(reflect.ValueOf(&v.Column).Elem()); again != 0 {
		t.Errorf("%d bytes counted again", again)
	}
}
