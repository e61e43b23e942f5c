package scene

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/scree-dem/scree/internal/mark"
)

var (
	// ErrInput marks an error in the command line or in an input file.
	ErrInput = errors.New("input not usable")
	// ErrInterrupted marks a run that was interrupted. All complete results are written.
	ErrInterrupted = errors.New("run interrupted")
)

// fault is an error in an input, with its place.
type fault struct {
	file  string
	line  int    // from 1; 0 if unknown
	key   string // "bodies[2].shape"; may be empty
	what  string
	cause error // may be nil
}

// Error returns one line: file, line, key, and the problem.
func (f *fault) Error() string {
	place := mark.OneLine(f.file)
	if f.line > 0 {
		place += fmt.Sprintf(":%d", f.line)
	}
	if f.key != "" {
		place += ": " + mark.OneLine(shorten(f.key))
	}
	return place + ": " + mark.OneLine(f.what)
}

// Unwrap returns ErrInput and the cause, if there is one.
func (f *fault) Unwrap() []error {
	if f.cause != nil {
		return []error{ErrInput, f.cause}
	}
	return []error{ErrInput}
}

// interrupted returns ErrInterrupted if the context is cancelled. It is called for each body.
func interrupted(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return fmt.Errorf("scene: %w before the first step", ErrInterrupted)
	default:
		return nil
	}
}

// listShown is the largest number of list entries in a message.
const listShown = 8

// shorten shortens a text that is too long for a message.
func shorten(text string) string { return mark.Shorten(text, mark.Shown) }

// found returns a message with the value that was found and the expected one.
func found(value any, want string) string {
	if s, ok := value.(string); ok {
		return fmt.Sprintf("found %q, expected %s", shorten(s), want)
	}
	if v := reflect.ValueOf(value); v.Kind() == reflect.Slice && v.Len() > listShown {
		list := strings.TrimSuffix(fmt.Sprint(v.Slice(0, listShown)), "]")
		return fmt.Sprintf("found %s … %d more], expected %s", shorten(list), v.Len()-listShown, want)
	}
	return fmt.Sprintf("found %s, expected %s", shorten(fmt.Sprint(value)), want)
}

// among returns a list of names for a message.
func among(names []string) string {
	if len(names) > listShown {
		return fmt.Sprintf("%s and %d more", shorten(strings.Join(names[:listShown], ", ")), len(names)-listShown)
	}
	return strings.Join(names, ", ")
}

// missing returns the message for an absent key.
func missing(want string) string { return "is missing, expected " + want }

// above is the text of a bound that x does not reach: with six digits, or as many as tell them apart.
func above(bound, x float64) string {
	text := strconv.FormatFloat(bound, 'g', 6, 64)
	if rounded, err := strconv.ParseFloat(text, 64); err == nil && rounded > x {
		return text
	}
	return strconv.FormatFloat(bound, 'g', -1, 64)
}

// atMost returns the message for a number x above a bound. It prints at least three digits of the
// bound, and as many as are needed to distinguish the bound from x.
func atMost(x, bound float64, unit string) string {
	text := ""
	for digits := 3; digits <= 17; digits++ {
		text = strconv.FormatFloat(bound, 'g', digits, 64)
		if rounded, err := strconv.ParseFloat(text, 64); err == nil && rounded < x {
			break
		}
	}
	return found(x, "at most "+text+" "+unit)
}
