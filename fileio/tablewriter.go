package fileio

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// TableWriter writes CSV row by row: a value for each column in order, then EndRow. It allocates
// nothing for a row.
type TableWriter struct {
	to      *bufio.Writer
	columns int
	row     []byte
	values  int // in the current row
	err     error
}

// NewTableWriter writes the header line. Flush has to follow the last row.
func NewTableWriter(w io.Writer, columns []string) *TableWriter {
	t := &TableWriter{to: bufio.NewWriterSize(w, 1<<16), columns: len(columns)}
	for _, title := range columns {
		t.Text(title)
	}
	// An error of the first line is kept for Flush.
	_ = t.EndRow()
	return t
}

// next starts a value.
func (t *TableWriter) next() {
	if t.values > 0 {
		t.row = append(t.row, ',')
	}
	t.values++
}

// Float appends a number in the shortest form that reads back as the same bits, −0 as 0. NaN and
// infinities are written by name: a run that went wrong should show it.
func (t *TableWriter) Float(x float64) {
	t.next()
	t.row = appendNumber(t.row, x)
}

// Int appends a whole number.
func (t *TableWriter) Int(n int64) {
	t.next()
	t.row = strconv.AppendInt(t.row, n, 10)
}

// Empty appends n values that are not there.
func (t *TableWriter) Empty(n int) {
	for range n {
		t.next()
	}
}

// Text appends a text, in quotes where it has to be.
func (t *TableWriter) Text(s string) {
	t.next()
	if !strings.ContainsAny(s, ",\"\r\n") && s == strings.TrimSpace(s) {
		t.row = append(t.row, s...)
		return
	}
	t.row = append(t.row, '"')
	for i := range len(s) {
		if s[i] == '"' {
			t.row = append(t.row, '"')
		}
		t.row = append(t.row, s[i])
	}
	t.row = append(t.row, '"')
}

// EndRow ends the row. A row of another number of values than there are columns is an error, and is
// not written; the first error stays.
func (t *TableWriter) EndRow() error {
	if t.err == nil && t.values != t.columns {
		t.err = fmt.Errorf("fileio: a row of %d values in a table of %d columns", t.values, t.columns)
	}
	if t.err == nil {
		// A row of one empty value would be an empty line, which readers pass over.
		if t.columns == 1 && len(t.row) == 0 {
			t.row = append(t.row, '"', '"')
		}
		t.row = append(t.row, '\n')
		_, t.err = t.to.Write(t.row)
	}
	t.row, t.values = t.row[:0], 0
	return t.err
}

// Flush hands what is buffered to the writer below and returns the first error of all.
func (t *TableWriter) Flush() error {
	if err := t.to.Flush(); t.err == nil {
		t.err = err
	}
	return t.err
}
