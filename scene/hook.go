package scene

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/soa"
)

// HistoryColumn is a column of history.csv.
type HistoryColumn struct {
	Name  string                        // letters, digits and underscores; no other column has it
	Value func(w *engine.World) float64 // finite; called for each row
}

// check rejects a hook that cannot be called. columns are those of history.csv, with its own at the end.
func (h *Options) check(columns []string) error {
	switch {
	case h.Every < 0:
		return fmt.Errorf("the hook has Every = %d, expected a number of steps ≥ 0", h.Every)
	case h.Each == nil && (h.Keep != nil || h.Recall != nil || h.Every != 0):
		return errors.New("the hook has Every, Keep or Recall without Each, expected Each")
	case (h.Keep == nil) != (h.Recall == nil):
		return errors.New("the hook has one of Keep and Recall, expected both or neither")
	}
	first := len(columns) - len(h.Columns)
	for k, c := range h.Columns {
		if c.Name == "" || c.Name != plainName(c.Name, map[string]bool{}) || slices.Contains(columns[:first+k], c.Name) {
			return fmt.Errorf("the column %q of the hook, expected a name of letters, digits and underscores that no other column has", c.Name)
		}
		if c.Value == nil {
			return fmt.Errorf("the column %q of the hook has no Value, expected one", c.Name)
		}
	}
	return nil
}

// callHook calls the hook before the next step.
func (r *runner) callHook() error {
	step := r.w.Steps()
	if r.o.Each == nil || step%max(r.o.Every, 1) != 0 {
		return nil
	}
	if err := r.o.Each(r.w, step); err != nil {
		return fmt.Errorf("scene: the hook before step %d: %w", step+1, err)
	}
	if now := r.w.Steps(); now != step {
		return fmt.Errorf("scene: the hook has made the steps to %d, expected none: Run makes the steps", now)
	}
	return nil
}

// runColumn is a column of checkpoints that belongs to the run and not to the world. Its name begins with "run.".
type runColumn struct {
	name    string
	save    func() *soa.Column        // nil if there is nothing to save
	restore func(c *soa.Column) error // c is nil if the checkpoint has no such column
}

// runPrefix begins the names of columns that belong to the run.
const runPrefix = "run."

// runColumns returns the columns of the run, in their order in a checkpoint.
func (r *runner) runColumns() []runColumn {
	list := []runColumn{{"hook", r.keepHook, r.recallHook}}
	for _, s := range r.means.sources {
		list = append(list, runColumn{s.name, s.save, s.restore})
	}
	return list
}

// meansOf reports whether the name of a column of a checkpoint is that of columns of history.csv.
func meansOf(name string) bool {
	return slices.ContainsFunc([]string{"wall_", "body_", "measure.", "solid.", "unbalanced"}, func(of string) bool { return strings.HasPrefix(name, runPrefix+of) })
}

func (r *runner) keepHook() *soa.Column {
	if r.o.Each == nil {
		return nil
	}
	c := &soa.Column{U8: []uint8{}}
	if r.o.Keep != nil {
		c.U8 = append(c.U8, r.o.Keep()...)
	}
	return c
}

func (r *runner) recallHook(c *soa.Column) error {
	switch {
	case c == nil:
		return nil
	case r.o.Each == nil:
		return errors.New("is of a run with a hook, expected one without: only the program that wrote it can go on from it")
	case r.o.Recall != nil:
		if err := r.o.Recall(c.U8); err != nil {
			return fmt.Errorf("the hook cannot go on from it: %w", err)
		}
	case len(c.U8) > 0:
		return fmt.Errorf("has %d bytes of a hook, and the hook of this run has no Recall", len(c.U8))
	}
	return nil
}

// saveRun returns the columns of the run.
func (r *runner) saveRun() (cols []soa.Column) {
	for _, of := range r.runColumns() {
		if c := of.save(); c != nil {
			c.Name = runPrefix + of.name
			cols = append(cols, *c)
		}
	}
	return cols
}

// restoreRun restores the columns of the run.
func (r *runner) restoreRun(cols []soa.Column) error {
	by := map[string]*soa.Column{}
	for i := range cols {
		by[cols[i].Name] = &cols[i]
	}
	for _, of := range r.runColumns() {
		name := runPrefix + of.name
		if err := of.restore(by[name]); err != nil {
			return err
		}
		delete(by, name)
	}
	for _, name := range inOrder(by) {
		if meansOf(name) {
			continue // of a measure that the scene no longer has, or of a wall with another name
		}
		return fmt.Errorf("has a column %q, which no run writes", name)
	}
	return nil
}
