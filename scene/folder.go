package scene

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/scree-dem/scree/fileio"
)

// folder is where a run's results go. It owns files of these names and touches no others:
//
//	series.pvd  bodies-, contacts-, walls-NNNNNN.vtp  states.csv  history.csv  summary.json
//	checkpoint-NNNNNNNN.scree
//
// N is the step. Those of an earlier run go when a new one begins, but for checkpoints, which are dear and
// know their scene. A restart keeps what is before its step.
type folder struct {
	r            *runner
	frameEvery   int64 // steps; 0 is no frames
	historyEvery int64 // steps; 0 is the first and the last only
	series       *fileio.Series
	history      *table
	states       *table
	frames       errgroup.Group // the one frame being written while the next steps are made
	still        string         // file with the walls, when none moves
}

// Shares of a run that an interval not given in the scene is.
const (
	defaultFrames  = 100
	defaultHistory = 1000
)

// ours matches the frames that a run writes, and what a killed one may have left of any file.
var ours = regexp.MustCompile(`^(?:bodies|contacts|walls)-(\d{6,})\.vtp$`)
var leftover = regexp.MustCompile(`^(?:(?:bodies|contacts|walls)-\d{6,}\.vtp|series\.pvd|summary\.json|checkpoint-\d{8,}\.scree)\.\d+(?:-\d+)?\.tmp$`)

func openFolder(r *runner) (*folder, error) {
	f := &folder{r: r, frameEvery: r.s.output.every, historyEvery: r.s.output.history}
	if f.frameEvery < 0 {
		f.frameEvery = max(r.steps/defaultFrames, 1)
	}
	if f.historyEvery < 0 {
		f.historyEvery = max(r.steps/defaultHistory, 1)
	}
	dir := r.o.Dir
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("%w: the folder for the results: %w", ErrInput, err)
	}
	resume := r.o.Restart != ""
	var err error
	// The list of frames first, so that it never names one that is gone.
	if resume {
		f.series, err = fileio.ResumeSeries(dir, r.w.Time()-float64(r.s.Dt/2))
	} else {
		f.series, err = fileio.NewSeries(dir)
	}
	if err != nil {
		return nil, err
	}
	if err := f.clean(); err != nil {
		return nil, err
	}
	if f.history, err = openTable(filepath.Join(dir, "history.csv"), f.historyColumns(), resume, r.first, 0); err != nil {
		return nil, err
	}
	if f.states, err = openTable(filepath.Join(dir, "states.csv"), stateColumns, resume, r.first, 2); err != nil {
		return nil, errors.Join(err, f.history.close())
	}
	return f, nil
}

// clean removes the frames from the first step of this run on, and the summary, of an earlier run.
func (f *folder) clean() error {
	entries, err := os.ReadDir(f.r.o.Dir)
	if err != nil {
		return fmt.Errorf("scene: %w", err)
	}
	for _, e := range entries {
		name := e.Name()
		gone := name == summaryName || leftover.MatchString(name)
		if m := ours.FindStringSubmatch(name); m != nil {
			step, err := strconv.ParseInt(m[1], 10, 64)
			gone = err == nil && step >= f.r.first
		}
		if !gone || !e.Type().IsRegular() {
			continue
		}
		if err := os.Remove(filepath.Join(f.r.o.Dir, name)); err != nil {
			return fmt.Errorf("scene: %w", err)
		}
	}
	return nil
}

// wait returns when the frame that is being written is complete, with its error.
func (f *folder) wait() error {
	err := f.frames.Wait()
	f.frames = errgroup.Group{}
	return err
}

func (f *folder) close() {
	// Every row was written and checked when it was flushed.
	_ = f.history.close()
	_ = f.states.close()
}
