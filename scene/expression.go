package scene

import "bytes"

// expression is one line of a scene file that says something, a heading or KEY = VALUE, with the lines that its value goes
// on for, and blank lines and comments before it.
type expression struct {
	start  int // offset of the first byte that is neither blank nor of a comment
	equals int // offset of the = after the key, -1 for a heading
	end    int // offset behind the end of the line
	values int // commas, in lists and tables within braces: no fewer than the values but one
}

// nextExpression finds where the first expression of a text ends, so that a parser can be given one after the other: the
// parser builds a tree of a whole expression, whatever its length. It tells strings, comments and brackets apart and
// checks nothing. What is no TOML ends somewhere, and the parser finds out. Cost: one pass over the expression.
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

// lineEnd returns where the line that holds byte i ends, without its end.
func lineEnd(text []byte, i int) int {
	if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text)
}

// stringEnd returns the offset behind the string that starts at byte i. One on a single line ends with it.
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

// longStringEnd returns the offset behind the three quotes that end a string of several lines. Up to two more, which belong
// to the string, may stand before them.
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
