package mark

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Shown is how many bytes of a wrong value or a name most messages repeat.
const Shown = 120

// Shorten cuts a text that is longer than most bytes, between two characters where it has any.
func Shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := most
	for end > max(0, most-utf8.UTFMax+1) && !utf8.RuneStart(text[end]) {
		end--
	}
	if end < len(text) && !utf8.RuneStart(text[end]) {
		end = most // no character, but bytes
	}
	return text[:end] + "…"
}

// OneLine writes what cannot be seen, which keys and names of files may have, as Go does in a string: control characters,
// and those that turn the direction of a line.
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

// WithoutPackage returns the text of an error without the names of packages in front, which tell users nothing.
func WithoutPackage(text string) string {
	for _, name := range []string{"fileio", "pairs", "surfaces", "inside", "geometry", "scene", "engine", "bench", "cpu", "sched"} {
		text = strings.TrimPrefix(text, name+": ")
	}
	return text
}
