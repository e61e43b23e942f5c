package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"

	"github.com/scree-dem/scree/bench/peers"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/mark"
)

// This file is the frame of all studies. A study is a struct of options (options.go), a list of parts, each of which
// measures rows, and a call of register. docs/howto/add-a-study.md has an example.

// About describes a study to the command line.
type About struct {
	Command string // command of bench that runs the study
	// With is the option that selects this study if several have one command. It is empty for the study of the command
	// without such an option.
	With     string
	Name     string // name of the study's files
	Short    string // of the command, as Example
	Long     string // the paragraphs of all studies of a command form its help
	Example  string
	Unit     string              // what progress counts; default: rows
	Names    map[string][]string // values that options take, by option
	Backends bool                // the study selects backends itself
}

// Study is a registered study with its own copy of the options. An option called workers or pin receives the global
// option; a study without it runs on one worker.
type Study struct {
	About
	Options []*Option
	// Plan reads the files that the options name, and checks combinations of options.
	Plan func(e *Env) error
	// Run measures, after Plan. The report is never nil. If an error occurs, it has the complete rows.
	Run func(ctx context.Context) (*Report, error)

	kind reflect.Type // of the struct of options
}

// Option returns the option with the given name, or nil.
func (s *Study) Option(name string) *Option {
	if i := slices.IndexFunc(s.Options, func(p *Option) bool { return p.Name == name }); i >= 0 {
		return s.Options[i]
	}
	return nil
}

// Env is what the command line lends a study.
type Env struct {
	Version string // of scree
	// Progress, if not nil, is called with the work done, all work of the study, and a note of what comes next.
	Progress func(done, all int64, note string)
	Warn     func(text string)
	Mesh     func(spec string) (*geometry.Mesh, error)
	Settled  func(path string) (*fileio.Settled, error)

	ctx       context.Context // of the run
	done, all int64
	err       error    // that ended the part
	kept      []func() // for the end of the part
}

// keep calls f when the part is complete. Parts change what they share with others or with plan.finish in f alone,
// because an interrupted part may still run.
func (e *Env) keep(f func()) { e.kept = append(e.kept, f) }

// check ends the part of the study that is being measured if err is not nil, as Fatal of package testing ends a test.
// Deferred functions run.
func (e *Env) check(err error) {
	if err != nil {
		e.err = err
		runtime.Goexit()
	}
}

// do calls f in another goroutine, on a thread of its own if locked. It returns the error that ended f. If the context
// ends, do returns at once, and nobody reads what f does then.
func (e *Env) do(locked bool, f func()) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if locked {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
		}
		e.check(e.ctx.Err())
		f()
	}()
	select {
	case <-done:
		return e.err
	case <-e.ctx.Done():
		return e.ctx.Err()
	}
}

// tell reports what comes next.
func (e *Env) tell(note string) {
	if e.Progress != nil && e.ctx.Err() == nil {
		e.Progress(e.done, e.all, note)
	}
}

// plan is the work of a study, whose table has rows of type R.
type plan[R any] struct {
	parts    []part[R]
	unlocked bool // the study does not measure the processor time of the calling thread
	// same, if not nil, returns what a row measures, by which method, and the checksum that all methods must have. It
	// returns an empty of for a row without checksum.
	same func(r *R) (of, by, checksum string)
	// finish, if not nil, adds figures and other tables to the report, also after an interruption.
	finish func(r *Report, rows []R) error
	end    func() // called at the end, if not nil
}

// part is rows that are measured together.
type part[R any] struct {
	note    string     // for progress and errors
	work    int        // in units of progress; 0 stands for 1
	measure func() []R // Env.check ends it
}

// one returns a part with one row.
func one[R any](note string, measure func() R) part[R] {
	return part[R]{note: note, measure: func() []R { return []R{measure()} }}
}

// addContenders adds a part that measures items in turns, on what prepare makes; if that is nil, there are no rows. The
// function prepare also returns the number of rounds. start does what is not timed, and returns a measurement, and a
// function that makes the row of all results of it.
func addContenders[S, I, R any](p *plan[R], note string, items []I, prepare func() (on *S, rounds int),
	start func(on *S, item I) (measure func() float64, row func(t peers.Times) R)) {
	p.parts = append(p.parts, part[R]{note: note, work: len(items), measure: func() (rows []R) {
		on, rounds := prepare()
		if on == nil {
			return nil
		}
		measures, finish := make([]func() float64, len(items)), make([]func(peers.Times) R, len(items))
		for i, item := range items {
			measures[i], finish[i] = start(on, item)
		}
		for i, t := range alternate(rounds, measures) {
			rows = append(rows, finish[i](t))
		}
		return rows
	}})
}

// planner is a pointer to a struct of options.
type planner[R any] interface {
	plan(e *Env) (*plan[R], error)
}

var makers []func() *Study

// register adds a study with options O and rows R.
func register[O, R any, P interface {
	*O
	planner[R]
}](about About) {
	makers = append(makers, func() *Study {
		o, s := P(new(O)), &Study{About: about, kind: reflect.TypeFor[O]()}
		var p *plan[R]
		var e *Env
		s.Options = OptionsOf(o, about.Names)
		s.Plan = func(lent *Env) (err error) {
			e = lent
			p, err = o.plan(e)
			return err
		}
		s.Run = func(ctx context.Context) (*Report, error) {
			r, _, err := p.run(ctx, e)
			return r, err
		}
		return s
	})
}

// Studies returns a new copy of each study, by command. The study without With is the first of its command.
func Studies() (all []*Study) {
	for _, make := range makers {
		all = append(all, make())
	}
	slices.SortFunc(all, func(a, b *Study) int { return cmp.Or(cmp.Compare(a.Command, b.Command), cmp.Compare(a.With, b.With)) })
	return all
}

// run measures all parts.
func (p *plan[R]) run(ctx context.Context, e *Env) (report *Report, rows []R, err error) {
	if p.end != nil {
		defer p.end()
	}
	report = &Report{Machine: thisMachine(e.Version)} // before a study selects backends
	e.ctx, e.done, e.all = ctx, 0, 0
	for i := range p.parts {
		e.all += int64(max(p.parts[i].work, 1))
	}
	after := int64(0)
	for i := range p.parts {
		e.tell(p.parts[i].note)
		var more []R
		if err = e.do(!p.unlocked, func() { more = p.parts[i].measure() }); err != nil {
			err = fmt.Errorf("bench: %s: %w", p.parts[i].note, mark.Inner(err))
			break
		}
		for _, f := range e.kept {
			f()
		}
		rows, e.kept = append(rows, more...), nil
		if err = p.compare(rows); err != nil {
			break
		}
		after += int64(max(p.parts[i].work, 1))
		e.done = after
	}
	if err == nil {
		e.tell("")
	}
	report.Tables, report.Complete = []table{{Key: "rows", Rows: rows}}, err == nil
	if p.finish != nil {
		err = errors.Join(err, p.finish(report, rows))
	}
	return report, rows, err
}

// compare returns an error unless all rows of the same have one checksum.
func (p *plan[R]) compare(rows []R) error {
	if p.same == nil {
		return nil
	}
	type first struct{ by, checksum string }
	firsts := map[string]first{}
	for i := range rows {
		of, by, checksum := p.same(&rows[i])
		if of == "" {
			continue
		}
		if was, known := firsts[of]; !known {
			firsts[of] = first{by, checksum}
		} else if was.checksum != checksum {
			return fmt.Errorf("bench: %s: checksum %s with %s, expected %s as with %s", of, checksum, by, was.checksum, was.by)
		}
	}
	return nil
}
