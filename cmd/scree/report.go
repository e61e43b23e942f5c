package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/scree-dem/scree/report"
)

const reportName = "report.html"

// shown is the flags of the commands that show the folder of a run.
type shown struct {
	frames int
	port   int
	every  int64
}

func (a *app) reportCommand() *cobra.Command {
	var s shown
	c := &cobra.Command{
		Use:   "report DIR",
		Short: "Write a page that shows a run in a browser",
		Long: `Write DIR/report.html: one file that any browser opens, without a network. It shows the
frames in three dimensions, the curves of history.csv, the summary and the scene. Of a
folder that scree sweep has written, it lays the curves of all runs over each other.`,
		Example: "  scree run examples/drop.toml --steps 400 -o /tmp/drop && scree report /tmp/drop",
		Args:    exactly(1, "the folder of a run"),
		RunE: func(_ *cobra.Command, args []string) error {
			if s.frames < 1 || s.every < 1 {
				return usage("--frames is %d and --every-body is %d, expected at least 1", s.frames, s.every)
			}
			ctx, stop := interruptible()
			defer stop()
			if err := a.writeReport(ctx, args[0], report.Options{Frames: s.frames, EveryBody: s.every}); err != nil {
				return err
			}
			return a.show(filepath.Join(args[0], reportName) + ": open it in a browser\n")
		},
		ValidArgsFunction: folders,
	}
	decimal(c.Flags(), &s.frames, "frames", 60, "show at most `N` frames, at equal distances")
	decimal(c.Flags(), &s.every, "every-body", 1, "show only the bodies whose number `K` divides")
	return c
}

// folders completes the name of a folder.
func folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// writeReport writes the report of a folder into it, and tells what it lacks.
func (a *app) writeReport(ctx context.Context, dir string, o report.Options) error {
	missing, err := report.Write(ctx, filepath.Join(dir, reportName), dir, o)
	for _, text := range missing {
		a.message("%s: %s", dir, text)
	}
	return err
}

func (a *app) viewCommand() *cobra.Command {
	var s shown
	c := &cobra.Command{
		Use:   "view DIR",
		Short: "Show a run in a browser, frame by frame, while it goes on and after",
		Long: `Serve the page of scree report to browsers on this machine, with frames of any number, and
follow a run that goes on. The address holds a secret: only who knows it can read the
page. Nothing is written. Ctrl-C ends it.`,
		Example: "  scree run examples/drop.toml --steps 400 -o /tmp/drop && scree view /tmp/drop",
		Args:    exactly(1, "the folder of a run"),
		RunE: func(_ *cobra.Command, args []string) error {
			const ports = 1 << 16
			if s.port < 0 || s.port >= ports || s.every < 1 {
				return usage("--port is %d and --every-body is %d, expected 0 to %d and at least 1", s.port, s.every, ports-1)
			}
			f, err := report.Open(args[0], s.every)
			if err == nil {
				err = f.Fits()
			}
			if err != nil {
				return err
			}
			ctx, stop := interruptible()
			defer stop()
			wait, err := a.serve(ctx, args[0], s.port, s.every)
			if err != nil {
				return err
			}
			return wait()
		},
		ValidArgsFunction: folders,
	}
	decimal(c.Flags(), &s.port, "port", 0, "listen on port `N` (default: a free one)")
	decimal(c.Flags(), &s.every, "every-body", 1, "show only the bodies whose number `K` divides")
	return c
}

// serve starts to serve the page of a folder, and prints its address. The returned function waits until the context ends.
func (a *app) serve(ctx context.Context, dir string, port int, every int64) (wait func() error, err error) {
	server, err := report.NewServer(dir, port, every)
	if err != nil {
		return nil, usage("--port: %w", err)
	}
	var serving errgroup.Group
	serving.Go(func() error { return server.Serve(ctx) })
	a.message("%s shows %s; Ctrl-C ends it", server.Address(), dir)
	return serving.Wait, nil
}
