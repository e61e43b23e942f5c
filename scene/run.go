package scene

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/narrow"
)

// Reporter receives the progress of a run. All calls come from the goroutine that called Run.
type Reporter interface {
	Start(steps int64) // number of steps of the whole run
	Step(done int64, note string)
	Warn(text string)
	Done()
}

// Options configures a run.
type Options struct {
	Dir        string   // folder of results; Run creates it if necessary
	Steps      int64    // steps of the whole run, including those before a restart; 0: as in the scene
	Restart    string   // checkpoint to continue from, or ""
	Changed    bool     // the checkpoint is of another scene, which may differ in what a stage may set
	UntilStage int      // end after this stage, from 1, with a checkpoint; 0: after the last one
	Workers    int      // 0: one for each processor
	Pin        bool     // tie each worker to a logical processor, see engine.Config
	Report     Reporter // may be nil
	Version    string   // of the program; written to summary.json and checkpoints

	// Each, the hook, is called before each step whose number Every divides, counted from 0: after the results of the
	// step before were written, in a restarted run as in one that was never stopped. It may set poses, velocities,
	// loads and walls, and add and remove shapes, bodies and walls. A body that it adds has its id as number in all
	// results. It must not step the world. An error ends the run; what was written stays, and Run returns the error.
	Each  func(w *engine.World, step int64) error
	Every int64 // steps; 0 means 1
	// Keep returns what Each remembers from step to step, and a checkpoint keeps it. A restart first makes the bodies
	// and walls of the checkpoint, then calls Recall with these bytes. Both may be nil. A run without Each refuses a
	// checkpoint of a run with it. A run with Each accepts one of a run without, and then does not call Recall.
	Keep   func() []byte
	Recall func(kept []byte) error
	// Columns are further columns of history.csv, behind all others.
	Columns []HistoryColumn
}

// Run builds the scene, makes its steps, and writes the results as they arise:
//
//	build → restore → [step → history, states, frame, checkpoint] … → summary.json
//
// If the context is cancelled, the run ends after the current step. Run then writes the last row,
// the last frame and a checkpoint, and returns an error that wraps ErrInterrupted. Before the first
// frame is complete, cancelling ends Run at once: the summary is nil and the folder is unchanged.
// Background work that is still under way then continues, and its result is discarded.
//
// An invalid input returns an error that wraps ErrInput, before the first step. So does a folder
// that another run is writing to. In both cases the folder is unchanged. Results of an earlier run
// stay until this run has something to write. A run that fails keeps the results written so far.
func Run(ctx context.Context, s *Scene, o Options) (*Summary, error) {
	s = cmp.Or(s, &Scene{})
	r := &runner{s: s, o: o, report: o.Report, began: time.Now(), steps: s.Steps, changes: o.Each != nil}
	if r.report == nil {
		r.report = silent{}
	}
	if o.Dir == "" {
		return nil, &fault{file: s.Path, what: "no folder for the results, expected a name"}
	}
	if err := r.start(ctx); err != nil {
		return nil, err
	}
	defer r.b.Close()
	r.report.Start(r.steps)
	defer r.report.Done()
	err := r.loop(ctx)
	summary, writeErr := r.finish(err)
	if writeErr != nil {
		err = errors.Join(err, writeErr)
	}
	return summary, err
}

// silent is a Reporter that ignores all calls.
type silent struct{}

func (silent) Start(int64)        {}
func (silent) Step(int64, string) {}
func (silent) Warn(string)        {}
func (silent) Done()              {}

// runner is the state of a run.
type runner struct {
	s        *Scene
	o        Options
	report   Reporter
	b        *Built
	w        *engine.World
	out      *folder
	steps    int64 // last step of the run, at the latest
	mark     stageMark
	dt       float64 // s, of the present stage
	first    int64   // first step: 0, or the step of the checkpoint
	written  int64   // a step up to which the results of the schedules are written
	means    *means
	began    time.Time
	stepping time.Duration
	worst    float64  // m, deepest penetration of the whole run
	changes  bool     // bodies and walls may come and go, and walls may move that have no motion in the scene
	early    []string // warnings from before the folder was opened
	noticed  []string // warnings of the world so far, including those before a restart
	warnings []string
	told     int   // number of world warnings already reported
	saved    int64 // step of the last checkpoint, or -1
}

// start makes the world and opens the folder. The folder comes last, so that an invalid input or an
// early interruption leaves the folder unchanged.
func (r *runner) start(ctx context.Context) error {
	made := make(chan error, 1)
	go func() { made <- r.prepare(ctx) }()
	select {
	case err := <-made:
		if err != nil {
			return err
		}
	case <-ctx.Done():
		// The goroutine owns the world that it makes, and must close it.
		go func() {
			if <-made == nil {
				r.b.Close()
			}
		}()
		return interrupted(ctx)
	}
	err := interrupted(ctx)
	if err == nil {
		r.out, err = openFolder(r)
	}
	if err != nil {
		r.b.Close()
		return err
	}
	r.warn(r.early...)
	r.warnings = append(r.warnings, r.noticed...)
	r.passOn()
	return nil
}

