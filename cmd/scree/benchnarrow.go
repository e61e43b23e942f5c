package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/bench"
	"github.com/scree-dem/scree/narrow"
)

type narrowFlags struct {
	methods, shapes, regimes, scenes []string
	seed                             uint64
	repeat, pairs                    int
	seconds                          float64
	paper, location                  bool
	dir                              string
}

func (a *app) benchNarrowCommand() *cobra.Command {
	var f narrowFlags
	c := &cobra.Command{
		Use:   "narrow",
		Short: "Time the methods of the narrow phase on pairs of blocks",
		Long: `Time the methods of the narrow phase on random pairs of blocks, by shape and by the
relative pose of the pairs, and compare the results with the exact ones.

--paper runs the published tests of the fast direct search: R is the time of the direct
search divided by the time of the method.

--location times the overlaps that the thickness law needs if blocks touch: with nothing
known of a pair (cold), with known features and one pair at a time (warm), with one pair
in each vector lane (lanes), and in lanes with prisms that an earlier step has proven
(held). Times are processor time of one worker.`,
		Example: "  scree bench narrow --shape cube --regime touching --method auto,gjk-epa --time 0.01\n" +
			"  scree bench narrow --location --shape cube --time 0.01",
		Args: exactly(0, "none but options"),
		RunE: func(c *cobra.Command, _ []string) error { return a.benchNarrow(c, &f) },
	}
	flags := c.Flags()
	flags.StringSliceVar(&f.methods, "method", nil, "`NAMES` of methods, separated by commas (default: all; with --paper auto, fds, fds-paper, fcp)")
	flags.StringSliceVar(&f.shapes, "shape", nil, "`NAMES` of shapes: "+strings.Join(bench.NarrowShapes(), ", ")+" (default: all; with --location tetra, cube, hull12, hull32, hull64)")
	flags.StringSliceVar(&f.regimes, "regime", nil, "`NAMES` of regimes: "+strings.Join(bench.NarrowRegimes(), ", ")+" (default: all)")
	decimal(flags, &f.seed, "seed", 1, "`S`eed of shapes and poses")
	decimal(flags, &f.repeat, "repeat", 5, "measure each row `R` times and show the median")
	decimal(flags, &f.seconds, "time", 0, "measuring time for each row, `s` (default: 0.2; with --paper 0.05)")
	decimal(flags, &f.pairs, "pairs", 0, "largest number `N` of pairs in a pool (default: 8192; with --location 1024)")
	flags.BoolVar(&f.paper, "paper", false, "run the tests of the fast direct search: contact types, walls, falling tetrahedra")
	flags.BoolVar(&f.location, "location", false, "time the overlaps of touching blocks, which the thickness law needs")
	flags.StringSliceVar(&f.scenes, "scene", nil, "`NAMES` of scenes of --paper: "+strings.Join(bench.PaperScenes(), ", ")+" (default: all)")
	flags.StringVarP(&f.dir, "output", "o", "", "also write tables (CSV, JSON) and, without --location, plots (SVG) into `DIR`")
	_ = c.MarkFlagDirname("output")
	for name, values := range map[string][]string{"shape": bench.NarrowShapes(), "regime": bench.NarrowRegimes(), "scene": bench.PaperScenes()} {
		_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
	return c
}

func (a *app) benchNarrow(c *cobra.Command, f *narrowFlags) error {
	methods, err := f.check(a, c)
	if err != nil {
		return err
	}
	what := "rows"
	if f.paper {
		what = "tests"
	}
	ctx, stop, p, err := a.begin(f.dir, what)
	if err != nil {
		return err
	}
	defer stop()
	spent := time.Duration(f.seconds * float64(time.Second))
	if f.paper {
		o := bench.PaperOptions{Methods: methods, Seed: f.seed, Repeat: f.repeat, Time: spent, Scenes: f.scenes, Progress: p.stepOf}
		report, err := bench.Paper(ctx, o)
		report.Machine = bench.ThisMachine(version())
		files := figures(report.Figures())
		files["paper-types.csv"] = report.WriteClassesCSV
		files["paper-scenes.csv"], files["paper-displacement.csv"] = report.WriteScenesCSV, report.WriteDisplacementCSV
		return a.results(p, f.dir, "paper", report, len(report.Rows), err, files)
	}
	if f.location {
		o := bench.LocationOptions{Shapes: f.shapes, Seed: f.seed, Repeat: f.repeat, Time: spent, Pairs: f.pairs, Progress: p.stepOf}
		rows, err := bench.Location(ctx, o)
		return a.results(p, f.dir, "location", reportOf(rows), len(rows), err, nil)
	}
	o := bench.NarrowOptions{
		Methods: methods, Shapes: f.shapes, Regimes: f.regimes, Seed: f.seed, Repeat: f.repeat, Time: spent, Pairs: f.pairs, Progress: p.stepOf,
	}
	rows, err := bench.Narrow(ctx, o)
	return a.results(p, f.dir, "narrow", reportOf(rows), len(rows), err, figures(bench.NarrowFigures(rows)))
}

// check rejects contradictory options before anything is measured. It returns the methods of
// --method, nil if the option is absent.
func (f *narrowFlags) check(a *app, c *cobra.Command) ([]narrow.Method, error) {
	changed := c.Flags().Changed
	err := check(c,
		demand{"repeat", f.repeat >= 1, "at least 1"},
		demand{"pairs", f.pairs >= 1 && f.pairs <= 1<<20 || !changed("pairs"), "1 to 1048576"},
		demand{"time", f.seconds > 0 && f.seconds <= 3600 || !changed("time"), "a time > 0 s, up to 3600"},
		demand{"workers", a.workers <= 1, "1: the narrow phase is timed on one worker"},
		demand{"pin", !a.pin, "none: the narrow phase is timed on one thread"},
		demand{"shape", !f.paper || f.shapes == nil, "none with --paper"},
		demand{"regime", !f.paper || f.regimes == nil, "none with --paper"},
		demand{"pairs", !f.paper || !changed("pairs"), "none with --paper"},
		demand{"backend", !f.paper || a.backend == "", "none with --paper, which measures the generic and the best"},
		demand{"location", !f.paper || !f.location, "none with --paper"},
		demand{"method", !f.location || f.methods == nil, "none with --location"},
		demand{"regime", !f.location || f.regimes == nil, "none with --location"},
		demand{"scene", f.paper || f.scenes == nil, "to be used with --paper only"})
	if err != nil {
		return nil, err
	}
	for _, k := range []struct {
		option       string
		names, known []string
	}{{"method", f.methods, narrow.MethodNames()}, {"shape", f.shapes, bench.NarrowShapes()}, {"regime", f.regimes, bench.NarrowRegimes()}, {"scene", f.scenes, bench.PaperScenes()}} {
		if err := checkNames(k.option, k.names, k.known); err != nil {
			return nil, err
		}
	}
	var methods []narrow.Method
	for _, name := range f.methods {
		m, err := narrow.ParseMethod(name)
		if err != nil {
			return nil, err
		}
		methods = append(methods, m)
	}
	return methods, nil
}
