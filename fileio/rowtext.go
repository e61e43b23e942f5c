package fileio

import (
	"strconv"
	"strings"
)

// RowText holds rows of a table as text: one value per column in order, then EndRow. Each worker
// can fill its own RowText, and the caller writes them in any order. The zero value is ready to
// use. Once grown, a RowText allocates nothing.
type RowText struct {
	text   []byte
	values int // number of values in the current row
}

// Reset removes all rows.
func (r *RowText) Reset() { r.text, r.values = r.text[:0], 0 }

// Bytes returns the rows. The slice is valid until the next change.
func (r *RowText) Bytes() []byte { return r.text }

// next starts a value.
func (r *RowText) next() {
	if r.values > 0 {
		r.text = append(r.text, ',')
	}
	r.values++
}

// Float appends a number in the shortest form that reads back as the same bits; −0 is written as 0.
// NaN and infinities are written by name, so that a failed run shows them.
func (r *RowText) Float(x float64) {
	r.next()
	r.text = appendNumber(r.text, x)
}

// Int appends a whole number.
func (r *RowText) Int(n int64) {
	r.next()
	r.text = strconv.AppendInt(r.text, n, 10)
}

// Empty appends n empty values.
func (r *RowText) Empty(n int) {
	for range n {
		r.next()
	}
}

// Text appends a text, quoted if necessary.
func (r *RowText) Text(s string) {
	r.next()
	if !strings.ContainsAny(s, ",\"\r\n") && s == strings.TrimSpace(s) {
		r.text = append(r.text, s...)
		return
	}
	r.text = append(r.text, '"')
	for i := range len(s) {
		if s[i] == '"' {
			r.text = append(r.text, '"')
		}
		r.text = append(r.text, s[i])
	}
	r.text = append(r.text, '"')
}

// EndRow ends the row and returns its number of values.
func (r *RowText) EndRow() int {
	n := r.values
	r.text, r.values = append(r.text, '\n'), 0
	return n
}
