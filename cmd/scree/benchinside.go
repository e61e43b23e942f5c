package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/bench"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry/inside"
)

type insideBenchFlags struct {
	dir    string
	meshes []string
	paper  bool
	series []string
	finest int
	sides  []int
	o      bench.InsideOptions
}

func (a *app) benchInsideCommand() *cobra.Command {
	var f insideBenchFlags
	c := &cobra.Command{
		Use:   "inside",
		Short: "Time the methods that find the points inside a mesh",
		Long: `Time each method of scree inside on a grid of points in the cube about each mesh, in
the order of the grid and shuffled: ns per point, and setup in ms, on one worker unless
--workers is given. wrong counts the points whose place differs from the exact one.
error is the largest error of a value away from the surface. fmm-pre is fmm with a depth
that depends on the mesh alone; -never is --direct never. ray and winding test all faces for each point. If points
times faces exceed 2·10⁸, they get a seeded sample of the points (column tried). With
--long the sample has 10⁴ points, from 10¹⁰ on. With --full they get all points. With
--random the points are random in the box of each mesh. The command fails if a method
returns a wrong result that it promises to be right; winding-fast promises nothing. An
open mesh can be measured with winding and winding-fast only; winding then provides the
reference.

--paper runs the study of 2006: spheres of 8 to 131072 faces and foams of 28548 to
485612 faces, with grids of 10³ to 80³ points, beside its Table 2. This takes some
minutes. The note direct means that no cell of fmm uses an expansion: all triangles are
summed by their edges. 3/64 direct means that 3 of 64 cells are.`,
		Example: "  scree bench inside --mesh sphere:1,3 --side 20 --method auto,ray,winding\n" +
			"  scree bench inside --mesh examples/inside/torus.obj --random 10000 --repeat 1\n" +
			"  scree bench inside --mesh sphere:1,3 --side 20 --repeat 1 --method auto --peers\n" +
			"  scree bench inside --paper --finest 2 --side 10 --series sphere --method auto,ray",
		Args: exactly(0, "none but options"),
		RunE: func(c *cobra.Command, _ []string) error { return a.benchInside(c, &f) },
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.meshes, "mesh", []string{"sphere:1,7", "foam:1,56"}, "`MESH`: a file, a builtin or a surface; may be repeated")
	flags.IntSliceVar(&f.sides, "side", nil, "points `N` along a side of the grid (default: 80); with --paper several, separated by commas (default: 10, 20, 40, 80)")
	flags.StringSliceVar(&f.o.Methods, "method", bench.InsideMethods(), "methods `NAME`, separated by commas")
	decimal(flags, &f.o.Seed, "seed", 1, "`S`eed of orders, samples and rays")
	decimal(flags, &f.o.Repeat, "repeat", 3, "measure `R` times and show the smallest time; not with --paper")
	decimal(flags, &f.o.Random, "random", 0, "`N` random points in the box of each mesh instead of a grid")
	flags.BoolVar(&f.o.Full, "full", false, "test all points with ray and winding, which can take long")
	flags.BoolVar(&f.o.Long, "long", false, "use larger samples for ray and winding")
	flags.BoolVar(&f.o.Peers, "peers", false, "also measure Embree and CGAL if they are installed")
	flags.BoolVar(&f.paper, "paper", false, "run the study of Muth et al. 2006: times by numbers of faces and points")
	flags.StringSliceVar(&f.series, "series", nil, "`NAMES` of series of --paper: "+strings.Join(bench.InsideSeries(), ", ")+" (default: all)")
	decimal(flags, &f.finest, "finest", 0, "with --paper, use the `N` coarsest meshes of each series (default: all)")
	flags.StringVarP(&f.dir, "output", "o", "", "also write tables (CSV, JSON) and, with --paper, plots (SVG) into `DIR`")
	_ = c.MarkFlagDirname("output")
	_ = c.RegisterFlagCompletionFunc("method", cobra.FixedCompletions(bench.InsideMethods(), cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("series", cobra.FixedCompletions(bench.InsideSeries(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// maxSide is the limit of --side: 2.7·10⁷ points take 2 GB.
const maxSide = 300

func (a *app) benchInside(c *cobra.Command, f *insideBenchFlags) error {
	changed := c.Flags().Changed
	const most = maxSide * maxSide * maxSide
	err := check(c,
		demand{"side", len(f.sides) == 0 || slices.Min(f.sides) >= 1 && slices.Max(f.sides) <= maxSide, fmt.Sprintf("1 to %d", maxSide)},
		demand{"side", len(f.sides) <= 1 || f.paper, "one number without --paper"},
		demand{"side", len(slices.Compact(slices.Sorted(slices.Values(f.sides)))) == len(f.sides), "each number once"},
		demand{"series", f.paper || f.series == nil, "to be used with --paper only"},
		demand{"finest", f.paper || !changed("finest"), "to be used with --paper only"},
		demand{"mesh", !f.paper || !changed("mesh"), "none with --paper: its series have their own"},
		demand{"random", !changed("random") || f.o.Random >= 1 && f.o.Random <= most, fmt.Sprintf("1 to %d", most)},
		demand{"random", !changed("random") || !f.paper && f.sides == nil, "none with --paper or --side: they ask for a grid"},
		demand{"full", !f.o.Full || !f.o.Long && !f.paper, "none with --long or --paper: it tries all points"},
		demand{"peers", !f.paper || !f.o.Peers, "none with --paper"},
		demand{"repeat", !f.paper || !changed("repeat"), "none with --paper: it repeats what is short"},
		demand{"workers", !f.paper || !changed("workers"), "none with --paper: it runs on one worker"},
		demand{"pin", !a.pin, "none: one worker is timed by its own processor time"},
		demand{"finest", !changed("finest") || f.finest >= 1, "at least 1"},
		demand{"repeat", f.o.Repeat >= 1, "at least 1"})
	if err := cmp.Or(err, checkNames("method", f.o.Methods, bench.InsideMethods())); err != nil {
		return err
	}
	f.o.Side, f.o.Workers = 80, a.workersOf(c)
	if len(f.sides) == 1 {
		f.o.Side = f.sides[0]
	}
	if !f.paper {
		// Read all meshes first, so that a bad last mesh is reported at once and not after minutes.
		for _, spec := range f.meshes {
			mesh, err := a.surfaceOf(spec)
			if err != nil {
				return err
			}
			o := inside.Options{Workers: 1}
			if !slices.ContainsFunc(f.o.Methods, func(m string) bool { return !inside.Method(m).TakesOpen() }) {
				o.Method = inside.WindingFast
			}
			solid, err := inside.New(mesh, o)
			if err != nil {
				return usage("%s: %w", spec, fileio.Numbered(spec, mesh, inside.Fault(err)))
			}
			solid.Close()
			f.o.Meshes = append(f.o.Meshes, mesh)
		}
	}
	ctx, stop, p, err := a.begin(f.dir, "rows")
	if err != nil {
		return err
	}
	defer stop()
	if f.paper {
		return a.benchInsidePaper(ctx, f, p)
	}
	f.o.Progress = p.stepOf
	rows, err := bench.Inside(ctx, f.o)
	return errors.Join(a.results(p, f.dir, "inside", reportOf(rows), len(rows), err, nil), checkInside(rows))
}

// checkInside returns the joined errors of the rows with wrong results.
func checkInside(rows []bench.InsideRow) error {
	var wrong []error
	for i := range rows {
		wrong = append(wrong, rows[i].Check())
	}
	return errors.Join(wrong...)
}

// benchInsidePaper runs the study of the paper. After an interruption it shows the complete rows.
func (a *app) benchInsidePaper(ctx context.Context, f *insideBenchFlags, p *progress) error {
	report, err := bench.InsidePaper(ctx, bench.InsidePaperOptions{
		Series: f.series, Methods: f.o.Methods, Finest: f.finest, Sides: f.sides, Seed: f.o.Seed, Long: f.o.Long, Progress: p.stepOf,
	})
	report.Machine = bench.ThisMachine(version())
	files := figures(report.Figures())
	files["inside-paper-fits.csv"] = report.WriteFitsCSV
	return errors.Join(a.results(p, f.dir, "inside-paper", report, len(report.Rows), err, files), report.Check())
}
