package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/scree-dem/scree/fileio"
)

// Report is the result of a study. R is a row of its table: a struct whose fields are the columns.
// The tag json is the name of a column, the tag show is its format in text (such as %.3g).
type Report[R any] struct {
	Machine Machine `json:"machine"`
	Rows    []R     `json:"rows"`
}

// Measured is a figure of a row that may be missing: NaN means not measured. Text and CSV then have
// an empty cell, and JSON has null.
type Measured float64

func notMeasured() Measured { return Measured(math.NaN()) }

func (m Measured) missing() bool { return math.IsNaN(float64(m)) }

// MarshalJSON writes null for a missing figure.
func (m Measured) MarshalJSON() ([]byte, error) {
	if m.missing() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(m))
}

// UnmarshalJSON reads the output of MarshalJSON.
func (m *Measured) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*m = notMeasured()
		return nil
	}
	return json.Unmarshal(text, (*float64)(m))
}

// Fitted is a report with fits to its rows, compared with the results of a paper.
type Fitted[R, F any] struct {
	Report[R]
	Fits []F `json:"fits"`
}

// WriteText writes the table of rows, and below it the table of fits; see Report.WriteText.
func (r *Fitted[R, F]) WriteText(w io.Writer, width int) error {
	return writeBoth(w, width, &r.Report, r.Fits)
}

// WriteFitsCSV writes the table of fits with unrounded numbers.
func (r *Fitted[R, F]) WriteFitsCSV(w io.Writer) error {
	return beside(&r.Report, r.Fits).WriteCSV(w)
}

// beside returns a second table of a report, such as the fits or the scenes, with the same machine.
func beside[S, R any](r *Report[R], rows []S) *Report[S] {
	return &Report[S]{Machine: r.Machine, Rows: rows}
}

// writeBoth writes the table of a report, and below it a second table if it has rows.
func writeBoth[R, S any](w io.Writer, width int, r *Report[R], rows []S) error {
	if err := r.WriteText(w, width); err != nil || len(rows) == 0 {
		return err
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	return beside(r, rows).WriteText(w, width)
}

// columns returns the names and formats of a row's fields.
func columns(t reflect.Type) (names, formats []string) {
	for i := range t.NumField() {
		names = append(names, t.Field(i).Tag.Get("json"))
		formats = append(formats, t.Field(i).Tag.Get("show"))
	}
	return names, formats
}

// WriteText writes the table as text. A table wider than width characters continues below, and each
// part repeats the first column. A column with the tag empty:"hide" is left out if all its cells
// are 0 or "-".
func (r *Report[R]) WriteText(w io.Writer, width int) error {
	names, formats := columns(reflect.TypeFor[R]())
	cells := make([][]string, len(r.Rows)+1)
	for c := range names {
		column, empty := []string{names[c]}, true
		for i := range r.Rows {
			value := reflect.ValueOf(&r.Rows[i]).Elem().Field(c).Interface()
			text := fmt.Sprintf(formats[c], value)
			if m, may := value.(Measured); may && m.missing() {
				text = ""
			}
			column, empty = append(column, text), empty && (text == "0" || text == "-")
		}
		if empty && reflect.TypeFor[R]().Field(c).Tag.Get("empty") == "hide" {
			continue
		}
		for i, text := range column {
			cells[i] = append(cells[i], text)
		}
	}
	names = cells[0]
	widths := make([]int, len(names))
	for _, row := range cells {
		for c, s := range row {
			widths[c] = max(widths[c], utf8.RuneCountInString(s))
		}
	}
	var out bytes.Buffer
	for from := 1; from < len(names); {
		to, used := from, widths[0]
		for to < len(names) && (to == from || used+2+widths[to] <= width) {
			used += 2 + widths[to]
			to++
		}
		if from > 1 {
			out.WriteByte('\n')
		}
		for _, row := range cells {
			line := fmt.Sprintf("%-*s", widths[0], row[0])
			for c := from; c < to; c++ {
				line += fmt.Sprintf("  %*s", widths[c], row[c])
			}
			out.WriteString(strings.TrimRight(line, " ") + "\n")
		}
		from = to
	}
	_, err := w.Write(out.Bytes())
	return err
}

// WriteCSV writes the rows with unrounded numbers.
func (r *Report[R]) WriteCSV(w io.Writer) error {
	names, _ := columns(reflect.TypeFor[R]())
	t := fileio.NewTableWriter(w, names)
	for i := range r.Rows {
		v := reflect.ValueOf(&r.Rows[i]).Elem()
		for c := range names {
			f := v.Field(c)
			m, may := f.Interface().(Measured)
			switch {
			case may && m.missing():
				t.Text("")
			case f.Kind() == reflect.Float64:
				t.Float(f.Float())
			case f.Kind() == reflect.Int || f.Kind() == reflect.Int64:
				t.Int(f.Int())
			default:
				t.Text(fmt.Sprint(f.Interface()))
			}
		}
		if err := t.EndRow(); err != nil {
			return err
		}
	}
	return t.Flush()
}
