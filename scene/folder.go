package scene

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"syscall"

	"golang.org/x/sync/errgroup"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disk"
)

// folder is where a run's results go. It owns files of these names and touches no others:
//
//	run.json  series.pvd  bodies-, contacts-, walls-NNNNNN.vtp  states.csv  history.csv  summary.json
//	checkpoint-NNNNNNNN.scree  run.lock
//
// N is the step. Three rules keep everything whole, whenever the process ends:
//
//   - While run.json is there, all rows and frames are of the run that it names. So it goes before
//     those of another run do, and comes before the first of this one.
//   - What an earlier run left stays until this one has all of its first step ready beside it
//     (begin). Then frames, tables and summary go; checkpoints stay, for they are dear and know
//     their scene. A restart keeps what is of its schedule up to its step.
//   - A checkpoint is saved when all rows and frames up to its step are on the disk (settle). So a
//     restart finds them, and drops what is later.
type folder struct {
	r       *runner
	lock    *disk.Lock
	vacant  bool    // no results are there
	record  *record // of this run
	known   bool    // the folder has it already
	begun   bool    // the folder is this run's
	refused error   // why it did not become so
	series  *fileio.Series
	kept    keptFrames
	history *table
	rows    schedule // of the history
	states  *table
	poses   schedule       // of the states
	ready   []staged       // files of the first step that wait for begin
	frames  errgroup.Group // the one frame being written while the next steps are made
	failed  error          // of a frame
	still   string         // file with the walls, when none moves
	interim []int64        // steps of checkpoints off the interval that were there
}

// Shares of a run that an interval not given in the scene is.
const (
	defaultFrames  = 100
	defaultHistory = 1000
)

const (
	historyName = "history.csv"
	statesName  = "states.csv"
	lockName    = "run.lock"
)

// ours matches the frames that a run writes, saved its checkpoints, and leftover what a killed one may have left of any file.
var (
	ours     = regexp.MustCompile(`^(bodies|contacts|walls)-(\d{6,})\.vtp$`)
	saved    = regexp.MustCompile(`^checkpoint-(\d{8,})\.scree$`)
	leftover = regexp.MustCompile(`^(?:(?:bodies|contacts|walls)-\d{6,}\.vtp|series\.pvd|summary\.json|run\.json|history\.csv|states\.csv|checkpoint-\d{8,}\.scree)(?:\.\d+(?:-\d+)?\.tmp)+$`)
)

func (f *folder) path(name string) string { return filepath.Join(f.r.o.Dir, name) }

// staged is a file that is written and waits for its name.
type staged struct{ temp, path string }

// stage writes a file of the first step beside what has its name.
func (f *folder) stage(name string, write func(path string) error) error {
	s := staged{fmt.Sprintf("%s.%d.tmp", f.path(name), os.Getpid()), f.path(name)}
	// A killed process of the same number may have left one.
	if err := disk.Remove(s.temp); err != nil {
		return fmt.Errorf("scene: %w", err)
	}
	if err := write(s.temp); err != nil {
		return unwritten(s.path, err)
	}
	f.ready = append(f.ready, s)
	return nil
}

// unwritten is the error of a file that is written beside what has its name. The temporary name
// tells users nothing.
func unwritten(path string, err error) error {
	if named, number := (*fs.PathError)(nil), syscall.Errno(0); errors.As(err, &named) {
		err = named.Err
	} else if errors.As(err, &number) {
		err = number
	}
	return fmt.Errorf("scene: writing %s: %w (what was there before is untouched)", path, err)
}

// begin makes the folder this run's, when it has something to write. Rows and frames that are ready
// are in files beside by then: a full disk leaves what was there.
func (f *folder) begin() error {
	if f.begun || f.refused != nil {
		return f.refused
	}
	f.refused = f.take()
	return f.refused
}

func (f *folder) take() error {
	if err := errors.Join(f.history.prepare(), f.states.prepare()); err != nil {
		return err
	}
	if !f.known {
		if err := f.stage(recordName, func(path string) error { return writeJSON(path, f.record) }); err != nil {
			return err
		}
	}
	// The list of frames first, so that it never names one that is gone.
	path, err := f.place(fileio.SeriesName)
	if err != nil {
		return err
	}
	if f.known {
		f.series, err = fileio.ResumeSeries(filepath.Dir(path), f.kept.end)
	} else {
		f.series, err = fileio.NewSeries(filepath.Dir(path))
	}
	if err != nil {
		return err
	}
	f.begun = true
	if err := f.clean(); err != nil {
		return err
	}
	// The record comes before what it speaks of.
	slices.Reverse(f.ready)
	for len(f.ready) > 0 {
		if err := disk.Rename(f.ready[0].temp, f.ready[0].path); err != nil {
			return fmt.Errorf("scene: %w", err)
		}
		f.ready = f.ready[1:]
	}
	if err := errors.Join(f.history.place(), f.states.place()); err != nil {
		return err
	}
	return disk.SyncFolder(f.r.o.Dir)
}

