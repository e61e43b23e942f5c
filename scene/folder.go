package scene

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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
	"github.com/scree-dem/scree/vec"
)

// folder is the folder of results of a run. It owns the files with these names and leaves all
// others alone:
//
//	run.json  series.pvd  bodies-, contacts-, walls-NNNNNN.vtp  states.csv  history.csv  summary.json
//	contacts.csv  checkpoint-NNNNNNNN.scree  run.lock  scene.toml, unless it is the user's own
//
// N is the step. Three rules keep the folder consistent, whenever the process ends:
//
//   - While run.json exists, all rows and frames belong to the run that it names. Therefore run.json
//     is removed before the results of another run, and written before the first results of this run.
//   - Results of an earlier run stay until this run has completed the files of its first step under
//     temporary names (begin). Then frames, tables and summary of the earlier run are removed.
//     Checkpoints stay, because they are expensive and name their scene. A restart keeps the results
//     of its schedule up to its step.
//   - A checkpoint is saved after all rows and frames up to its step are on disk (settle). A restart
//     can therefore rely on them, and drops everything later.
type folder struct {
	r         *runner
	lock      *disk.Lock
	vacant    bool    // the folder has no results
	keepScene bool    // scene.toml is not written
	record    *record // record of this run
	known     bool    // the folder already holds this record
	begun     bool    // the folder belongs to this run
	refused   error   // error of begin
	series    *fileio.Series
	corners   []vec.Vec3 // of the facet that is drawn
	form      []byte     // of the body that is drawn
	kept      keptFrames
	tables    []*rowTable    // history.csv first
	ready     []staged       // files of the first step, under temporary names
	frames    errgroup.Group // writes one frame while the next steps are made
	failed    error          // error of a frame
	still     string         // file with the walls, if no wall moves
	interim   []int64        // steps of existing checkpoints that are off the interval
}

// Default numbers of frames and of history rows in a run, and the bytes of its frames before
// compression. A run that goes on in the folder of a shorter one may write moreFrames or moreRows times
// as many.
const (
	defaultFrames  = 20
	defaultHistory = 1000
	frameBudget    = 200_000_000
	moreFrames     = 10
	moreRows       = 1000
)

const (
	historyName  = "history.csv"
	statesName   = "states.csv"
	contactsName = "contacts.csv"
	lockName     = "run.lock"

	reportName = "report.html"     // a page of package report
	reportMark = `content="Scree"` // near the start of such a page
)

var tableNames = []string{historyName, statesName, contactsName}

// rowTable is a table of the folder, and which rows it has.
type rowTable struct {
	*table
	schedule
	name       string
	columns    []string
	stepColumn int                                          // the column with the step
	each       int64                                        // rows of a step; anyRows: as many as there are
	add        func(ctx context.Context, t *rowTable) error // adds the rows of the present step to the pending ones
}

// over calls a function for every table of the folder and joins the errors.
func (f *folder) over(do func(t *rowTable) error) (err error) {
	for _, t := range f.tables {
		err = errors.Join(err, do(t))
	}
	return err
}

// ours matches the frames of a run, saved its checkpoints, and leftover the temporary files that a
// killed run may have left.
var (
	ours     = regexp.MustCompile(`^(bodies|contacts|walls)-(\d{6,})\.vtp$`)
	saved    = regexp.MustCompile(`^checkpoint-(\d{8,})\.scree$`)
	leftover = regexp.MustCompile(`^(?:(?:bodies|contacts|walls)-\d{6,}\.vtp|series\.pvd|summary\.json|run\.json|(?:history|states|contacts)\.csv|scene\.toml|checkpoint-\d{8,}\.scree)(?:\.\d+(?:-\d+)?\.tmp)+$`)
)

func (f *folder) path(name string) string { return filepath.Join(f.r.o.Dir, name) }

// staged is a complete file under a temporary name, and its final path.
type staged struct{ temp, path string }

// stage writes a file of the first step under a temporary name.
func (f *folder) stage(name string, write func(path string) error) error {
	s := staged{fmt.Sprintf("%s.%d.tmp", f.path(name), os.Getpid()), f.path(name)}
	// A killed process with the same id may have left this file.
	if err := disk.Remove(s.temp); err != nil {
		return fmt.Errorf("scene: %w", err)
	}
	if err := write(s.temp); err != nil {
		return unwritten(s.path, err)
	}
	f.ready = append(f.ready, s)
	return nil
}

// unwritten returns the error for a file that could not be written under its temporary name. The
// error names the final path, because the temporary name means nothing to users.
func unwritten(path string, err error) error {
	if named, number := (*fs.PathError)(nil), syscall.Errno(0); errors.As(err, &named) {
		err = named.Err
	} else if errors.As(err, &number) {
		err = number
	}
	return fmt.Errorf("scene: writing %s: %w (what was there before is untouched)", path, err)
}

