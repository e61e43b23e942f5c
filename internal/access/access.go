// Package access tells which memory the stages of a step read and write, without running them. A stage declares the
// rows of its columns in a function beside its code; a Walk turns the rows into addresses.
package access

import (
	"reflect"
	"unsafe"
)

// Work is a stage of a step, or a part of one: a loop that workers share, or a part that the caller does alone.
type Work struct {
	Name   string
	N      int       // number of indices or tasks
	Costs  []float64 // of a loop over tasks, as sched.Pool.ForTasks; nil for a loop over indices
	Serial bool      // the caller does it alone
	Walk   func(w *Walk, lo, hi int)
	Run    func() // does the stage
}

// Access is one read or one write of consecutive bytes.
type Access struct {
	Column  int // index in Walk.Names
	Address uintptr
	Bytes   int
	Write   bool
}

// Walk receives what stages declare, in the order of the step. It is valid until columns move: until the next step.
type Walk struct {
	Names []string // of the columns declared so far
	Core  int      // the core that does the work: each has buffers of its own
	// Do, if not nil, is called for each access.
	Do func(Access)
	// Declare, if not nil, is called whenever a stage declares rows of a column, with the addresses and sizes, in bytes,
	// of the parts of the column.
	Declare func(name string, parts []Segment, write bool)

	ids    map[string]int
	fields map[any]map[string]*Declared
}

// Segment is the memory of a column.
type Segment struct{ Address, Bytes uintptr }

// Declared is one column, or the columns of the parts of a row, such as the coordinates of a vector.
type Declared struct {
	walk  *Walk
	id    int
	bytes uintptr // of a row of a part
	parts []Segment
	local bool
}

// coreSpan is the distance in bytes between the made-up addresses of the buffers of two cores.
const coreSpan = 1 << 48

// Of returns columns which together hold one value a row, under a common name.
func Of[T any](w *Walk, name string, columns ...[]T) *Declared {
	c := w.column(name)
	for _, column := range columns {
		c.add(reflect.ValueOf(column))
	}
	return c
}

// Local is Of for buffers of a worker. The addresses are those of the given buffers, far away, and others for each core.
func Local[T any](w *Walk, columns ...[]T) *Declared {
	c := Of(w, "buffers", columns...)
	c.local = true
	return c
}

// Value returns a value as a column of one row.
func Value[T any](w *Walk, name string, v *T) *Declared { return Of(w, name, unsafe.Slice(v, 1)) }

// Fields returns the columns of a struct by the names of its fields: each slice, and each struct or slice of slices.
func Fields(w *Walk, name string, of any) map[string]*Declared {
	if known, ok := w.fields[of]; ok {
		return known
	}
	to := map[string]*Declared{}
	w.addFields(name, reflect.ValueOf(of).Elem(), to)
	if w.fields == nil {
		w.fields = map[any]map[string]*Declared{}
	}
	w.fields[of] = to
	return to
}

func (w *Walk) addFields(name string, of reflect.Value, to map[string]*Declared) {
	for i := range of.NumField() {
		switch field := of.Type().Field(i); {
		case field.Anonymous:
			w.addFields(name, of.Field(i), to)
		case field.Type.Kind() == reflect.Slice || field.Type.Kind() == reflect.Struct:
			c := w.column(name + "." + field.Name)
			c.add(of.Field(i))
			to[field.Name] = c
		}
	}
}

// column returns a column without parts.
func (w *Walk) column(name string) *Declared {
	id, known := w.ids[name]
	if !known {
		if w.ids == nil {
			w.ids = map[string]int{}
		}
		id = len(w.Names)
		w.ids[name], w.Names = id, append(w.Names, name)
	}
	return &Declared{walk: w, id: id}
}

// add adds the memory of a slice, or of the slices in a slice or a struct.
func (c *Declared) add(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			c.add(v.Field(i))
		}
	case v.Kind() != reflect.Slice || v.Len() == 0:
	case v.Type().Elem().Kind() == reflect.Slice:
		for i := range v.Len() {
			c.add(v.Index(i))
		}
	default:
		c.bytes = v.Type().Elem().Size()
		c.parts = append(c.parts, Segment{v.Pointer(), uintptr(v.Len()) * c.bytes})
	}
}

// Read declares that row i is read.
func (c *Declared) Read(i int) { c.rows(i, i+1, false) }

// Write declares that row i is written.
func (c *Declared) Write(i int) { c.rows(i, i+1, true) }

// Update declares that row i is read and then written.
func (c *Declared) Update(i int) {
	c.Read(i)
	c.Write(i)
}

// ReadRows declares that the rows lo to hi-1 are read one after the other.
func (c *Declared) ReadRows(lo, hi int) { c.rows(lo, hi, false) }

// WriteRows declares that the rows lo to hi-1 are written one after the other.
func (c *Declared) WriteRows(lo, hi int) { c.rows(lo, hi, true) }

// ReadAll declares that all rows are read.
func (c *Declared) ReadAll() {
	if len(c.parts) > 0 {
		c.rows(0, int(c.parts[0].Bytes/c.bytes), false)
	}
}

// Seldom declares that rows are read, or also written, so seldom that no access is counted.
func Seldom(write bool, columns ...*Declared) {
	for _, c := range columns {
		c.rows(0, 0, write)
	}
}

func (c *Declared) rows(lo, hi int, write bool) {
	w := c.walk
	if w.Declare != nil && !c.local {
		w.Declare(w.Names[c.id], c.parts, write)
	}
	if w.Do == nil || hi <= lo {
		return
	}
	moved := uintptr(lo) * c.bytes
	if c.local {
		moved += uintptr(w.Core+1) * coreSpan
	}
	for _, p := range c.parts {
		w.Do(Access{c.id, p.Address + moved, (hi - lo) * int(c.bytes), write})
	}
}

// lanes is the number of rows that kernels process together.
const lanes = 8

// Sweep declares a pass over the rows lo to hi-1, a few rows of all columns at a time.
func Sweep(lo, hi int, read, written []*Declared) {
	for ; lo < hi; lo += lanes {
		end := min(lo+lanes, hi)
		for _, c := range read {
			c.ReadRows(lo, end)
		}
		for _, c := range written {
			c.WriteRows(lo, end)
		}
	}
}
