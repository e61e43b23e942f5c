package bench

import (
	"fmt"
	"io"
	"math"
)

// paperExponents are the fits of Muth et al. 2007, Fig. 12, of the time of a run.
var paperExponents = map[string]string{"vl": "1.8", "lc": "1.15", wideCells: "1.15", "lll": "1.36"}

// fit finds the power of the number of balls, and of balls of one size that of pairs, that the time of a step grows with, and for the fractured series how much more a
// particle costs at the largest R/r, and where lc and lll cost the same.
func (r *BroadPaperReport) fit() {
	for _, series := range namesOf(r.Rows, func(r *BroadPaperRow) string { return r.Series }) {
		for _, method := range namesOf(r.Rows, func(r *BroadPaperRow) string { return r.Method }) {
			rows := r.rowsOf(series, method)
			if len(rows) < 2 {
				continue
			}
			paper := "-"
			if name, known := paperExponents[method]; known && series == equalSeries {
				paper = name
			}
			r.Fits = append(r.Fits, BroadPaperFit{series, method, "exponent", exponent(rows, func(*BroadPaperRow) float64 { return 1 }), paper})
			if series == equalSeries {
				byPairs := exponent(rows, func(r *BroadPaperRow) float64 { return r.Pairs })
				r.Fits = append(r.Fits, BroadPaperFit{series, method, "exponent by pairs", byPairs, "-"})
			}
			if series == fracturedSeries {
				last := rows[len(rows)-1]
				r.Fits = append(r.Fits, BroadPaperFit{series, method, fmt.Sprintf("ns at R/r %g over R/r 1", last.Ratio), last.NsStep / rows[0].NsStep, "-"})
			}
		}
	}
	r.cross("lc", "lll")
	r.cross(wideCells, "lll")
}

// cross finds where two methods cost the same.
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

// rowsOf returns the rows of a series and a method in order.
func (r *BroadPaperReport) rowsOf(series, method string) []BroadPaperRow {
	return rowsWith(r.Rows, func(row *BroadPaperRow) bool { return row.Series == series && row.Method == method })
}

// exponent is the power of what there is so many of a ball that the time of a step grows with.
func exponent(rows []BroadPaperRow, of func(*BroadPaperRow) float64) float64 {
	return slope(rows,
		func(r *BroadPaperRow) float64 { return of(r) * float64(r.Bodies) },
		func(r *BroadPaperRow) float64 { return r.NsStep * float64(r.Bodies) })
}

// JSON returns machine, rows and fits as one object, numbers unrounded.
func (r *BroadPaperReport) JSON() ([]byte, error) { return objectOf(r) }

// WriteText writes the table of rows and below it that of the fits; see Report.WriteText.
func (r *BroadPaperReport) WriteText(w io.Writer, width int) error {
	return writeBoth(w, width, &r.Report, r.Fits)
}

// WriteFitsCSV writes the table of fits, numbers unrounded.
func (r *BroadPaperReport) WriteFitsCSV(w io.Writer) error {
	return beside(&r.Report, r.Fits).WriteCSV(w)
}