// place returns the path of a file that is about to be written. A symbolic link of this name is removed: what it
// points to is none of the run's. A pipe or a device is refused, for to open one may take for ever.
func (f *folder) place(name string) (string, error) {
	path := f.path(name)
	stat, err := os.Lstat(path)
	switch {
	case err != nil || stat.Mode().IsRegular():
	case stat.Mode()&fs.ModeSymlink != 0:
		if err := disk.Remove(path); err != nil {
			return "", fmt.Errorf("scene: %w", err)
		}
	case !stat.IsDir(): // A folder is refused by who writes the file.
		return "", &fault{file: path, what: "is no regular file, expected one, or none"}
	}
	return path, nil
}

// clean removes the record, the tables and the summary of another run, frames that do not stay, and
// what a killed run left. The record goes first.
func (f *folder) clean() error {
	if !f.known {
		for _, name := range []string{recordName, historyName, statesName} {
			if err := disk.Remove(f.path(name)); err != nil {
				return fmt.Errorf("scene: %w", err)
			}
		}
	}
	entries, err := os.ReadDir(f.r.o.Dir)
	if err != nil {
		return fmt.Errorf("scene: %w", err)
	}
	waits := map[string]bool{f.history.temp: true, f.states.temp: true}
	for _, s := range f.ready {
		waits[s.temp] = true
	}
	for _, e := range entries {
		name := e.Name()
		path := f.path(name)
		gone := name == summaryName || leftover.MatchString(name) && !waits[path]
		if m := ours.FindStringSubmatch(name); m != nil {
			step, err := strconv.ParseInt(m[2], 10, 64)
			gone = err == nil && !f.kept.stays(m[1], step, f.still)
		}
		if !gone || e.IsDir() {
			continue
		}
		if err := disk.Remove(path); err != nil {
			return fmt.Errorf("scene: %w", err)
		}
	}
	return nil
}

// first writes what the run's first step asks for, and makes the folder the run's. A context that
// is cancelled before all of it is ready leaves the folder as it was.
func (f *folder) first(ctx context.Context) error {
	if !f.history.due && !f.states.due && !f.kept.due {
		return nil
	}
	if f.history.due {
		if err := f.historyRow(); err != nil {
			return err
		}
	}
	if f.states.due {
		if err := f.stateRows(ctx); err != nil {
			return err
		}
	}
	var parts []fileio.SeriesFrame
	if f.kept.due {
		fr, err := f.snapshot(ctx)
		if err != nil {
			return err
		}
		parts, err = f.write(fr, func(name string, d *fileio.PolyData) error {
			return f.stage(name, func(path string) error { return fileio.WriteVTP(ctx, path, d) })
		})
		if err != nil {
			return err
		}
	}
	if err := f.begin(); err != nil {
		return err
	}
	if err := errors.Join(f.history.write(), f.states.write()); err != nil || parts == nil {
		return err
	}
	return f.series.Add(parts...)
}

// flush writes the rows of a table that are pending.
func (f *folder) flush(t *table) error {
	if err := f.begin(); err != nil {
		return err
	}
	return t.write()
}

// settle returns when all that was handed to the folder is on the disk, so that a checkpoint may be saved.
func (f *folder) settle() error {
	if err := errors.Join(f.begin(), f.wait()); err != nil {
		return err
	}
	if f.failed != nil {
		return f.failed
	}
	return errors.Join(f.history.sync(), f.states.sync())
}

// wait returns when the frame that is being written is complete, with its error.
func (f *folder) wait() error {
	err := f.frames.Wait()
	f.frames = errgroup.Group{}
	if f.failed == nil {
		f.failed = err
	}
	return err
}

// close ends the run's hold on the folder. Of what never got its name nothing is left.
func (f *folder) close() {
	for _, t := range []*table{f.history, f.states} {
		if t != nil {
			t.close()
		}
	}
	for _, s := range f.ready {
		_ = disk.Remove(s.temp)
	}
	f.lock.Release()
}
