package fileio

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxColumns bounds the columns of a table; a header of more is not one.
const maxColumns = 1 << 12

// Table reads CSV row by row. The first line names the columns, which may come in any order. A
// column is known by its place in required, followed by optional, as given to NewTable.
//
//	t, err := NewTable(r, "points.csv", []string{"x", "y", "z"}, []string{"id"})
//	for t.Next() {
//		x, err := t.Float(0)
//		if t.Has(3) { … }
//	}
//	err = t.Err()
type Table struct {
	name    string
	csv     *csv.Reader
	columns []string // required, then optional
	place   []int    // by column: its place in a row of the file, or -1
	row     []string
	rows    int
	err     error
}

// NewTable reads the header. Unknown, missing and repeated columns are errors that name them. The
// name of the input serves for messages. Errors of content are InputErrors.
func NewTable(r io.Reader, name string, required, optional []string) (*Table, error) {
	t := &Table{name: name, csv: csv.NewReader(&markSkipper{from: r})}
	t.csv.ReuseRecord = true
	t.csv.TrimLeadingSpace = true
	t.columns = slices.Concat(required, optional)
	header, err := t.csv.Read()
	if errors.Is(err, io.EOF) {
		return nil, &InputError{File: name, Line: 1, Err: ErrTruncated,
			Want: "a header line with " + strings.Join(required, ",")}
	}
	if err != nil {
		return nil, t.fault(err)
	}
	if err := t.match(header, required, optional); err != nil {
		return nil, err
	}
	t.csv.FieldsPerRecord = len(header)
	return t, nil
}

// match finds the place of each column in the header.
func (t *Table) match(header, required, optional []string) error {
	line, _ := t.csv.FieldPos(0)
	if len(header) > maxColumns {
		return &InputError{File: t.name, Line: line, Value: strconv.Itoa(len(header)) + " columns",
			Want: fmt.Sprintf("at most %d", maxColumns)}
	}
	t.place = make([]int, len(t.columns))
	for i := range t.place {
		t.place[i] = -1
	}
	known := strings.Join(t.columns, ", ")
	var unknown []string
	for at, title := range header {
		title = strings.TrimSpace(title)
		column := slices.Index(t.columns, title)
		switch {
		case column < 0:
			unknown = append(unknown, title)
		case t.place[column] >= 0:
			return &InputError{File: t.name, Line: line, Item: "header", Value: title, Want: "each column once"}
		default:
			t.place[column] = at
		}
	}
	if len(unknown) > 0 {
		value, want := strings.Join(unknown, ", "), "columns among "+known
		if !utf8.ValidString(value) {
			want = "text in UTF-8, with " + want
		}
		return &InputError{File: t.name, Line: line, Item: "header, unknown columns", Value: value, Want: want}
	}
	var missing []string
	for i := range required {
		if t.place[i] < 0 {
			missing = append(missing, required[i])
		}
	}
	if len(missing) > 0 {
		return &InputError{File: t.name, Line: line, Item: "header", Value: strings.Join(header, ","),
			Want: "also the columns " + strings.Join(missing, ", ")}
	}
	return nil
}

// Has says whether the file has the column.
func (t *Table) Has(column int) bool { return t.place[column] >= 0 }

// Next moves to the next row. It returns false at the end and after an error, which Err returns.
// Empty lines are passed over.
func (t *Table) Next() bool {
	if t.err != nil {
		return false
	}
	row, err := t.csv.Read()
	if err != nil {
		if !errors.Is(err, io.EOF) {
			t.err = t.fault(err)
		}
		t.row = nil
		return false
	}
	t.row = row
	t.rows++
	return true
}

// Err returns the error that ended the rows, nil at a proper end.
func (t *Table) Err() error { return t.err }

// Row returns the number of the current row, from 1, the header not counted.
func (t *Table) Row() int { return t.rows }

// Text returns the value of the column in the current row without blanks around it, empty for a
// column that the file does not have.
func (t *Table) Text(column int) string {
	if t.place[column] < 0 {
		return ""
	}
	return strings.TrimSpace(t.row[t.place[column]])
}

// Float returns the value of the column in the current row, which has to be a finite number.
func (t *Table) Float(column int) (float64, error) {
	x, ok := parseFinite([]byte(t.Text(column)))
	if !ok {
		return 0, t.Fault(column, wantFinite)
	}
	return x, nil
}

// Floats fills x with the columns from first on.
func (t *Table) Floats(first int, x []float64) error {
	for i := range x {
		value, err := t.Float(first + i)
		if err != nil {
			return err
		}
		x[i] = value
	}
	return nil
}

// Int returns the value of the column in the current row, which has to be a whole number.
func (t *Table) Int(column int) (int64, error) {
	n, err := strconv.ParseInt(t.Text(column), 10, 64)
	if err != nil {
		return 0, t.Fault(column, "a whole number of 64 bits")
	}
	return n, nil
}

// Fault returns an error that names the line, the column and its value in the current row, for a
// value that the caller cannot take.
func (t *Table) Fault(column int, want string) error {
	e := &InputError{File: t.name, Item: "column " + t.columns[column], Want: want}
	if at := t.place[column]; at >= 0 {
		e.Line, _ = t.csv.FieldPos(at)
		e.Value = t.row[at]
		if e.Value == "" {
			e.Want += ", found nothing"
		}
	}
	return e
}

// fault turns an error of package csv into one that names the file.
func (t *Table) fault(err error) error {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return fmt.Errorf("fileio: reading %s: %w", t.name, err)
	}
	e := &InputError{File: t.name, Line: parse.Line, Err: parse.Err}
	switch {
	case errors.Is(parse.Err, csv.ErrFieldCount):
		e.Err, e.Want = nil, fmt.Sprintf("the %d values of the header", t.csv.FieldsPerRecord)
	case errors.Is(parse.Err, csv.ErrQuote):
		e.Want = `a value in quotes with each " inside doubled`
	case errors.Is(parse.Err, csv.ErrBareQuote):
		e.Want = `a value with " in it to be in quotes`
	}
	return e
}

// markSkipper passes over a byte order mark, which spreadsheets put in front of a table.
type markSkipper struct {
	from    io.Reader
	checked bool
	held    []byte
}

func (m *markSkipper) Read(b []byte) (int, error) {
	if !m.checked {
		m.checked = true
		start := make([]byte, len(byteOrderMark))
		n, err := io.ReadFull(m.from, start)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, err
		}
		if m.held = start[:n]; string(m.held) == string(byteOrderMark) {
			m.held = nil
		}
	}
	if len(m.held) > 0 {
		n := copy(b, m.held)
		m.held = m.held[n:]
		return n, nil
	}
	return m.from.Read(b)
}
