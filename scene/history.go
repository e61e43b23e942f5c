package scene

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/narrow"
)

// historyColumns returns the names of the columns of history.csv. Energies are in J, penetration in
// m, speed in m/s, forces in N, and torques about the origin of a wall in N·m. Stages are in s
// since this process started the run. level_* counts pairs answered since then. numpy and pandas
// accept these names without change.
func (f *folder) historyColumns() []string {
	cols := []string{"step", "time", "kinetic", "kinetic_rotation", "potential", "elastic", "shear", "damping", "friction",
		"walls", "law_excess", "applied", "inserted", "changed", "left_over", "left_over_relative", "bodies", "contacts", "active", "worst_penetration", "max_speed"}
	cols = append(cols, f.r.means.columns()...)
	for s := range engine.NStages {
		cols = append(cols, "stage_"+s.String())
	}
	for l := range narrow.NAnsweredBy {
		cols = append(cols, "level_"+l.String())
	}
	cols = append(cols, "level_overlap", "rebuilds", "fallbacks")
	taken := map[string]bool{}
	for i := range f.r.s.counts {
		cols = append(cols, plainName("counts_"+f.r.s.counts[i].name, taken))
	}
	for _, c := range f.r.o.Columns {
		cols = append(cols, c.Name)
	}
	return cols
}

// plainName returns name with all characters replaced by underscores except letters and digits, so
// that table readers do not change it. A name that is already taken gets a number.
func plainName(name string, taken map[string]bool) string {
	plain := strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return c
		}
		return '_'
	}, name)
	unique := plain
	for k := 2; taken[unique]; k++ {
		unique = fmt.Sprintf("%s_%d", plain, k)
	}
	taken[unique] = true
	return unique
}

// historyRow adds the row of the current step to the pending rows. It returns an error if a number
// is not finite.
func (f *folder) historyRow(_ context.Context, t *rowTable) error {
	w := f.r.w
	m := w.Measure()
	if err := checkFinite(&m); err != nil {
		return err
	}
	t.Int(m.Step)
	t.Float(m.Time)
	l := &m.Ledger
	t.sums(m.Kinetic(), m.Rotation, m.Potential, l.Elastic, l.Shear, l.Damping, l.Friction,
		l.Walls, l.LawExcess, l.Applied, l.Inserted, l.Changed, m.LeftOver, relative(m.LeftOver, m.StartedAbove))
	t.Int(int64(f.r.b.moving()))
	t.Int(int64(m.Contacts))
	t.Int(int64(m.Active))
	t.sums(m.Penetration, m.MaxSpeed)
	means, err := f.r.means.row(nil)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(means, notFinite); i >= 0 {
		return mark.Errorf(engine.ErrFault, "scene: step %d: the column %s is %g, expected finite", m.Step, f.r.means.columns()[i], means[i])
	}
	t.sums(means...)
	if t.onInterval(m.Step) { // else an extra row
		f.r.means.begin()
	}
	profile, levels := w.Profile(), w.AnsweredBy()
	t.sums(profile.Seconds[:]...)
	for _, n := range levels.By {
		t.Int(n)
	}
	t.Int(levels.Overlap)
	t.Int(levels.Rebuilds)
	t.Int(levels.Fallbacks)
	for i := range f.r.s.counts {
		t.Int(int64(f.r.s.counts[i].bodies(w)))
	}
	for _, c := range f.r.o.Columns {
		x := c.Value(w)
		if x-x != 0 {
			return mark.Errorf(engine.ErrFault, "scene: step %d: the column %q is %g, expected finite", m.Step, c.Name, x)
		}
		t.sums(x)
	}
	return t.EndRow()
}

// checkFinite returns an error if a measured value is not finite. The engine checks velocities at
// each step, but not whether their squares overflow.
func checkFinite(m *engine.Measure) error {
	l := &m.Ledger
	for _, c := range []struct {
		name string
		x    float64
	}{
		{"kinetic energy", m.Kinetic()}, {"potential energy", m.Potential}, {"elastic energy", l.Elastic},
		{"shear energy", l.Shear}, {"energy lost to damping", l.Damping}, {"energy lost to friction", l.Friction},
		{"work of the walls", l.Walls}, {"excess of the law", l.LawExcess}, {"work of the loads", l.Applied},
		{"energy of inserted bodies", l.Inserted}, {"energy of changes", l.Changed}, {"account of energies", m.LeftOver},
		{"worst penetration", m.Penetration}, {"highest speed", m.MaxSpeed},
	} {
		if c.x-c.x != 0 {
			return mark.Errorf(engine.ErrFault, "scene: step %d: the %s is %g, expected finite; the time step, the stiffness or a velocity is too large",
				m.Step, c.name, c.x)
		}
	}
	return nil
}

// relative returns x/whole, or 0 if whole is 0.
func relative(x, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return x / whole
}

// stateColumns are the columns of states.csv: the pose of the frame of the shape's file, the
// velocity and spin, and the centre of mass, to which the velocity refers.
var stateColumns = []string{"id", "name", "step", "time", "x", "y", "z", "qw", "qx", "qy", "qz",
	"vx", "vy", "vz", "wx", "wy", "wz", "cx", "cy", "cz"}

// stateRows adds a row for each moving body to the pending rows. If the context is cancelled, it returns the error
// of the context.
func (f *folder) stateRows(ctx context.Context, t *rowTable) error {
	w := f.r.w
	b := w.Bodies()
	for _, i := range f.r.b.rows(false) {
		if err := ctx.Err(); err != nil {
			return err
		}
		id, i := b.ID[i], int(i)
		p := w.Pose(id)
		v, spin, c := b.Vel.At(i), b.Spin.At(i), b.Pos.At(i)
		t.Int(int64(f.r.b.Number(id)))
		t.Text(b.Name[i])
		t.Int(w.Steps())
		t.Float(w.Time())
		for _, x := range []float64{p.Pos.X, p.Pos.Y, p.Pos.Z, p.Rot.W, p.Rot.X, p.Rot.Y, p.Rot.Z,
			v.X, v.Y, v.Z, spin.X, spin.Y, spin.Z, c.X, c.Y, c.Z} {
			t.Float(x)
		}
		if err := t.EndRow(); err != nil {
			return err
		}
	}
	return nil
}
