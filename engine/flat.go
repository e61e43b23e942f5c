package engine

import (
	"math"
	"reflect"
)

// flatten appends the numbers in a value to a list: of structs the fields in order, of pointers whether
// there is a value, of slices the length first.
func flatten(list []float64, v reflect.Value) []float64 {
	switch v.Kind() {
	case reflect.Float64:
		return append(list, v.Float())
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		return append(list, float64(v.Uint()))
	case reflect.Bool:
		if v.Bool() {
			return append(list, 1)
		}
		return append(list, 0)
	case reflect.Pointer:
		if v.IsNil() {
			return append(list, 0)
		}
		return flatten(append(list, 1), v.Elem())
	case reflect.Slice:
		list = append(list, float64(v.Len()))
		for i := range v.Len() {
			list = flatten(list, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			list = flatten(list, v.Field(i))
		}
	default:
		panic("engine: no numbers for a " + v.Kind().String())
	}
	return list
}

// unflatten sets a value to the numbers that flatten has appended, and returns the rest of the list. It
// reports whether the numbers can be those of such a value.
func unflatten(list []float64, v reflect.Value) (rest []float64, ok bool) {
	if v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			if list, ok = unflatten(list, v.Field(i)); !ok {
				return nil, false
			}
		}
		return list, true
	}
	if len(list) == 0 {
		return nil, false
	}
	x, list := list[0], list[1:]
	isWhole := x == math.Trunc(x) && x >= 0 && x <= 1<<53
	switch v.Kind() {
	case reflect.Float64:
		v.SetFloat(x)
		return list, true
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		if !isWhole || v.OverflowUint(uint64(x)) {
			return nil, false
		}
		v.SetUint(uint64(x))
		return list, true
	case reflect.Bool:
		v.SetBool(x == 1)
		return list, x == 0 || x == 1
	case reflect.Pointer:
		if v.SetZero(); x != 1 {
			return list, x == 0
		}
		v.Set(reflect.New(v.Type().Elem()))
		return unflatten(list, v.Elem())
	}
	if !isWhole || x > float64(len(list)) {
		return nil, false
	}
	v.Set(reflect.MakeSlice(v.Type(), int(x), int(x)))
	for i := range v.Len() {
		if list, ok = unflatten(list, v.Index(i)); !ok {
			return nil, false
		}
	}
	return list, true
}
