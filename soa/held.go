package soa

import (
	"reflect"
	"unsafe"
)

// Held adds up memory: slices with their spare capacity, texts, and what pointers point to. It counts none twice.
type Held struct {
	seen map[place]bool
}

// place is what a pointer points to, or the end of the memory of a slice, which slices of parts of it share.
type place struct {
	at    unsafe.Pointer
	slice bool
}

// Of returns the bytes of all slices, texts and items behind pointers that can be reached from a value, except of those
// counted before. Maps count as their entries, functions and channels as nothing.
func (h *Held) Of(v reflect.Value) (bytes uint64) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			bytes += h.Of(v.Field(i))
		}
	case reflect.Array:
		for i := 0; refers(v.Type().Elem()) && i < v.Len(); i++ {
			bytes += h.Of(v.Index(i))
		}
	case reflect.Slice:
		bytes = uint64(v.Cap()) * uint64(v.Type().Elem().Size())
		if bytes == 0 || h.met(place{unsafe.Add(v.UnsafePointer(), bytes-1), true}) {
			return 0
		}
		for i := 0; refers(v.Type().Elem()) && i < v.Len(); i++ {
			bytes += h.Of(v.Index(i))
		}
	case reflect.String:
		bytes = uint64(v.Len())
	case reflect.Map:
		bytes = uint64(v.Len()) * uint64(v.Type().Key().Size()+v.Type().Elem().Size())
	case reflect.Interface:
		return h.Of(v.Elem())
	case reflect.Pointer:
		if !v.IsNil() && !h.met(place{at: v.UnsafePointer()}) {
			return uint64(v.Type().Elem().Size()) + h.Of(v.Elem())
		}
	}
	return bytes
}

// Skip makes Of count nothing behind a pointer.
func (h *Held) Skip(p unsafe.Pointer) { h.met(place{at: p}) }

// met reports whether a place was met before, and notes it.
func (h *Held) met(p place) bool {
	if h.seen == nil {
		h.seen = map[place]bool{}
	}
	was := h.seen[p]
	h.seen[p] = true
	return was
}

// refers reports whether values of a type refer to other memory.
func refers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if refers(t.Field(i).Type) {
				return true
			}
		}
		return false
	case reflect.Array:
		return refers(t.Elem())
	}
	return t.Kind() >= reflect.Chan && t.Kind() != reflect.UnsafePointer
}
