package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/bench"
)

type broadFlags struct {
	dir string
	o   bench.BroadOptions
}

func (a *app) benchBroadCommand() *cobra.Command {
	var f broadFlags
	c := &cobra.Command{
		Use:   "broad",
		Short: "Time the neighbour searches",
		Long: `Time each neighbour search on balls at random places, at volume fraction 0.64: from
nothing, and for a step in which each ball moves by 0.1 % of the largest
diameter. Times are ns a body, the least of several fresh scenes, on one worker
unless --workers says otherwise. The checksum is of the pairs, and the same for all methods.`,
		Example: "  scree bench broad --bodies 1000 --ratio 1 --repeat 2\n" +
			"  scree bench broad --bodies 64000 --ratio 1 --method multilevel,cells --repeat 1 --workers 2",
		Args: exactly(0, "none but options"),
		RunE: func(c *cobra.Command, _ []string) error { return a.benchBroad(c, &f) },
	}
	flags := c.Flags()
	flags.IntSliceVar(&f.o.Bodies, "bodies", []int{1000, 8000, 64000, 1000000}, "numbers `N` of bodies, commas between")
	flags.Float64SliceVar(&f.o.Ratios, "ratio", []float64{1, 5, 20}, "ratios `R` of the largest radius to the least, commas between")
	flags.StringSliceVar(&f.o.Methods, "method", bench.BroadMethods(), "methods `NAME`, commas between")
	decimal(flags, &f.o.Seed, "seed", 1, "`S`eed of places and sizes")
	decimal(flags, &f.o.Repeat, "repeat", 5, "measure `R` fresh scenes")
	flags.StringVarP(&f.dir, "output", "o", "", "write broad.csv and broad.json into `DIR` too")
	_ = c.MarkFlagDirname("output")
	_ = c.RegisterFlagCompletionFunc("method", cobra.FixedCompletions(bench.BroadMethods(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (a *app) benchBroad(c *cobra.Command, f *broadFlags) error {
	switch {
	case len(f.o.Bodies) == 0 || slices.Min(f.o.Bodies) < 1 || slices.Max(f.o.Bodies) > maxBroadBodies:
		return usage("--bodies is %v, expected numbers from 1 to %d", f.o.Bodies, maxBroadBodies)
	case len(f.o.Ratios) == 0 || !(slices.Min(f.o.Ratios) >= 1 && slices.Max(f.o.Ratios) <= 1e3):
		return usage("--ratio is %v, expected numbers from 1 to 1000", f.o.Ratios)
	case f.o.Repeat < 1:
		return usage("--repeat is %d, expected at least 1", f.o.Repeat)
	}
	for _, name := range f.o.Methods {
		if !slices.Contains(bench.BroadMethods(), name) {
			return usage("--method has %q, expected %s", name, strings.Join(bench.BroadMethods(), ", "))
		}
	}
	f.o.Workers = 1
	if c.Flags().Changed("workers") {
		f.o.Workers = a.workers
	}
	if f.dir != "" {
		if err := os.MkdirAll(f.dir, 0o777); err != nil {
			return usage("-o is %s, expected a folder: %w", f.dir, err)
		}
	}
	ctx, stop := interruptible()
	defer stop()
	p := a.progress("rows")
	started := false
	f.o.Progress = func(done, all int64) {
		if !started {
			p.Start(all)
			started = true
		}
		p.Step(done, "neighbour searches")
	}
	rows, err := bench.Broad(ctx, f.o)
	p.Done()
	if err != nil {
		return err
	}
	report := bench.Report[bench.BroadRow]{Machine: bench.ThisMachine(version()), Rows: rows}
	if f.dir != "" {
		if err := writeStudy(f.dir, "broad", &report); err != nil {
			return err
		}
	}
	return a.showStudy(&report)
}

// maxBroadBodies bounds --bodies: some 10 GB.
const maxBroadBodies = 20_000_000
