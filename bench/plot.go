package bench

import (
	"image/color"
	"io"
	"slices"

	"github.com/scree-dem/scree/internal/chart"
)

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

// addLines adds a line with marks for each look of the rows, in order of the first occurrence. Rows for which lookOf
// returns false have no point.
func addLines[R any](c *chart.Chart, rows []R, lookOf func(r *R) (look, bool), at func(r *R) (x, y float64)) {
	var looks []look
	for i := range rows {
		l, ok := lookOf(&rows[i])
		if !ok {
			continue
		}
		k := slices.Index(looks, l)
		if k < 0 {
			k, looks = len(looks), append(looks, l)
			c.Lines = append(c.Lines, chart.Line{Name: l.name, Colour: hue(l.hue), Dashed: l.dashed, Marks: true})
		}
		x, y := at(&rows[i])
		line := &c.Lines[len(c.Lines)-len(looks)+k]
		line.Points = append(line.Points, chart.XY{X: x, Y: y})
	}
}

// newChart returns a chart with a grid and titles.
func newChart(title, x string, logX bool, y string, logY bool) *chart.Chart {
	return &chart.Chart{Title: title, Grid: true, X: chart.Axis{Title: x, Log: logX}, Y: chart.Axis{Title: y, Log: logY}}
}
