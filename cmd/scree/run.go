package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/report"
	"github.com/scree-dem/scree/scene"
	"github.com/scree-dem/scree/sched"
)

type runFlags struct {
	dir     string
	steps   int64
	restart string
	changed bool
	until   int64
	sets    []string
	check   bool
	report  bool
	view    bool
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run SCENE.toml | -",
		Short: "Simulate a scene and write a folder of results",
		Long: `Simulate a scene and write a folder of results: frames for ParaView, histories,
states, checkpoints and a summary. The scene "-" is read from standard input; file names
in it are then relative to the current folder. Ctrl-C or SIGTERM ends the run cleanly:
complete results are written, with a checkpoint to continue from, and the exit status is
130. Before the first frame is complete, nothing is written. A restart into the folder
of its checkpoint continues the files there, as if the run had never stopped. A restart
into the folder of another run is an error. --check builds the scene, and reports what a
run would need and warn of; it writes nothing.

--set KEY=VALUE gives a key of the scene another value. KEY is a path, with entries of
lists by name or by number from 1: law.pair.1.friction, walls.floor.motion.velocity.
VALUE is TOML. A word that is none stands for a text, as in broad.method=cells. The
results hold scene.toml, the scene as it was run.

--report writes a page of the results at the end, as scree report does. --view shows them
in a browser while the run goes on, as scree view does, and until Ctrl-C.`,
		Example: "  scree run examples/drop.toml -o /tmp/drop\n  scree run examples/drop.toml --set law.friction=0.3 --set gravity.vector=[0,0,-1.6]",
		Args:    exactly(1, "one scene file"),
		RunE:    func(c *cobra.Command, args []string) error { return a.run(c, args[0], &f) },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"toml"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	c.Flags().StringVarP(&f.dir, "output", "o", "", "`DIR` for the results (default: the scene's name with .out, or stdin.out, in the current folder)")
	decimal(c.Flags(), &f.steps, "steps", 0, "end after step `N` instead of the scene's last step")
	c.Flags().StringVar(&f.restart, "restart", "", "continue from the checkpoint `FILE`")
	c.Flags().BoolVar(&f.changed, "changed", false, "with --restart: the checkpoint is of another scene, which differs in what a stage may set")
	decimal(c.Flags(), &f.until, "until-stage", 0, "end after stage `N`, counted from 1, with a checkpoint")
	c.Flags().StringArrayVar(&f.sets, "set", nil, "use `KEY=VALUE` in place of the scene's value; may be repeated")
	c.Flags().BoolVar(&f.check, "check", false, "build the scene and report what a run would need, without running it")
	c.Flags().BoolVar(&f.report, "report", false, "write report.html into the results at the end")
	c.Flags().BoolVar(&f.view, "view", false, "show the results in a browser: print the address of the page, and serve it until Ctrl-C")
	_ = c.MarkFlagDirname("output")
	_ = c.MarkFlagFilename("restart", "scree")
	return c
}

// exactly returns a check for n arguments. The text what names them in the error.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			return usage("%s: %s, expected %s, as in: %s", c.CommandPath(), mark.Counted(len(args), "argument", "arguments"), what, firstExample(c))
		}
		return nil
	}
}

