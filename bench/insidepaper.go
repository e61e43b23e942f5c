package bench

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/surfaces"
)

func init() {
	register[InsidePaperOptions, InsidePaperRow](About{
		Command: "inside", With: "paper", Name: "inside-paper",
		Long: `--paper runs the study of 2006: spheres of 8 to 131072 faces and foams of 28548 to
485612 faces, with grids of 10³ to 80³ points, beside its Table 2. This takes some
minutes. The note direct means that no cell of fmm uses an expansion: all triangles are
summed by their edges. 3/64 direct means that 3 of 64 cells are.`,
		Names: map[string][]string{"method": insideMethods, "series": insideSeries},
	})
}

// InsidePaperOptions are the options of the study of Muth et al. 2006.
type InsidePaperOptions struct {
	Paper   bool     `flag:"paper" help:"run the study of Muth et al. 2006: times by numbers of faces and points"`
	Series  []string `flag:"series" help:"<NAMES>, separated by commas, of series"`
	Methods []string `flag:"method" help:"<NAMES>, separated by commas, of methods"`
	Finest  int      `flag:"finest" min:"1" help:"use the <N> coarsest meshes of each series (default: all)"`
	Sides   []int    `flag:"side" default:"[10,20,40,80]" min:"1" max:"300" help:"several numbers, separated by commas"`
	Seed    uint64   `flag:"seed" default:"1" help:"<S>eed of orders, samples and rays"`
	Long    bool     `flag:"long" help:"use larger samples for ray and winding"` // of 10⁴ points, only if points times faces exceed 10¹⁰
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

const (
	sphereSeries = "sphere"
	foamSeries   = "foam"
)

var insideSeries = []string{sphereSeries, foamSeries}

// insideMeshes is the number of meshes in each series: refinements of an octahedron, and foams.
var insideMeshes = map[string]int{sphereSeries: 8, foamSeries: len(insideFoams)}

var insideFoams = []int{surfaces.FoamSmall, surfaces.FoamMiddle, surfaces.FoamLarge}

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

// plan runs the study in which Muth et al. 2006 compare the fast multipole method and ray
// crossing. Spheres and foams have increasing numbers of faces, and grids of points fill the cube
// about each mesh. It runs on one worker, and times are processor time.
func (o *InsidePaperOptions) plan(*Env) (*plan[InsidePaperRow], error) {
	p := &plan[InsidePaperRow]{unlocked: true, finish: func(r *Report, rows []InsidePaperRow) error {
		var fits []InsidePaperFit
		if r.Complete {
			fits = insidePaperRows(rows).fits()
		}
		r.add("fits", "fits", fits)
		r.Figures = insidePaperRows(rows).figures()
		return insidePaperRows(rows).check()
	}}
	for _, series := range o.Series {
		for k := range min(insideMeshes[series], cmp.Or(o.Finest, math.MaxInt)) {
			for _, side := range o.Sides {
				scene := sync.OnceValues(func() (*insideScene, error) {
					mesh, err := insideMesh(series, k)
					if err != nil {
						return nil, err
					}
					return &insideScene{mesh: mesh, order: "grid", points: gridAbout(mesh, side)}, nil
				})
				for _, method := range o.Methods {
					note := fmt.Sprintf("%s %d, %d³ points, %s", series, k+1, side, method)
					p.parts = append(p.parts, one(note, func(ctx context.Context) (row InsidePaperRow, err error) {
						s, err := scene()
						if err == nil {
							row, err = o.row(ctx, series, s, side, method)
						}
						return row, err
					}))
				}
			}
		}
	}
	return p, nil
}

// row measures a method on a mesh and a grid.
func (o *InsidePaperOptions) row(ctx context.Context, series string, s *insideScene, side int, method string) (InsidePaperRow, error) {
	study := InsideOptions{Workers: 1, Seed: o.Seed, Long: o.Long, Repeat: 1}
	if len(s.points)*len(s.mesh.Faces) <= insideFewWork {
		study.Repeat = 3
	}
	r, err := s.measure(ctx, &study, method)
	paper := "-"
	if text, known := tableTwo[[2]int{r.Faces, side}]; known && series == sphereSeries && strings.HasPrefix(method, "fmm-pre") {
		paper = text
	}
	return InsidePaperRow{
		Series: series, Faces: r.Faces, Side: side, Method: method,
		Setup: r.Setup / 1e3, Evaluate: r.NsPoint * float64(len(s.points)) / 1e9, NsPoint: r.NsPoint, Tried: r.Tried,
		Wrong: r.Wrong, Error: r.Error, Bound: r.Bound, Note: r.Note, Paper: paper, Checksum: r.Checksum,
	}, err
}

// insideFewWork is the product of points and faces up to which a row is measured three times. The
// least time counts.
const insideFewWork = 20_000_000
