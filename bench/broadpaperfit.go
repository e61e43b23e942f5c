package bench

import (
	"fmt"
	"math"
)

// paperExponents are the exponents of the time of a run in Muth et al. 2007, Fig. 12.
var paperExponents = map[string]string{"vl": "1.8", "lc": "1.15", wideCells: "1.15", "lll": "1.36"}

// fit computes, for each block, the exponent of a step's time as a power of the number of balls. For
// balls of one size it also computes the exponent for the number of pairs. For the fractured series
// it computes the cost of a particle at the largest R/r relative to R/r = 1, and the R/r at which
// linked cells and lll cost the same.
func (r *BroadPaperReport) fit() {
	methods := distinct(r.Rows, func(r *BroadPaperRow) string { return r.Method })
	for _, block := range distinct(r.Rows, func(r *BroadPaperRow) string { return r.Block }) {
		for _, series := range distinct(r.Rows, func(r *BroadPaperRow) string { return r.Series }) {
			for _, method := range methods {
				rows := r.rowsOf(series, block, method)
				if len(rows) < 2 {
					continue
				}
				add := func(what string, found float64, paper string) {
					r.Fits = append(r.Fits, BroadPaperFit{series, block, method, what, Measured(found), paper, "-"})
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
		r.cross(block, "lc", "lll")
		r.cross(block, wideCells, "lll")
	}
}

// cross adds the R/r at which two methods cost the same in a block. Between two systems the
// logarithm of the ratio of times is taken as linear in R/r. If the ratio stays on one side of 1,
// the fit has no value, and its note names the faster method.
func (r *BroadPaperReport) cross(block, one, other string) {
	a, b := r.rowsOf(fracturedSeries, block, one), r.rowsOf(fracturedSeries, block, other)
	if len(a) < 2 || len(a) != len(b) {
		return
	}
	fit := BroadPaperFit{fracturedSeries, block, one + ", " + other, "crossing R/r", notMeasured(), "2.5", "-"}
	for k := 1; k < len(a); k++ {
		was, now := math.Log(a[k-1].NsStep/b[k-1].NsStep), math.Log(a[k].NsStep/b[k].NsStep)
		if was*now <= 0 && was != now {
			fit.Found = Measured(a[k-1].Ratio + float64(was/(was-now)*(a[k].Ratio-a[k-1].Ratio)))
			r.Fits = append(r.Fits, fit)
		}
	}
	if fit.Found.missing() {
		faster := one
		if a[0].NsStep > b[0].NsStep {
			faster = other
		}
		fit.Note = fmt.Sprintf("none: %s is faster from R/r %g to %g", faster, a[0].Ratio, a[len(a)-1].Ratio)
		r.Fits = append(r.Fits, fit)
	}
}

// rowsOf returns the rows of a series, a block and a method, in order.
func (r *BroadPaperReport) rowsOf(series, block, method string) []BroadPaperRow {
	return rowsWith(r.Rows, func(row *BroadPaperRow) bool {
		return row.Series == series && row.Block == block && row.Method == method
	})
}

// exponent returns the exponent of a step's time as a power of a quantity. of returns this quantity
// per ball.
func exponent(rows []BroadPaperRow, of func(*BroadPaperRow) float64) float64 {
	return slope(rows,
		func(r *BroadPaperRow) float64 { return of(r) * float64(r.Bodies) },
		func(r *BroadPaperRow) float64 { return r.NsStep * float64(r.Bodies) })
}
