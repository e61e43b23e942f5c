package fileio

import (
	"strconv"
	"strings"
)

// RowText is rows of a table as text: a value for each column in order, then EndRow. Workers fill one each, and
// the rows are written in the order that the caller wants. The zero value is ready; it allocates nothing once it
// has grown.
type RowText struct {
	text   []byte
	values int // in the current row
}

// Reset forgets all rows.
func (r *RowText) Reset() { r.text, r.values = r.text[:0], 0 }

// Bytes returns the rows; valid until the next change.
func (r *RowText) Bytes() []byte { return r.text }

// next starts a value.
func (r *RowText) next() {
	if r.values > 0 {
		r.text = append(r.text, ',')
	}
	r.values++
}

// Float appends a number in the shortest form that reads back as the same bits, −0 as 0. NaN and
// infinities are written by name: a run that went wrong should show it.
func (r *RowText) Float(x float64) {
	r.next()
	r.text = appendNumber(r.text, x)
}

// Int appends a whole number.
func (r *RowText) Int(n int64) {
	r.next()
	r.text = strconv.AppendInt(r.text, n, 10)
}

// Empty appends n values that are not there.
func (r *RowText) Empty(n int) {
	for range n {
		r.next()
	}
}

// Text appends a text, in quotes where it has to be.
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

// EndRow ends the row and returns how many values it has.
func (r *RowText) EndRow() int {
	n := r.values
	r.text, r.values = append(r.text, '\n'), 0
	return n
}
