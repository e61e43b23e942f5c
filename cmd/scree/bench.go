package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/bench"
	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/mark"
)

func (a *app) benchCommand() *cobra.Command {
	c := a.group("bench", "Run benchmarks on known scenes",
		"  scree bench step --settled bench/testdata/hulls200.txt.gz")
	c.AddCommand(a.benchNarrowCommand(), a.benchStepCommand(), a.benchSettleCommand(), a.benchBroadCommand(), a.benchInsideCommand())
	c.AddCommand(absent("scaling", "cache")...)
	return c
}

type stepFlags struct {
	settled []string
	dir     string
	profile string
	o       bench.StepOptions
}

func (a *app) benchStepCommand() *cobra.Command {
	var f stepFlags
	c := &cobra.Command{
		Use:   "step --settled FILE",
		Short: "Time the whole step on a settled pile",
		Long: `Time the whole step on a settled pile. The bodies start at rest at the poses of
the file, with density 2600, friction 0.5, gravity 9.81 and restitution 0.1. After
20 steps to warm up, 1000 steps are timed, on one worker unless --workers is given.
The output has one row for each file and law, with the settings and, as a checksum,
the state hash.`,
		Example: "  scree bench step --settled bench/testdata/hulls200.txt.gz --workers 1\n" +
			"  scree bench step --settled bench/testdata/hulls200.txt.gz --law thickness,linear --repeat 5",
		Args: exactly(0, "none but options"),
		RunE: func(c *cobra.Command, _ []string) error { return a.benchStep(c, &f) },
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.settled, "settled", nil, "scene `FILE` in the plain text format, gzip or not; may be repeated")
	decimal(flags, &f.o.Steps, "steps", 1000, "number `N` of timed steps")
	decimal(flags, &f.o.Dt, "dt", 1e-4, "time step, `s`")
	flags.StringSliceVar(&f.o.Laws, "law", bench.Laws()[:1], "contact law `NAME`, thickness or linear; with both, separated by a comma, they alternate in one run")
	decimal(flags, &f.o.Stiffness, "stiffness", 0, "normal stiffness `K`, N/m (default: computed so that the pile carries its weight)")
	flags.StringVar(&f.o.Search, "search", "", "neighbour search `NAME`: "+strings.Join(engine.Searches(), ", "))
	decimal(flags, &f.o.Skin, "skin", 0, "distance that bodies may move between two searches for pairs, `m` (default: leads to a few searches in the run)")
	decimal(flags, &f.o.Horizon, "horizon", 0, "time, `s`: the skin is at least the distance that bodies move in it (default: 32 steps)")
	decimal(flags, &f.o.Repeat, "repeat", 1, "measure `R` new worlds and show the median")
	flags.BoolVar(&f.o.Check, "check", false, "compare the last step with a search over all pairs")
	flags.StringVarP(&f.dir, "output", "o", "", "also write step.csv and step.json into `DIR`")
	flags.StringVar(&f.profile, "cpuprofile", "", "write a processor profile to `FILE`")
	_ = c.MarkFlagFilename("settled", "txt", "gz")
	_ = c.MarkFlagDirname("output")
	return c
}

func (a *app) benchStep(c *cobra.Command, f *stepFlags) (err error) {
	changed := c.Flags().Changed
	err = check(c,
		demand{"steps", f.o.Steps >= 1, "at least 1"},
		demand{"dt", f.o.Dt > 0, "a time step > 0 s"},
		demand{"stiffness", f.o.Stiffness > 0 || !changed("stiffness"), "a stiffness > 0 N/m"},
		demand{"skin", f.o.Skin > 0 || !changed("skin"), "a length > 0 m"},
		demand{"horizon", f.o.Horizon > 0 || !changed("horizon"), "a time > 0 s"},
		demand{"repeat", f.o.Repeat >= 1, "at least 1"})
	if err = cmp.Or(err, checkNames("law", f.o.Laws, bench.Laws())); err != nil {
		return err
	}
	if f.o.Search != "" {
		err = checkNames("search", []string{f.o.Search}, engine.Searches())
	}
	if err == nil && len(f.settled) == 0 {
		err = usage("scree bench step needs --settled FILE, as in: %s", firstExample(c))
	}
	if err = cmp.Or(err, a.checkStepOutputs(f)); err != nil {
		return err
	}
	// Read all files first, so that a bad last file is reported at once and not after minutes.
	scenes := make([]*fileio.Settled, len(f.settled))
	for i, path := range f.settled {
		if scenes[i], err = a.readSettled(path); err != nil {
			return &inputError{err}
		}
	}
	f.o.Workers, f.o.Pin = a.workersOf(c), a.pin
	ctx, stop, _, err := a.begin(f.dir, "steps") // Each file has its own progress bar.
	if err != nil {
		return err
	}
	defer stop()
	if f.profile != "" {
		end, err := startProfile(f.profile)
		if err != nil {
			return err
		}
		defer end()
	}
	var rows []bench.StepRow
	for i, path := range f.settled {
		var more []bench.StepRow
		if more, err = a.stepRows(ctx, path, scenes[i], f.o); err != nil {
			break
		}
		rows = append(rows, more...)
	}
	return a.results(nil, f.dir, "step", reportOf(rows), len(rows), err, nil)
}

