package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

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

	Progress Progress
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
	Fitted[InsidePaperRow, InsidePaperFit]
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
)

// InsideSeries returns the names of the series.
func InsideSeries() []string { return []string{sphereSeries, foamSeries} }

// insideMeshes is how many meshes the series have: an octahedron and how often it is refined, and foams.
var insideMeshes = []int{8, len(insideFoams)}

var insideFoams = []int{surfaces.FoamSmall, surfaces.FoamMiddle, surfaces.FoamLarge}

// insideSides are the grids of the paper.
var insideSides = []int{10, 20, 40, 80}

// insideMesh returns mesh k of a series.
func insideMesh(series string, k int) (*geometry.Mesh, error) {
	if series == sphereSeries {
		return surfaces.Sphere(1, k)
	}
	return surfaces.Foam(surfaces.FoamOptions{Seed: 1, Cubes: insideFoams[k]})
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
	meshes, all := make([]int, len(o.Series)), 0
	for i, name := range o.Series {
		k, err := placeOf("series", name, InsideSeries())
		if err != nil {
			return report, err
		}
		meshes[i] = min(insideMeshes[k], cmp.Or(o.Finest, math.MaxInt))
		all += meshes[i] * len(o.Sides) * len(o.Methods)
	}
	course := &course{all: int64(all), report: o.Progress}
	for i, name := range o.Series {
		for k := range meshes[i] {
			mesh, err := insideMesh(name, k)
			if err != nil {
				return report, err
			}
			for _, side := range o.Sides {
				if err := o.measure(ctx, report, name, mesh, side, course); err != nil {
					return report, err
				}
			}
		}
	}
	report.fit()
	return report, nil
}

// measure adds the rows of a mesh and a grid.
func (o *InsidePaperOptions) measure(ctx context.Context, report *InsidePaperReport, series string, mesh *geometry.Mesh, side int, course *course) error {
	study := InsideOptions{Workers: 1, Seed: o.Seed, Long: o.Long}
	s := &insideScene{mesh: mesh, order: "grid", points: gridAbout(mesh, side)}
	for _, method := range o.Methods {
		course.announce(fmt.Sprintf("%s of %d faces, %d³ points, %s", series, len(mesh.Faces), side, method))
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
