package main

import (
	"math"
	"testing"
)

// programs returns each lane program by its name, with its form in Go.
func programs() (byName map[string]*program, forms map[string]*goForm) {
	byName, forms = map[string]*program{}, map[string]*goForm{}
	for _, g := range groups {
		for i, p := range g.programs() {
			byName[p.name], forms[p.name] = p, g.form(i)
		}
	}
	return byName, forms
}

// tally counts the items that a kernel did over all inputs, and the inputs for which it stopped
// before the last full register.
type tally struct{ done, left int }

// checkProgram compares a kernel with the interpreted list of its program, on n items with random
// numbers, some of them special. Sometimes an index is not a row. Lanes have no branches, so the
// numbers need not be plausible. The tables are those of the form.
func checkProgram(t *testing.T, k *kernel, p *program, f *goForm, tables []table, r *numbers, n int) (did tally) {
	columns := p.randomColumns(f, tables, r, n)
	var uniforms []float64
	if f.uniforms != nil {
		uniforms = columns.values(len(f.uniforms.fields))
	}
	lo := r.IntN(n + 1)
	hi := lo + r.IntN(n-lo+1)
	want := columns.clone()
	next := lo
	for ; next+k.lanes <= hi; next += k.lanes {
		before, good := want.clone(), true
		for lane := range k.lanes {
			good = p.interpret(want.all, uniforms, next+lane) && good
		}
		if !good {
			want = before
			did.left++
			break
		}
	}
	did.done = next - lo
	passed := structure{}
	for c, column := range columns.all {
		if columns.stored[c] {
			column = output{column}
		}
		passed.columns = append(passed.columns, column)
	}
	if got := k.call(t, 1, passed, array(uniforms), lo, hi); got[0] != uint64(next) {
		t.Errorf("%d to %d: stopped at %d, want %d", lo, hi, got[0], next)
	}
	for c := range columns.stored {
		for i, v := range columns.all[c].([]float64) {
			if w := want.all[c].([]float64)[i]; !same(v, w) {
				t.Errorf("%d to %d: %s of item %d: got %v, want %v", lo, hi, f.columns.fields[c].name, i, v, w)
			}
		}
	}
	return did
}

// laneColumns is the columns of a program, by their numbers.
type laneColumns struct {
	*numbers
	all    []any
	stored map[int]bool
	scale  float64 // of numbers; NaN for special numbers
}

func (c *laneColumns) values(n int) []float64 {
	v := c.floats(n)
	for i := range v {
		if c.scale == c.scale {
			v[i] = c.scale * (2*c.Float64() - 1)
		}
	}
	return v
}

func (c *laneColumns) clone() *laneColumns {
	d := *c
	d.all = append([]any{}, c.all...)
	for s := range c.stored {
		d.all[s] = append([]float64{}, c.all[s].([]float64)...)
	}
	return &d
}

// randomColumns returns columns with the lengths that the check of the program requires. Other
// columns are empty.
func (p *program) randomColumns(f *goForm, tables []table, r *numbers, n int) *laneColumns {
	c := &laneColumns{numbers: r, all: make([]any, len(f.columns.fields)), stored: map[int]bool{}}
	c.scale = []float64{1, 0x1p-10, 8, math.NaN()}[r.IntN(4)]
	for i := range c.all {
		c.all[i] = []float64{}
	}
	length := make([]int, len(c.all))
	for _, t := range tables {
		longest := t.longest(f)
		rows := 1 + r.IntN(20)
		if f.columns.fields[longest].shifted {
			rows += len(f.columns.fields) // more than the numbers of a row
		}
		whole := c.values(rows)
		for _, column := range t.columns {
			if of := f.columns.fields[column]; of.shifted {
				c.all[column] = whole[of.at:]
			} else {
				c.all[column] = c.values(rows)
			}
			length[column] = len(c.all[column].([]float64))
		}
	}
	for _, column := range p.rows() {
		c.all[column] = c.values(n)
	}
	limit := map[int]int{} // by column of indices
	for _, m := range p.nodes {
		switch m.op {
		case opStore:
			c.stored[m.of] = true
		case opWithin:
			for _, a := range m.args() {
				column := p.nodes[a].of
				if was, known := limit[column]; !known || length[m.of] < was {
					limit[column] = length[m.of]
				}
			}
		}
	}
	for column, rows := range limit {
		ids := make([]uint32, n)
		for i := range ids {
			ids[i] = uint32(r.IntN(rows))
		}
		if n > 0 && r.IntN(2*len(limit)) == 0 {
			ids[r.IntN(n)] = []uint32{uint32(rows), 1 << 31, math.MaxUint32}[r.IntN(3)]
		}
		c.all[column] = ids
	}
	return c
}
