package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/surfaces"
)

// InsidePaperOptions says how the study of Muth et al. 2006 runs.
type InsidePaperOptions struct {
	Series  []string // of InsideSeries; default: both
	Methods []string // of InsideMethods; default: all
	Finest  int      // meshes of a series; 0: all
	Sides   []int    // points along a side of the grids; default: those of the paper
	Seed    uint64
	Long    bool // samples of 10⁴ points, where points times faces exceed 10¹⁰ only
	// Progress, if not nil, hears of the rows done.
	Progress func(done, all int64, note string)
}

// InsidePaperRow is a point of the figures: a method on a mesh and a grid. Where the method tried a
// sample, the time is that of all points at the same cost each.
type InsidePaperRow struct {
	Series   string  `json:"series" show:"%s"`
	Faces    int     `json:"faces" show:"%d"`
	Side     int     `json:"side" show:"%d"` // of the grid, points
	Method   string  `json:"method" show:"%s"`
	Setup    float64 `json:"setup_s" show:"%.4f"`
	Evaluate float64 `json:"evaluate_s" show:"%.4f"`
	NsPoint  float64 `json:"ns_point" show:"%.1f"`
	Tried    int     `json:"tried" show:"%d"` // of side³ points
	Wrong    int     `json:"wrong" show:"%d"`
	Error    float64 `json:"error" show:"%.1e"`
	Bound    float64 `json:"bound" show:"%.1e"`
	Note     string  `json:"note" show:"%s"`    // "direct": of fmm, where no cell has an expansion
	Paper    string  `json:"paper_s" show:"%s"` // evaluation of the paper's Table 2, s
	Checksum string  `json:"checksum" show:"%s"`
}

// total is the time that the paper's figures show, s.
func (r *InsidePaperRow) total() float64 { return r.Setup + r.Evaluate }

// InsidePaperReport is the rows and what they come to.
type InsidePaperReport struct {
	Report[InsidePaperRow]
	Fits []InsidePaperFit `json:"fits"`
}

// Check joins what is wrong in the rows, as InsideRow.Check has it.
func (r *InsidePaperReport) Check() error {
	var wrong []error
	for _, row := range r.Rows {
		mesh := fmt.Sprintf("%s of %d faces, %d³ points", row.Series, row.Faces, row.Side)
		wrong = append(wrong, (&InsideRow{Mesh: mesh, Method: row.Method, Tried: row.Tried, Wrong: row.Wrong, Error: row.Error, Bound: row.Bound}).Check())
	}
	return errors.Join(wrong...)
}

const (
	sphereSeries = "sphere"
	foamSeries   = "foam"
	// sphereMeshes is how often the octahedron is refined, plus one.
	sphereMeshes = 8
)

// InsideSeries returns the names of the series.
func InsideSeries() []string { return []string{sphereSeries, foamSeries} }

// insideSides are the grids of the paper.
var insideSides = []int{10, 20, 40, 80}

// insideMesh returns mesh k of a series, nil behind the last one.
func insideMesh(series string, k int) (*geometry.Mesh, error) {
	foams := []int{surfaces.FoamSmall, surfaces.FoamMiddle, surfaces.FoamLarge}
	switch {
	case series == sphereSeries && k < sphereMeshes:
		return surfaces.Sphere(1, k)
	case series == foamSeries && k < len(foams):
		return surfaces.Foam(surfaces.FoamOptions{Seed: 1, Cubes: foams[k]})
	}
	return nil, nil
}

// tableTwo is the paper's Table 2: seconds of evaluation by method fmm at a depth for the mesh
// alone, on a processor of 2.8 GHz of 2006, by faces and points along a side.
var tableTwo = map[[2]int]string{
	{8192, 10}: "< 1", {8192, 20}: "1", {8192, 40}: "10", {8192, 80}: "83",
	{32768, 10}: "1", {32768, 20}: "5", {32768, 40}: "40", {32768, 80}: "329",
	{131072, 10}: "< 1", {131072, 20}: "3", {131072, 40}: "24", {131072, 80}: "202",
}

// InsidePaper runs the study that Muth et al. 2006 compare the fast multipole method and ray
// crossing with: spheres and foams of growing numbers of faces, and grids of points in the cube
// about them. One worker, processor time.
func InsidePaper(ctx context.Context, o InsidePaperOptions) (*InsidePaperReport, error) {
	report := &InsidePaperReport{}
	if o.Series == nil {
		o.Series = InsideSeries()
	}
	if o.Methods == nil {
		o.Methods = InsideMethods()
	}
	if o.Sides == nil {
		o.Sides = insideSides
	}
	all := 0
	for _, name := range o.Series {
		if !slices.Contains(InsideSeries(), name) {
			return report, fmt.Errorf("bench: series %q, expected one of %s: %w", name, strings.Join(InsideSeries(), ", "), ErrOption)
		}
		meshes := map[string]int{sphereSeries: sphereMeshes, foamSeries: 3}[name]
		if o.Finest > 0 {
			meshes = min(meshes, o.Finest)
		}
		all += meshes * len(o.Sides) * len(o.Methods)
	}
	for _, name := range o.Series {
		for k := 0; o.Finest == 0 || k < o.Finest; k++ {
			mesh, err := insideMesh(name, k)
			if err != nil {
				return report, err
			}
			if mesh == nil {
				break
			}
			for _, side := range o.Sides {
				if err := o.measure(ctx, report, name, mesh, side, all); err != nil {
					return report, err
				}
			}
		}
	}
	report.fit()
	return report, nil
}

// measure adds the rows of a mesh and a grid.
func (o *InsidePaperOptions) measure(ctx context.Context, report *InsidePaperReport, series string, mesh *geometry.Mesh, side, all int) error {
	study := InsideOptions{Workers: 1, Seed: o.Seed, Long: o.Long}
	s := &insideScene{mesh: mesh, order: "grid", points: gridAbout(mesh, side)}
	for _, method := range o.Methods {
		if o.Progress != nil {
			o.Progress(int64(len(report.Rows)), int64(all), fmt.Sprintf("%s of %d faces, %d³ points, %s", series, len(mesh.Faces), side, method))
		}
		study.Repeat = 1
		if len(s.points)*len(mesh.Faces) <= insideFewWork {
			study.Repeat = 3
		}
		row, err := s.measure(ctx, &study, method)
		if err != nil {
			return err
		}
		paper := "-"
		if text, known := tableTwo[[2]int{row.Faces, side}]; known && series == sphereSeries && method == "fmm-pre" {
			paper = text
		}
		report.Rows = append(report.Rows, InsidePaperRow{
			Series: series, Faces: row.Faces, Side: side, Method: method,
			Setup: row.Setup / 1e3, Evaluate: row.NsPoint * float64(len(s.points)) / 1e9, NsPoint: row.NsPoint, Tried: row.Tried,
			Wrong: row.Wrong, Error: row.Error, Bound: row.Bound, Note: row.Note, Paper: paper, Checksum: row.Checksum,
		})
	}
	return nil
}

// insideFewWork of points times faces is measured three times, and the least counts.
const insideFewWork = 20_000_000
