package scene

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disk"
)

// folder is where a run's results go. It owns files of these names and touches no others:
//
//	series.pvd  bodies-, contacts-, walls-NNNNNN.vtp  states.csv  history.csv  summary.json
//	checkpoint-NNNNNNNN.scree  run.lock
//
// N is the step. Two rules keep everything whole, whenever the process ends:
//
//   - What an earlier run left stays until this one begins to write (begin). Then frames, tables and summary go;
//     checkpoints stay, for they are dear and know their scene. A restart keeps what is of its step or before.
//   - A checkpoint is saved when all rows and frames up to its step are on the disk (settle). So a restart finds
//     them, and drops what is later.
type folder struct {
	r            *runner
	frameEvery   int64 // steps; 0 is no frames
	historyEvery int64 // steps; 0 is the first and the last only
	lock         *disk.Lock
	vacant       bool  // nothing of an earlier run is there
	begun        bool  // the folder is this run's
	refused      error // why it did not become so
	series       *fileio.Series
	kept         keptFrames
	history      *table
	states       *table
	frames       errgroup.Group // the one frame being written while the next steps are made
	failed       error          // of a frame
	framed       pair[float64]  // s, times of the last frames
	still        string         // file with the walls, when none moves
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
	ours     = regexp.MustCompile(`^(?:bodies|contacts|walls)-(\d{6,})\.vtp$`)
	saved    = regexp.MustCompile(`^checkpoint-(\d{8,})\.scree$`)
	leftover = regexp.MustCompile(`^(?:(?:bodies|contacts|walls)-\d{6,}\.vtp|series\.pvd|summary\.json|history\.csv|states\.csv|checkpoint-\d{8,}\.scree)\.\d+(?:-\d+)?\.tmp$`)
)

// openFolder takes the folder and looks at what is there. It changes nothing yet.
func openFolder(r *runner) (f *folder, err error) {
	f = &folder{r: r, frameEvery: r.s.output.every, historyEvery: r.s.output.history, framed: pair[float64]{-1, -1}}
	if f.frameEvery < 0 {
		f.frameEvery = max(r.steps/defaultFrames, 1)
	}
	if f.historyEvery < 0 {
		f.historyEvery = max(r.steps/defaultHistory, 1)
	}
	if err := os.MkdirAll(r.o.Dir, 0o777); err != nil {
		return nil, fmt.Errorf("%w: the folder for the results: %w", ErrInput, err)
	}
	f.lock, err = disk.NewLock(f.path(lockName))
	switch {
	case errors.Is(err, disk.ErrLocked):
		return nil, &fault{file: r.o.Dir, what: "another run is writing to this folder, expected one of this run's own", cause: err}
	case err != nil:
		return nil, fmt.Errorf("%w: the folder for the results: %w", ErrInput, err)
	case f.lock.Void:
		r.warn(fmt.Sprintf("%s: its file system has no locks: another run in this folder would not be noticed", r.o.Dir))
	}
	if err = f.look(); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

func (f *folder) path(name string) string { return filepath.Join(f.r.o.Dir, name) }

// look opens what a restart goes on with, and refuses what cannot be written.
func (f *folder) look() (err error) {
	resume := f.r.o.Restart != ""
	f.vacant = true
	for _, name := range []string{historyName, statesName, fileio.SeriesName, summaryName} {
		err := disk.Regular(f.path(name))
		stat, statErr := os.Lstat(f.path(name))
		f.vacant = f.vacant && statErr != nil
		if errors.Is(err, disk.ErrNotRegular) && (resume && name != summaryName || stat.IsDir()) {
			return fmt.Errorf("%w: %w", ErrInput, err)
		}
	}
	if !resume {
		f.kept.due = true
		if f.history, err = newTable(f.path(historyName), f.historyColumns()); err == nil {
			f.states, err = newTable(f.path(statesName), stateColumns)
		}
		return err
	}
	step := f.r.first
	on := func(every int64) bool { return every > 0 && step%every == 0 }
	if err := f.lookAtFrames(on(f.frameEvery)); err != nil {
		return err
	}
	if f.history, err = resumeTable(f.path(historyName), f.historyColumns(), 0, step, 1, on(f.historyEvery)); err != nil {
		return err
	}
	every := f.r.s.output.states
	if f.states, err = resumeTable(f.path(statesName), stateColumns, 2, step, int64(f.r.b.moving), on(every)); err != nil {
		return err
	}
	return f.checkRecords()
}

// begin makes the folder this run's, when it has something to write. Rows that are pending are in a new table by then:
// a full disk leaves what was there.
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
	// The list of frames first, so that it never names one that is gone.
	path, err := f.place(fileio.SeriesName)
	if err != nil {
		return err
	}
	if f.r.o.Restart != "" {
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

// clean removes the summary of an earlier run, its frames that do not stay, and what a killed one left.
func (f *folder) clean() error {
	entries, err := os.ReadDir(f.r.o.Dir)
	if err != nil {
		return fmt.Errorf("scene: %w", err)
	}
	for _, e := range entries {
		name := e.Name()
		path := f.path(name)
		gone := name == summaryName || leftover.MatchString(name) && path != f.history.temp && path != f.states.temp
		if m := ours.FindStringSubmatch(name); m != nil && name != f.still {
			step, err := strconv.ParseInt(m[1], 10, 64)
			gone = err == nil && (step > f.r.first || step == f.r.first && !f.kept.at)
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

// close ends the run's hold on the folder.
func (f *folder) close() {
	for _, t := range []*table{f.history, f.states} {
		if t != nil {
			t.close()
		}
	}
	f.lock.Release()
}
