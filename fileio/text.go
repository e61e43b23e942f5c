package fileio

import (
	"bytes"
	"math"
	"strconv"

	"github.com/scree-dem/scree/vec"
)

// lineReader reads the lines and fields of a text in memory. It keeps the first error. After an
// error there are no more lines or fields.
type lineReader struct {
	file string
	rest []byte // text after the current line
	text []byte // current line without its end
	left []byte // part of the current line after the fields read so far
	line int    // number of the current line, from 1
	end  byte   // line end: \n, or \r in old Macintosh files
	err  error
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// newLineReader returns a reader of the text. It skips a byte order mark.
func newLineReader(file string, text []byte) *lineReader {
	text = bytes.TrimPrefix(text, byteOrderMark)
	end := byte('\n')
	if bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') >= 0 {
		end = '\r'
	}
	return &lineReader{file: file, rest: text, end: end}
}

// next moves to the next line. It returns false at the end of the text.
func (l *lineReader) next() bool {
	if len(l.rest) == 0 {
		l.text, l.left = nil, nil
		return false
	}
	l.line++
	if i := bytes.IndexByte(l.rest, l.end); i >= 0 {
		l.text, l.rest = l.rest[:i], l.rest[i+1:]
	} else {
		l.text, l.rest = l.rest, nil
	}
	l.text = bytes.TrimSuffix(l.text, []byte{'\r'})
	l.left = l.text
	return true
}

// nextFilled moves to the next line that has more than blanks and a comment from '#' on. It removes
// the comment.
func (l *lineReader) nextFilled() bool {
	for l.next() {
		if i := bytes.IndexByte(l.text, '#'); i >= 0 {
			l.text = l.text[:i]
		}
		if l.left = l.text; len(bytes.TrimSpace(l.text)) > 0 {
			return true
		}
	}
	return false
}

// fail stores the error and ends the text, if err is not nil.
func (l *lineReader) fail(err error) {
	if l.err == nil && err != nil {
		l.err, l.rest, l.text, l.left = err, nil, nil, nil
	}
}

// fault reports an error at the current line.
func (l *lineReader) fault(item string, value []byte, want string) {
	l.fail(&InputError{File: l.file, Line: l.line, Item: item, Value: string(value), Want: want})
}

// truncated reports a text that ends where want was expected.
func (l *lineReader) truncated(item, want string) {
	l.fail(&InputError{File: l.file, Line: max(l.line, 1), Item: item, Want: want, Err: ErrTruncated})
}

// field returns the next field of the current line, or an empty field at the end of the line.
func (l *lineReader) field() (field []byte) {
	field, l.left = cutField(l.left)
	return field
}

// word returns the next field, on this or a later line. It is empty at the end of the text.
func (l *lineReader) word() []byte {
	for {
		if field := l.field(); len(field) > 0 || !l.next() {
			return field
		}
	}
}

// isBlank reports whether c separates fields.
func isBlank(c byte) bool { return c == ' ' || (c >= '\t' && c <= '\r') }

// cutField returns the first field of a line and the rest. The field is empty if the line has no
// more.
func cutField(text []byte) (field, rest []byte) {
	i := 0
	for i < len(text) && isBlank(text[i]) {
		i++
	}
	j := i
	for j < len(text) && !isBlank(text[j]) {
		j++
	}
	return text[i:j], text[j:]
}

// parseFinite returns the number in a field. ok is false if the field is not a number, or not a
// finite one.
func parseFinite(field []byte) (x float64, ok bool) {
	x, err := parseFloat(field)
	return x, err == nil && isFinite(x)
}

// parseFloat is strconv.ParseFloat for decimal numbers only. The Go forms 1_000 and 0x1p3 are
// probably mistakes in a file.
func parseFloat(field []byte) (float64, error) {
	for _, c := range field {
		if c == '_' || c == 'x' || c == 'X' {
			return 0, strconv.ErrSyntax
		}
	}
	return strconv.ParseFloat(string(field), 64)
}

// isFinite reports whether x is neither NaN nor infinite.
func isFinite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

const wantFinite = "a finite number"

// point reads three numbers from the current line.
func (l *lineReader) point(item string) vec.Vec3 {
	var c [3]float64
	for i := range c {
		c[i] = l.number(item, l.field(), "xyz"[i:i+1])
	}
	return vec.Vec3{X: c[0], Y: c[1], Z: c[2]}
}

// number returns the number in a field. of states its purpose in error messages.
func (l *lineReader) number(item string, field []byte, of string) float64 {
	x, ok := parseFinite(field)
	if !ok {
		l.fault(item, field, wantFinite+" for "+of)
	}
	return x
}

// unused reads the remaining numbers of the current line and returns how many there are.
func (l *lineReader) unused(item, of string) (n int) {
	for field := l.field(); len(field) > 0; field = l.field() {
		l.number(item, field, of)
		n++
	}
	return n
}

// parseCount returns the whole number ≥ 0 in a field.
func parseCount(field []byte) (n int, ok bool) {
	n, err := strconv.Atoi(string(field))
	return n, err == nil && n >= 0
}

// appendNumber appends x in the shortest form that reads back as the same bits; −0 is written as 0.
func appendNumber(b []byte, x float64) []byte {
	if x == 0 {
		return append(b, '0')
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}

// appendPoint appends the three components, each after a blank.
func appendPoint(b []byte, p vec.Vec3) []byte {
	b = appendNumber(append(b, ' '), p.X)
	b = appendNumber(append(b, ' '), p.Y)
	return appendNumber(append(b, ' '), p.Z)
}
