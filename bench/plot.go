package bench

import (
	"fmt"
	"image/color"
	"io"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Figure is a plot that knows the name of its file, without the ending. Its legend stands beside it.
type Figure struct {
	Name string
	plot *plot.Plot
}

// The size of a figure.
const (
	figureWide = 20 * vg.Centimeter
	figureHigh = 12 * vg.Centimeter
	legendGap  = 5 * vg.Millimeter
)

// WriteSVG writes the figure.
func (f *Figure) WriteSVG(w io.Writer) error {
	c := vgsvg.New(figureWide, figureHigh)
	all := draw.New(c)
	p := *f.plot
	p.Legend = plot.NewLegend()
	p.Draw(draw.Crop(all, 0, -f.plot.Legend.Rectangle(all).Size().X-legendGap, 0, 0))
	f.plot.Legend.Draw(all)
	if _, err := c.WriteTo(w); err != nil {
		return fmt.Errorf("bench: figure %s: %w", f.Name, err)
	}
	return nil
}

// hues are ones that people who do not see all colours can tell apart.
var hues = []color.RGBA{
	{0, 114, 178, 255}, {230, 159, 0, 255}, {0, 158, 115, 255}, {213, 94, 0, 255}, {86, 180, 233, 255},
	{204, 121, 167, 255}, {0, 0, 0, 255}, {240, 228, 66, 255}, {120, 120, 120, 255}, {150, 75, 0, 255},
}

func hue(i int) color.RGBA { return hues[i%len(hues)] }

// pale is a colour half-way to white.
func pale(c color.RGBA) color.RGBA { return color.RGBA{c.R/2 + 127, c.G/2 + 127, c.B/2 + 127, 255} }

func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Legend.Top = true
	p.Legend.TextStyle.Font.Size = vg.Points(10)
	return p
}

// addLine adds a line with a mark at each point.
func addLine(p *plot.Plot, name string, i int, points plotter.XYs, marks bool) error {
	line, scatter, err := plotter.NewLinePoints(points)
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	line.Color, scatter.Color = hue(i), hue(i)
	p.Add(line)
	p.Legend.Add(name, line)
	if marks {
		p.Add(scatter)
	}
	return nil
}

// NarrowFigures returns, for each regime, ns per pair by shape, a line for each method.
func NarrowFigures(rows []NarrowRow) ([]Figure, error) {
	var figures []Figure
	for _, regime := range namesOf(rows, func(r *NarrowRow) string { return r.Regime }) {
		shapes := namesOf(rows, func(r *NarrowRow) string { return r.Shape })
		p := newPlot("narrow phase, "+regime, "", "ns per pair")
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(decades)
		p.Add(plotter.NewGrid())
		for i, name := range namesOf(rows, nameOfRow) {
			var points plotter.XYs
			for k := range rows {
				if r := &rows[k]; r.Regime == regime && nameOfRow(r) == name {
					points = append(points, plotter.XY{X: float64(slices.Index(shapes, r.Shape)), Y: max(r.NsPair, 0.1)})
				}
			}
			if len(points) == 0 {
				continue
			}
			if err := addLine(p, name, i, points, true); err != nil {
				return nil, err
			}
		}
		p.NominalX(shapes...)
		p.X.Min, p.X.Max = -0.5, float64(len(shapes))-0.5
		p.Y.Min, p.Y.Max = p.Y.Min/1.5, p.Y.Max*1.5 // No mark on the frame.
		figures = append(figures, Figure{"narrow-" + regime, p})
	}
	return figures, nil
}

// decades is the ticks of a logarithmic axis, all numbers written in one way.
func decades(lo, hi float64) []plot.Tick {
	ticks := plot.LogTicks{}.Ticks(lo, hi)
	for i := range ticks {
		if t := &ticks[i]; t.Label != "" {
			t.Label = strconv.FormatFloat(t.Value, 'f', -1, 64)
		}
	}
	return ticks
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
func (r *PaperReport) Figures() ([]Figure, error) {
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
			p, err := barsOf(part, test+", "+backend, func(r *PaperRow) string { return r.Type })
			if err != nil {
				return nil, err
			}
			figures = append(figures, Figure{"paper-" + test + "-" + backend, p})
		}
		if len(scenes) > 0 {
			p, err := barsOf(scenes, "scenes, "+backend, func(r *PaperRow) string { return r.Test })
			if err != nil {
				return nil, err
			}
			figures = append(figures, Figure{"paper-scenes-" + backend, p})
		}
	}
	if len(r.Displacement) > 0 {
		p, err := r.displacementPlot()
		if err != nil {
			return nil, err
		}
		figures = append(figures, Figure{"paper-displacement", p})
	}
	return figures, nil
}

// barsOf makes groups of bars of R, one of each method and phase.
func barsOf(rows []PaperRow, title string, group func(r *PaperRow) string) (*plot.Plot, error) {
	p := newPlot(title, "", "R, time of direct search over time")
	groups := namesOf(rows, group)
	kind := func(r *PaperRow) string { return r.Method + " " + r.Phase }
	kinds := namesOf(rows, kind)
	methods := namesOf(rows, func(r *PaperRow) string { return r.Method })
	wide := figureWide * 0.65 / vg.Length(len(groups)*(len(kinds)+1)) // Axis and legend take the rest.
	for i, k := range kinds {
		values := make(plotter.Values, len(groups))
		method, phase, _ := strings.Cut(k, " ")
		for j := range rows {
			if r := &rows[j]; kind(r) == k {
				values[slices.Index(groups, group(r))] = r.R
			}
		}
		bars, err := plotter.NewBarChart(values, wide)
		if err != nil {
			return nil, fmt.Errorf("bench: %w", err)
		}
		bars.Color, bars.LineStyle.Width = hue(slices.Index(methods, method)), 0
		if phase == "initial" {
			bars.Color = pale(hue(slices.Index(methods, method)))
		}
		bars.Offset = wide * vg.Length(2*i-len(kinds)+1) / 2
		p.Add(bars)
		p.Legend.Add(k, bars)
	}
	p.NominalX(groups...)
	p.X.Min, p.X.Max = -0.5, float64(len(groups))-0.5
	p.Y.Max *= 1.05 // No bar at the frame.
	return p, nil
}

// displacementPlot shows how far the top brick of each wall has risen, against the step.
func (r *PaperReport) displacementPlot() (*plot.Plot, error) {
	p := newPlot("centre of the top brick", "step", "vertical displacement, mm")
	for i, name := range PaperScenes() {
		rise := r.Displacement[name]
		if len(rise) == 0 {
			continue
		}
		points := make(plotter.XYs, len(rise))
		for k, z := range rise {
			points[k] = plotter.XY{X: float64(k + 1), Y: 1e3 * z}
		}
		if err := addLine(p, name, i, points, false); err != nil {
			return nil, err
		}
	}
	return p, nil
}
