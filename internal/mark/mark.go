// Package mark makes errors of a kind, whose text is what is wrong and nothing else, and texts that messages can repeat.
//
// It owns Errorf, and how a message shows a text: shortened, on one line, without the name of a package. It refuses the kinds themselves: each package declares its own. An error that
// wraps a kind by %w ends with the kind's text, such as "value is out of range" behind a message
// that has said which value and which range.
//
// Read mark.go first.
package mark

import "fmt"

// Errorf is fmt.Errorf for an error that errors.Is finds to be of a kind too. The kind's text is
// not in the message.
func Errorf(kind error, format string, args ...any) error {
	return &marked{fmt.Errorf(format, args...), kind}
}

type marked struct {
	error
	kind error
}

// Unwrap returns the message, which may wrap others, and the kind.
func (m *marked) Unwrap() []error { return []error{m.error, m.kind} }
