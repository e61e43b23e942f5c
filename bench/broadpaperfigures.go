package bench

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/scree-dem/scree/vec"
)

// Figures returns the time of a step by number of balls, as Figs 11 and 12 of Muth et al. 2007, that of a particle by R/r, as
// Fig. 14, and the 300 discs with their pairs, as Figs 8 and 9.
func (r *BroadPaperReport) Figures() ([]Figure, error) {
	var figures []Figure
	for _, series := range namesOf(r.Rows, func(r *BroadPaperRow) string { return r.Series }) {
		broken := series == fracturedSeries
		p := newPlot("neighbour searches, "+series, "particles", "µs a step")
		if broken {
			p.X.Label.Text, p.Y.Label.Text = "R/r", "ns a particle and step"
		} else {
			p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.TickerFunc(decades)
		}
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(decades)
		p.Add(plotter.NewGrid())
		for i, m := range paperMethods {
			var points plotter.XYs
			for _, row := range r.rowsOf(series, m.name) {
				at := plotter.XY{X: float64(row.Bodies), Y: row.NsStep * float64(row.Bodies) / 1e3}
				if broken {
					at = plotter.XY{X: row.Ratio, Y: row.NsStep}
				}
				at.Y = max(at.Y, 1e-3)
				points = append(points, at)
			}
			if len(points) == 0 {
				continue
			}
			if err := addLine(p, m.name, i, points, true); err != nil {
				return nil, err
			}
		}
		p.Y.Min, p.Y.Max = p.Y.Min/1.5, p.Y.Max*1.5
		figures = append(figures, Figure{"broad-" + series, p})
	}
	for i := range r.snapshots {
		s := &r.snapshots[i]
		discs := newPlot(fmt.Sprintf("%d discs after %.3g s", len(s.at), s.time), "x, mm", "y, mm")
		discs.Add(circles{s.at, s.radius})
		discs.X.Min, discs.Y.Min = 0, 0
		figures = append(figures, Figure{"broad-discs-" + s.name, discs})
		matrix := newPlot(fmt.Sprintf("pairs of boxes after %.3g s", s.time), "j", "i")
		dots := make(plotter.XYs, len(s.pairs.A))
		for k, a := range s.pairs.A {
			// The first row is on top, as in a matrix.
			dots[k] = plotter.XY{X: float64(s.pairs.B[k] + 1), Y: -float64(a + 1)}
		}
		scatter, err := plotter.NewScatter(dots)
		if err != nil {
			return nil, fmt.Errorf("bench: %w", err)
		}
		scatter.GlyphStyle = draw.GlyphStyle{Color: hue(0), Radius: vg.Points(1.2), Shape: draw.CircleGlyph{}}
		matrix.Add(scatter)
		n := float64(len(s.at))
		matrix.X.Min, matrix.X.Max, matrix.Y.Min, matrix.Y.Max = 0, n, -n, 0
		matrix.Y.Tick.Marker = plot.TickerFunc(func(lo, hi float64) []plot.Tick {
			ticks := plot.DefaultTicks{}.Ticks(lo, hi)
			for i := range ticks {
				if ticks[i].Label != "" {
					ticks[i].Label = fmt.Sprint(-ticks[i].Value)
				}
			}
			return ticks
		})
		figures = append(figures, Figure{"broad-matrix-" + s.name, matrix})
	}
	return figures, nil
}

// circles draws discs, mm.
type circles struct {
	at     []vec.Vec3 // m
	radius []float64
}

// millimetres in a metre.
const millimetres = 1e3

// circleCorners is how many corners a disc is drawn with.
const circleCorners = 12

// Plot implements plot.Plotter.
func (c circles) Plot(to draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&to)
	for i, at := range c.at {
		corners := make([]vg.Point, circleCorners+1)
		for k := range corners {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / circleCorners)
			corners[k] = vg.Point{X: x(millimetres * (at.X + float64(c.radius[i]*cos))), Y: y(millimetres * (at.Y + float64(c.radius[i]*sin)))}
		}
		to.FillPolygon(pale(hue(0)), corners)
		to.StrokeLines(draw.LineStyle{Color: hue(0), Width: vg.Points(0.5)}, corners)
	}
}

// DataRange implements plot.DataRanger.
func (c circles) DataRange() (xmin, xmax, ymin, ymax float64) {
	for i, at := range c.at {
		xmax, ymax = max(xmax, millimetres*(at.X+c.radius[i])), max(ymax, millimetres*(at.Y+c.radius[i]))
	}
	return 0, xmax, 0, ymax
}
