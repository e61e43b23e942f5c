package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/scene"
)

// sweepName is the table of runs in the folder of a sweep.
const sweepName = "sweep.csv"

// sweep is the runs of a scene with all combinations of values.
type sweep struct {
	a       *app
	path    string
	dir     string
	sets    []string // KEY=VALUES
	restart string
	changed bool
	jobs    int
	dry     bool

	mu     sync.Mutex // guards all below while runs go
	bar    *progress
	runs   []*sweepRun
	ended  int64
	failed int
}

// sweepRun is a run of a sweep, as --json shows it.
type sweepRun struct {
	Folder    string   `json:"folder"` // in the folder of the sweep
	Sets      []string `json:"set"`    // KEY=VALUE
	State     string   `json:"state"`  // one of the states
	Status    int      `json:"status"` // exit status
	StateHash string   `json:"state_hash,omitempty"`
	Error     string   `json:"error,omitempty"`

	checkpoint string            // to go on from
	numbers    map[string]string // of the summary
}

// The states of a run.
const (
	runWaits    = "to run"
	runGoesOn   = "to go on"
	runComplete = "complete"
	runFailed   = "failed"
)

func (a *app) sweepCommand() *cobra.Command {
	s := sweep{a: a}
	c := &cobra.Command{
		Use:   "sweep SCENE.toml",
		Short: "Run a scene with all combinations of values",
		Long: `Run a scene with all combinations of values, each in a folder of its own, which holds the
scene as it was run. The table sweep.csv has a row for each run: the values, the state
hash, the numbers of summary.json, and the exit status. It is written again after each.

--set KEY=VALUES is as for scree run. Commas outside brackets and quotes part values, and
a:b stands for the whole numbers from a to b. Started again, a sweep skips complete runs,
and goes on with interrupted ones. It compares scenes, but neither meshes nor the
checkpoint of --restart. A run that fails does not stop the others; the exit status is
then 1. Ctrl-C ends the runs that are going cleanly, with a checkpoint each.`,
		Example: "  scree sweep examples/drop.toml --set law.friction=0.1,0.3 --set law.restitution=0.2,0.5 --set time.end=0.01 -o /tmp/drops",
		Args:    exactly(1, "one scene file"),
		RunE:    func(_ *cobra.Command, args []string) error { s.path = args[0]; return s.run() },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"toml"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	c.Flags().StringArrayVar(&s.sets, "set", nil, "run with each of `KEY=VALUE,VALUE…`; may be repeated")
	c.Flags().StringVarP(&s.dir, "output", "o", "", "`DIR` for the folders of the runs (default: the scene's name with .sweep, in the current folder)")
	c.Flags().StringVar(&s.restart, "restart", "", "start each run from the checkpoint `FILE`")
	c.Flags().BoolVar(&s.changed, "changed", false, "with --restart: the checkpoint is of another scene, which differs in what a stage may set")
	decimal(c.Flags(), &s.jobs, "jobs", 1, "make `N` runs at a time, which share the workers")
	c.Flags().BoolVar(&s.dry, "dry", false, "list the runs, and make none")
	_ = c.MarkFlagDirname("output")
	_ = c.MarkFlagFilename("restart", "scree")
	return c
}

func (s *sweep) run() error {
	switch {
	case s.path == "" || s.path == "-":
		return usage("the scene is %q, expected a file, which each run reads", s.path)
	case len(s.sets) == 0:
		return usage("no --set is given, expected at least one, as in --set law.friction=0.1,0.3")
	case s.changed && s.restart == "":
		return usage("--changed is given without --restart, expected a checkpoint to go on from")
	case s.jobs < 1 || s.jobs > maxWorkers:
		return usage("--jobs is %d, expected 1 to %d", s.jobs, maxWorkers)
	case s.a.pin && s.jobs > 1:
		return usage("--pin is given with --jobs %d, expected one of them: each run would be tied to the same processors", s.jobs)
	case s.dir == "":
		s.dir = disk.Stem(s.path) + ".sweep"
	}
	ctx, stop := interruptible()
	defer stop()
	if err := s.plan(ctx); err != nil {
		return err
	}
	if s.dry {
		return s.show()
	}
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return usage("-o: %w", err)
	}
	s.bar = s.a.progress("runs")
	s.bar.Start(int64(len(s.runs)))
	var jobs errgroup.Group
	jobs.SetLimit(s.jobs)
	for _, r := range s.runs {
		if r.State != runComplete {
			jobs.Go(func() error { return s.runOne(ctx, r) })
		}
	}
	err := errors.Join(jobs.Wait(), s.write())
	s.bar.Done()
	if s.failed > 0 {
		err = errors.Join(err, fmt.Errorf("%d of %d runs failed, %s has the messages", s.failed, len(s.runs), filepath.Join(s.dir, sweepName)))
	}
	if ctx.Err() != nil {
		err = errors.Join(err, fmt.Errorf("scene: %w: the same command goes on", scene.ErrInterrupted))
	}
	return errors.Join(s.show(), err)
}

// plan lists the runs, checks their keys and values, and finds the complete ones.
func (s *sweep) plan(ctx context.Context) error {
	grid, err := scene.Grid(s.sets)
	taken := map[string]bool{}
	for _, sets := range grid {
		r := &sweepRun{Folder: folderOf(sets, taken), Sets: sets, State: runWaits}
		done, checkpoint, err := scene.Done(s.path, filepath.Join(s.dir, r.Folder), sets...)
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return fmt.Errorf("scene: %w before the first run", scene.ErrInterrupted)
		case done != nil:
			r.end(done, nil)
			s.ended++
		case checkpoint != "":
			r.State, r.checkpoint = runGoesOn, checkpoint
		}
		s.runs = append(s.runs, r)
	}
	return err
}

