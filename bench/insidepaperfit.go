package bench

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// InsidePaperFit is what the rows come to, beside what the paper has.
type InsidePaperFit struct {
	Series string `json:"series" show:"%s"`
	Side   string `json:"side" show:"%s"`
	Method string `json:"method" show:"%s"`
	What   string `json:"what" show:"%s"`
	Found  string `json:"found" show:"%s"`
	Paper  string `json:"paper" show:"%s"`
}

// fit finds the powers of the numbers of faces and points that the times grow with, what a depth
// for the points saves, and which meshes rays answer sooner than the fast multipole method.
func (r *InsidePaperReport) fit() {
	for _, series := range namesOf(r.Rows, func(r *InsidePaperRow) string { return r.Series }) {
		sides := r.sidesOf(series)
		methods := namesOf(r.Rows, func(r *InsidePaperRow) string { return r.Method })
		for _, method := range methods {
			if rows := r.rowsOf(series, method, sides[len(sides)-1]); len(rows) > 2 {
				rows = rows[len(rows)-3:]
				r.add(series, rows[0].Side, method, "exponent of the faces, evaluation", slope(rows, facesOf, evaluationOf), map[string]string{"ray": "1"}[method])
				r.add(series, rows[0].Side, method, "exponent of the faces, setup", slope(rows, facesOf, setupOf), "")
			}
			if rows := r.finest(series, method); len(rows) > 1 {
				rows = rows[max(0, len(rows)-3):]
				r.add(series, 0, method, "exponent of the points, evaluation", slope(rows, pointsOf, evaluationOf), "1")
			}
		}
		for _, side := range sides {
			well, pre, rays := r.rowsOf(series, "fmm", side), r.rowsOf(series, "fmm-pre", side), r.rowsOf(series, "ray", side)
			if len(well) > 0 && len(pre) == len(well) {
				last := len(well) - 1
				r.add(series, side, "fmm, fmm-pre", "time of pre over well, finest mesh", pre[last].total()/well[last].total(), "")
			}
			if len(rays) > 0 && len(rays) == len(well) {
				r.Fits = append(r.Fits, InsidePaperFit{series, sideName(side), "ray, fmm", "meshes that rays answer sooner", sooner(rays, well), paperSooner[[2]any{series, side}]})
			}
			if len(rays) > 0 && len(rays) == len(pre) {
				r.Fits = append(r.Fits, InsidePaperFit{series, sideName(side), "ray, fmm-pre", "meshes that rays answer sooner", sooner(rays, pre), paperSooner[[2]any{series + " pre", side}]})
			}
		}
	}
	for i := range r.Fits {
		if r.Fits[i].Paper == "" {
			r.Fits[i].Paper = "-"
		}
	}
}

// paperSooner is what Muth et al. 2006 say of the crossovers.
var paperSooner = map[[2]any]string{
	{sphereSeries, 10}: "the 5 coarsest", {sphereSeries, 80}: "the 3 coarsest", {foamSeries + " pre", 10}: "all", {foamSeries, 80}: "none", {foamSeries + " pre", 80}: "none",
}

func (r *InsidePaperReport) add(series string, side int, method, what string, found float64, paper string) {
	r.Fits = append(r.Fits, InsidePaperFit{series, sideName(side), method, what, fmt.Sprintf("%.2f", found), paper})
}

func sideName(side int) string {
	if side == 0 {
		return "all"
	}
	return fmt.Sprint(side)
}

// sooner says on which meshes, from the coarsest, the rows of a take less time in all than those of
// b.
func sooner(a, b []InsidePaperRow) string {
	text := ""
	for i := range a {
		if a[i].total() < b[i].total() {
			text += fmt.Sprintf(" %d", a[i].Faces)
		}
	}
	if text == "" {
		return "none"
	}
	return text[1:]
}

// sidesOf returns the grids of a series.
func (r *InsidePaperReport) sidesOf(series string) (sides []int) {
	for _, row := range r.Rows {
		if row.Series == series && !slices.Contains(sides, row.Side) {
			sides = append(sides, row.Side)
		}
	}
	return sides
}

// rowsOf returns the rows of a series, a method and a grid, by faces.
func (r *InsidePaperReport) rowsOf(series, method string, side int) []InsidePaperRow {
	return rowsWith(r.Rows, func(row *InsidePaperRow) bool {
		return row.Series == series && row.Method == method && row.Side == side
	})
}

// finest returns the rows of a series and a method on its finest mesh, by grids.
func (r *InsidePaperReport) finest(series, method string) (rows []InsidePaperRow) {
	for _, side := range r.sidesOf(series) {
		if all := r.rowsOf(series, method, side); len(all) > 0 {
			rows = append(rows, all[len(all)-1])
		}
	}
	return rows
}

func facesOf(r *InsidePaperRow) float64  { return float64(r.Faces) }
func pointsOf(r *InsidePaperRow) float64 { return math.Pow(float64(r.Side), 3) }

func evaluationOf(r *InsidePaperRow) float64 { return r.Evaluate }
func setupOf(r *InsidePaperRow) float64      { return r.Setup }

// JSON returns machine, rows and fits as one object, numbers unrounded.
func (r *InsidePaperReport) JSON() ([]byte, error) { return objectOf(r) }

// WriteText writes the table of rows and below it that of the fits; see Report.WriteText.
func (r *InsidePaperReport) WriteText(w io.Writer, width int) error {
	return writeBoth(w, width, &r.Report, r.Fits)
}

// WriteFitsCSV writes the table of fits, numbers unrounded.
func (r *InsidePaperReport) WriteFitsCSV(w io.Writer) error {
	return beside(&r.Report, r.Fits).WriteCSV(w)
}
