package fileio

import (
	"bufio"
	"fmt"
	"io"
)

// TableWriter writes CSV row by row: one value per column in order, then EndRow. It allocates
// nothing per row.
type TableWriter struct {
	to      *bufio.Writer
	columns int
	row     RowText // current row
	err     error
}

// NewTableWriter writes the header line. The caller must call Flush after the last row.
func NewTableWriter(w io.Writer, columns []string) *TableWriter {
	t := &TableWriter{to: bufio.NewWriterSize(w, 1<<16), columns: len(columns)}
	for _, title := range columns {
		t.Text(title)
	}
	// Flush returns an error of the header line.
	_ = t.EndRow()
	return t
}

// Float appends a number in the shortest form that reads back as the same bits; −0 is written as 0.
// NaN and infinities are written by name, so that a failed run shows them.
func (t *TableWriter) Float(x float64) { t.row.Float(x) }

// Int appends a whole number.
func (t *TableWriter) Int(n int64) { t.row.Int(n) }

// Text appends a text, quoted if necessary.
func (t *TableWriter) Text(s string) { t.row.Text(s) }

// EndRow ends the row. If the number of values differs from the number of columns, EndRow returns
// an error and does not write the row. The first error is kept.
func (t *TableWriter) EndRow() error {
	// A row with one empty value would be an empty line, which readers skip.
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

// Flush passes the buffered rows to the underlying writer and returns the first error of all calls.
func (t *TableWriter) Flush() error {
	if err := t.to.Flush(); t.err == nil {
		t.err = err
	}
	return t.err
}
