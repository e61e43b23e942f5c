package scene

import "bytes"

// expression is one expression of a scene file: a heading, or KEY = VALUE with all lines of the
// value. It includes the blank lines and comments before it.
type expression struct {
	start  int // offset of the first byte that is neither blank nor part of a comment
	equals int // offset of the = after the key; -1 for a heading
	end    int // offset after the last line
	values int // number of commas in lists and inline tables; at least the number of values minus one
}

// nextExpression finds the end of the first expression of text, so that the parser can read one
// expression at a time. The parser builds a tree of a whole expression, whatever its length.
// nextExpression recognises strings, comments and brackets, and checks nothing. For text that is
// not TOML it returns some end, and the parser reports the error. Cost: one pass over the
// expression.
func nextExpression(text []byte) expression {
	e := expression{equals: -1}
	depth := 0
	i := 0
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n' || text[i] == '#') {
		if text[i] == '#' {
			i = lineEnd(text, i)
			continue
		}
		i++
	}
	e.start = i
	for i < len(text) {
		switch text[i] {
		case '"', '\'':
			i = stringEnd(text, i)
			continue
		case '#':
			i = lineEnd(text, i)
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case ',':
			e.values++
		case '=':
			if depth == 0 && e.equals < 0 {
				e.equals = i
			}
		case '\n':
			if depth <= 0 {
				e.end = i + 1
				return e
			}
		}
		i++
	}
	e.end = len(text)
	return e
}

// lineEnd returns the offset of the end of the line with byte i, without the line break.
func lineEnd(text []byte, i int) int {
	if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text)
}

// stringEnd returns the offset after the string that starts at byte i. A single-line string without
// a closing quote ends at the end of the line.
func stringEnd(text []byte, i int) int {
	quote := text[i]
	if i+2 < len(text) && text[i+1] == quote && text[i+2] == quote {
		return longStringEnd(text, i+3, quote)
	}
	for i++; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case quote:
			return i + 1
		case '\\':
			if quote == '"' && i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		}
	}
	return i
}

// longStringEnd returns the offset after the three quotes that end a multi-line string. Up to two
// more quotes may come directly before them; these belong to the string.
func longStringEnd(text []byte, i int, quote byte) int {
	for run := 0; i < len(text); i++ {
		switch {
		case text[i] == quote:
			if run++; run == 3 {
				for i++; i < len(text) && text[i] == quote && run < 5; i++ {
					run++
				}
				return i
			}
			continue
		case text[i] == '\\' && quote == '"':
			i++
		}
		run = 0
	}
	return len(text)
}
