package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/sched"
)

// app is one call of the command: its streams and the flags that all commands have.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer

	workers int
	pin     bool
	backend string
	json    bool
	quiet   bool
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "scree",
		Short: "Contacts of rigid convex polyhedra, and heaps of them in motion",
		Long: `scree finds contacts of rigid convex polyhedra and simulates heaps of them.

Lengths in m, masses in kg, angles in rad, time in s, or any consistent set.
Results go to standard output or to the file named, progress and messages to
standard error.`,
		Example:                    "  scree run examples/drop.toml",
		Args:                       a.noCommand,
		RunE:                       a.bare,
		SilenceErrors:              true,
		SuggestionsMinimumDistance: suggestionDistance,
		SilenceUsage:               true,
		PersistentPreRunE:          a.prepare,
	}
	root.Flags().Bool("version", false, "version of scree")
	f := root.PersistentFlags()
	decimal(f, &a.workers, "workers", 0, "number `N` of workers (default: one for each processor; of bench step one)")
	f.BoolVar(&a.pin, "pin", false, "tie each worker to a logical processor of its own; Linux only")
	f.StringVar(&a.backend, "backend", "", "machine code `NAME` of the kernels; scree info lists those there are")
	f.BoolVar(&a.json, "json", false, "print results as JSON")
	f.BoolVarP(&a.quiet, "quiet", "q", false, "no progress")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage("%s: %s; %s lists the options there are", c.CommandPath(), flagFault(err), helpOn(c))
	})
	_ = root.RegisterFlagCompletionFunc("backend", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return cpu.Available(), cobra.ShellCompDirectiveNoFileComp
	})
	root.AddCommand(a.runCommand(), a.pairsCommand(), a.neighborsCommand(), a.insideCommand(), a.shapeCommand(), a.benchCommand(), a.infoCommand(), a.versionCommand())
	root.AddCommand(absent("verify")...)
	root.SetHelpCommand(a.helpCommand(root))
	return root
}

// bare is scree without a command.
func (a *app) bare(c *cobra.Command, _ []string) error {
	if asked, _ := c.Flags().GetBool("version"); asked {
		return a.showVersion()
	}
	return c.Help()
}

// flagFault says what is wrong with an option in the words of the command line, not of package strconv.
func flagFault(err error) string {
	var number *strconv.NumError
	before, _, ok := strings.Cut(err.Error(), " flag: ")
	_, flag, named := strings.Cut(before, " for ")
	if !errors.As(err, &number) || !ok || !named {
		return err.Error()
	}
	want := "a number"
	switch number.Func {
	case "ParseInt", "Atoi":
		want = "a whole number"
	case "ParseUint":
		want = "a whole number ≥ 0"
	case "ParseBool":
		want = "true or false"
	}
	switch {
	case !errors.Is(err, strconv.ErrRange):
	case number.Func == "ParseFloat":
		want = "a finite number"
	default:
		want += " of 64 bits"
	}
	return fmt.Sprintf("%s is %q, expected %s", strings.Trim(flag, `"`), number.Num, want)
}

// prepare checks the flags that all commands have.
func (a *app) prepare(c *cobra.Command, _ []string) error {
	if a.workers < 0 || a.workers > maxWorkers {
		return usage("--workers is %d, expected 1 to %d, or 0 for one for each processor", a.workers, maxWorkers)
	}
	if err := emptyFlag(c); err != nil {
		return err
	}
	if !computes(c) {
		return nil
	}
	if a.pin {
		// Tried here, so that it is the command line that is refused, before anything is read.
		p, err := sched.NewPinned(a.workers)
		if err != nil {
			return usage("--pin: %s", strings.TrimPrefix(err.Error(), "sched: "))
		}
		p.Close()
	}
	if a.backend != "" {
		if err := cpu.Select(a.backend); err != nil {
			return usage("--backend: %w", err)
		}
		return nil
	}
	if err := cpu.EnvError(); err != nil {
		return &inputError{err}
	}
	return nil
}

// emptyFlag refuses an option that is given as an empty text: what it stands for was most likely a variable without a value.
func emptyFlag(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && isEmpty(f.Value) {
			name, shown := "--"+f.Name, ""
			if shown, _ = pflag.UnquoteUsage(f); f.Shorthand != "" {
				name = "-" + f.Shorthand
			}
			err = usage("%s is empty, expected %s, as in: %s", name, shown, firstExample(c))
		}
	})
	return err
}

// isEmpty reports whether the value of an option is an empty text, or a list that has one or is
// empty.
func isEmpty(v pflag.Value) bool {
	if list, ok := v.(pflag.SliceValue); ok {
		return len(list.GetSlice()) == 0 || slices.Contains(list.GetSlice(), "")
	}
	return v.Type() == "string" && v.String() == ""
}

// suggestionDistance is how many letters what was typed may be off a command to be taken for it.
const suggestionDistance = 2

// maxWorkers is what a world takes.
const maxWorkers = 1024

// computes reports whether the command needs the backend that was asked for. Others, such as help and info,
// work with a backend that is wrong, to show which are right.
func computes(c *cobra.Command) bool {
	switch topicOf(c) {
	case "run", "pairs", "neighbors", "inside", "bench narrow", "bench step", "bench settle", "bench inside":
		return true
	}
	return false
}

// topicOf is the command's path without the program's name.
func topicOf(c *cobra.Command) string {
	if !c.HasParent() {
		return ""
	}
	if parent := topicOf(c.Parent()); parent != "" {
		return parent + " " + c.Name()
	}
	return c.Name()
}

// helpOn is what to type for help on a command.
func helpOn(c *cobra.Command) string { return strings.TrimSpace("scree help " + topicOf(c)) }

// noCommand refuses what is no command.
func (a *app) noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("%q is not a command of %s", args[0], c.CommandPath())
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		text += fmt.Sprintf(", expected perhaps %q", near[0])
	}
	return usage("%s; %s lists the commands", text, helpOn(c))
}

// group makes a command that only holds others.
func (a *app) group(use, short, example string) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Example: example,
		SuggestionsMinimumDistance: suggestionDistance,
		Args:                       a.noCommand,
		RunE: func(c *cobra.Command, _ []string) error {
			return usage("%s needs a command; %s lists them", c.CommandPath(), helpOn(c))
		},
	}
}

// absent makes commands that the format of the command line has and this release does not.
func absent(names ...string) []*cobra.Command {
	var list []*cobra.Command
	for _, name := range names {
		list = append(list, &cobra.Command{
			Use: name, Hidden: true, DisableFlagParsing: true,
			RunE: func(c *cobra.Command, _ []string) error {
				return usage("%s is not available in this release (%s)", c.CommandPath(), release)
			},
		})
	}
	return list
}

// interruptible returns a context that the first SIGINT or SIGTERM cancels. The second one ends the process
// as it would without.
func interruptible() (ctx context.Context, stop context.CancelFunc) {
	ctx, stop = signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop()
	}()
	return ctx, stop
}

// await returns what f returns, or an error as soon as the context ends. f may then go on until the
// process ends, so it must not write anything.
func await[T any](ctx context.Context, doing string, f func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		value, err := f()
		done <- answer{value, err}
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
		var none T
		return none, fmt.Errorf("interrupted while %s: %w", doing, ctx.Err())
	}
}
