package fileio

import (
	"errors"
	"fmt"

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
