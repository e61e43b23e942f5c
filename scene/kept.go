package scene

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disk"
)

// keptFrames says which frames of an earlier run a restart keeps.
type keptFrames struct {
	end  float64 // s: what is listed for an earlier time stays
	last float64 // s, of the last frame before the checkpoint's step; negative for none
	at   bool    // the frame of the checkpoint's step stays
	due  bool    // that frame is to be written
}

// records says how far the files of a folder go, of the steps before a checkpoint's. A folder where they end earlier,
// because a run began anew in it or from an earlier checkpoint, is not gone on with: there would be a hole.
type records struct {
	History int64   `json:"history"` // step of the last row; −1 for none
	States  int64   `json:"states"`  // step of the last rows
	Frames  float64 `json:"frames"`  // s, of the last frame
}

// records returns those of the step that the world is at. Every frame is complete.
func (f *folder) records() *records {
	step := f.r.w.Steps()
	return &records{f.history.before(step), f.states.before(step), f.framed.before(f.r.w.Time())}
}

// pair is the last of some numbers that grow, and the one before it; −1 for none.
type pair[T int64 | float64] struct{ last, prior T }

// next appends a number, which may be the last one again.
func (p *pair[T]) next(x T) {
	if x != p.last {
		p.last, p.prior = x, p.last
	}
}

// before returns the last number before x, which is the last one or more.
func (p *pair[T]) before(x T) T {
	if p.last == x {
		return p.prior
	}
	return p.last
}

// lookAtFrames finds what the list of frames has up to the checkpoint's step. Those of the step itself stay where the
// run writes a frame of this step, and all of its parts are there.
func (f *folder) lookAtFrames(onInterval bool) error {
	now := f.r.w.Time()
	listed, err := fileio.ReadSeries(f.r.o.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		listed, err = nil, nil
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	k := &f.kept
	*k = keptFrames{end: now, last: -1}
	parts, still, stillNow := map[string]bool{}, "", ""
	for _, l := range listed {
		if l.Time < now {
			if k.last = l.Time; l.Part == wallsPart {
				still = l.File
			}
		} else if l.Time == now {
			if parts[l.Part] = disk.Regular(f.path(l.File)) == nil; l.Part == wallsPart {
				stillNow = l.File
			}
		}
	}
	k.at = onInterval && parts[bodiesPart] && parts[contactsPart] && (parts[wallsPart] || len(f.r.b.walls) == 0)
	f.framed = pair[float64]{k.last, -1}
	if k.at {
		k.end = math.Nextafter(now, math.Inf(1))
		f.framed.next(now)
		if stillNow != "" {
			still = stillNow
		}
	}
	k.due = !k.at && (onInterval || k.last < 0)
	if !f.r.s.moves() && disk.Regular(f.path(still)) == nil && ours.MatchString(still) {
		f.still = still
	}
	return nil
}

// checkRecords refuses a checkpoint of this folder that is ahead of what the folder holds.
func (f *folder) checkRecords() error {
	want := f.r.records
	if want == nil || !sameFolder(filepath.Dir(f.r.o.Restart), f.r.o.Dir) {
		return nil
	}
	dt := f.r.s.Dt
	for _, c := range []struct {
		name      string
		got, want float64 // steps
	}{
		{historyName, float64(f.history.before(f.r.first)), float64(want.History)},
		{statesName, float64(f.states.before(f.r.first)), float64(want.States)},
		{fileio.SeriesName, math.Round(f.kept.last / dt), math.Round(want.Frames / dt)},
	} {
		_, err := os.Lstat(f.path(c.name))
		if err == nil && c.got < c.want {
			return &fault{file: f.path(c.name), what: fmt.Sprintf("ends with step %.0f, before the checkpoint's, expected step %.0f as when "+
				"it was saved: a run has begun anew since; go on in another folder, or from an earlier checkpoint",
				max(c.got, 0), c.want)}
		}
	}
	return nil
}

func sameFolder(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// dropInterim removes checkpoints of this scene before a step that were saved off the interval, because a run ended
// there: a run that was never interrupted has none. Only a restart does so, when it has saved a later one or is done.
func (f *folder) dropInterim(before int64) error {
	if f.r.o.Restart == "" {
		return nil
	}
	entries, err := os.ReadDir(f.r.o.Dir)
	if err != nil {
		return fmt.Errorf("scene: %w", err)
	}
	for _, e := range entries {
		m := saved.FindStringSubmatch(e.Name())
		if m == nil || !e.Type().IsRegular() {
			continue
		}
		if step, err := strconv.ParseInt(m[1], 10, 64); err != nil || step >= before || f.r.onInterval(step) {
			continue
		}
		raw, err := fileio.ReadCheckpointHeader(f.path(e.Name()))
		var h checkpointHeader
		if err != nil || json.Unmarshal(raw, &h) != nil || !h.Interim || h.Format != checkpointFormat || h.Digest != f.r.b.digest {
			continue // None of this run's.
		}
		if err := disk.Remove(f.path(e.Name())); err != nil {
			return fmt.Errorf("scene: %w", err)
		}
	}
	return nil
}
