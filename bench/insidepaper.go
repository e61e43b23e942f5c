package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/surfaces"
)

// InsidePaperOptions are the options of the study of Muth et al. 2006.
type InsidePaperOptions struct {
	Series  []string // from InsideSeries; default: both
	Methods []string // from InsideMethods; default: all
	Finest  int      // number of meshes in a series; 0: all
	Sides   []int    // points along a side of the grids; default: those of the paper
	Seed    uint64
	Long    bool // samples of 10⁴ points, only if points times faces exceed 10¹⁰

	Progress Progress
}

// InsidePaperRow is a point in the figures: a method on a mesh and a grid. If the method tried a
// sample, the times are extrapolated to all points.
type InsidePaperRow struct {
	Series   string  `json:"series" show:"%s"`
	Faces    int     `json:"faces" show:"%d"`
	Side     int     `json:"side" show:"%d"` // points along a side of the grid
	Method   string  `json:"method" show:"%s"`
	Setup    float64 `json:"setup_s" show:"%.4f"`
	Evaluate float64 `json:"evaluate_s" show:"%.4f"`
	NsPoint  float64 `json:"ns_point" show:"%.1f"`
	Tried    int     `json:"tried" show:"%d"` // number of the side³ points that were tried
	Wrong    int     `json:"wrong" show:"%d"`
	Error    float64 `json:"error" show:"%.1e"`
	Bound    float64 `json:"bound" show:"%.1e"`
	Note     string  `json:"note" show:"%s"`    // of fmm: "direct" if no cell uses an expansion, else how many do not
	Paper    string  `json:"paper_s" show:"%s"` // evaluation time of the paper's Table 2, s
	Checksum string  `json:"checksum" show:"%s"`
}

// total returns the time in the paper's figures, s.
func (r *InsidePaperRow) total() float64 { return r.Setup + r.Evaluate }

// InsidePaperReport is the rows and their fits.
type InsidePaperReport struct {
	Fitted[InsidePaperRow, InsidePaperFit]
}

// Check joins the errors of the rows; see InsideRow.Check.
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

// insideMeshes is the number of meshes in each series: refinements of an octahedron, and foams.
var insideMeshes = []int{8, len(insideFoams)}

var insideFoams = []int{surfaces.FoamSmall, surfaces.FoamMiddle, surfaces.FoamLarge}

// insideSides are the sides of the paper's grids.
var insideSides = []int{10, 20, 40, 80}

// insideMesh returns mesh k of a series.
func insideMesh(series string, k int) (*geometry.Mesh, error) {
	if series == sphereSeries {
		return surfaces.Sphere(1, k)
	}
	return surfaces.Foam(surfaces.FoamOptions{Seed: 1, Cubes: insideFoams[k]})
}

// tableTwo is the paper's Table 2, by faces and points along a side: seconds of evaluation by fmm
// with a depth for the mesh alone, on a processor of 2.8 GHz of 2006.
var tableTwo = map[[2]int]string{
	{8192, 10}: "< 1", {8192, 20}: "1", {8192, 40}: "10", {8192, 80}: "83",
	{32768, 10}: "1", {32768, 20}: "5", {32768, 40}: "40", {32768, 80}: "329",
	{131072, 10}: "< 1", {131072, 20}: "3", {131072, 40}: "24", {131072, 80}: "202",
}

// InsidePaper runs the study in which Muth et al. 2006 compare the fast multipole method and ray
// crossing. Spheres and foams have increasing numbers of faces, and grids of points fill the cube
// about each mesh. It runs on one worker, and times are processor time.
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
		k, err := indexIn("series", name, InsideSeries())
		if err != nil {
			return report, err
		}
		meshes[i] = min(insideMeshes[k], cmp.Or(o.Finest, math.MaxInt))
		all += meshes[i] * len(o.Sides) * len(o.Methods)
	}
	progress := &tracker{all: int64(all), report: o.Progress}
	for i, name := range o.Series {
		for k := range meshes[i] {
			mesh, err := insideMesh(name, k)
			if err != nil {
				return report, err
			}
			for _, side := range o.Sides {
				if err := o.measure(ctx, report, name, mesh, side, progress); err != nil {
					return report, err
				}
			}
		}
	}
	report.fit()
	return report, nil
}

// measure adds the rows of a mesh and a grid.
func (o *InsidePaperOptions) measure(ctx context.Context, report *InsidePaperReport, series string, mesh *geometry.Mesh, side int, progress *tracker) error {
	study := InsideOptions{Workers: 1, Seed: o.Seed, Long: o.Long}
	s := &insideScene{mesh: mesh, order: "grid", points: gridAbout(mesh, side)}
	for _, method := range o.Methods {
		progress.announce(fmt.Sprintf("%s of %d faces, %d³ points, %s", series, len(mesh.Faces), side, method))
		study.Repeat = 1
		if len(s.points)*len(mesh.Faces) <= insideFewWork {
			study.Repeat = 3
		}
		row, err := s.measure(ctx, &study, method)
		if err != nil {
			return err
		}
		paper := "-"
		if text, known := tableTwo[[2]int{row.Faces, side}]; known && series == sphereSeries && strings.HasPrefix(method, "fmm-pre") {
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

// insideFewWork is the product of points and faces up to which a row is measured three times. The
// least time counts.
const insideFewWork = 20_000_000
