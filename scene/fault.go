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
	// ErrInput marks a command line or an input file that is wrong.
	ErrInput = errors.New("input not usable")
	// ErrInterrupted marks a run that was told to stop. What is complete is written.
	ErrInterrupted = errors.New("run interrupted")
)

// fault is one thing that is wrong with an input: what, and where.
type fault struct {
	file  string
	line  int    // from 1; 0 where there are no lines
	key   string // "bodies[2].shape"; may be empty
	what  string
	cause error // may be nil
}

// Error returns one line: file, line, key, what is wrong.
func (f *fault) Error() string {
	var b strings.Builder
	b.WriteString(mark.OneLine(f.file))
	if f.line > 0 {
		fmt.Fprintf(&b, ":%d", f.line)
	}
	b.WriteString(": ")
	if f.key != "" {
		b.WriteString(mark.OneLine(shorten(f.key)))
		b.WriteString(": ")
	}
	b.WriteString(mark.OneLine(f.what))
	return b.String()
}

// Unwrap makes every fault an ErrInput, and keeps the cause.
func (f *fault) Unwrap() []error {
	if f.cause != nil {
		return []error{ErrInput, f.cause}
	}
	return []error{ErrInput}
}

// interrupted returns ErrInterrupted once the context is cancelled. It is asked for each body.
func interrupted(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return fmt.Errorf("scene: %w before the first step", ErrInterrupted)
	default:
		return nil
	}
}

// listShown is how many entries of a list a message repeats.
const listShown = 8

// shorten shortens a text that is too long for a message.
func shorten(text string) string { return mark.Shorten(text, mark.Shown) }

// found returns the text of a value that is not what was expected.
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

// among lists names that a message offers.
func among(names []string) string {
	if len(names) > listShown {
		return fmt.Sprintf("%s and %d more", shorten(strings.Join(names[:listShown], ", ")), len(names)-listShown)
	}
	return strings.Join(names, ", ")
}

// inWords lists words as a sentence does, with a link such as " or " before the last.
func inWords(words []string, link string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + link + words[last]
}

// missing is the text of a key that is not there.
func missing(want string) string { return "is missing, expected " + want }

// unavailable is the text of what other releases may have.
func unavailable(what string) string { return what + " is not available in this release" }

// above is the text of a bound that x does not reach: with six digits, or as many as tell them apart.
func above(bound, x float64) string {
	text := strconv.FormatFloat(bound, 'g', 6, 64)
	if rounded, err := strconv.ParseFloat(text, 64); err == nil && rounded > x {
		return text
	}
	return strconv.FormatFloat(bound, 'g', -1, 64)
}

// atMost is the text of a number that is above a bound: with as many digits of the bound, three at
// least, as tell them apart.
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
