package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/bench"
	"github.com/scree-dem/scree/engine"
)

type broadFlags struct {
	dir    string
	paper  bool
	long   bool
	series []string
	every  int
	scenes []string
	facets int
	o      bench.BroadOptions
}

func (a *app) benchBroadCommand() *cobra.Command {
	var f broadFlags
	c := &cobra.Command{
		Use:   "broad",
		Short: "Time the neighbour searches",
		Long: `Time each neighbour search on randomly placed balls at volume fraction 0.64: from
nothing, and for a step in which each ball moves by 0.1 % of the largest diameter.
Times are in ns per body, the least of several new scenes, on one worker unless
--workers is given. With several workers, one worker is measured in turn with them on
each scene, and gain is the ratio of the two times. us_moved is the time in µs of a
search for the pairs of ten balls, if only these balls have moved. The checksum is that
of the pairs; it is the same for all methods. Cells without a measurement are empty,
in JSON null.

--paper runs the published series for Verlet lists, linked cells and linked linear
lists: balls that fall and spread without damping, until each has touched another one.
Then each method finds the pairs of a hundred steps (block search), and makes 200 whole
steps of search, forces and motion (block whole), on one worker. All whole runs must end
in the same state. This takes 10 to 16 minutes. With --long the runs are as long as in
the paper, and take days. --every K searches in every K-th step only. The methods of
--paper are ` + strings.Join(bench.BroadPaperMethods(), ", ") + `;
lc-wide uses cells of the size in the paper.`,
		Example: "  scree bench broad --bodies 1000 --ratio 1 --repeat 2\n" +
			"  scree bench broad --bodies 32000 --ratio 1 --method multilevel,cells --repeat 1 --workers 2\n" +
			"  scree bench broad --bodies 2000 --ratio 1 --method multilevel --repeat 1 --peers",
		Args: exactly(0, "none but options"),
		RunE: func(c *cobra.Command, _ []string) error { return a.benchBroad(c, &f) },
	}
	flags := c.Flags()
	flags.IntSliceVar(&f.o.Bodies, "bodies", []int{1000, 8000, 64000, 1000000}, "numbers `N` of bodies, separated by commas")
	flags.Float64SliceVar(&f.o.Ratios, "ratio", []float64{1, 5, 20}, "ratios `R` of the largest radius to the smallest, separated by commas")
	flags.StringSliceVar(&f.o.Methods, "method", bench.BroadMethods(), "methods `NAME`, separated by commas")
	decimal(flags, &f.o.Seed, "seed", 1, "`S`eed of places and sizes")
	decimal(flags, &f.o.Repeat, "repeat", 5, "measure `R` new scenes")
	flags.BoolVar(&f.o.Peers, "peers", false, "also measure Bullet, CGAL and LAMMPS if they are installed")
	flags.BoolVar(&f.paper, "paper", false, "run the series of Muth et al. 2007: time by number and by sizes of particles")
	flags.BoolVar(&f.long, "long", false, "with --paper, as many steps and as long runs as in the paper")
	decimal(flags, &f.every, "every", 1, "with --paper, search in every `K`-th step")
	flags.StringSliceVar(&f.series, "series", nil, "`NAMES` of series of --paper: "+strings.Join(bench.BroadSeries(), ", ")+" (default: all)")
	flags.StringSliceVar(&f.scenes, "scene", nil, "time rebuilds of the pairs in whole worlds instead, for the scenes `NAMES`: "+strings.Join(bench.BroadScenes(), ", "))
	decimal(flags, &f.facets, "facets", 100_000, "with --scene, number `N` of facets of a mesh wall")
	flags.StringVarP(&f.dir, "output", "o", "", "also write tables (CSV, JSON) and, with --paper, plots (SVG) into `DIR`")
	_ = c.MarkFlagDirname("output")
	_ = c.RegisterFlagCompletionFunc("method", cobra.FixedCompletions(bench.BroadMethods(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (a *app) benchBroad(c *cobra.Command, f *broadFlags) error {
	changed := c.Flags().Changed
	const own = "none with --paper: its series have their own"
	err := check(c,
		demand{"bodies", len(f.o.Bodies) > 0 && slices.Min(f.o.Bodies) >= 1 && slices.Max(f.o.Bodies) <= maxBroadBodies,
			fmt.Sprintf("numbers from 1 to %d", maxBroadBodies)},
		demand{"ratio", len(f.o.Ratios) > 0 && slices.Min(f.o.Ratios) >= 1 && slices.Max(f.o.Ratios) <= 1e3, "numbers from 1 to 1000"},
		demand{"long", f.paper || !f.long, "to be used with --paper only"},
		demand{"every", f.every >= 1 && f.every <= maxBroadEvery && (f.paper || !changed("every")), fmt.Sprintf("1 to %d, beside --paper", maxBroadEvery)},
		demand{"series", f.paper || f.series == nil, "to be used with --paper only"},
		demand{"bodies", !f.paper || !changed("bodies"), own},
		demand{"ratio", !f.paper || !changed("ratio"), own},
		demand{"repeat", !f.paper || !changed("repeat"), own},
		demand{"peers", !f.paper || !f.o.Peers, own},
		demand{"facets", f.facets >= 1 && f.facets <= maxBroadFacets && (f.scenes != nil || !changed("facets")),
			fmt.Sprintf("1 to %d, beside --scene", maxBroadFacets)},
		demand{"pin", !a.pin, "none: the workers of this study are not tied"},
		demand{"repeat", f.o.Repeat >= 1, "at least 1"},
		demand{"scene", f.scenes == nil || !f.paper && !f.o.Peers && !changed("ratio"),
			"none with --paper, --peers or --ratio: scenes have their own sizes"})
	methods := bench.BroadMethods()
	switch {
	case f.scenes != nil:
		if methods = engine.Searches(); !changed("method") {
			f.o.Methods = []string{"cells", "multilevel"}
		}
	case f.paper:
		if methods = bench.BroadPaperMethods(); !changed("method") {
			f.o.Methods = methods
		}
	}
	if err := cmp.Or(err, checkNames("method", f.o.Methods, methods)); err != nil {
		return err
	}
	f.o.Workers = a.workersOf(c)
	ctx, stop, p, err := a.begin(f.dir, "rows")
	if err != nil {
		return err
	}
	defer stop()
	if f.paper {
		return a.benchBroadPaper(ctx, f, p)
	}
	f.o.Progress = p.stepOf
	if f.scenes != nil {
		return a.benchBroadScene(ctx, f, p)
	}
	rows, err := bench.Broad(ctx, f.o)
	return a.results(p, f.dir, "broad", reportOf(rows), len(rows), err, nil)
}

// benchBroadScene times rebuilds of the candidate pairs in whole worlds.
func (a *app) benchBroadScene(ctx context.Context, f *broadFlags, p *progress) error {
	o := bench.BroadSceneOptions{
		Scenes: f.scenes, Bodies: f.o.Bodies, Methods: f.o.Methods, Workers: f.o.Workers, Seed: f.o.Seed, Facets: f.facets, Repeat: f.o.Repeat, Progress: f.o.Progress,
	}
	rows, err := bench.BroadScene(ctx, o)
	return a.results(p, f.dir, "broad-scene", reportOf(rows), len(rows), err, nil)
}

// benchBroadPaper runs the series of the paper. After an interruption it shows the complete rows.
func (a *app) benchBroadPaper(ctx context.Context, f *broadFlags, p *progress) error {
	o := bench.BroadPaperOptions{Series: f.series, Methods: f.o.Methods, Seed: f.o.Seed, Every: f.every, Long: f.long, Workers: a.workers, Progress: p.stepOf}
	report, err := bench.BroadPaper(ctx, o)
	report.Machine = bench.ThisMachine(version())
	files := figures(report.Figures())
	files["broad-paper-fits.csv"] = report.WriteFitsCSV
	return a.results(p, f.dir, "broad-paper", report, len(report.Rows), err, files)
}

// maxBroadEvery bounds --every: balls then cross their box between two searches.
const maxBroadEvery = 1_000_000

// maxBroadBodies is the limit of --bodies, and maxBroadFacets that of --facets. Each limit needs
// about 10 GB.
const (
	maxBroadBodies = 20_000_000
	maxBroadFacets = 10_000_000
)
