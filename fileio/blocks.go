package fileio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/scree-dem/scree/internal/disk"
)

const (
	// maxLine is the longest line of a table, bytes. It bounds the memory for a file without line
	// ends.
	maxLine = 1 << 16
	// blockBytes is the size of the text at which a block is full, whatever number of rows is
	// requested.
	blockBytes = 1 << 22
)

// Blocks reads CSV in blocks of whole lines, whose values many workers can parse in parallel. The
// first line names the columns, in any order. A column is identified by its index in required,
// followed by optional, as passed to NewBlocks. A line is a row: quoted values may contain commas,
// but no line ends. An error in a row therefore affects only this row, and the next row can be
// read.
//
//	t, err := NewBlocks(r, "pairs.csv", []string{"ax", "ay"}, []string{"track"})
//	for t.Next(&block, 4096) {
//		for i := range block.Len() { err := row.Set(t, &block, i); x, err := row.Float(0) }
//	}
//	err = t.Err()
type Blocks struct {
	// Eager makes Next return the rows that are available, instead of waiting for the requested
	// number.
	Eager bool

	head  header
	from  io.Reader
	rest  []byte // read, but not yet returned
	ended bool   // the input ends after rest
	lines int    // lines returned or skipped
	rows  int
	read  int64
	err   error
}

// NewBlocks reads the header. Unknown, missing and repeated columns are errors that name them. name
// appears in error messages. A byte order mark, which spreadsheets write, is skipped. Errors of
// content are InputErrors.
func NewBlocks(r io.Reader, name string, required, optional []string) (*Blocks, error) {
	return newBlocks(r, name, required, optional, false)
}

// NewBlocksOf is NewBlocks for a table that has each of the columns once, and may have other
// columns, which are ignored.
func NewBlocksOf(r io.Reader, name string, columns []string) (*Blocks, error) {
	return newBlocks(r, name, columns, nil, true)
}

func newBlocks(r io.Reader, name string, required, optional []string, others bool) (*Blocks, error) {
	from := bufio.NewReader(disk.Steady(r))
	if start, _ := from.Peek(len(byteOrderMark)); bytes.Equal(start, byteOrderMark) {
		_, _ = from.Discard(len(byteOrderMark)) // Peek has read them.
	}
	t := &Blocks{from: from, head: header{name: name, columns: slices.Concat(required, optional), others: others}}
	end := -1 // end of the header, which is the first line that is not blank
	for end < 0 && t.fill() {
		end = headerEnd(t.rest)
		if end < 0 && len(t.rest) > maxLine {
			return nil, t.tooLong()
		}
	}
	if t.err != nil {
		return nil, t.err
	}
	if end < 0 {
		end = len(t.rest)
	}
	text := bytes.TrimRight(t.rest[:end], "\n")
	t.head.line = 1 + bytes.Count(text, []byte("\n"))
	t.lines = bytes.Count(t.rest[:end], []byte("\n"))
	if err := t.head.parse(bytes.TrimSpace(text), len(required)); err != nil {
		return nil, err
	}
	t.rest = t.rest[end:]
	return t, nil
}

// headerEnd returns the end of the first line that is not blank, or -1 if the text does not contain
// it.
func headerEnd(text []byte) int {
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return -1
		}
		if at += i + 1; len(bytes.TrimSpace(text[at-i-1:at])) > 0 {
			return at
		}
	}
}

// fill reads more of the input. It returns false at the end of the input or after an error.
func (t *Blocks) fill() bool {
	const least = 1 << 16
	for !t.ended && t.err == nil {
		t.rest = slices.Grow(t.rest, least)
		n, err := t.from.Read(t.rest[len(t.rest):cap(t.rest)])
		t.rest = t.rest[:len(t.rest)+n]
		t.read += int64(n)
		switch {
		case errors.Is(err, io.EOF):
			t.ended = true
		case err != nil:
			t.err = fmt.Errorf("fileio: reading %s: %w", t.head.name, err)
		}
		if n > 0 {
			return true
		}
	}
	return false
}

func (t *Blocks) tooLong() error {
	return &InputError{File: t.head.name, Line: t.lines + 1, Want: "a line of at most " + strconv.Itoa(maxLine) + " bytes"}
}

// Has reports whether the table has the column.
func (t *Blocks) Has(column int) bool { return t.head.place[column] >= 0 }

// HeaderFault returns an error with the line of the header. It is for columns that the caller
// rejects.
func (t *Blocks) HeaderFault(value, want string) error {
	return t.head.fault("header", value, want)
}

// Read returns the number of bytes read so far, without a byte order mark.
func (t *Blocks) Read() int64 { return t.read }

// Err returns the error that ended the rows, or nil at the end of the table.
func (t *Blocks) Err() error { return t.err }

// Block is a block of rows of a table.
type Block struct {
	Row   int // number of the first row, from 1
	text  []byte
	lines []line
}

// line is the position of a row in the text, and its line number in the file.
type line struct{ from, to, number int }

// Len returns the number of rows in the block.
func (b *Block) Len() int { return len(b.lines) }

// Next fills the block with at most rows rows, and returns false if there are none left. Once the
// block has grown, Next allocates nothing. Blank lines are skipped. Rows before an error are
// returned first.
func (t *Blocks) Next(b *Block, rows int) bool {
	b.Row, b.lines, b.text = t.rows+1, b.lines[:0], b.text[:0]
	at := 0 // position in rest
	for len(b.lines) < rows && at < blockBytes {
		i := bytes.IndexByte(t.rest[at:], '\n')
		if i < 0 {
			if len(t.rest)-at > maxLine && t.err == nil {
				t.err = t.tooLong()
			}
			if t.Eager && len(b.lines) > 0 {
				break
			}
			if t.fill() {
				continue
			}
			if i = len(t.rest) - at; i == 0 || t.err != nil {
				break
			}
		}
		if i > maxLine {
			t.err = t.tooLong()
			break
		}
		t.lines++
		if len(bytes.TrimSpace(t.rest[at:at+i])) > 0 {
			b.lines = append(b.lines, line{at, at + i, t.lines})
		}
		at = min(at+i+1, len(t.rest))
	}
	b.text = append(b.text, t.rest[:at]...)
	t.rest = t.rest[:copy(t.rest, t.rest[at:])]
	t.rows += len(b.lines)
	return len(b.lines) > 0
}

