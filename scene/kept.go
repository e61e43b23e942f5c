package scene

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/mark"
)

// keptFrames describes the frames of an earlier run that a restart keeps: those of the schedule
// before step next.
type keptFrames struct {
	schedule
	next int64   // first step of the schedule without a frame
	end  float64 // s; entries of series.pvd for earlier times stay
	due  bool    // the frame of the first step must be written
}

// findKeptFrames compares series.pvd and the frame files with the schedule up to the step of the
// checkpoint. It returns an error if a frame before that step is missing.
func (f *folder) findKeptFrames(step int64) error {
	k := &f.kept
	k.next, k.end = k.schedule.next(-1), math.Inf(-1)
	listed, err := fileio.ReadSeries(f.r.o.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return mark.Errorf(ErrInput, "%w", err)
	}
	missing := &fault{file: f.path(fileio.SeriesName), what: "does not list the frame", cause: err}
	for len(listed) > 0 && k.next <= step {
		files, at := f.filesOf(k.next, listed), listed[0].Time
		if len(listed) < len(files) || !slices.EqualFunc(listed[:len(files)], files, func(l fileio.SeriesFrame, name string) bool {
			return l.Time == at && l.File == name
		}) {
			break
		}
		if missing = f.wholeFrame(files); missing != nil {
			break
		}
		missing = &fault{file: f.path(fileio.SeriesName), what: "does not list the frame"}
		k.end, k.next, listed = math.Nextafter(at, math.Inf(1)), k.schedule.next(k.next), listed[len(files):]
	}
	if k.next < step {
		missing.what += fmt.Sprintf(" of step %d, before the checkpoint's step %d; go on from an earlier checkpoint, or in another folder", k.next, step)
		return missing
	}
	k.due = k.next == step
	if len(f.r.b.walls) > 0 && !f.r.wallsMove() && k.next > k.first {
		f.still = frameName(wallsPart, k.first)
	}
	return nil
}

// filesOf returns the files that series.pvd lists for a step, in order. Walls that do not move have
// one file for all steps. Where walls come and go, a step has a file if the list has it.
func (f *folder) filesOf(step int64, listed []fileio.SeriesFrame) []string {
	files := []string{frameName(bodiesPart, step), frameName(contactsPart, step)}
	walls := frameName(wallsPart, step)
	switch {
	case f.r.changes:
		if len(listed) > len(files) && listed[len(files)].File == walls {
			files = append(files, walls)
		}
	case len(f.r.b.walls) == 0:
	case f.r.wallsMove():
		files = append(files, walls)
	default:
		files = append(files, frameName(wallsPart, f.kept.first))
	}
	return files
}

// wholeFrame returns a fault if a file of a frame is missing or incomplete, or nil. The text of the
// fault does not name the step. It reads only the ends of the files.
func (f *folder) wholeFrame(files []string) *fault {
	for _, name := range files {
		path := f.path(name)
		err := disk.Regular(path)
		if err == nil {
			err = fileio.CheckVTPEnd(path)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return &fault{file: path, what: "does not exist, expected a file of the frame", cause: err}
		case errors.Is(err, disk.ErrNotRegular):
			return &fault{file: path, what: "is no regular file, expected one of the frame", cause: err}
		case errors.Is(err, fileio.ErrTruncated):
			return &fault{file: path, what: "was cut, expected a whole file of the frame", cause: err}
		case err != nil:
			return &fault{file: path, what: err.Error() + ", expected a file of the frame", cause: err}
		}
	}
	return nil
}

// stays reports whether a file of a frame belongs to the kept frames.
func (k *keptFrames) stays(part string, step int64, still string) bool {
	return k.has(step) && step < k.next && (part != wallsPart || still == "" || still == frameName(part, step))
}

// dropInterim removes the checkpoints of this scene before the step before that are off the
// interval. Such a checkpoint exists only because a run ended at its step. dropInterim is called
// after a later checkpoint is saved, or when the run is complete.
func (f *folder) dropInterim(before int64) error {
	keep := f.interim[:0]
	for _, step := range f.interim {
		path := f.path(CheckpointName(step))
		switch {
		case step >= before:
			keep = append(keep, step)
			continue
		case !f.isInterim(path):
			continue
		}
		if err := disk.Remove(path); err != nil {
			return fmt.Errorf("scene: %w", err)
		}
	}
	f.interim = keep
	return nil
}

// isInterim reports whether a checkpoint belongs to this scene and is off the interval.
func (f *folder) isInterim(path string) bool {
	if disk.Regular(path) != nil {
		return false
	}
	raw, err := fileio.ReadCheckpointHeader(path)
	var h checkpointHeader
	return err == nil && readObject(raw, &h) == nil && h.Interim && h.Format == checkpointFormat && h.Digest == f.r.b.digest
}