// maxFolder is the largest length of the name of a run's folder, bytes. File systems take 255.
const maxFolder = 200

// unwanted and special match characters that names of folders leave out, and that they show as _.
var unwanted, special = regexp.MustCompile("[ \"'\\[\\]{}]"), regexp.MustCompile(`[^-_.+=,0-9A-Za-z]`)

// folderOf returns a name that tells the values, in characters that all file systems take. It differs from the taken
// ones in more than the case of letters.
func folderOf(sets []string, taken map[string]bool) string {
	plain := special.ReplaceAllString(unwanted.ReplaceAllString(strings.Join(sets, ","), ""), "_")
	plain = strings.TrimLeft(strings.TrimRight(plain[:min(len(plain), maxFolder)], "."), ".-")
	name := plain
	for k := 2; taken[strings.ToLower(name)]; k++ {
		name = fmt.Sprintf("%s-%d", plain, k)
	}
	taken[strings.ToLower(name)] = true
	return name
}

// runOne makes a run, and writes the table. It returns an error of the table only.
func (s *sweep) runOne(ctx context.Context, r *sweepRun) error {
	if ctx.Err() != nil {
		return nil
	}
	var summary *scene.Summary
	made, err := s.a.loadScene(ctx, s.path, r.Sets)
	if err == nil {
		o := scene.Options{
			Dir: filepath.Join(s.dir, r.Folder), Restart: s.restart, Changed: s.changed, Pin: s.a.pin, Version: version(),
			Workers: max(cmp.Or(s.a.workers, runtime.GOMAXPROCS(0))/s.jobs, 1), Report: &oneOf{sweep: s, name: r.Folder},
		}
		if r.checkpoint != "" {
			o.Restart, o.Changed = r.checkpoint, false
		}
		summary, err = scene.Run(ctx, made, o)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r.end(summary, err)
	if s.ended++; r.State == runFailed {
		s.failed++
		s.bar.clear()
		s.a.message("%s: %s", r.Folder, r.Error)
	}
	s.bar.Step(s.ended, r.Folder+" "+r.State)
	return s.write()
}

// end records how a run has ended.
func (r *sweepRun) end(summary *scene.Summary, err error) {
	r.State, r.Status = runComplete, statusDone
	if err != nil {
		r.State, r.Status, r.Error = runFailed, statusOf(err), mark.WithoutPackage(err.Error())
	}
	if r.Status == statusInterrupted {
		r.State = runGoesOn
	}
	if summary == nil {
		return
	}
	r.StateHash, r.numbers = summary.StateHash, map[string]string{}
	var text bytes.Buffer
	from := json.NewDecoder(&text)
	from.UseNumber()
	var all map[string]any
	if cmp.Or(json.NewEncoder(&text).Encode(summary), from.Decode(&all)) == nil {
		flatten(r.numbers, "", all)
	}
}

// flatten adds the numbers of an object, and of the objects in it, with dots between the keys.
func flatten(to map[string]string, at string, object map[string]any) {
	for key, v := range object {
		switch v := v.(type) {
		case json.Number:
			to[at+key] = v.String()
		case map[string]any:
			flatten(to, at+key+".", v)
		}
	}
}

// write writes sweep.csv: a row for each run that has ended, in the order of the grid.
func (s *sweep) write() error {
	all := map[string]string{} // numbers of any run
	for _, r := range s.runs {
		maps.Copy(all, r.numbers)
	}
	title := []string{"folder"}
	for _, set := range s.runs[0].Sets {
		key, _, _ := scene.CutSet(set)
		title = append(title, key)
		delete(all, key) // such as seed, which is set
	}
	numbers := slices.Sorted(maps.Keys(all))
	rows := [][]string{slices.Concat(title, []string{"status", "state_hash"}, numbers, []string{"error"})}
	for _, r := range s.runs {
		if r.numbers == nil && r.Error == "" {
			continue // It has not begun.
		}
		row := []string{r.Folder}
		for _, set := range r.Sets {
			_, value, _ := scene.CutSet(set)
			row = append(row, value)
		}
		row = append(row, strconv.Itoa(r.Status), r.StateHash)
		for _, name := range numbers {
			row = append(row, r.numbers[name])
		}
		rows = append(rows, append(row, mark.OneLine(r.Error)))
	}
	return fileio.WriteFile(filepath.Join(s.dir, sweepName), func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) })
}

// show prints the runs.
func (s *sweep) show() error {
	if s.a.json {
		return s.a.printJSON(s.runs)
	}
	var text strings.Builder
	for _, r := range s.runs {
		fmt.Fprintln(&text, strings.TrimRight(fmt.Sprintf("%-8s  %16s  %s", r.State, r.StateHash, r.Folder), " "))
	}
	return s.a.show(text.String())
}

// oneOf reports the progress of one run of a sweep.
type oneOf struct {
	*sweep
	name string
}

func (o *oneOf) Start(int64) {}

func (o *oneOf) Step(_ int64, note string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.bar.Step(o.ended, o.name+" "+note)
}

func (o *oneOf) Warn(text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.bar.Warn(o.name + ": " + text)
}

func (o *oneOf) Done() {}