// prepare builds the world, restores a checkpoint, checks the time step, and computes the forces at
// the start, which also produces the warnings of the world.
func (r *runner) prepare(ctx context.Context) (err error) {
	switch n := r.o.Steps; {
	case n < 0 || n > maxSteps:
		return &fault{file: r.s.Path, what: "steps: " + found(n, fmt.Sprintf("1 to %d (2⁵³)", int64(maxSteps)))}
	case n > 0:
		r.steps = n
	}
	if r.o.Changed && r.o.Restart == "" {
		return &fault{file: r.s.Path, what: "is to go on with changes, expected a checkpoint to go on from"}
	}
	if n := r.o.UntilStage; n < 0 || n > len(r.s.stages) {
		return &fault{file: r.s.Path, what: fmt.Sprintf("is to end after stage %d, expected one of its %d stages", n, len(r.s.stages))}
	}
	o := buildOptions{workers: r.o.Workers, pin: r.o.Pin, laws: r.s.lawsOf(1).table, walls: r.s.firstWalls(), stage: 1}
	var h *checkpointHeader
	var cols []engine.Column
	if r.dt = r.s.Dt; len(r.s.stages) > 0 {
		r.dt, r.changes = r.s.stages[0].dt, true
		r.mark = stageMark{Number: 1, Starts: []StageStart{{Stage: 1}}}
	}
	if r.o.Restart != "" {
		if h, cols, err = r.readCheckpoint(r.o.Restart); err != nil {
			return err
		}
		o.laws = r.s.lawsOf(h.Stage.Number).table
		if r.o.Changed {
			o.stage, o.gravity = 0, &h.Gravity // The change is booked once the state is there.
			if o.walls, err = r.s.baseOf(h.Walls, r.s.wallHashes()); err != nil {
				return &fault{file: r.o.Restart, what: err.Error()}
			}
		}
	}
	if r.b, err = r.s.buildWith(ctx, o); err != nil {
		return err
	}
	r.w, r.saved, r.b.comings = r.b.World, -1, r.s.newComings()
	defer func() {
		if err != nil {
			r.b.Close()
		}
	}()
	if err = r.newMeans(); err != nil {
		return err
	}
	if err := r.o.check((&folder{r: r}).historyColumns()); err != nil {
		return &fault{file: r.s.Path, what: err.Error()}
	}
	warning, err := r.s.checkStep(r.b, r.dt)
	if err != nil {
		return err
	}
	if r.s.most() > r.s.moving {
		if warning, err = r.s.checkPouredStep(r.s.lawsOf(1).table, r.dt); err != nil {
			return r.s.at.because("time.dt", err)
		}
	}
	r.early = append(r.early, r.b.Warnings...)
	if warning != "" {
		r.early = append(r.early, warning)
	}
	if r.o.Restart != "" {
		if err := r.restore(r.o.Restart, h, cols); err != nil {
			return err
		}
	}
	r.first, r.written = r.w.Steps(), r.w.Steps()
	if err := interrupted(ctx); err != nil {
		return err
	}
	switch err := r.w.Fault(); {
	case errors.Is(err, engine.ErrPairs):
		return r.s.at.because(r.s.keyOfPairs(), err)
	case errors.Is(err, engine.ErrDomain):
		return r.s.at.because(r.s.keyOfWall(r.b, err), err)
	case errors.Is(err, engine.ErrTangled):
		return r.s.at.because("walls", err)
	}
	if err := r.w.StartsInside(); err != nil && r.o.Restart == "" {
		return r.s.at.because("bodies", fmt.Errorf("%w, as in [contact] relief = {cap = 0, time = %g}", err, 1000*r.s.Dt))
	}
	r.w.Measure()
	if r.o.Restart == "" && !r.changes && !r.s.comesOrGoes() && r.neverMeets() {
		r.early = append(r.early, r.s.at.fault("bodies", "no two pieces can ever meet: the bodies keep their distances, and no wall is on their way; "+
			"expected a wall below them, or bodies that approach each other").Error())
	}
	r.early = append(r.early, r.missed()...)
	if text := r.w.LateLists(); text != "" {
		r.early = append(r.early, r.s.at.fault("broad.rebuild_every", text).Error())
	}
	if r.o.Restart != "" {
		r.told = len(r.w.Warnings()) // The run before the checkpoint has reported them.
	}
	return nil
}

// checkStep checks the time step against the built world. For a wall that is too fast, the error
// names the key of the wall.
func (s *Scene) checkStep(b *Built, dt float64) (warning string, err error) {
	warning, err = b.World.CheckTimeStep(dt)
	if wall := (*engine.WallError)(nil); errors.As(err, &wall) {
		if i := slices.Index(b.walls, wall.Wall); i >= 0 {
			key := s.walls[i].key
			for _, table := range []string{".motion", ".servo", ".load"} {
				if s.at.has(key + table) {
					key += table
					break
				}
			}
			return "", s.at.because(key, err)
		}
	}
	if err != nil {
		return "", s.at.because("time.dt", err)
	}
	if warning != "" {
		warning = s.at.fault("time.dt", warning).Error()
	}
	return warning, nil
}

