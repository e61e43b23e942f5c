package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/distribution"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

type insideFlags struct {
	mesh, table, out string
	bodies           string
	shapes           []string
	method, degree   string
	columns          []string
	box              []float64
	o                inside.Options
}

func insideNames() (names []string) {
	for _, m := range inside.Methods {
		names = append(names, string(m))
	}
	return names
}

func (a *app) insideCommand() *cobra.Command {
	var f insideFlags
	c := &cobra.Command{
		Use:   "inside --mesh MESH --points P.csv | --bodies POSES.csv --shapes PATH",
		Short: "Find which points lie inside a closed mesh, convex or not",
		Long: `Find which points lie inside a closed mesh, convex or not. The input table has the
columns x,y,z. The output has the columns row (from 1), inside (0, 1 or on) and value
(the winding number). auto and ray are exact; their value on the surface is 0.5. winding
is exact up to rounding. fmm has an error bound, which the summary shows. winding-fast
is an approximation. On the surface these three return the fraction of the solid angle,
for example a quarter on the edge of a cube. The mesh is a file, a builtin or a surface.
winding and winding-fast also accept open meshes.

With --bodies, find the nodes of posed bodies in each other. The table has the columns
shape,x,y,z,qw,qx,qy,qz. The output has a row for each pair whose boxes meet:
body_a,body_b (rows from 1), a_in_b and b_in_a (nodes inside, without those on the
surface).`,
		Example: "  scree inside --mesh examples/inside/torus.obj --points examples/inside/points.csv\n" +
			"  scree inside --bodies examples/inside/chain.csv --shapes examples/inside",
		Args: exactly(0, "none but options"),
		RunE: func(c *cobra.Command, _ []string) error { return a.inside(c, &f) },
	}
	flags := c.Flags()
	flags.StringVar(&f.mesh, "mesh", "", "`MESH`: a file (.stl, .obj, .off, .ply), a builtin or a surface such as torus:1,0.25,48,24")
	flags.StringVar(&f.table, "points", "", "table of points, `P.csv`; - reads standard input")
	flags.StringSliceVar(&f.columns, "columns", nil, "names `X,Y,Z` of the columns to read; other columns are ignored (default: x,y,z, and no other columns allowed)")
	flags.StringVar(&f.method, "method", string(inside.Auto), "`M`: "+strings.Join(insideNames(), ", "))
	decimal(flags, &f.o.Seed, "seed", 1, "seed `N` of the rays of method ray; it does not change the results")
	flags.StringVar(&f.bodies, "bodies", "", "table of posed bodies, `POSES.csv`; - reads standard input")
	flags.StringArrayVar(&f.shapes, "shapes", nil, "with --bodies, mesh file or folder of meshes, `PATH`; may be repeated; not needed for builtins and surfaces")
	flags.StringVar(&f.degree, "degree", "", "degree `P` of the expansions of fmm: a number, or auto: the least P with d^P ≥ √N for N triangles (default: the least from 4 to 6 that proves all places)")
	decimal(flags, &f.o.Leaf, "leaf", 0, "fmm does not divide clusters of at most `N` triangles (default: chosen automatically)")
	flags.StringVar(&f.o.Depth, "depth", "well", "depth of the cluster trees of fmm, `D`: well (chosen from triangles and points), pre (from triangles only) or a number")
	decimal(flags, &f.o.Separation, "separation", 2, "fmm expands a cluster if it is more than (`D`+1) radii away")
	flags.StringVar(&f.o.Direct, "direct", "auto", "fmm sums the points of a cell directly, `W`: auto (if its bound proves nothing, or nothing is far) or never (if nothing is far)")
	flags.Float64SliceVar(&f.box, "box", nil, "evaluation tree of fmm over the box `X0,Y0,Z0,X1,Y1,Z1`; points outside are summed one by one (default: the box of the mesh)")
	flags.StringVarP(&f.out, "output", "o", "", "`FILE` for the results; - is standard output")
	_ = c.MarkFlagFilename("mesh", meshFormats(false)...)
	_ = c.MarkFlagFilename("points", "csv")
	_ = c.MarkFlagFilename("bodies", "csv")
	_ = c.MarkFlagFilename("output", "csv")
	_ = c.RegisterFlagCompletionFunc("method", cobra.FixedCompletions(insideNames(), cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("depth", cobra.FixedCompletions([]string{"well", "pre"}, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("direct", cobra.FixedCompletions(directNames, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// directNames are the values of --direct.
var directNames = []string{"auto", "never"}

// insideReport is the output of --json.
type insideReport struct {
	Version     string  `json:"version"`
	Mesh        string  `json:"mesh"`
	Table       string  `json:"table"`
	Method      string  `json:"method"`
	Backend     string  `json:"backend"`
	Workers     int     `json:"workers"`
	Output      string  `json:"output,omitempty"`
	Triangles   int     `json:"triangles"`
	Components  int     `json:"components"`
	Cavities    int     `json:"cavities"`
	Boundary    int     `json:"boundary_edges"`
	Turned      bool    `json:"turned"`         // all faces pointed inwards and were reversed
	Empty       bool    `json:"empty"`          // the mesh is closed, but its volume is within rounding error of zero
	Open        string  `json:"open,omitempty"` // why the mesh is not closed
	Area        float64 `json:"area"`
	Volume      float64 `json:"volume"`
	Points      int64   `json:"points"`
	Inside      int64   `json:"inside"`
	On          int64   `json:"on"`
	Degree      int     `json:"degree,omitempty"`       // of the expansions of fmm
	Depth       int     `json:"depth,omitempty"`        // of the trees of fmm
	Extra       int     `json:"extra_levels,omitempty"` // of the trees of fmm, at the top, for --box
	Separation  float64 `json:"separation,omitempty"`   // d of fmm
	Cells       int     `json:"cells,omitempty"`        // of fmm
	Summed      int     `json:"summed,omitempty"`       // cells summed directly, because their bound proves nothing
	Near        int     `json:"near,omitempty"`         // cells summed directly, because nothing is far from them
	Bound       float64 `json:"bound"`                  // error bound of the values; 0 for exact methods
	Setup       float64 `json:"setup_s"`                // checks of the mesh and setup of the method
	Seconds     float64 `json:"seconds"`                // time to process the points
	NsPoint     float64 `json:"ns_point"`
	Bytes       int     `json:"bytes"` // memory of the method
	Interrupted bool    `json:"interrupted,omitempty"`

	Values *distribution.Distribution `json:"values"` // of the points
}

func (a *app) inside(c *cobra.Command, f *insideFlags) error {
	f.o.Method = inside.Method(f.method)
	depth, notNumber := strconv.Atoi(f.o.Depth)
	changed := c.Flags().Changed
	for i, name := range f.columns {
		f.columns[i] = strings.TrimSpace(name)
	}
	if f.bodies == "" && (f.mesh == "" || f.table == "") {
		return usage("scree inside needs --mesh MESH and --points P.csv, or --bodies POSES.csv, as in: %s", firstExample(c))
	}
	degree, notDegree := strconv.Atoi(f.degree)
	if f.o.Degree = degree; f.degree == "auto" {
		f.o.Degree = inside.DegreeOfTriangles
	}
	if len(f.box) == 6 {
		f.o.Box = vec.Box{Min: vec.V(f.box[0], f.box[1], f.box[2]), Max: vec.V(f.box[3], f.box[4], f.box[5])}
	}
	size := f.o.Box.Size()
	names := slices.Sorted(slices.Values(f.columns))
	isFMM, ofFMM := f.o.Method == inside.FMM, "to be used with --method fmm, not "+f.method
	err := check(c,
		demand{"mesh", f.mesh != "-", "a file, a builtin or a surface: only --points may be standard input"},
		demand{"method", slices.Contains(inside.Methods, f.o.Method), "one of " + strings.Join(insideNames(), ", ")},
		demand{"columns", !changed("columns") || len(f.columns) == 3 && len(slices.Compact(names)) == 3 && names[0] != "",
			"three different names"},
		demand{"degree", isFMM || !changed("degree"), ofFMM},
		demand{"leaf", isFMM || !changed("leaf"), ofFMM},
		demand{"depth", isFMM || !changed("depth"), ofFMM},
		demand{"separation", isFMM || !changed("separation"), ofFMM},
		demand{"direct", isFMM || !changed("direct"), ofFMM},
		demand{"box", isFMM || !changed("box"), ofFMM},
		demand{"mesh", f.bodies == "" || f.mesh == "", "none with --bodies: the table names the shapes"},
		demand{"points", f.bodies == "" || f.table == "", "none with --bodies: the points are the nodes of bodies"},
		demand{"columns", f.bodies == "" || !changed("columns"), "none with --bodies"},
		demand{"box", f.bodies == "" || !changed("box"), "none with --bodies: each mesh has its own box"},
		demand{"shapes", f.bodies != "" || !changed("shapes"), "to be used with --bodies only"},
		demand{"degree", !changed("degree") || f.degree == "auto" || notDegree == nil && degree >= 1 && degree <= inside.MaxDegree,
			fmt.Sprintf("auto or a number from 1 to %d", inside.MaxDegree)},
		demand{"separation", f.o.Separation > 1 && f.o.Separation <= inside.MaxSeparation, fmt.Sprintf("more than 1 and at most %g", inside.MaxSeparation)},
		demand{"direct", slices.Contains(directNames, f.o.Direct), "auto or never"},
		demand{"box", !changed("box") || len(f.box) == 6 && finite(size.X+size.Y+size.Z), "six finite numbers: the lower corner and the upper corner"},
		demand{"box", !changed("box") || size.X > 0 && size.Y > 0 && size.Z > 0, "a box that is not empty: the lower corner first"},
		demand{"leaf", !changed("leaf") || f.o.Leaf >= 1, "at least 1"},
		demand{"depth", f.o.Depth == "well" || f.o.Depth == "pre" || notNumber == nil && depth >= 1 && depth <= inside.MaxDepth,
			fmt.Sprintf("well, pre or a number from 1 to %d", inside.MaxDepth)})
	if err != nil {
		return err
	}
	f.o.Workers, f.o.Pin = a.workers, a.pin
	if f.bodies != "" {
		return a.insideBodies(f)
	}
	ctx, stop := interruptible()
	defer stop()
	t, err := a.openTable("--points", f.table, f.out, input{what: "the mesh that --mesh reads", name: f.mesh})
	if err != nil {
		return err
	}
	defer t.Close() //nolint:errcheck // The table is only read.
	mesh, err := sched.Await(ctx, "interrupted while the mesh was read", func() (*geometry.Mesh, error) { return a.surfaceOf(f.mesh) })
	if err != nil {
		return err
	}
	r := insideRun{mesh: mesh, meshName: f.mesh, o: f.o, size: t.size, columns: f.columns}
	r.report = insideReport{Version: version(), Mesh: f.mesh, Table: t.name, Method: f.method, Backend: cpu.Selected(), Output: f.out}
	if a.json {
		r.values = &distribution.Sample{}
	}
	r.progress = func(read int64) { t.advance(read, r.report.Points, "points") }
	err = t.answer(func(to io.Writer) error { return r.run(ctx, t, t.name, to) })
	interrupted := errors.Is(err, context.Canceled)
	if err != nil && (!interrupted || r.solid == nil && !a.json) {
		return err
	}
	r.report.Interrupted, r.report.Output, r.report.Values = interrupted, wrote(f.out, err), r.values.Describe()
	if problem := a.reportInside(&r.report, &f.o); err == nil {
		err = problem
	}
	return err
}

// reportInside reports the totals: as JSON on standard output with --json, otherwise as a message if
// the table went to a file.
func (a *app) reportInside(r *insideReport, o *inside.Options) error {
	rule := ""
	if o.Degree == inside.DegreeOfTriangles {
		rule = fmt.Sprintf(" (the least p up to %d with %g^p ≥ √%d)", inside.MaxDegree, o.Separation, r.Triangles)
	}

	if r.Points > 0 {
		r.NsPoint = r.Seconds * 1e9 / float64(r.Points)
	}
	if a.json {
		return a.printJSON(r)
	}
	if r.Turned && !a.quiet {
		a.message("%s: all faces turn inwards and were turned", r.Mesh)
	}
	if r.Empty && !a.quiet {
		a.message("%s: the mesh is closed, but encloses no more volume than rounding shows: expected a body with an inside", r.Mesh)
	}
	if r.Open != "" && !a.quiet {
		a.message("%s: %s", r.Mesh, r.Open)
	}
	if (r.Summed > 0 || r.Near > 0 && r.Near == r.Cells) && !a.quiet {
		a.message("%s: fmm sums %d of %d cells directly: from %d nothing is far enough, and the bound of %d proves nothing at degree %d and separation %g",
			r.Mesh, r.Near+r.Summed, r.Cells, r.Near, r.Summed, r.Degree, r.Separation)
	}
	if r.Output == "" || r.Output == "-" || a.quiet {
		return nil
	}
	bound := ""
	if r.Method == string(inside.FMM) {
		bound = fmt.Sprintf(" of degree %d%s and depth %d, values within %.2g, %d of %d cells summed directly", r.Degree, rule, r.Depth, r.Bound, r.Summed+r.Near, r.Cells)
	}
	a.message("%s: %d points, %d inside, %d on the surface of %d triangles; %s%s; %.3g s to set up, %.0f ns per point on %d workers",
		r.Output, r.Points, r.Inside, r.On, r.Triangles, r.Method, bound, r.Setup, r.NsPoint, r.Workers)
	return nil
}

// meshFault returns the error err of package inside with the name of the mesh as the user gave it,
// and with vertices and faces numbered as in the file.
func meshFault(name string, mesh *geometry.Mesh, err error) error {
	if within := errors.Unwrap(err); within != nil {
		err = within // without the name that the file has for the mesh
	}
	return usage("%s: %w", name, fileio.Numbered(name, mesh, err))
}
