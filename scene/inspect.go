package scene

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/mark"
)

// openFolder locks the folder and checks its contents. It changes nothing in the folder yet.
func openFolder(r *runner) (f *folder, err error) {
	f = &folder{r: r}
	if err := os.MkdirAll(r.o.Dir, 0o777); err != nil {
		return nil, mark.Errorf(ErrInput, "the folder for the results: %w", err)
	}
	f.lock, err = disk.NewLock(f.path(lockName))
	switch {
	case errors.Is(err, disk.ErrLocked):
		return nil, &fault{file: r.o.Dir, what: "another run is writing to this folder, expected one of this run's own", cause: err}
	case err != nil:
		return nil, mark.Errorf(ErrInput, "the folder for the results: %w", err)
	case f.lock.Void:
		r.warn(fmt.Sprintf("%s: its file system has no locks: another run in this folder would not be noticed", r.o.Dir))
	}
	if err = f.inspect(); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

// intervals returns the number of steps between frames and between rows of the history. It computes
// the values that the scene does not give: at most defaultFrames frames, which take no more than
// frameBudget before compression but for the first and the last one.
func (r *runner) intervals() (every, history int64) {
	every, history = r.s.output.every, r.s.output.history
	if every < 0 {
		frame, walls := r.s.frameBytes(uint64(heapContacts * r.s.moving))
		frames := min(defaultFrames, int64((frameBudget-min(walls, frameBudget))/max(frame, 1)))
		every = max((r.steps-1)/max(frames-1, 1)+1, 1)
	}
	if history < 0 {
		history = max(r.steps/defaultHistory, 1)
	}
	return every, history
}

// keepIntervals replaces intervals that the scene does not give by those of the folder that a
// restart continues, whose run may have been shorter. It returns the key and the number of an
// interval that would now be due many more times than by default.
func (f *folder) keepIntervals(was *outputRecord) (key string, every int64) {
	given, now := &f.r.s.output, &f.record.Output
	for _, i := range []struct {
		key   string
		given int64
		was   int64
		now   *int64
		most  int64 // how much more often it may be due
	}{{everyItem, given.every, was.Every, &now.Every, moreFrames}, {historyItem, given.history, was.HistoryEvery, &now.HistoryEvery, moreRows}} {
		if i.given >= 0 || i.was <= 0 {
			continue
		}
		if *i.now > i.most*i.was {
			return i.key, i.was
		}
		*i.now = i.was
	}
	return "", 0
}

// inspect opens the files that a restart continues. It rejects files that cannot be written or that
// belong to another run.
func (f *folder) inspect() (err error) {
	resume := f.r.o.Restart != ""
	if err := errors.Join(f.checkFileNames(resume), f.checkScene()); err != nil {
		return err
	}
	every, history := f.r.intervals()
	f.record = f.r.newRecord(f.r.first, every, history)
	if resume {
		if err := f.checkOwner(); err != nil {
			return err
		}
	}
	first := f.record.FirstStep
	every, history = f.record.Output.Every, f.record.Output.HistoryEvery // those of the folder, where it is continued
	f.kept.schedule = f.r.scheduled(first, every, framesInterval)
	if every == 0 && !slices.ContainsFunc(f.r.s.stages, func(g stage) bool { return g.output.every > 0 }) {
		f.kept.first = never
	}
	f.tables = f.rowTables(first, history)
	for _, t := range f.tables {
		if f.known {
			t.table, err = resumeTable(f.path(t.name), t.columns, t.stepColumn, f.r.first, t.each, t.schedule)
		} else {
			t.table, err = newTable(f.path(t.name), t.columns, t.has(first))
		}
		if err != nil {
			return err
		}
	}
	if !f.known {
		f.kept.next, f.kept.due = f.kept.first, f.kept.has(first)
		return nil
	}
	return f.findKeptFrames(f.r.first)
}

// rowTables returns the tables of the run without their files. history is the interval of the history.
func (f *folder) rowTables(first, history int64) []*rowTable {
	o, poses := &f.r.s.output, f.r.scheduled(first, f.r.s.output.states, statesInterval)
	bodies := int64(f.r.b.moving())
	if f.r.changes || f.r.s.comesOrGoes() || f.r.s.destroys() {
		bodies = anyRows
	}
	if bodies == 0 {
		poses.first = never
	}
	list := []*rowTable{
		{name: historyName, schedule: f.r.scheduled(first, history, historyInterval), columns: f.historyColumns(), each: 1, add: f.historyRow},
		{name: statesName, schedule: poses, columns: stateColumns, stepColumn: 2, each: bodies, add: f.stateRows},
	}
	if o.contacts > 0 || slices.ContainsFunc(f.r.s.stages, func(g stage) bool { return g.output.contacts > 0 }) {
		list = append(list, &rowTable{name: contactsName, schedule: f.r.scheduled(first, o.contacts, contactsInterval), columns: contactColumns, each: anyRows, add: f.contactRows})
	}
	return list
}

// checkFileNames rejects a folder or a device with the name of a file of the run. For a restart it
// also rejects symbolic links. It sets f.vacant and f.interim.
func (f *folder) checkFileNames(resume bool) error {
	entries, err := os.ReadDir(f.r.o.Dir)
	if err != nil {
		return mark.Errorf(ErrInput, "the folder for the results: %w", err)
	}
	f.vacant = true
	for _, e := range entries {
		name := e.Name()
		m := saved.FindStringSubmatch(name)
		fixed := slices.Contains(tableNames, name) || name == fileio.SeriesName || name == summaryName || name == recordName
		if !fixed && m == nil && !ours.MatchString(name) {
			continue
		}
		if e.Type()&fs.ModeSymlink == 0 || resume && fixed && name != summaryName {
			if err := disk.Regular(f.path(name)); errors.Is(err, disk.ErrNotRegular) {
				return mark.Errorf(ErrInput, "%w, expected one, or none", err)
			}
		}
		if info, err := e.Info(); err == nil && f.isScene(info) {
			return mark.Errorf(ErrInput, "the scene %s has the name of a file of the run in the folder for its results, expected another name or folder",
				f.r.s.Path)
		}
		if m == nil {
			// A run that was killed at its start may have left an empty list of frames.
			f.vacant = f.vacant && name == fileio.SeriesName
		} else if step, err := strconv.ParseInt(m[1], 10, 64); err == nil && !f.r.onInterval(step) && CheckpointName(step) == name {
			f.interim = append(f.interim, step)
		}
	}
	return nil
}

// isScene reports whether a file is the scene file.
func (f *folder) isScene(file fs.FileInfo) bool {
	scene, err := os.Stat(f.r.s.Path)
	return err == nil && os.SameFile(scene, file)
}

// checkOwner rejects a folder with rows and frames of another run. In a folder without results, a
// restart starts new tables and frames at the step of its checkpoint.
func (f *folder) checkOwner() error {
	if f.vacant {
		f.r.report.Warn(fmt.Sprintf("%s holds no results: its tables and frames begin with step %d", f.r.o.Dir, f.r.first))
		return nil
	}
	was, err := f.readRecord()
	if err != nil {
		return err
	}
	const advice = "; choose another folder with -o"
	if was == nil {
		return &fault{file: f.r.o.Dir, what: "holds results, and no " + recordName + " that says of which run" + advice}
	}
	if key, every := f.keepIntervals(&was.Output); key != "" && was.Digest == f.record.Digest {
		return &fault{file: f.path(recordName), key: key, what: fmt.Sprintf("these are results every %d steps, which are many for a run of %d steps; "+
			"give %s = %d to go on here, or choose another folder with -o", every, f.r.steps, key, every)}
	}
	what := was.differs(f.record)
	if what == "" && (was.FirstStep < 0 || was.FirstStep > f.r.first) {
		what = fmt.Sprintf("the results here begin with step %d, expected the checkpoint's step %d or one before", was.FirstStep, f.r.first)
	}
	if what != "" {
		return &fault{file: f.path(recordName), what: what + advice}
	}
	f.record, f.known = was, true
	return nil
}
