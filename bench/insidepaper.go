package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/scree-dem/scree/bench/peers"
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
	Finest  int      `flag:"finest" bounds:"≥ 1" help:"use the <N> coarsest meshes of each series (default: all)"`
	Sides   []int    `flag:"side" default:"[10,20,40,80]" bounds:"1 to 300" help:"several numbers, separated by commas"`
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
func (o *InsidePaperOptions) plan(e *Env) (*plan[InsidePaperRow], error) {
	p := &plan[InsidePaperRow]{finish: func(r *Report, rows []InsidePaperRow) error {
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
			mesh := sync.OnceValues(func() (*geometry.Mesh, error) { return insideMesh(series, k) })
			for _, side := range o.Sides {
				addContenders(p, fmt.Sprintf("%s %d, %d³ points", series, k+1, side), o.Methods, func() (*insideScene, int) {
					m, err := mesh()
					e.check(err)
					s := &insideScene{mesh: m, order: "grid", points: gridAbout(m, side)}
					if len(s.points)*len(m.Faces) <= insideFewWork {
						return s, 3
					}
					return s, 1
				}, func(s *insideScene, method string) (func() float64, func(peers.Times) InsidePaperRow) {
					measure, row := s.start(e, &InsideOptions{Workers: 1, Seed: o.Seed, Long: o.Long}, method)
					return measure, func(t peers.Times) InsidePaperRow {
						r := row(t)
						return paperRow(&r, series, side, len(s.points))
					}
				})
			}
		}
	}
	return p, nil
}

// paperRow returns the row of a method on a mesh and a grid as a point in the figures.
func paperRow(r *InsideRow, series string, side, points int) InsidePaperRow {
	paper := "-"
	if text, known := tableTwo[[2]int{r.Faces, side}]; known && series == sphereSeries && strings.HasPrefix(r.Method, "fmm-pre") {
		paper = text
	}
	return InsidePaperRow{
		Series: series, Faces: r.Faces, Side: side, Method: r.Method,
		Setup: r.Setup / 1e3, Evaluate: r.NsPoint * float64(points) / 1e9, NsPoint: r.NsPoint, Tried: r.Tried,
		Wrong: r.Wrong, Error: r.Error, Bound: r.Bound, Note: r.Note, Paper: paper, Checksum: r.Checksum,
	}
}

// insideFewWork is the product of points and faces up to which a row is measured three times. The
// least time counts.
const insideFewWork = 20_000_000

// InsidePaperFit is a fit to the rows, beside the result of the paper.
type InsidePaperFit struct {
	Series string `json:"series" show:"%s"`
	Side   string `json:"side" show:"%s"`
	Method string `json:"method" show:"%s"`
	What   string `json:"what" show:"%s"`
	Found  string `json:"found" show:"%s"`
	Paper  string `json:"paper" show:"%s"`
}

// insidePaperRows are the rows of the study, with their checks, fits and figures.
type insidePaperRows []InsidePaperRow

// check joins the errors of the rows; see checkInside.
func (r insidePaperRows) check() error {
	rows := make([]InsideRow, len(r))
	for i, row := range r {
		mesh := fmt.Sprintf("%s of %d faces, %d³ points", row.Series, row.Faces, row.Side)
		rows[i] = InsideRow{Mesh: mesh, Method: row.Method, Tried: row.Tried, Wrong: row.Wrong, Error: row.Error, Bound: row.Bound}
	}
	return checkInside(rows)
}

