package main

import (
	"fmt"
	"slices"
	"strings"
)

// A program implies which columns must have one length: the columns that it reads or writes at its
// own row, and the columns of each table. A table is looked up by indices that were tested against
// the length of one of its columns.

// table is columns that are looked up by the same indices.
type table struct {
	tested  int   // the column whose length the indices are tested against
	columns []int // the columns looked up and the tested column, rising
}

// rows returns the columns that a program reads or writes at its own row, rising.
func (p *program) rows() []int {
	var rows []int
	live := p.live()
	for i, n := range p.nodes {
		if live[i] && (n.op == opLoad || n.op == opLoadIndex || n.op == opStore) {
			rows = append(rows, n.of)
		}
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

// tables returns the tables that a program looks up, in the order of the tested columns.
func (f *goForm) tables(p *program) []table {
	var tables []table
	put := func(tested, column int) {
		at := slices.IndexFunc(tables, func(t table) bool { return t.tested == tested })
		if at < 0 {
			at = len(tables)
			tables = append(tables, table{tested: tested, columns: []int{tested}})
		}
		tables[at].columns = append(tables[at].columns, column)
	}
	live := p.live()
	for i, n := range p.nodes {
		if live[i] && n.op == opGather {
			put(f.testedFor(p, n), n.of)
		}
	}
	for i, t := range tables {
		slices.Sort(t.columns)
		tables[i].columns = slices.Compact(t.columns)
	}
	slices.SortFunc(tables, func(a, b table) int { return a.tested - b.tested })
	return tables
}

// testedFor returns the column against whose length the index of a look-up was tested. If there are
// several, it returns the one in the array of the look-up, else the first.
func (f *goForm) testedFor(p *program, gather node) int {
	found := none
	for _, n := range p.nodes {
		if n.op != opWithin || !slices.Contains(n.args(), gather.a) {
			continue
		}
		if array := f.columns.fields[n.of].array; found == none || array != "" && array == f.columns.fields[gather.of].array {
			found = n.of
		}
	}
	if found == none {
		panic("gen: " + p.name + ": a look-up whose index is not tested")
	}
	return found
}

// longest returns the longest column of a table. In an array with the tag "shifted" that is its
// first column.
func (t *table) longest(f *goForm) int {
	if of := f.columns.fields[t.tested]; of.shifted {
		return t.tested - of.at
	}
	return t.tested
}

// check returns the function that panics unless the range and the lengths of all columns fit. It
// returns nothing for a program with place, whose columns are parts of few slices.
func (f *goForm) check(p *program) string {
	if p.place != nil {
		return ""
	}
	var b strings.Builder
	public := strings.ToUpper(p.name[:1]) + p.name[1:]
	unless := func(first string, conditions []string) {
		if len(conditions) > 0 {
			fmt.Fprintf(&b, "if %s {\npanic(\"asm: %s: a column does not fit %s\")\n}\n", strings.Join(conditions, " ||\n"), public, first)
		}
	}
	rows := p.rows()
	first := f.column(rows[0])
	fmt.Fprintf(&b, "func %sCheck(c *%s, lo, hi int) {\nn := len(%s)\n", p.name, f.columns.structure, first)
	fmt.Fprintf(&b, "if lo < 0 || hi < lo || hi > n {\npanic(\"asm: %s: range outside the rows\")\n}\n", public)
	var unequal []string
	for _, c := range rows[1:] {
		unequal = append(unequal, fmt.Sprintf("len(%s) != n", f.column(c)))
	}
	unless(f.columns.fields[rows[0]].name, unequal)
	for _, t := range f.tables(p) {
		longest := t.longest(f)
		unequal := []string{}
		for _, c := range t.columns {
			switch of := f.columns.fields[c]; {
			case c == longest:
			case of.shifted:
				unequal = append(unequal, fmt.Sprintf("len(%s) != max(n-%d, 0)", f.column(c), of.at))
			default:
				unequal = append(unequal, fmt.Sprintf("len(%s) != n", f.column(c)))
			}
		}
		if len(unequal) > 0 {
			fmt.Fprintf(&b, "n = len(%s)\n", f.column(longest))
		}
		unless(f.columns.fields[longest].name, unequal)
	}
	b.WriteString("}\n")
	return b.String()
}
