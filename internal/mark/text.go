package mark

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Shown is the largest number of bytes of a value or name in most messages.
const Shown = 120

// Shorten cuts a text to at most most bytes, at a character boundary if the text is UTF-8, and adds
// "…".
func Shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := most
	for end > max(0, most-utf8.UTFMax+1) && !utf8.RuneStart(text[end]) {
		end--
	}
	if end < len(text) && !utf8.RuneStart(text[end]) {
		end = most // not UTF-8
	}
	return text[:end] + "…"
}

// OneLine escapes invisible characters, which keys and file names may contain, as Go string
// literals do: control characters, and characters that change the direction of the text.
func OneLine(text string) string {
	var b strings.Builder
	for _, c := range text {
		if strconv.IsPrint(c) {
			b.WriteRune(c)
			continue
		}
		quoted := strconv.QuoteRune(c)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

// Visible is OneLine for a text of several lines, or for JSON, whose meaning stays: it escapes
// invisible characters except line ends, as JSON does.
func Visible(text string) string {
	var b strings.Builder
	for _, c := range text {
		if strconv.IsPrint(c) || c == '\n' {
			b.WriteRune(c)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, c) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// WithoutPackage removes package prefixes, which mean nothing to users, from an error text.
func WithoutPackage(text string) string {
	for _, name := range []string{"fileio", "pairs", "surfaces", "inside", "geometry", "scene", "engine", "bench", "cpu", "sched", "soa"} {
		text = strings.TrimPrefix(text, name+": ")
	}
	return text
}

// Inner returns err with the text of WithoutPackage.
func Inner(err error) error { return &inner{err} }

type inner struct{ error }

func (e *inner) Error() string { return WithoutPackage(e.error.Error()) }
func (e *inner) Unwrap() error { return e.error }
