package fileio

import (
	"errors"
	"strconv"
	"strings"

	"github.com/scree-dem/scree/internal/mark"
)

// What an error of this package wraps, for errors.Is.
var (
	// ErrTruncated: the file ends before what it announced.
	ErrTruncated = errors.New("the file is truncated")
	// ErrUnknownFormat: neither the name nor the content tells a format that is read or written here.
	ErrUnknownFormat = errors.New("unknown file format")
	// ErrNotCheckpoint: the file does not start as a checkpoint does.
	ErrNotCheckpoint = errors.New("this is not a scree checkpoint")
	// ErrVersion: a checkpoint of a format version that this release does not read.
	ErrVersion = errors.New("unknown checkpoint version")
	// ErrHash: the checkpoint's content and its hash disagree.
	ErrHash = errors.New("the checkpoint is damaged")
)

// InputError says what is wrong with an input and where. The fields that do not apply are zero.
type InputError struct {
	File  string // as the caller named it
	Line  int    // counted from 1; 0 where there are no lines
	Byte  int64  // offset in a binary file; meaningful when Line is 0 and Item is not empty
	Item  string // what was being read: "triangle 3", "column ax"
	Value string // what was found
	Want  string // what was expected
	Err   error  // the sentinel or the cause
}

// valueShown is how many bytes of a wrong value a message repeats, and itemShown of what was read, which may have a name from the file.
const (
	valueShown = 48
	itemShown  = 160
)

// Error returns one line: file, place, what was found, what was expected.
func (e *InputError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	switch {
	case e.Line > 0:
		b.WriteString(", line ")
		b.WriteString(strconv.Itoa(e.Line))
	case e.Item != "":
		b.WriteString(", byte ")
		b.WriteString(strconv.FormatInt(e.Byte, 10))
	}
	if e.Item != "" {
		b.WriteString(", ")
		b.WriteString(mark.Shorten(e.Item, itemShown))
	}
	separator := ": "
	if e.Err != nil {
		b.WriteString(separator)
		b.WriteString(e.Err.Error())
	}
	if e.Value != "" {
		b.WriteString(separator)
		b.WriteString("found ")
		b.WriteString(strconv.Quote(mark.Shorten(e.Value, valueShown)))
		separator = ", "
	}
	if e.Want != "" {
		b.WriteString(separator)
		b.WriteString("expected ")
		b.WriteString(e.Want)
	}
	return b.String()
}

// Unwrap returns the sentinel or the cause.
func (e *InputError) Unwrap() error { return e.Err }
