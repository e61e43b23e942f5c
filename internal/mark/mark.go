// Package mark makes errors that belong to a kind without containing its text, and prepares texts
// for messages.
//
// It owns Errorf, functions that shorten a text, put it on one line, or remove a package prefix, and
// Limit, which formats a limit. Each package declares its own kinds. With %w instead, the text of the
// kind would end the message, for example "value is out of range" after a message that already names
// the value and the range.
//
// Read mark.go first.
package mark

import "fmt"

// Errorf is fmt.Errorf for an error that errors.Is also recognises as kind. The message does not
// contain the text of kind.
func Errorf(kind error, format string, args ...any) error {
	return &marked{fmt.Errorf(format, args...), kind}
}

type marked struct {
	error
	kind error
}

// Unwrap returns the formatted error, which may wrap others, and the kind.
func (m *marked) Unwrap() []error { return []error{m.error, m.kind} }
