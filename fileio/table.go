package fileio

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxColumns is the largest number of columns of a table.
const maxColumns = 1 << 12

// header is the line with the column names of a table, which may be in any order. A column is
// identified by its index in columns.
type header struct {
	name    string   // file name
	line    int      // line number, from 1
	values  int      // number of values in a row
	columns []string // required, then optional
	others  bool     // other columns are allowed and ignored
	place   []int    // by column: its position in a row of the file, or -1
}

// parse reads the text of the header line. Unknown columns (unless h.others is set), missing
// columns and repeated columns are errors that name them.
func (h *header) parse(text []byte, required int) error {
	reader := csv.NewReader(bytes.NewReader(text))
	reader.TrimLeadingSpace = true
	titles, err := reader.Read()
	switch {
	case len(text) == 0:
		return &InputError{File: h.name, Line: h.line, Err: ErrTruncated, Want: "a header line with " + strings.Join(h.columns[:required], ",")}
	case errors.Is(err, csv.ErrQuote):
		return h.fault("header", string(text), `a value in quotes with each " inside doubled`)
	case err != nil: // csv.ErrBareQuote
		return h.fault("header", string(text), `a value with " in it to be in quotes`)
	case len(titles) > maxColumns:
		return h.fault("", strconv.Itoa(len(titles))+" columns", fmt.Sprintf("at most %d", maxColumns))
	}
	h.values, h.place = len(titles), slices.Repeat([]int{-1}, len(h.columns))
	var unknown, missing []string
	for at, title := range titles {
		title = strings.TrimSpace(title)
		column := slices.Index(h.columns, title)
		switch {
		case column < 0 && h.others:
		case column < 0:
			unknown = append(unknown, title)
		case h.place[column] >= 0:
			return h.fault("header", title, "each column once")
		default:
			h.place[column] = at
		}
	}
	for i, name := range h.columns[:required] {
		if h.place[i] < 0 {
			missing = append(missing, name)
		}
	}
	switch value := strings.Join(unknown, ", "); {
	case len(unknown) > 0 && !utf8.ValidString(value):
		return h.fault("header, unknown columns", value, "text in UTF-8, with columns among "+strings.Join(h.columns, ", "))
	case len(unknown) > 0:
		return h.fault("header, unknown columns", value, "columns among "+strings.Join(h.columns, ", "))
	case len(missing) > 0:
		return h.fault("header", strings.Join(titles, ","), "also the columns "+strings.Join(missing, ", "))
	}
	return nil
}

func (h *header) fault(item, value, want string) error {
	return &InputError{File: h.name, Line: h.line, Item: item, Value: value, Want: want}
}
