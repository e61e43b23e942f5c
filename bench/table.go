package bench

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"image/color"
	"io"
	"math"
	"reflect"
	"runtime"
	"strings"
	"unicode/utf8"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/chart"
	"github.com/scree-dem/scree/internal/cpu"
)

// Report is the result of a study.
type Report struct {
	Machine Machine
	Tables  []table // the first has the rows of the study
	Figures []Figure
	// Complete reports whether all rows were measured.
	Complete bool
}

// table is a table of a report. Rows is a slice of structs, whose fields are the columns. The tag json is the name of a
// column, the tag show is its format in text (such as %.3g).
type table struct {
	Key  string // name in JSON; a table without a key is in its CSV file alone
	File string // name of the CSV file after that of the study; the first table has none
	Rows any
	Note string // a text below the table instead of an empty line
}

// Machine describes the machine of a measurement. Rows from different machines are not comparable.
type Machine struct {
	Processor string     `json:"processor"`
	Cores     int        `json:"cores"`
	Threads   int        `json:"threads"`
	Caches    cpu.Caches `json:"caches"`
	Backend   string     `json:"backend"`
	Version   string     `json:"version"` // of scree
	Go        string     `json:"go"`
}

// thisMachine describes the machine of this process and the backend in use.
func thisMachine(version string) Machine {
	p := cpu.Describe()
	return Machine{p.Name, p.Cores, p.Threads, p.Caches, cpu.Selected(), version, runtime.Version()}
}

// add adds a table; see table.
func (r *Report) add(key, file string, rows any) {
	r.Tables = append(r.Tables, table{Key: key, File: file, Rows: rows})
}

// Rows returns the number of rows of the study.
func (r *Report) Rows() int { return reflect.ValueOf(r.Tables[0].Rows).Len() }

// Object returns the report as a struct that package json writes: the machine, then each table under its key.
func (r *Report) Object() any {
	fields := []reflect.StructField{{Name: "Machine", Type: reflect.TypeFor[Machine](), Tag: `json:"machine"`}}
	values := []reflect.Value{reflect.ValueOf(r.Machine)}
	for i, t := range r.Tables {
		if t.Key != "" {
			tag := reflect.StructTag(fmt.Sprintf(`json:"%s"`, t.Key))
			fields = append(fields, reflect.StructField{Name: fmt.Sprintf("Table%d", i), Type: reflect.TypeOf(t.Rows), Tag: tag})
			values = append(values, reflect.ValueOf(t.Rows))
		}
	}
	object := reflect.New(reflect.StructOf(fields)).Elem()
	for i, v := range values {
		object.Field(i).Set(v)
	}
	return object.Interface()
}

// WriteText writes the tables that have a key, except empty ones after the first.
func (r *Report) WriteText(w io.Writer, width int) error {
	var out bytes.Buffer
	below := ""
	for i := range r.Tables {
		if t := &r.Tables[i]; i == 0 || t.Key != "" && reflect.ValueOf(t.Rows).Len() > 0 {
			out.WriteString(below)
			t.writeText(&out, width)
			below = cmp.Or(t.Note, "\n")
		}
	}
	_, err := w.Write(out.Bytes())
	return err
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

// columns returns the names and formats of a row's fields.
func columns(t reflect.Type) (names, formats []string) {
	for i := range t.NumField() {
		names = append(names, t.Field(i).Tag.Get("json"))
		formats = append(formats, t.Field(i).Tag.Get("show"))
	}
	return names, formats
}

// writeText writes the table as text. A table wider than width characters continues below, and each
// part repeats the first column. A column with the tag empty:"hide" is left out if all its cells
// are 0 or "-".
func (t *table) writeText(out *bytes.Buffer, width int) {
	rows := reflect.ValueOf(t.Rows)
	kind := rows.Type().Elem()
	names, formats := columns(kind)
	cells := make([][]string, rows.Len()+1)
	for c := range names {
		column, empty := []string{names[c]}, true
		for i := range rows.Len() {
			value := rows.Index(i).Field(c).Interface()
			text := fmt.Sprintf(formats[c], value)
			if m, may := value.(Measured); may && m.missing() {
				text = ""
			}
			column, empty = append(column, text), empty && (text == "0" || text == "-")
		}
		if empty && kind.Field(c).Tag.Get("empty") == "hide" {
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
}

// WriteCSV writes the rows with unrounded numbers.
func (t *table) WriteCSV(w io.Writer) error {
	rows := reflect.ValueOf(t.Rows)
	names, _ := columns(rows.Type().Elem())
	to := fileio.NewTableWriter(w, names)
	for i := range rows.Len() {
		for c := range names {
			f := rows.Index(i).Field(c)
			m, may := f.Interface().(Measured)
			switch {
			case may && m.missing():
				to.Text("")
			case f.Kind() == reflect.Float64:
				to.Float(f.Float())
			case f.Kind() == reflect.Int || f.Kind() == reflect.Int64:
				to.Int(f.Int())
			default:
				to.Text(fmt.Sprint(f.Interface()))
			}
		}
		if err := to.EndRow(); err != nil {
			return err
		}
	}
	return to.Flush()
}

// Figure is a plot with a file name without its extension.
type Figure struct {
	Name string
	plot *chart.Chart
}

// WriteSVG writes the figure.
func (f *Figure) WriteSVG(w io.Writer) error { return f.plot.WriteSVG(w) }

// hues are colours that colour-blind people can distinguish.
var hues = []color.RGBA{
	{0, 114, 178, 255}, {230, 159, 0, 255}, {0, 158, 115, 255}, {213, 94, 0, 255}, {86, 180, 233, 255},
	{204, 121, 167, 255}, {0, 0, 0, 255}, {240, 228, 66, 255}, {120, 120, 120, 255}, {150, 75, 0, 255},
}

func hue(i int) color.RGBA { return hues[i%len(hues)] }

// pale returns the colour half-way to white.
func pale(c color.RGBA) color.RGBA { return color.RGBA{c.R/2 + 127, c.G/2 + 127, c.B/2 + 127, 255} }

// look is the name and the style of a line.
type look struct {
	name   string
	hue    int
	dashed bool
}

// addLines adds a line with marks for each look of the rows, in order of the first occurrence.
func addLines[R any](c *chart.Chart, rows []R, lookOf func(r *R) look, at func(r *R) (x, y float64)) {
	for _, of := range groups(rows, lookOf) {
		l := lookOf(&of[0])
		line := chart.Line{Name: l.name, Colour: hue(l.hue), Dashed: l.dashed, Marks: true}
		for i := range of {
			x, y := at(&of[i])
			line.Points = append(line.Points, chart.XY{X: x, Y: y})
		}
		c.Lines = append(c.Lines, line)
	}
}

// newChart returns a chart with a grid and titles.
func newChart(title, x string, logX bool, y string, logY bool) *chart.Chart {
	return &chart.Chart{Title: title, Grid: true, X: chart.Axis{Title: x, Log: logX}, Y: chart.Axis{Title: y, Log: logY}}
}
