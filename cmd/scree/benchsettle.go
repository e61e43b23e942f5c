package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/bench"
	"github.com/scree-dem/scree/fileio"
)

func (a *app) benchSettleCommand() *cobra.Command {
	var o bench.SettleOptions
	var out string
	options := bench.OptionsOf(&o, nil)
	c := &cobra.Command{
		Use:   "settle --shape cube|hull:N --bodies N -o FILE",
		Short: "Make a settled pile to measure on",
		Long: `Drop a grid of randomly rotated bodies into an open box, wait until they rest, and
write their poses in the plain text format that bench step reads. The same options
produce the same file on every machine.`,
		Example: "  scree bench settle --shape hull:16 --bodies 50 --seed 1 -o /tmp/pile.txt.gz",
		Args:    exactly(0, "none but options"),
		RunE: func(c *cobra.Command, _ []string) error {
			if out == "" {
				return usage("scree bench settle needs -o FILE, as in: %s", firstExample(c))
			}
			err := checkOutput("-o", out)
			for _, p := range options {
				if c.Flags().Changed(p.Name) { // bench.Settle takes 0 as not given
					err = cmp.Or(err, p.Check())
				}
			}
			if o.Workers, o.Pin = a.workers, a.pin; err != nil {
				return err
			}
			return a.benchSettle(o, out)
		},
	}
	for _, p := range options {
		addOption(c, p, helpOf([]*bench.Study{{Options: options}}, p.Name))
	}
	c.Flags().StringVarP(&out, "output", "o", "", "`FILE` to write, compressed if its name ends in .gz")
	_ = c.MarkFlagFilename("output", "txt", "gz")
	_ = c.RegisterFlagCompletionFunc("shape", cobra.FixedCompletions([]string{"cube", "hull:20"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (a *app) benchSettle(o bench.SettleOptions, out string) error {
	ctx, stop := interruptible()
	defer stop()
	p := a.progress("simulated ms")
	p.Start(int64(1e3 * o.Time))
	o.Progress = func(time, speed float64) { p.Step(int64(1e3*time), fmt.Sprintf("mean speed %.3g m/s", speed)) }
	r, err := bench.Settle(ctx, o)
	p.Done()
	if err == nil {
		err = fileio.WriteSettled(out, r.Scene)
	}
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{
			"file": out, "shape": o.Shape, "bodies": o.Bodies, "seed": o.Seed,
			"steps": r.Steps, "time_s": r.Time, "mean_speed_m_s": r.Speed, "penetration_m": r.Worst,
		})
	}
	return a.show(fmt.Sprintf("%s: %d bodies at rest after %d steps, %.3g s: mean speed %.2g m/s, worst penetration %.2g m\n",
		out, o.Bodies, r.Steps, r.Time, r.Speed, r.Worst))
}