// BlockRow parses the values of one row. Each worker needs its own; the zero value is ready to use.
type BlockRow struct {
	table    *Blocks
	number   int      // line number
	values   [][]byte // in the order of the file, without surrounding blanks and quotes
	unquoted []byte   // memory of the values that were quoted
}

// Set moves to row i of the block, from 0. It returns an error if the number of values differs from
// the header, or if a quote is not closed.
func (r *BlockRow) Set(t *Blocks, b *Block, i int) error {
	l := b.lines[i]
	r.table, r.number = t, l.number
	r.values, r.unquoted = r.values[:0], r.unquoted[:0]
	rest := bytes.TrimSuffix(b.text[l.from:l.to], []byte("\r"))
	for more := true; more; {
		var value []byte
		var ok bool
		if value, rest, more, ok = r.cut(rest); !ok {
			return r.fault("", value, `a value with , or " in it in quotes, and each " inside doubled, and no end of a line inside quotes`)
		}
		if r.values = append(r.values, value); len(r.values) > maxColumns {
			break
		}
	}
	if len(r.values) != t.head.values {
		return r.fault("", nil, fmt.Sprintf("the %d values of the header, found %d", t.head.values, len(r.values)))
	}
	return nil
}

// cut returns the first value of text, and the rest after the comma. more reports whether there is
// a comma; ok is false if the quotes are wrong.
func (r *BlockRow) cut(text []byte) (value, rest []byte, more, ok bool) {
	text = trimBlanks(text)
	if len(text) == 0 || text[0] != '"' {
		value, rest, more = bytes.Cut(text, comma)
		value = trimBlanks(value)
		return value, rest, more, bytes.IndexByte(value, '"') < 0
	}
	// Reserve space for the longest possible value, so that earlier values stay in place.
	from := len(r.unquoted)
	if cap(r.unquoted)-from < len(text) {
		r.unquoted, from = make([]byte, 0, 2*len(text)+maxQuoted), 0
	}
	for at := 1; at < len(text); at++ {
		if text[at] != '"' {
			r.unquoted = append(r.unquoted, text[at])
			continue
		}
		if at+1 < len(text) && text[at+1] == '"' {
			r.unquoted = append(r.unquoted, '"')
			at++
			continue
		}
		rest = trimBlanks(text[at+1:])
		if len(rest) > 0 && rest[0] != ',' {
			return text, nil, false, false
		}
		value = trimBlanks(r.unquoted[from:len(r.unquoted):len(r.unquoted)])
		if len(rest) == 0 {
			return value, nil, false, true
		}
		return value, rest[1:], true, true
	}
	return text, nil, false, false
}

var comma = []byte{','}

// maxQuoted is the usual space for the quoted values of a row, bytes.
const maxQuoted = 256

// trimBlanks removes blanks from both ends. It is bytes.TrimSpace for ASCII, at a third of the
// cost.
func trimBlanks(b []byte) []byte {
	for len(b) > 0 && isBlank(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isBlank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// Line returns the line number of the row, from 1.
func (r *BlockRow) Line() int { return r.number }

// Bytes returns the value of the column, or nil if the table does not have the column. The value is
// valid until the next call of Set, and only as long as the block is unchanged.
func (r *BlockRow) Bytes(column int) []byte {
	at := r.table.head.place[column]
	if at < 0 {
		return nil
	}
	return r.values[at]
}

// Float returns the value of the column, which must be a finite number.
func (r *BlockRow) Float(column int) (float64, error) {
	x, ok := parseFinite(r.Bytes(column))
	if !ok {
		return 0, r.Fault(column, wantFinite)
	}
	return x, nil
}

// Floats fills x with the values of len(x) columns from first on.
func (r *BlockRow) Floats(first int, x []float64) error {
	for i := range x {
		value, err := r.Float(first + i)
		if err != nil {
			return err
		}
		x[i] = value
	}
	return nil
}

// Int returns the value of the column, which must be a whole number.
func (r *BlockRow) Int(column int) (int64, error) {
	n, err := strconv.ParseInt(string(r.Bytes(column)), 10, 64)
	if err != nil {
		return 0, r.Fault(column, "a whole number of 64 bits")
	}
	return n, nil
}

// Fault returns an error with line, column and value. It is for values that the caller rejects.
func (r *BlockRow) Fault(column int, want string) error {
	return r.fault("column "+r.table.head.columns[column], r.Bytes(column), want)
}

func (r *BlockRow) fault(item string, value []byte, want string) error {
	e := &InputError{File: r.table.head.name, Line: r.number, Item: item, Value: string(value), Want: want}
	if item != "" && len(value) == 0 {
		e.Want += ", found nothing"
	}
	return e
}

// InRow returns the text of a row's error without file and line.
func InRow(err error) string {
	e, ok := err.(*InputError) // Only the row's own error, not one that wraps it.
	if !ok || e.Line == 0 {
		return err.Error()
	}
	text := strings.TrimPrefix(err.Error(), e.File+", line "+strconv.Itoa(e.Line))
	return strings.TrimLeft(text, ",: ")
}