// checkStepOutputs rejects a profile or a table that would overwrite a scene file, and a profile
// that would overwrite a table.
func (a *app) checkStepOutputs(f *stepFlags) error {
	inputs := make([]input, len(f.settled))
	for i, path := range f.settled {
		inputs[i] = a.inputOf("a scene that --settled reads", path)
	}
	if f.profile != "" {
		if err := checkOutput("--cpuprofile", f.profile, inputs...); err != nil {
			return err
		}
	}
	for _, ext := range studyExts {
		path := filepath.Join(f.dir, "step"+ext)
		if f.dir != "" && f.profile != "" && disk.SameFile(path, f.profile) {
			return usage("--cpuprofile %s is a table that -o writes, expected another file", f.profile)
		}
		if _, err := os.Stat(path); f.dir == "" || err != nil {
			continue // The file does not exist yet.
		}
		if err := checkOutput("-o", path, inputs...); err != nil {
			return err
		}
	}
	return nil
}

// readSettled reads a pile from the file path, or from standard input if path is "-".
func (a *app) readSettled(path string) (*fileio.Settled, error) {
	if path == "-" {
		return fileio.DecodeSettled("standard input", a.stdin)
	}
	return fileio.ReadSettled(path)
}

func (a *app) stepRows(ctx context.Context, path string, s *fileio.Settled, o bench.StepOptions) ([]bench.StepRow, error) {
	name := filepath.Base(path)
	for _, ext := range []string{".gz", ".txt"} {
		name = strings.TrimSuffix(name, ext)
	}
	p := a.progress("steps")
	o.Progress = func(done, all int64, _ string) { p.stepOf(done, all, name) }
	rows, err := bench.Step(ctx, name, s, o)
	p.Done()
	if errors.Is(err, bench.ErrScene) {
		err = fmt.Errorf("%s: %w", path, mark.Inner(err))
	}
	for _, row := range rows {
		if row.Rebuilds == 0 {
			p.Warn(fmt.Sprintf("%s: the %d timed steps under the %s law include no search for pairs, because no body moved by more than the skin of %.3g m",
				name, row.Steps, row.Law, row.Skin))
		}
	}
	return rows, err
}

// startProfile starts a processor profile and returns the function that ends it.
func startProfile(path string) (end func(), err error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("--cpuprofile: %w", err)
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("--cpuprofile: %w", err)
	}
	return func() {
		pprof.StopCPUProfile()
		_ = file.Close() // The tool that reads the profile reports a truncated file.
	}, nil
}

type settleFlags struct {
	o   bench.SettleOptions
	out string
}

func (a *app) benchSettleCommand() *cobra.Command {
	var f settleFlags
	c := &cobra.Command{
		Use:   "settle --shape cube|hull:N --bodies N -o FILE",
		Short: "Make a settled pile to measure on",
		Long: `Drop a grid of randomly rotated bodies into an open box, wait until they rest, and
write their poses in the plain text format that bench step reads. The same options
produce the same file on every machine.`,
		Example: "  scree bench settle --shape hull:16 --bodies 50 --seed 1 -o /tmp/pile.txt.gz",
		Args:    exactly(0, "none but options"),
		RunE:    func(c *cobra.Command, _ []string) error { return a.benchSettle(c, &f) },
	}
	flags := c.Flags()
	flags.StringVar(&f.o.Shape, "shape", "cube", "`cube` of side 1 m, or hull:N for rocks with N vertices and radius 0.62 m")
	decimal(flags, &f.o.Bodies, "bodies", 1000, "number `N` of bodies")
	decimal(flags, &f.o.Seed, "seed", 1, "`S`eed of rocks and rotations")
	decimal(flags, &f.o.Speed, "speed", 1e-2, "mean speed below which the pile rests, `m/s`")
	decimal(flags, &f.o.Time, "time", 60, "simulated time, `s`, after which the command fails if the pile does not rest")
	flags.StringVarP(&f.out, "output", "o", "", "`FILE` to write, compressed if its name ends in .gz")
	_ = c.MarkFlagFilename("output", "txt", "gz")
	_ = c.RegisterFlagCompletionFunc("shape", cobra.FixedCompletions([]string{"cube", "hull:20"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (a *app) benchSettle(c *cobra.Command, f *settleFlags) error {
	if f.out == "" {
		return usage("scree bench settle needs -o FILE, as in: %s", firstExample(c))
	}
	err := cmp.Or(checkOutput("-o", f.out), check(c,
		demand{"speed", f.o.Speed > 0, "a speed > 0 m/s"},
		demand{"time", f.o.Time > 0, "a time > 0 s"}))
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	p := a.progress("simulated ms")
	p.Start(int64(1e3 * f.o.Time))
	f.o.Workers, f.o.Pin = a.workers, a.pin
	f.o.Progress = func(time, speed float64) { p.Step(int64(1e3*time), fmt.Sprintf("mean speed %.3g m/s", speed)) }
	r, err := bench.Settle(ctx, f.o)
	p.Done()
	if err != nil {
		return err
	}
	if err := fileio.WriteSettled(f.out, r.Scene); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{
			"file": f.out, "shape": f.o.Shape, "bodies": f.o.Bodies, "seed": f.o.Seed,
			"steps": r.Steps, "time_s": r.Time, "mean_speed_m_s": r.Speed, "penetration_m": r.Worst,
		})
	}
	return a.show(fmt.Sprintf("%s: %d bodies at rest after %d steps, %.3g s: mean speed %.2g m/s, worst penetration %.2g m\n",
		f.out, f.o.Bodies, r.Steps, r.Time, r.Speed, r.Worst))
}