// begin takes possession of the folder for this run, on the first call. By then the first rows and
// frames are complete in temporary files, so a full disk leaves the earlier results untouched.
func (f *folder) begin() error {
	if f.begun || f.refused != nil {
		return f.refused
	}
	f.refused = f.takeOver()
	return f.refused
}

func (f *folder) takeOver() error {
	if err := f.over((*rowTable).prepare); err != nil {
		return err
	}
	if err := f.stageScene(); err != nil {
		return err
	}
	if !f.known {
		if err := f.stage(recordName, func(path string) error { return writeJSON(path, f.record) }); err != nil {
			return err
		}
	}
	// Replace the list of frames first, so that it never names a removed frame.
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
	// Rename the record first, because it must exist before the files that it describes.
	slices.Reverse(f.ready)
	for len(f.ready) > 0 {
		if err := disk.Rename(f.ready[0].temp, f.ready[0].path); err != nil {
			return fmt.Errorf("scene: %w", err)
		}
		f.ready = f.ready[1:]
	}
	if err := f.over((*rowTable).place); err != nil {
		return err
	}
	return disk.SyncFolder(f.r.o.Dir)
}

// place returns the path of a file that is about to be written. It removes a symbolic link with
// this name, because its target does not belong to the run. It rejects a pipe or a device, because
// opening it may block for ever.
func (f *folder) place(name string) (string, error) {
	path := f.path(name)
	stat, err := os.Lstat(path)
	switch {
	case err != nil || stat.Mode().IsRegular():
	case stat.Mode()&fs.ModeSymlink != 0:
		if err := disk.Remove(path); err != nil {
			return "", fmt.Errorf("scene: %w", err)
		}
	case !stat.IsDir(): // The function that writes the file reports a folder.
		return "", &fault{file: path, what: "is no regular file, expected one, or none"}
	}
	return path, nil
}

// clean removes the record, the tables and the summary of another run, frames that are not kept,
// and temporary files of a killed run. It removes the record first.
func (f *folder) clean() error {
	if !f.known {
		for _, name := range append([]string{recordName}, tableNames...) {
			if err := disk.Remove(f.path(name)); err != nil {
				return fmt.Errorf("scene: %w", err)
			}
		}
	}
	entries, err := os.ReadDir(f.r.o.Dir)
	if err != nil {
		return fmt.Errorf("scene: %w", err)
	}
	waits := map[string]bool{}
	for _, t := range f.tables {
		waits[t.temp] = true
	}
	for _, s := range f.ready {
		waits[s.temp] = true
	}
	for _, e := range entries {
		name := e.Name()
		path := f.path(name)
		gone := name == summaryName || name == reportName && isReport(path) || leftover.MatchString(name) && !waits[path]
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

// isReport reports whether a file is a page that shows a run, and not one of the user.
func isReport(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close() // The file is only read.
	start := make([]byte, 1024)
	n, _ := io.ReadFull(file, start) // The page may be shorter.
	return bytes.Contains(start[:n], []byte(reportMark))
}

// writeFirst writes the results that are due at the first step, and takes possession of the folder. If
// the context is cancelled before all of them are ready, the folder stays unchanged.
func (f *folder) writeFirst(ctx context.Context) error {
	if !f.kept.due && !slices.ContainsFunc(f.tables, func(t *rowTable) bool { return t.due }) {
		return nil
	}
	for _, t := range f.tables {
		if !t.due {
			continue
		}
		if err := t.add(ctx, t); err != nil {
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
	if err := f.over((*rowTable).write); err != nil || parts == nil {
		return err
	}
	return f.series.Add(parts...)
}

// writeRows appends the rows of the present step to a table.
func (f *folder) writeRows(ctx context.Context, t *rowTable) error {
	if err := t.add(ctx, t); err != nil {
		return err
	}
	if err := f.begin(); err != nil {
		return err
	}
	return t.write()
}

// settle waits until everything written so far is on disk. Then a checkpoint may be saved.
func (f *folder) settle() error {
	if err := errors.Join(f.begin(), f.wait()); err != nil {
		return err
	}
	if f.failed != nil {
		return f.failed
	}
	return f.over((*rowTable).sync)
}

// there returns an error if a file that grows with the run, or its record, was removed under the run.
func (f *folder) there() error {
	err := f.over((*rowTable).there)
	for _, name := range []string{recordName, fileio.SeriesName} {
		if gone := disk.Regular(f.path(name)); f.begun && gone != nil {
			err = errors.Join(err, fmt.Errorf("scene: %w, expected it to stay until the run ends", gone))
		}
	}
	return err
}

// wait waits for the frame that is being written and returns its error.
func (f *folder) wait() error {
	err := f.frames.Wait()
	f.frames = errgroup.Group{}
	if f.failed == nil {
		f.failed = err
	}
	return err
}

// close removes temporary files and releases the lock of the folder.
func (f *folder) close() {
	for _, t := range f.tables {
		if t.table != nil {
			t.close()
		}
	}
	for _, s := range f.ready {
		_ = disk.Remove(s.temp)
	}
	f.lock.Release()
}
