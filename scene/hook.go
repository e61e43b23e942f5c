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

// runPrefix begins the names of columns of checkpoints that belong to the run and not to the world.
const runPrefix = "run."

// hookColumn is the column of what a hook remembers.
const hookColumn = runPrefix + "hook"

// saveRun returns the columns of the run.
func (r *runner) saveRun() (cols []soa.Column) {
	if r.o.Each != nil {
		kept := []uint8{}
		if r.o.Keep != nil {
			kept = append(kept, r.o.Keep()...)
		}
		cols = append(cols, soa.Column{Name: hookColumn, U8: kept})
	}
	if r.b.comings != nil {
		cols = append(cols, r.saveComings())
	}
	for _, s := range r.means.sources {
		if s.how != sample {
			cols = append(cols, s.save())
		}
	}
	return cols
}

// restoreRun restores the columns of the run. Columns of history.csv that the checkpoint does not have begin anew.
func (r *runner) restoreRun(cols []soa.Column) (err error) {
	comings, known := false, []string{"wall_", "body_", "measure.", "unbalanced"}
	for i := range cols {
		c := &cols[i]
		name := strings.TrimPrefix(c.Name, runPrefix)
		k := slices.IndexFunc(r.means.sources, func(s *source) bool { return s.name == name && s.how != sample })
		switch {
		case c.Name == hookColumn:
			err = r.recallHook(c.U8)
		case c.Name == comingsColumn:
			err, comings = r.recallComings(c.U8), true
		case k >= 0:
			err = r.means.sources[k].restore(c)
		case !slices.ContainsFunc(known, func(of string) bool { return strings.HasPrefix(name, of) }): // else of what the scene no longer has
			err = fmt.Errorf("has a column %q, which no run writes", c.Name)
		}
		if err != nil {
			return err
		}
	}
	if !comings && r.b.comings != nil {
		return fmt.Errorf("has no column %q, expected one: bodies come or go in this scene", comingsColumn)
	}
	return nil
}

func (r *runner) recallHook(kept []uint8) error {
	switch {
	case r.o.Each == nil:
		return errors.New("is of a run with a hook, expected one without: only the program that wrote it can go on from it")
	case r.o.Recall != nil:
		if err := r.o.Recall(kept); err != nil {
			return fmt.Errorf("the hook cannot go on from it: %w", err)
		}
	case len(kept) > 0:
		return fmt.Errorf("has %d bytes of a hook, and the hook of this run has no Recall", len(kept))
	}
	return nil
}
