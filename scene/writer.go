package scene

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/mark"
)

// WriterOptions configures a Writer.
type WriterOptions struct {
	Dir     string // folder of results; NewWriter creates it if necessary
	Name    string // of the scene, for people
	Version string // of the program; written to summary.json
	// Every, HistoryEvery and StatesEvery are the steps between two frames, two rows of history.csv, and two rows of
	// a body in states.csv. With 0 there are no frames, and the rows of the first and the last step alone.
	Every, HistoryEvery, StatesEvery int64
	ContactsEvery                    int64           // steps between the rows of a contact in contacts.csv; 0: no such table
	Fields                           []string        // of frames, as in the table [output] of a scene; nil means all
	Columns                          []HistoryColumn // further columns of history.csv
}

// Writer writes the folder of a world that a program steps itself: frames, history.csv, states.csv, run.json and
// summary.json, as Run writes them. The number of a body is its id. A Writer writes no checkpoints; World.State and fileio.WriteCheckpoint do.
type Writer struct {
	r      *runner
	closed error // not nil after Close
}

// NewWriter takes possession of a folder and writes the results of the present step of a world. It computes the
// first forces if they are not known. Results of an earlier run in the folder are removed. An error wraps ErrInput if
// an option is not usable or if another run is writing to the folder; then the folder is unchanged.
func NewWriter(w *engine.World, o WriterOptions) (*Writer, error) {
	if w == nil {
		return nil, mark.Errorf(ErrInput, "scene: the world is nil, expected one that engine.New has returned")
	}
	s := &Scene{Name: o.Name, output: output{every: o.Every, history: o.HistoryEvery, states: o.StatesEvery, contacts: o.ContactsEvery, fields: map[string]bool{}}}
	r := &runner{
		s: s, o: Options{Dir: o.Dir, Version: o.Version, Columns: o.Columns}, report: silent{}, began: time.Now(), steps: maxSteps,
		w: w, first: w.Steps(), written: w.Steps(), changes: true, saved: -1,
	}
	wrong := func(what string) (*Writer, error) { return nil, &fault{file: "WriterOptions", what: what} }
	if o.Fields == nil {
		o.Fields = frameFields
	}
	for _, name := range o.Fields {
		if s.output.fields[name] = true; !slices.Contains(frameFields, name) {
			return wrong("Fields: " + found(name, "one of "+among(frameFields)))
		}
	}
	if least := min(o.Every, o.HistoryEvery, o.StatesEvery, o.ContactsEvery); least < 0 {
		return wrong(found(least, "Every, HistoryEvery, StatesEvery and ContactsEvery of 0 steps at least"))
	}
	if o.Dir == "" {
		return wrong("no Dir for the results, expected a name")
	}
	for i, id := range w.Walls() {
		row, _ := w.Bodies().Row(id)
		s.walls = append(s.walls, wall{name: cmp.Or(w.Bodies().Name[row], fmt.Sprintf("wall-%d", i))})
	}
	w.Measure()
	if err := w.Fault(); err != nil {
		return nil, err
	}
	r.b = &Built{World: w, walls: w.Walls(), around: extentOf(w)}
	r.b.names = r.b.hashNames()
	if err := cmp.Or(r.newMeans(), r.o.check((&folder{r: r}).historyColumns())); err != nil {
		return wrong(err.Error())
	}
	var err error
	if r.out, err = openFolder(r); err != nil {
		return nil, err
	}
	r.passOn()
	r.deepest()
	if err := errors.Join(r.out.writeFirst(context.Background()), r.out.begin()); err != nil {
		r.out.close()
		return nil, err
	}
	return &Writer{r: r}, nil
}

// Write writes what is due at the present step of the world. Call it after each step: some columns are means over the
// steps for which it was called.
func (w *Writer) Write() error {
	r := w.r
	if w.closed != nil || r.w.Steps() == r.written {
		return w.closed
	}
	r.passOn()
	r.deepest()
	if err := r.means.step(r.w.LastStep()); err != nil {
		return err
	}
	err := r.due(context.Background(), false)
	r.written = r.w.Steps()
	return err
}

// Close writes the last rows, the last frame and the summary, and releases the folder. The world stays open. If the
// world has ended by a fault, the summary has it.
func (w *Writer) Close() (*Summary, error) {
	r := w.r
	if w.closed != nil {
		return nil, w.closed
	}
	for _, x := range r.w.Profile().Seconds {
		r.stepping += time.Duration(x * float64(time.Second))
	}
	r.s.Dt = r.w.LastStep()
	cause := r.w.Fault()
	var err error
	if cause == nil {
		err = errors.Join(w.Write(), r.due(context.Background(), true))
	}
	err = errors.Join(err, r.out.wait(), r.out.there())
	w.closed = errors.New("scene: the writer is closed, expected no call after Close")
	summary, failed := r.finish(cmp.Or(cause, err))
	return summary, errors.Join(err, failed)
}
