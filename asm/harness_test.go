package asm

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"unsafe"
)

// pen holds copies of inputs next to pages that fault, and their original values.
type pen struct {
	t       testing.TB
	tail    bool // copies end at such a page; else they begin there
	regions [][]byte
	checks  []func() bool
}

// bothEnds runs f twice: with inputs after a page that faults, and with inputs before one.
func bothEnds(t testing.TB, f func(p *pen)) {
	t.Helper()
	for _, tail := range []bool{false, true} {
		p := &pen{t: t, tail: tail}
		f(p)
		for i, same := range p.checks {
			if !same() {
				t.Errorf("input %d was changed (tail=%v)", i, tail)
			}
		}
		for _, m := range p.regions {
			releaseRegion(m)
		}
	}
}

// place returns a copy of src in the pen. output returns memory in the pen for n results.
func place[T float64 | uint32 | uint64](p *pen, src []T) []T {
	c := output[T](p, len(src))
	copy(c, src)
	want := slices.Clone(src)
	p.checks = append(p.checks, func() bool {
		return slices.EqualFunc(c, want, func(a, b T) bool { return a == b || a != a && b != b })
	})
	return c
}

func output[T float64 | uint32 | uint64](p *pen, n int) []T {
	p.t.Helper()
	m := guardedRegion(p.t)
	p.regions = append(p.regions, m)
	size := n * int(unsafe.Sizeof(T(0)))
	if size > len(m) {
		p.t.Fatalf("%d bytes do not fit a region of %d", size, len(m))
	}
	at := 0
	if p.tail && n > 0 {
		at = len(m) - size
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&m[at])), n)
}

// columnsOf returns the columns of the structure to which s points, by name, with those of embedded
// structures and of arrays.
func columnsOf(s any) map[string]any {
	all := map[string]any{}
	var add func(name string, v reflect.Value)
	add = func(name string, v reflect.Value) {
		switch c := v.Addr().Interface().(type) {
		case *[]float64:
			all[name] = c
			return
		case *[]uint32:
			all[name] = c
			return
		}
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				add(v.Type().Field(i).Name, v.Field(i))
			}
		case reflect.Array:
			for i := range v.Len() {
				add(fmt.Sprintf("%s[%d]", name, i), v.Index(i))
			}
		}
	}
	add("", reflect.ValueOf(s).Elem())
	return all
}

// checkBits runs truth and kernel on copies of the same columns, and requires the same bits in all
// columns. The columns of kernel lie next to pages that fault. Columns that are only read must come
// back unchanged.
func checkBits[T any](t *testing.T, from *T, truth, kernel func(c *T)) {
	t.Helper()
	want, columns := new(T), columnsOf(from)
	wanted := columnsOf(want)
	for name, c := range columns {
		switch c := c.(type) {
		case *[]float64:
			*wanted[name].(*[]float64) = slices.Clone(*c)
		case *[]uint32:
			*wanted[name].(*[]uint32) = *c
		}
	}
	truth(want)
	bothEnds(t, func(p *pen) {
		got := new(T)
		results := columnsOf(got)
		for name, c := range columns {
			switch c := c.(type) {
			case *[]float64:
				to := results[name].(*[]float64)
				*to = output[float64](p, len(*c))
				copy(*to, *c)
			case *[]uint32:
				*results[name].(*[]uint32) = place(p, *c)
			}
		}
		kernel(got)
		for name, c := range results {
			c, ok := c.(*[]float64)
			if !ok {
				continue
			}
			for i, v := range *c {
				if w := (*wanted[name].(*[]float64))[i]; !sameBits(v, w) {
					t.Errorf("%s of row %d: got %v, want %v", name, i, v, w)
				}
			}
		}
	})
}

func sameBits(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// product and sum round once each. They are not inlined, so the compiler cannot fuse them.
//
//go:noinline
func product(a, b float64) float64 { return a * b }

//go:noinline
func sum(a, b float64) float64 { return a + b }

// heights returns x·dx + y·dy + z·dz of each point, rounded as in the contracts.
func heights(x, y, z []float64, dx, dy, dz float64) []float64 {
	h := make([]float64, len(x))
	for i := range h {
		h[i] = sum(sum(product(x[i], dx), product(y[i], dy)), product(z[i], dz))
	}
	return h
}

// highest returns the first of the greatest values. It compares each value with every other.
func highest(h []float64) (int, float64) {
	for k, v := range h {
		wins := v > math.Inf(-1)
		for j, w := range h {
			if w > v || j < k && w == v {
				wins = false
			}
		}
		if wins {
			return k, v
		}
	}
	return 0, math.Inf(-1)
}

// lowest returns the first of the least values.
func lowest(h []float64) (int, float64) {
	flipped := make([]float64, len(h))
	for i, v := range h {
		flipped[i] = -v
	}
	k, v := highest(flipped)
	return k, -v
}

// source turns fuzz bytes into numbers of special kinds: ties, zeros of both signs, denormals,
// values that overflow, and raw bits.
type source struct {
	data []byte
	last float64
}

var palette = []float64{
	0, math.Copysign(0, -1), 5e-324, -5e-324, 2.2250738585072014e-308, 1e-310, -1e-310,
	math.MaxFloat64, -math.MaxFloat64, 1e308, -1e308, 1e154, -1e154, math.Inf(1), math.Inf(-1),
	math.NaN(), 1, -1, 1 + 0x1p-52, 1 - 0x1p-53, 1 + 0x1p-30, -1 - 0x1p-29, 1e-154, 1.0 / 3,
}

func (s *source) byte() byte {
	if len(s.data) == 0 {
		return 0
	}
	b := s.data[0]
	s.data = s.data[1:]
	return b
}

func (s *source) float() float64 {
	b := s.byte()
	switch {
	case b < 96:
		s.last = float64(int(b%9)-4) / 2
	case b < 144:
		s.last = palette[int(b-96)%len(palette)]
	case b < 160:
		// Repeat the previous value.
	case len(s.data) >= 8:
		s.last = math.Float64frombits(binary.LittleEndian.Uint64(s.data))
		s.data = s.data[8:]
	default:
		s.last = float64(b) / 7
	}
	return s.last
}

func (s *source) floats(n int) []float64 {
	c := make([]float64, n)
	for i := range c {
		c[i] = s.float()
	}
	return c
}

// points returns n points: in general position, on a line, or all the same.
func (s *source) points(n int) (x, y, z []float64) {
	switch s.byte() % 4 {
	case 0:
		t, a, b, c := s.floats(n), s.float(), s.float(), s.float()
		x, y, z = make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range t {
			x[i], y[i], z[i] = t[i]*a, t[i]*b, t[i]*c
		}
	case 1:
		a, b, c := s.float(), s.float(), s.float()
		x, y, z = slices.Repeat([]float64{a}, n), slices.Repeat([]float64{b}, n), slices.Repeat([]float64{c}, n)
	default:
		x, y, z = s.floats(n), s.floats(n), s.floats(n)
	}
	return x, y, z
}

// noise returns n bytes that are the same in every run.
func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 14))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// addSeeds adds an input to a fuzz target for each length of a tail, and one with ties.
func addSeeds(f *testing.F) {
	f.Add([]byte{})
	f.Add(slices.Repeat([]byte{9}, 40))
	f.Add(slices.Repeat([]byte{97, 96}, 60))
	for n := range 20 {
		f.Add(append([]byte{byte(n)}, noise(uint64(n), 64+n*40)...))
	}
}

// panics reports whether f panics with a message of this package.
func panics(f func()) (message string) {
	defer func() {
		if r := recover(); r != nil {
			message = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}
