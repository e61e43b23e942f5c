package bench

import (
	"image/color"
	"io"
	"slices"
	"strings"

	"github.com/scree-dem/scree/internal/chart"
)

// Figure is a plot that knows the name of its file, without the ending.
type Figure struct {
	Name string
	plot *chart.Chart
}

// WriteSVG writes the figure.
func (f *Figure) WriteSVG(w io.Writer) error { return f.plot.WriteSVG(w) }

// hues are ones that people who do not see all colours can tell apart.
var hues = []color.RGBA{
	{0, 114, 178, 255}, {230, 159, 0, 255}, {0, 158, 115, 255}, {213, 94, 0, 255}, {86, 180, 233, 255},
	{204, 121, 167, 255}, {0, 0, 0, 255}, {240, 228, 66, 255}, {120, 120, 120, 255}, {150, 75, 0, 255},
}

func hue(i int) color.RGBA { return hues[i%len(hues)] }

// pale is a colour half-way to white.
func pale(c color.RGBA) color.RGBA { return color.RGBA{c.R/2 + 127, c.G/2 + 127, c.B/2 + 127, 255} }

// NarrowFigures returns, for each regime, ns per pair by shape, a line for each method.
func NarrowFigures(rows []NarrowRow) []Figure {
	var figures []Figure
	for _, regime := range namesOf(rows, func(r *NarrowRow) string { return r.Regime }) {
		shapes := namesOf(rows, func(r *NarrowRow) string { return r.Shape })
		p := &chart.Chart{Title: "narrow phase, " + regime, Grid: true}
		p.X.Names = shapes
		p.Y.Title, p.Y.Log = "ns per pair", true
		for i, name := range namesOf(rows, nameOfRow) {
			var points []chart.Point
			for k := range rows {
				if r := &rows[k]; r.Regime == regime && nameOfRow(r) == name {
					points = append(points, chart.Point{X: float64(slices.Index(shapes, r.Shape)), Y: max(r.NsPair, 0.1)})
				}
			}
			if len(points) > 0 {
				p.AddLine(chart.Line{Name: name, Colour: hue(i), Marks: true, Points: points})
			}
		}
		figures = append(figures, Figure{"narrow-" + regime, p})
	}
	return figures
}

// nameOfRow tells the ways of one method apart.
func nameOfRow(r *NarrowRow) string {
	if r.Way == "batch" {
		return r.Method + " " + r.Way
	}
	return r.Method
}

// namesOf returns the different names of rows, in order.
func namesOf[R any](rows []R, name func(r *R) string) []string {
	var names []string
	for i := range rows {
		if n := name(&rows[i]); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// shownMethods are those of the published figures, and ours: other rows are in the table only.
var shownMethods = []string{"fds", "fds-paper", "fcp", "auto+contacts", "auto", "auto/batch"}

// Figures returns the bars of R by contact type for each test, by size for the scenes, each by backend, and the way of
// the walls' tops.
func (r *PaperReport) Figures() []Figure {
	var figures []Figure
	rows := slices.DeleteFunc(slices.Clone(r.Rows), func(r PaperRow) bool { return !slices.Contains(shownMethods, r.Method) })
	for _, backend := range namesOf(rows, func(r *PaperRow) string { return r.Backend }) {
		var scenes []PaperRow
		for _, test := range namesOf(rows, func(r *PaperRow) string { return r.Test }) {
			part := slices.DeleteFunc(slices.Clone(rows), func(r PaperRow) bool { return r.Test != test || r.Backend != backend })
			if len(part) == 0 {
				continue // interrupted before this backend
			}
			if part[0].Type == "all" {
				scenes = append(scenes, part...)
				continue
			}
			p := barsOf(part, test+", "+backend, func(r *PaperRow) string { return r.Type })
			figures = append(figures, Figure{"paper-" + test + "-" + backend, p})
		}
		if len(scenes) > 0 {
			p := barsOf(scenes, "scenes, "+backend, func(r *PaperRow) string { return r.Test })
			figures = append(figures, Figure{"paper-scenes-" + backend, p})
		}
	}
	if len(r.Displacement) > 0 {
		figures = append(figures, Figure{"paper-displacement", r.displacementPlot()})
	}
	return figures
}

// barsOf makes groups of bars of R, one of each method and phase.
func barsOf(rows []PaperRow, title string, group func(r *PaperRow) string) *chart.Chart {
	groups := namesOf(rows, group)
	kind := func(r *PaperRow) string { return r.Method + " " + r.Phase }
	methods := namesOf(rows, func(r *PaperRow) string { return r.Method })
	p := &chart.Chart{Title: title}
	p.X.Names = groups
	p.Y.Title = "R, time of direct search over time"
	for _, k := range namesOf(rows, kind) {
		values := make([]float64, len(groups))
		method, phase, _ := strings.Cut(k, " ")
		for j := range rows {
			if r := &rows[j]; kind(r) == k {
				values[slices.Index(groups, group(r))] = r.R
			}
		}
		colour := hue(slices.Index(methods, method))
		if phase == "initial" {
			colour = pale(colour)
		}
		p.AddBars(k, colour, values)
	}
	return p
}

// displacementPlot shows how far the top brick of each wall has risen, against the step.
func (r *PaperReport) displacementPlot() *chart.Chart {
	p := &chart.Chart{Title: "centre of the top brick", Grid: true}
	p.X.Title, p.Y.Title = "step", "vertical displacement, mm"
	for i, name := range PaperScenes() {
		rise := r.Displacement[name]
		if len(rise) == 0 {
			continue
		}
		points := make([]chart.Point, len(rise))
		for k, z := range rise {
			points[k] = chart.Point{X: float64(k + 1), Y: 1e3 * z}
		}
		p.AddLine(chart.Line{Name: name, Colour: hue(i), Points: points})
	}
	return p
}
