package fileio

import (
	"errors"
	"fmt"

	"github.com/scree-dem/scree/internal/mark"
)

// Errors that the errors of this package wrap, for errors.Is.
var (
	// ErrTruncated reports a file that ends before its announced end.
	ErrTruncated = errors.New("the file is truncated")
	// ErrUnknownFormat reports a file whose name or content belongs to no supported format.
	ErrUnknownFormat = errors.New("unknown file format")
	// ErrNotCheckpoint reports a file that does not start like a checkpoint.
	ErrNotCheckpoint = errors.New("this is not a scree checkpoint")
	// ErrVersion reports a checkpoint of a format version that this release does not read.
	ErrVersion = errors.New("unknown checkpoint version")
	// ErrHash reports a checkpoint whose content does not match its hash.
	ErrHash = errors.New("the checkpoint is damaged")
)

// InputError describes an error in an input and its position. Fields that do not apply are zero.
type InputError struct {
	File  string // name as the caller gave it
	Line  int    // from 1; 0 for binary files
	Byte  int64  // offset in a binary file; meaningful if Line is 0 and Item is not empty
	Item  string // what was being read, such as "triangle 3" or "column ax"
	Value string // what was found
	Want  string // what was expected
	Err   error  // sentinel or cause
}

// valueShown and itemShown limit the bytes of Value and Item in a message. An item may contain a
// name from the file.
const (
	valueShown = 48
	itemShown  = 160
)

// Error returns one line: file, position, what was found, what was expected.
func (e *InputError) Error() string {
	text := e.File
	switch {
	case e.Line > 0:
		text += fmt.Sprintf(", line %d", e.Line)
	case e.Item != "":
		text += fmt.Sprintf(", byte %d", e.Byte)
	}
	if e.Item != "" {
		text += ", " + mark.Shorten(e.Item, itemShown)
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	separator := ": "
	if e.Value != "" {
		text += fmt.Sprintf(": found %q", mark.Shorten(e.Value, valueShown))
		separator = ", "
	}
	if e.Want != "" {
		text += separator + "expected " + e.Want
	}
	return text
}

// Unwrap returns the sentinel or the cause.
func (e *InputError) Unwrap() error { return e.Err }
