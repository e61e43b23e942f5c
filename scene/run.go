package scene

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/scree-dem/scree/engine"
)

// Reporter hears how a run goes on. All calls come from the goroutine that called Run.
type Reporter interface {
	Start(steps int64) // of the whole run
	Step(done int64, note string)
	Warn(text string)
	Done()
}

// Options says how to run a scene.
type Options struct {
	Dir     string   // where results go; made if it is not there
	Steps   int64    // of the whole run, a restart's steps before the checkpoint among them; 0: the scene's
	Restart string   // a checkpoint to go on from
	Workers int      // 0: one for each processor
	Pin     bool     // tie each worker to a logical processor, as in engine.Config
	Report  Reporter // may be nil
	Version string   // of the program, for summary.json and checkpoints
}

// Run builds the scene and makes its steps. Results are written as they come:
//
//	build → restore → [step → history, states, frame, checkpoint] … → summary.json
//
// A context that is cancelled ends the run after the step it is in: the last row, frame and a
// checkpoint are written, and the error wraps ErrInterrupted. While the world is made, which takes
// its time with many bodies, and until the first frame is complete, it ends the run at once: the
// summary is nil and the folder is as it was (what is being computed goes on in the background and
// is then dropped). Bad input wraps ErrInput and comes before the first step, as does a folder that
// another run is writing to; then the folder is as it was. What an earlier run left there stays
// until this one has something to write. A run that fails keeps what it wrote.
func Run(ctx context.Context, s *Scene, o Options) (*Summary, error) {
	r := &runner{s: s, o: o, report: o.Report, began: time.Now(), steps: s.Steps}
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

// silent is the Reporter of those who want none.
type silent struct{}

func (silent) Start(int64)        {}
func (silent) Step(int64, string) {}
func (silent) Warn(string)        {}
func (silent) Done()              {}

// runner is a run under way.
type runner struct {
	s        *Scene
	o        Options
	report   Reporter
	b        *Built
	w        *engine.World
	out      *folder
	steps    int64 // where the run ends
	first    int64 // where it began: 0, or the checkpoint's step
	began    time.Time
	stepping time.Duration
	worst    float64  // m, the deepest penetration of the whole run
	early    []string // warnings from before the folder is open
	noticed  []string // warnings of the world so far, those from before a restart too
	warnings []string
	told     int   // of the world's own list, those that have been passed on
	saved    int64 // step of the last checkpoint, or -1
}

// start makes the world and opens the folder: last, so that a bad input or a run that is interrupted
// before it begins leaves it alone.
func (r *runner) start(ctx context.Context) error {
	made := make(chan error, 1)
	go func() { made <- r.prepare(ctx) }()
	select {
	case err := <-made:
		if err != nil {
			return err
		}
	case <-ctx.Done():
		// The world belongs to the goroutine that makes it, and is closed by it.
		go func() {
			if <-made == nil {
				r.b.Close()
			}
		}()
		return fmt.Errorf("scene: %w before the first step", ErrInterrupted)
	}
	err := error(nil)
	if ctx.Err() != nil {
		err = fmt.Errorf("scene: %w before the first step", ErrInterrupted)
	} else {
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

// prepare builds and restores, checks the time step, and computes the forces at the start, and with them
// the world's warnings.
func (r *runner) prepare(ctx context.Context) (err error) {
	switch n := r.o.Steps; {
	case n < 0 || n > maxSteps:
		return &fault{file: r.s.Path, what: "steps: " + found(n, fmt.Sprintf("1 to %d (2⁵³)", int64(maxSteps)))}
	case n > 0:
		r.steps = n
	}
	if err := r.s.checkFrames(r.s.Memory()); err != nil {
		return err
	}
	if r.b, err = r.s.build(ctx, r.o.Workers, r.o.Pin); err != nil {
		return err
	}
	r.w, r.saved = r.b.World, -1
	defer func() {
		if err != nil {
			r.b.Close()
		}
	}()
	warning, err := r.s.checkStep(r.b)
	if err != nil {
		return err
	}
	r.early = append(r.early, r.b.Warnings...)
	if warning != "" {
		r.early = append(r.early, warning)
	}
	if r.o.Restart != "" {
		if err := r.restore(r.o.Restart); err != nil {
			return err
		}
	}
	r.first = r.w.Steps()
	if err := interrupted(ctx); err != nil {
		return err
	}
	if err := r.w.Fault(); errors.Is(err, engine.ErrPairs) {
		return r.s.at.because(r.s.keyOfPairs(), err)
	}
	r.w.Measure()
	if text := r.w.LateLists(); text != "" {
		r.early = append(r.early, r.s.at.fault("broad.rebuild_every", text).Error())
	}
	if r.o.Restart != "" {
		r.told = len(r.w.Warnings()) // Who ran it to the checkpoint has read them.
	}
	return nil
}

// checkStep checks the time step against the world that was built. A wall that is too fast is named by its own key.
func (s *Scene) checkStep(b *Built) (warning string, err error) {
	warning, err = b.World.CheckTimeStep(s.Dt)
	if wall := (*engine.WallError)(nil); errors.As(err, &wall) {
		if i := slices.Index(b.walls, wall.Wall); i >= 0 {
			return "", s.at.because(s.walls[i].key+".motion", err)
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

// passOn passes on what the world has noticed since.
func (r *runner) passOn() {
	fresh := r.w.Warnings()[r.told:]
	r.told += len(fresh)
	r.noticed = append(r.noticed, fresh...)
	r.warn(fresh...)
}

// reportEvery bounds how often the reporter is called.
const reportEvery = 50 * time.Millisecond

// loop makes the steps and writes what falls due after each. What it has begun to write is complete
// when it returns.
func (r *runner) loop(ctx context.Context) (err error) {
	unpin, err := r.w.PinCaller()
	if err != nil {
		return err
	}
	defer unpin()
	whole := context.WithoutCancel(ctx)
	first, done := context.WithCancel(ctx)
	defer func() { err = errors.Join(err, r.out.wait()) }()
	r.deepest()
	err = r.out.first(first)
	done()
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	// The context is asked once a step, so that a step is written as the last if and only if it is.
	if ctx.Err() != nil || err != nil {
		return r.interrupted()
	}
	told := time.Now()
	for stop := false; r.w.Steps() < r.steps; {
		if stop {
			return r.interrupted()
		}
		at := time.Now()
		err := r.w.Step(r.s.Dt)
		now := time.Now()
		r.stepping += now.Sub(at)
		if err != nil && r.o.Restart != "" && r.w.Steps() <= r.first+1 {
			err = fmt.Errorf("%w (in the first step after the checkpoint %s)", err, r.o.Restart)
		}
		if err != nil {
			return err
		}
		r.passOn()
		r.deepest()
		if now.Sub(told) > reportEvery {
			told = now
			r.report.Step(r.w.Steps(), fmt.Sprintf("t = %.4g s", r.w.Time()))
		}
		stop = ctx.Err() != nil
		if err := r.due(whole, r.w.Steps() == r.steps || stop); err != nil {
			return err
		}
	}
	r.report.Step(r.w.Steps(), fmt.Sprintf("t = %.4g s", r.w.Time()))
	return nil
}

func (r *runner) interrupted() error {
	return fmt.Errorf("scene: %w at step %d of %d", ErrInterrupted, r.w.Steps(), r.steps)
}

// deepest keeps the worst penetration.
func (r *runner) deepest() {
	c := r.w.Contacts()
	for i, active := range c.Active {
		if active {
			r.worst = max(r.worst, -c.Gap[i])
		}
	}
}

// due writes what a step asks for; at the last step of the run, everything.
func (r *runner) due(ctx context.Context, last bool) error {
	step := r.w.Steps()
	if last || r.out.rows.has(step) {
		if err := r.out.writeHistory(); err != nil {
			return err
		}
	}
	if last || r.out.poses.has(step) {
		if err := r.out.writeStates(ctx); err != nil {
			return err
		}
	}
	if last && r.out.kept.every > 0 || r.out.kept.has(step) {
		if err := r.out.writeFrame(ctx); err != nil {
			return err
		}
	}
	if r.s.output.checkpoint > 0 && (last || r.onInterval(step)) {
		return r.save()
	}
	return nil
}

// finish writes the checkpoint of an interrupted run, if it made any steps, and the summary of any that wrote something.
// cause is how the loop ended.
func (r *runner) finish(cause error) (*Summary, error) {
	defer r.out.close()
	var err error
	if errors.Is(cause, ErrInterrupted) && r.w.Steps() > r.first && r.saved != r.w.Steps() {
		err = r.save()
	}
	if cause == nil {
		err = r.out.dropInterim(r.w.Steps())
	}
	if !r.out.begun && errors.Is(cause, ErrInterrupted) {
		return nil, err // The folder is as it was.
	}
	summary := r.summarise(cause)
	// A run that failed before it had anything to write leaves what an earlier one wrote.
	if r.out.begun || r.out.vacant && r.out.begin() == nil {
		err = errors.Join(err, r.out.writeSummary(summary))
	}
	return summary, err
}
