package bench

import (
	"image/color"
	"io"
	"slices"
	"strings"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/chart"
	"github.com/scree-dem/scree/soa"
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

// addLine adds the line through rows, if there are any.
func addLine[R any](c *chart.Chart, line chart.Line, rows []R, at func(r *R) (x, y float64)) {
	for i := range rows {
		x, y := at(&rows[i])
		line.Points = append(line.Points, chart.XY{X: x, Y: y})
	}
	if len(rows) > 0 {
		c.Lines = append(c.Lines, line)
	}
}

// NarrowFigures returns a figure for each regime: ns per pair by shape, with a line for each
// method.
func NarrowFigures(rows []NarrowRow) []Figure {
	var figures []Figure
	for _, regime := range distinct(rows, func(r *NarrowRow) string { return r.Regime }) {
		shapes := distinct(rows, func(r *NarrowRow) string { return r.Shape })
		p := &chart.Chart{Title: "narrow phase, " + regime, Grid: true}
		p.X.Names = shapes
		p.Y.Title, p.Y.Log = "ns per pair", true
		for i, name := range distinct(rows, nameOfRow) {
			line := rowsWith(rows, func(r *NarrowRow) bool { return r.Regime == regime && nameOfRow(r) == name })
			addLine(p, chart.Line{Name: name, Colour: hue(i), Marks: true}, line, func(r *NarrowRow) (x, y float64) {
				return float64(slices.Index(shapes, r.Shape)), max(r.NsPair, 0.1)
			})
		}
		figures = append(figures, Figure{"narrow-" + regime, p})
	}
	return figures
}

// nameOfRow returns the method, with its way if it is detector.
func nameOfRow(r *NarrowRow) string {
	if r.Way == "detector" {
		return r.Method + " " + r.Way
	}
	return r.Method
}

// shownMethods are the methods of the published figures, and ours. Other rows are only in the
// table.
var shownMethods = []string{"fds", "fds-paper", "fcp", "auto+contacts", "auto", "auto/detector"}

// Figures returns bars of R for each backend: by contact type for each test on single pairs, and by
// size for the scenes. It also returns the path of the walls' top bricks.
func (r *PaperReport) Figures() []Figure {
	var figures []Figure
	rows := rowsWith(r.Rows, func(r *PaperRow) bool { return slices.Contains(shownMethods, r.Method) })
	for _, backend := range distinct(rows, func(r *PaperRow) string { return r.Backend }) {
		var scenes []PaperRow
		for _, test := range distinct(rows, func(r *PaperRow) string { return r.Test }) {
			part := rowsWith(rows, func(r *PaperRow) bool { return r.Test == test && r.Backend == backend })
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
	figures = append(figures, r.frames...)
	if len(r.Displacement) > 0 {
		figures = append(figures, Figure{"paper-displacement", r.displacementPlot()})
	}
	return figures
}

// barsOf makes groups of bars of R, with one bar for each method and phase.
func barsOf(rows []PaperRow, title string, group func(r *PaperRow) string) *chart.Chart {
	groups := distinct(rows, group)
	kind := func(r *PaperRow) string { return r.Method + " " + r.Phase }
	methods := distinct(rows, func(r *PaperRow) string { return r.Method })
	p := &chart.Chart{Title: title}
	p.X.Names = groups
	p.Y.Title = "R, time of direct search over time"
	for _, k := range distinct(rows, kind) {
		values := make([]float64, len(groups))
		method, phase, _ := strings.Cut(k, " ")
		for _, r := range rowsWith(rows, func(r *PaperRow) bool { return kind(r) == k }) {
			values[slices.Index(groups, group(&r))] = r.R
		}
		colour := hue(slices.Index(methods, method))
		if phase == "initial" {
			colour = pale(colour)
		}
		p.Bars = append(p.Bars, chart.Bars{Name: k, Colour: colour, Values: values})
	}
	return p
}

// lastFrame draws the edges of all blocks but the floor, seen along y.
func lastFrame(w *engine.World, name string) *chart.Chart {
	p := &chart.Chart{Title: name + ", last frame", Equal: true}
	p.X.Title, p.Y.Title = "x, m", "z, m"
	pieces, bodies := w.Pieces(), w.Bodies()
	for i := range pieces.Len() {
		if bodies.InvMass[pieces.Body[i]] == 0 {
			continue
		}
		v, pose := w.Shapes().View(pieces.Shape[i]), pieces.Pose(bodies, soa.Piece(i))
		for _, h := range v.Edge {
			a, b := pose.Point(v.Vert(v.Tail[h])), pose.Point(v.Vert(v.Head(h)))
			p.Lines = append(p.Lines, chart.Line{Colour: hue(6), Width: 0.7, Points: []chart.XY{{X: a.X, Y: a.Z}, {X: b.X, Y: b.Z}}})
		}
	}
	return p
}

// displacementPlot shows how far the highest block of each scene has risen after each step.
func (r *PaperReport) displacementPlot() *chart.Chart {
	p := &chart.Chart{Title: "centre of the highest block", Grid: true}
	p.X.Title, p.Y.Title = "step", "vertical displacement, mm"
	for i, name := range PaperScenes() {
		step := 0.0
		addLine(p, chart.Line{Name: name, Colour: hue(i)}, r.Displacement[name], func(rise *float64) (x, y float64) {
			step++
			return step, millimetres * *rise
		})
	}
	return p
}