// fits computes the exponents of the times as powers of the numbers of faces and points, the time
// that a depth for the points saves, and the meshes on which rays are faster than the fast
// multipole method.
func (r insidePaperRows) fits() (fits []InsidePaperFit) {
	faces := func(r *InsidePaperRow) float64 { return float64(r.Faces) }
	points := func(r *InsidePaperRow) float64 { return math.Pow(float64(r.Side), 3) }
	setup := func(r *InsidePaperRow) float64 { return r.Setup }
	evaluation := func(r *InsidePaperRow) float64 { return r.Evaluate }
	for _, rows := range groups(r, meshesOf) {
		series := rows[0].Series
		add := func(side any, method, what, found, paper string) {
			fits = append(fits, InsidePaperFit{series, fmt.Sprint(side), method, what, found, cmp.Or(paper, "-")})
		}
		for _, of := range groups(rows, methodInside) {
			method, grids := of[0].Method, groups(of, sideOf)
			if largest := grids[len(grids)-1]; len(largest) > 2 {
				some := largest[len(largest)-3:]
				add(some[0].Side, method, "exponent of the faces, evaluation", shown(slope(some, faces, evaluation)), map[string]string{"ray": "1"}[method])
				add(some[0].Side, method, "exponent of the faces, setup", shown(slope(some, faces, setup)), "")
			}
			if len(grids) > 1 {
				var finest []InsidePaperRow
				for _, grid := range grids[max(0, len(grids)-3):] {
					finest = append(finest, grid[len(grid)-1])
				}
				add("all", method, "exponent of the points, evaluation", shown(slope(finest, points, evaluation)), "1")
			}
		}
		for _, grid := range groups(rows, sideOf) {
			side := grid[0].Side
			of := func(method string) []InsidePaperRow {
				return rowsWith(grid, func(r *InsidePaperRow) bool { return r.Method == method })
			}
			rays := of("ray")
			for _, direct := range []string{"", "-never"} {
				well, pre := of("fmm"+direct), of("fmm-pre"+direct)
				if last := len(well) - 1; last >= 0 && len(pre) == len(well) {
					add(side, "fmm"+direct+", fmm-pre"+direct, "time of pre over well, finest mesh", shown(pre[last].total()/well[last].total()), "")
				}
				for k, rows := range [][]InsidePaperRow{well, pre} {
					method := []string{"fmm", "fmm-pre"}[k]
					if len(rays) > 0 && len(rays) == len(rows) {
						add(side, "ray, "+method+direct, "meshes that rays answer sooner", sooner(rays, rows), paperSooner[fmt.Sprintf("%s %s %d", series, method, side)])
					}
				}
			}
		}
	}
	return fits
}

func meshesOf(r *InsidePaperRow) string     { return r.Series }
func methodInside(r *InsidePaperRow) string { return r.Method }
func sideOf(r *InsidePaperRow) int          { return r.Side }

// shown returns a number of a fit in the format of the table.
func shown(found float64) string { return fmt.Sprintf("%.2f", found) }

// paperSooner is the crossovers of Muth et al. 2006. The key has the series, the method compared
// with rays, and the number of points along a side.
var paperSooner = map[string]string{
	"sphere fmm 10": "the 5 coarsest", "sphere fmm 80": "the 3 coarsest",
	"foam fmm-pre 10": "all", "foam fmm 80": "none", "foam fmm-pre 80": "none",
}

// sooner returns the meshes, by their numbers of faces and from the coarsest, on which a takes less
// total time than b.
func sooner(a, b []InsidePaperRow) string {
	var faces []string
	for i := range a {
		if a[i].total() < b[i].total() {
			faces = append(faces, fmt.Sprint(a[i].Faces))
		}
	}
	return cmp.Or(strings.Join(faces, " "), "none")
}

// figures returns total time by faces. One figure for each method has a line for each grid, as Figs
// 7 to 9 and 12 to 14 of Muth et al. 2006. One figure has ray and both fmm methods on the smallest
// and the largest grid, as Figs 10 and 15, another has the same with -never. One figure has all
// methods on the largest grid.
func (r insidePaperRows) figures() (figures []Figure) {
	for _, rows := range groups(r, meshesOf) {
		series, sides := rows[0].Series, distinct(rows, sideOf)
		figure := func(name, title string, shown func(r *InsidePaperRow) bool, lookOf func(r *InsidePaperRow) look) {
			c := newChart(series+", "+title, "faces", true, "setup and evaluation, s", true)
			addLines(c, rowsWith(rows, shown), lookOf, func(r *InsidePaperRow) (x, y float64) { return float64(r.Faces), max(r.total(), 1e-6) })
			figures = append(figures, Figure{"inside-" + series + "-" + name, c})
		}
		last := sides[len(sides)-1]
		for _, method := range distinct(r, methodInside) {
			figure(method, method, func(r *InsidePaperRow) bool { return r.Method == method }, func(r *InsidePaperRow) look {
				return look{name: fmt.Sprintf("%d³ points", r.Side), hue: slices.Index(sides, r.Side)}
			})
		}
		for _, direct := range []string{"", "-never"} {
			both := []string{"ray", "fmm" + direct, "fmm-pre" + direct}
			title := "both approaches of 2006" + map[string]string{"-never": ", expansions"}[direct]
			figure("both"+direct, title, func(r *InsidePaperRow) bool {
				return slices.Contains(both, r.Method) && (r.Side == sides[0] || r.Side == last)
			}, func(r *InsidePaperRow) look {
				return look{fmt.Sprintf("%s, %d³", r.Method, r.Side), slices.Index(both, r.Method), r.Side == sides[0]}
			})
		}
		figure("all", fmt.Sprintf("all methods, %d³ points", last), func(r *InsidePaperRow) bool { return r.Side == last }, func(r *InsidePaperRow) look {
			return look{name: r.Method, hue: slices.Index(insideMethods, r.Method)}
		})
	}
	return figures
}
