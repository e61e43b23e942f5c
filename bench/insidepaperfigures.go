package bench

import (
	"fmt"

	"github.com/scree-dem/scree/internal/chart"
)

// Figures returns total time by faces. One figure for each method has a line for each grid, as Figs
// 7 to 9 and 12 to 14 of Muth et al. 2006. One figure has ray and both fmm methods on the smallest
// and the largest grid, as Figs 10 and 15, another has the same with -never. One figure has all
// methods on the largest grid.
func (r *InsidePaperReport) Figures() (figures []Figure) {
	for _, series := range distinct(r.Rows, func(r *InsidePaperRow) string { return r.Series }) {
		sides := r.sidesOf(series)
		for _, method := range distinct(r.Rows, func(r *InsidePaperRow) string { return r.Method }) {
			c := insideChart(series + ", " + method)
			for i, side := range sides {
				r.line(c, fmt.Sprintf("%d³ points", side), series, method, side, i, false)
			}
			figures = append(figures, Figure{"inside-" + series + "-" + method, c})
		}
		for _, direct := range []string{"", "-never"} {
			both := insideChart(series + ", both approaches of 2006" + map[string]string{"-never": ", expansions"}[direct])
			for i, side := range []int{sides[0], sides[len(sides)-1]} {
				for k, method := range []string{"ray", "fmm" + direct, "fmm-pre" + direct} {
					r.line(both, fmt.Sprintf("%s, %d³", method, side), series, method, side, k, i == 0)
				}
			}
			figures = append(figures, Figure{"inside-" + series + "-both" + direct, both})
		}
		last := sides[len(sides)-1]
		all := insideChart(fmt.Sprintf("%s, all methods, %d³ points", series, last))
		for k, method := range InsideMethods() {
			r.line(all, method, series, method, last, k, false)
		}
		figures = append(figures, Figure{"inside-" + series + "-all", all})
	}
	return figures
}

func insideChart(title string) *chart.Chart {
	c := &chart.Chart{Title: title, Grid: true}
	c.X.Title, c.X.Log, c.Y.Title, c.Y.Log = "faces", true, "setup and evaluation, s", true
	return c
}

// line adds the rows of a series, a method and a grid, if there are any.
func (r *InsidePaperReport) line(c *chart.Chart, name, series, method string, side, colour int, dashed bool) {
	line := chart.Line{Name: name, Colour: hue(colour), Dashed: dashed, Marks: true}
	addLine(c, line, r.rowsOf(series, method, side), func(row *InsidePaperRow) (x, y float64) {
		return float64(row.Faces), max(row.total(), 1e-6)
	})
}