func (a *app) run(c *cobra.Command, path string, f *runFlags) error {
	if c.Flags().Changed("steps") && f.steps < 1 {
		return usage("--steps is %d, expected at least 1", f.steps)
	}
	if c.Flags().Changed("until-stage") && f.until < 1 {
		return usage("--until-stage is %d, expected at least 1", f.until)
	}
	if f.changed && f.restart == "" {
		return usage("--changed is given without --restart, expected a checkpoint to go on from")
	}
	if path == "" {
		return usage("the name of the scene is empty, expected one scene file, as in: %s", firstExample(c))
	}
	if f.dir == "-" {
		return usage("-o is \"-\", expected a folder: a run writes many files")
	}
	dir := f.dir
	if dir == "" && path == "-" {
		dir = stdinName + ".out"
	}
	if dir == "" {
		dir = disk.Stem(path) + ".out"
	}
	// Catch signals before the scene is read, so that an interrupted read also ends cleanly.
	ctx, stop := interruptible()
	defer stop()
	s, err := a.loadScene(ctx, path, f.sets)
	if err != nil {
		return err
	}
	if m := s.Memory(); m.Heap > memoryTold && !a.quiet {
		a.message("memory: %s", m)
	}
	o := scene.Options{
		Dir: dir, Steps: f.steps, Restart: f.restart, Changed: f.changed, UntilStage: int(f.until), Workers: a.workers, Pin: a.pin,
		Report: a.progress("steps"), Version: version(),
	}
	if f.check && (f.report || f.view) {
		return usage("--check is given with --report or --view, expected one of them: --check runs nothing")
	}
	if f.check {
		return a.check(ctx, s, o, path)
	}
	wait := func() error { return nil }
	if f.view {
		if wait, err = a.serve(ctx, dir, 0, 1); err != nil {
			return err
		}
	}
	summary, err := scene.Run(ctx, s, o)
	if f.report && summary != nil {
		err = errors.Join(err, a.writeReport(context.WithoutCancel(ctx), dir, report.Options{}))
	}
	if summary != nil {
		if printErr := a.printSummary(summary, dir, path, f.report); err == nil {
			err = printErr
		}
	}
	// There is no checkpoint if the run made no step, or if the disk is full.
	if errors.Is(err, scene.ErrInterrupted) && summary != nil && summary.Steps > summary.FirstStep {
		checkpoint := filepath.Join(dir, scene.CheckpointName(summary.Steps))
		if _, missing := os.Stat(checkpoint); missing != nil {
			return err
		}
		steps := ""
		if f.steps > 0 {
			steps = fmt.Sprintf(" --steps %d", f.steps) // The run would else end with the scene.
		}
		for _, set := range f.sets {
			steps += " --set " + disk.ForShell(set)
		}
		a.message("to go on: scree run %s -o %s%s --restart %s", disk.ForShell(path), disk.ForShell(dir), steps, disk.ForShell(checkpoint))
	}
	if err != nil {
		return err
	}
	return wait()
}

// memoryTold is the memory need, bytes, above which a message before the run states it.
const memoryTold = 1 << 28

// stdinName is the name of a scene from standard input.
const stdinName = "stdin"

// loadScene reads a scene, with values set, from the file path, or from standard input if path is "-". Reading
// meshes, computing hulls and waiting for a terminal can take long, so a cancelled context ends
// loadScene at once.
func (a *app) loadScene(ctx context.Context, path string, sets []string) (*scene.Scene, error) {
	s, err := sched.Await(ctx, "interrupted while the scene was read", func() (*scene.Scene, error) {
		if path != "-" {
			return scene.Load(path, sets...)
		}
		s, err := scene.Decode(a.stdin, "standard input", ".", sets...)
		if s != nil {
			s.Name = stdinName
		}
		return s, err
	})
	if errors.Is(err, context.Canceled) {
		return nil, fmt.Errorf("scene: %w while the scene was read", scene.ErrInterrupted)
	}
	return s, err
}

func (a *app) printSummary(s *scene.Summary, dir, path string, page bool) error {
	if a.json {
		return a.printJSON(s)
	}
	return writeSummary(a.stdout, s, dir, path, page)
}

// printJSON writes v to standard output as indented JSON.
func (a *app) printJSON(v any) error {
	var text strings.Builder
	return cmp.Or(writeJSON(&text, v), a.show(text.String()))
}

func writeJSON(w io.Writer, v any) error {
	to := json.NewEncoder(w)
	to.SetIndent("", "  ")
	return to.Encode(v)
}

// writeSummary writes the summary of a run as text.
func writeSummary(to io.Writer, s *scene.Summary, dir, path string, page bool) error {
	b, line := lines(14)
	state := ""
	if s.Interrupted {
		state = ", interrupted"
	}
	if s.Error != "" {
		state = ", failed"
	}
	line("scene", "%s, seed %d%s", path, s.Seed, state)
	for _, row := range report.Words(s) {
		line(row[0], "%s", row[1])
	}
	line("results", "%s", dir)
	if page {
		line("", "open %s in a browser", filepath.Join(dir, reportName))
	}
	if frames, err := fileio.ReadSeries(dir); err == nil && len(frames) == 0 {
		line("", "history.csv and summary.json are there; the scene asks for no frames")
	} else {
		line("", "open %s in ParaView, then Apply; history.csv and summary.json beside it", filepath.Join(dir, fileio.SeriesName))
	}
	if checkpoint := filepath.Join(dir, scene.CheckpointName(s.Steps)); disk.Regular(checkpoint) == nil && !s.Interrupted {
		line("", "to go on with a later end: --restart %s", disk.ForShell(checkpoint))
	}
	_, err := b.WriteTo(to)
	return err
}
