package fileio

import (
	"bufio"
	"fmt"
	"io"
)

// TableWriter writes CSV row by row: a value for each column in order, then EndRow. It allocates
// nothing for a row.
type TableWriter struct {
	to      *bufio.Writer
	columns int
	row     RowText // the current one
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

// Float appends a number in the shortest form that reads back as the same bits, −0 as 0. NaN and
// infinities are written by name: a run that went wrong should show it.
func (t *TableWriter) Float(x float64) { t.row.Float(x) }

// Int appends a whole number.
func (t *TableWriter) Int(n int64) { t.row.Int(n) }

// Text appends a text, in quotes where it has to be.
func (t *TableWriter) Text(s string) { t.row.Text(s) }

// EndRow ends the row. A row of another number of values than there are columns is an error, and is
// not written; the first error stays.
func (t *TableWriter) EndRow() error {
	// A row of one empty value would be an empty line, which readers pass over.
	if t.columns == 1 && len(t.row.text) == 0 {
		t.row.text = append(t.row.text, '"', '"')
	}
	if n := t.row.EndRow(); t.err == nil && n != t.columns {
		t.err = fmt.Errorf("fileio: a row of %d values in a table of %d columns", n, t.columns)
	}
	if t.err == nil {
		_, t.err = t.to.Write(t.row.Bytes())
	}
	t.row.Reset()
	return t.err
}

// Flush hands what is buffered to the writer below and returns the first error of all.
func (t *TableWriter) Flush() error {
	if err := t.to.Flush(); t.err == nil {
		t.err = err
	}
	return t.err
}
