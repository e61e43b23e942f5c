package bench

import (
	"fmt"

	"github.com/scree-dem/scree/internal/chart"
)

// Figures returns, for each block, the time of a step by number of balls (Figs 11 and 12 of Muth et
// al. 2007) and the time per particle by R/r (Fig. 14). It also returns the 300 discs with their pairs (Figs 8 and 9).
func (r *BroadPaperReport) Figures() (figures []Figure) {
	titles := map[string]string{searchBlock: "neighbour searches", wholeBlock: "whole steps"}
	names := map[string]string{searchBlock: "broad-", wholeBlock: "broad-whole-"}
	for _, block := range distinct(r.Rows, func(r *BroadPaperRow) string { return r.Block }) {
		for _, series := range distinct(r.Rows, func(r *BroadPaperRow) string { return r.Series }) {
			broken := series == fracturedSeries
			p := &chart.Chart{Title: titles[block] + ", " + series, Grid: true}
			p.X.Title, p.X.Log, p.Y.Title, p.Y.Log = "particles", true, "µs a step", true
			if broken {
				p.X.Title, p.X.Log, p.Y.Title = "R/r", false, "ns a particle and step"
			}
			for i, m := range paperMethods {
				line := chart.Line{Name: m.name, Colour: hue(i), Marks: true}
				addLine(p, line, r.rowsOf(series, block, m.name), func(row *BroadPaperRow) (x, y float64) {
					if broken {
						return row.Ratio, max(row.NsStep, 1e-3)
					}
					return float64(row.Bodies), max(row.NsStep*float64(row.Bodies)/1e3, 1e-3)
				})
			}
			figures = append(figures, Figure{names[block] + series, p})
		}
	}
	for i := range r.snapshots {
		s := &r.snapshots[i]
		discs := make([]chart.Disc, len(s.at))
		for k, at := range s.at {
			discs[k] = chart.Disc{X: millimetres * at.X, Y: millimetres * at.Y, R: millimetres * s.radius[k]}
		}
		picture := &chart.Chart{Title: fmt.Sprintf("%d discs after %.3g s", len(s.at), s.time), Equal: true}
		picture.X.Title, picture.Y.Title = "x, mm", "y, mm"
		picture.Discs = []chart.Discs{{Fill: pale(hue(0)), Border: hue(0), All: discs}}
		figures = append(figures, Figure{"broad-discs-" + s.name, picture})

		n := float64(len(s.at))
		dots := make([]chart.Disc, len(s.pairs.A))
		for k, a := range s.pairs.A {
			dots[k] = chart.Disc{X: float64(s.pairs.B[k] + 1), Y: float64(a + 1), R: matrixDot * n}
		}
		matrix := &chart.Chart{Title: fmt.Sprintf("pairs of boxes after %.3g s", s.time), Equal: true}
		matrix.X = chart.Axis{Title: "j", Min: 0, Max: n}
		matrix.Y = chart.Axis{Title: "i", Min: 0, Max: n, Down: true} // the first row is on top
		matrix.Discs = []chart.Discs{{Fill: hue(0), Border: hue(0), All: dots}}
		figures = append(figures, Figure{"broad-matrix-" + s.name, matrix})
	}
	return figures
}

// millimetres is the number of millimetres in a metre.
const millimetres = 1e3

// matrixDot is the radius of a pair's dot in the picture of a matrix, over the number of rows.
const matrixDot = 0.003
