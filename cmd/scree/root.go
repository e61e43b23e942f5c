package main

import (
	"cmp"
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

// app is one run of the command: its streams and the values of the global flags.
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

Lengths are in m, masses in kg, angles in rad and times in s, or in any consistent set of
units. Results go to standard output or to the named file, progress and messages to
standard error. Control characters in names are escaped on both.`,
		Example:                    "  scree run examples/drop.toml",
		Args:                       a.noCommand,
		RunE:                       a.bare,
		SilenceErrors:              true,
		SuggestionsMinimumDistance: suggestionDistance,
		SilenceUsage:               true,
		PersistentPreRunE:          a.prepare,
	}
	root.Flags().Bool("version", false, "show the version of scree")
	f := root.PersistentFlags()
	decimal(f, &a.workers, "workers", 0, "number `N` of workers (default: one for each processor; the bench commands that time one worker: 1)")
	f.BoolVar(&a.pin, "pin", false, "tie each worker to a logical processor of its own; Linux only")
	f.StringVar(&a.backend, "backend", "", "machine code `NAME` of the kernels; scree info lists the available ones")
	f.BoolVar(&a.json, "json", false, "print results as JSON")
	f.BoolVarP(&a.quiet, "quiet", "q", false, "show no progress")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage("%s: %s; %s", c.CommandPath(), flagFault(err), cmp.Or(hintFor(err), helpOn(c)+" lists the options there are"))
	})
	_ = root.RegisterFlagCompletionFunc("backend", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return cpu.Available(), cobra.ShellCompDirectiveNoFileComp
	})
	root.AddCommand(a.runCommand(), a.sweepCommand(), a.reportCommand(), a.viewCommand(), a.statsCommand(), a.pairsCommand(), a.neighborsCommand(), a.insideCommand(), a.shapeCommand(), a.benchCommand(), a.verifyCommand(), a.infoCommand(), a.versionCommand())
	root.SetHelpCommand(a.helpCommand(root))
	return root
}

// bare runs scree without a command.
func (a *app) bare(c *cobra.Command, _ []string) error {
	if asked, _ := c.Flags().GetBool("version"); asked {
		return a.showVersion()
	}
	return c.Help()
}

// hints maps options and commands of other programs to what scree has in their place.
var hints = map[string]string{
	"threads":  "the number of workers is --workers N",
	"jobs":     "the number of workers is --workers N",
	"j":        "the number of workers is --workers N",
	"v":        "scree version shows the version, and --quiet hides progress",
	"verbose":  "progress is shown unless --quiet hides it",
	"dt":       "the time step is the key time.dt of the scene",
	"end":      "the length of a run is the key time.end of the scene",
	"nsteps":   "the number of steps is --steps N",
	"n":        "the number of steps is --steps N",
	"out":      "the folder of the results is -o DIR",
	"resume":   "scree run SCENE --restart FILE continues from a checkpoint",
	"dry-run":  "scree run SCENE --check checks a scene",
	"V":        "scree version shows the version",
	"validate": "scree run SCENE --check checks a scene, and scree verify checks the program",
	"render":   "scree report DIR shows the folder of a run in a browser",
	"check":    "scree run SCENE --check checks a scene",
	"plot":     "scree report DIR shows the folder of a run in a browser",
}

// hintFor returns the hint for an option that err reports as unknown, or "".
func hintFor(err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return ""
	}
	return hints[unknown.GetSpecifiedName()]
}

// flagFault returns a message for the error err of an option. It replaces the wording of package
// strconv with that of the command line.
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

// prepare checks the global flags.
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
		// Try pinning before anything is read, so that --pin is reported as the cause.
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

// emptyFlag rejects an option with an empty value. Most likely the value is a shell variable that
// is not set.
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

// isEmpty reports whether the value of an option is an empty text, an empty list, or a list with an
// empty item.
func isEmpty(v pflag.Value) bool {
	if list, ok := v.(pflag.SliceValue); ok {
		return len(list.GetSlice()) == 0 || slices.Contains(list.GetSlice(), "")
	}
	return v.Type() == "string" && v.String() == ""
}

// suggestionDistance is the largest edit distance between the typed word and a command that is
// suggested for it.
const suggestionDistance = 2

// maxWorkers is the largest number of workers that a world accepts.
const maxWorkers = 1024

// computes reports whether the command c uses the backend of --backend. Other commands, such as
// help and info, must also run with an invalid backend, because they show the valid ones.
func computes(c *cobra.Command) bool {
	topic := topicOf(c)
	return strings.HasPrefix(topic, "bench ") || slices.Contains([]string{"run", "sweep", "pairs", "neighbors", "inside", "verify"}, topic)
}

// topicOf returns the path of the command without the program name.
func topicOf(c *cobra.Command) string {
	if !c.HasParent() {
		return ""
	}
	if parent := topicOf(c.Parent()); parent != "" {
		return parent + " " + c.Name()
	}
	return c.Name()
}

// helpOn returns the command line that shows help on c.
func helpOn(c *cobra.Command) string { return strings.TrimSpace("scree help " + topicOf(c)) }

// noCommand rejects an argument that is not a command.
func (a *app) noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("%q is not a command of %s", args[0], c.CommandPath())
	if hint := hints[args[0]]; hint != "" && !c.HasParent() {
		return usage("%s; %s", text, hint)
	}
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		text += fmt.Sprintf(", expected perhaps %q", near[0])
	}
	return usage("%s; %s lists the commands", text, helpOn(c))
}

// group makes a command that only has subcommands.
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

// interruptible returns a context that the first SIGINT or SIGTERM cancels. A second signal ends
// the process in the default way.
func interruptible() (ctx context.Context, stop context.CancelFunc) {
	ctx, stop = signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop()
	}()
	return ctx, stop
}
