package bench

import (
	"fmt"
	"math"
)

// paperExponents are the exponents of the time of a run in Muth et al. 2007, Fig. 12.
var paperExponents = map[string]string{"vl": "1.8", "lc": "1.15", wideCells: "1.15", "lll": "1.36"}

// fit computes the exponent of a step's time as a power of the number of balls. For balls of one
// size it also computes the exponent for the number of pairs. For the fractured series it computes
// the cost of a particle at the largest R/r relative to R/r = 1, and the R/r at which lc and lll
// cost the same.
func (r *BroadPaperReport) fit() {
	for _, series := range distinct(r.Rows, func(r *BroadPaperRow) string { return r.Series }) {
		for _, method := range distinct(r.Rows, func(r *BroadPaperRow) string { return r.Method }) {
			rows := r.rowsOf(series, method)
			if len(rows) < 2 {
				continue
			}
			add := func(what string, found float64, paper string) {
				r.Fits = append(r.Fits, BroadPaperFit{series, method, what, found, paper})
			}
			paper := "-"
			if name, known := paperExponents[method]; known && series == equalSeries {
				paper = name
			}
			add("exponent", exponent(rows, func(*BroadPaperRow) float64 { return 1 }), paper)
			switch series {
			case equalSeries:
				add("exponent by pairs", exponent(rows, func(r *BroadPaperRow) float64 { return r.Pairs }), "-")
			case fracturedSeries:
				last := rows[len(rows)-1]
				add(fmt.Sprintf("ns at R/r %g over R/r 1", last.Ratio), last.NsStep/rows[0].NsStep, "-")
			}
		}
	}
	r.cross("lc", "lll")
	r.cross(wideCells, "lll")
}

// cross adds the R/r at which two methods cost the same.
func (r *BroadPaperReport) cross(one, other string) {
	a, b := r.rowsOf(fracturedSeries, one), r.rowsOf(fracturedSeries, other)
	for k := 1; k < len(a) && k < len(b); k++ {
		was, now := math.Log(a[k-1].NsStep/b[k-1].NsStep), math.Log(a[k].NsStep/b[k].NsStep)
		if was*now <= 0 && was != now {
			at := a[k-1].Ratio + float64(was/(was-now)*(a[k].Ratio-a[k-1].Ratio))
			r.Fits = append(r.Fits, BroadPaperFit{fracturedSeries, one + ", " + other, "crossing R/r", at, "2.5"})
		}
	}
}

// rowsOf returns the rows of a series and a method, in order.
func (r *BroadPaperReport) rowsOf(series, method string) []BroadPaperRow {
	return rowsWith(r.Rows, func(row *BroadPaperRow) bool { return row.Series == series && row.Method == method })
}

// exponent returns the exponent of a step's time as a power of a quantity. of returns this quantity
// per ball.
func exponent(rows []BroadPaperRow, of func(*BroadPaperRow) float64) float64 {
	return slope(rows,
		func(r *BroadPaperRow) float64 { return of(r) * float64(r.Bodies) },
		func(r *BroadPaperRow) float64 { return r.NsStep * float64(r.Bodies) })
}