func (r *runner) warn(texts ...string) {
	for _, t := range texts {
		r.warnings = append(r.warnings, t)
		r.report.Warn(t)
	}
}

// passOn reports the new warnings of the world.
func (r *runner) passOn() {
	fresh := r.w.Warnings()[r.told:]
	r.told += len(fresh)
	r.noticed = append(r.noticed, fresh...)
	r.warn(fresh...)
}

// reportEvery is the least time between two calls of the reporter.
const reportEvery = 50 * time.Millisecond

// loop makes the steps and writes the results due after each step. All writes are complete when it
// returns.
func (r *runner) loop(ctx context.Context) (err error) {
	unpin, err := r.w.PinCaller()
	if err != nil {
		return err
	}
	defer unpin()
	whole := context.WithoutCancel(ctx)
	first, done := context.WithCancel(ctx)
	defer func() {
		if err = errors.Join(err, r.out.wait()); err == nil {
			err = r.out.there()
		}
	}()
	r.deepest()
	err = r.out.writeFirst(first)
	done()
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	// Read the context once a step, so that exactly the last step is written as the last.
	if ctx.Err() != nil || err != nil {
		return r.interrupted()
	}
	if r.isOver() { // The run before ended between its last checkpoint and its summary.
		if err := errors.Join(r.out.begin(), r.due(whole, true)); err != nil {
			return err
		}
	}
	told := time.Now()
	for stop := false; !r.isOver(); {
		if stop {
			return r.interrupted()
		}
		if err := r.advance(whole); err != nil {
			return err
		}
		if err := r.comeAndGo(); err != nil {
			return err
		}
		if err := r.callHook(); err != nil {
			return err
		}
		at := time.Now()
		err := r.w.Step(r.dt)
		now := time.Now()
		r.stepping += now.Sub(at)
		if err != nil && r.o.Restart != "" && r.w.Steps() <= r.first+1 {
			err = fmt.Errorf("%w (in the first step after the checkpoint %s)", err, r.o.Restart)
		}
		if err == nil {
			err = r.means.step(r.dt)
		}
		if err != nil {
			return err
		}
		r.passOn()
		r.deepest()
		r.noteStage()
		if now.Sub(told) > reportEvery {
			told = now
			r.report.Step(r.w.Steps(), fmt.Sprintf("t = %.4g s", r.w.Time()))
		}
		stop = ctx.Err() != nil
		if err := r.due(whole, r.isOver() || stop); err != nil {
			return err
		}
	}
	r.report.Step(r.w.Steps(), fmt.Sprintf("t = %.4g s", r.w.Time()))
	return nil
}

func (r *runner) interrupted() error {
	return fmt.Errorf("scene: %w at step %d of %d", ErrInterrupted, r.w.Steps(), r.steps)
}

// deepest updates the deepest penetration of the run.
func (r *runner) deepest() {
	c := r.w.Contacts()
	for i, active := range c.Active {
		if active {
			r.worst = max(r.worst, -c.Gap[i])
		}
	}
}

// due writes the results due at the current step. At the last step of the run it writes everything,
// except what writeFirst has written.
func (r *runner) due(ctx context.Context, last bool) error {
	step := r.w.Steps()
	isDue := func(s schedule) bool {
		if s.has(step) {
			return step > r.written
		}
		return last
	}
	for _, t := range r.out.tables {
		if isDue(t.schedule) {
			if err := r.out.writeRows(ctx, t); err != nil {
				return err
			}
		}
	}
	if isDue(r.out.kept.schedule) && (r.out.kept.every > 0 || len(r.out.kept.later) > 0 || r.out.kept.has(step)) {
		if err := r.out.writeFrame(ctx); err != nil {
			return err
		}
	}
	if every := r.output().checkpoint; r.saved != step && (every > 0 && (last || r.onInterval(step)) || r.o.UntilStage > 0 && r.isOver() || every < 0 && r.isOver()) {
		return r.save()
	}
	return nil
}

// finish writes the checkpoint of an interrupted run that made at least one step. It writes the
// summary if the run has written results, or if the folder had none. cause is the error of loop.
func (r *runner) finish(cause error) (*Summary, error) {
	defer r.out.close()
	var err error
	if errors.Is(cause, ErrInterrupted) && r.w.Steps() > r.first && r.saved != r.w.Steps() && r.s.method != narrow.FDSPaper {
		err = r.save()
	}
	if cause == nil {
		err = r.out.dropInterim(r.w.Steps())
	}
	if !r.out.begun && errors.Is(cause, ErrInterrupted) {
		return nil, err // The folder is unchanged.
	}
	summary := r.summarise(cause)
	// A run that failed before it wrote anything leaves the results of an earlier run.
	if r.out.begun || r.out.vacant && r.out.begin() == nil {
		err = errors.Join(err, r.out.writeSummary(summary))
	}
	return summary, err
}
