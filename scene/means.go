package scene

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// reduction tells how a column of history.csv follows from the values of the steps.
type reduction uint8

const (
	sample  reduction = iota // the value of the row's step
	mean                     // over the steps since the row before
	peak                     // the largest since the row before; values are ≥ 0
	impulse                  // the sum of value × dt since the start of the run
)

// source is some columns of history.csv that are read together.
type source struct {
	name    string   // of its column in a checkpoint, after runPrefix
	columns []string // titles
	how     []reduction
	read    func(to []float64) error // the values of the present step

	now, sum []float64 // of the present step; by reduction, since the last row
	last     []float64 // the last row; nil before the first one
	steps    float64   // since the last row
}

// means are the columns of history.csv that are no point samples. Rows count that are on the interval: an extra row, of
// a run that ends between two of them, changes nothing. So rows are the same whether a run was interrupted or not.
type means struct{ sources []*source }

// add adds columns. read may be expensive if all of them are samples: then only rows call it.
func (m *means) add(name string, columns []string, how []reduction, read func(to []float64) error) {
	n := len(columns)
	m.sources = append(m.sources, &source{name: name, columns: columns, how: how, read: read, now: make([]float64, n), sum: make([]float64, n)})
}

// columns returns the titles of all columns.
func (m *means) columns() (titles []string) {
	for _, s := range m.sources {
		titles = append(titles, s.columns...)
	}
	return titles
}

// sampled reports whether all columns are samples.
func (s *source) sampled() bool {
	for _, how := range s.how {
		if how != sample {
			return false
		}
	}
	return true
}

// step takes the values of a step of dt, s, that was just made. It allocates nothing.
func (m *means) step(dt float64) error {
	for _, s := range m.sources {
		if s.sampled() {
			continue
		}
		if err := s.read(s.now); err != nil {
			return err
		}
		s.steps++
		for i, x := range s.now {
			switch s.how[i] {
			case mean:
				s.sum[i] += x
			case peak:
				s.sum[i] = max(s.sum[i], x)
			case impulse:
				s.sum[i] += float64(x * dt)
			}
		}
	}
	return nil
}

// row appends the values of a row for the present step. Without a step since the last row, they are those of that row,
// or of the present step before the first one.
func (m *means) row(to []float64) ([]float64, error) {
	for _, s := range m.sources {
		if s.steps == 0 && s.last != nil {
			to = append(to, s.last...)
			continue
		}
		if s.steps == 0 || s.sampled() {
			if err := s.read(s.now); err != nil {
				return nil, err
			}
		}
		for i, x := range s.now {
			switch how := s.how[i]; {
			case how == impulse || how == peak && s.steps > 0:
				x = s.sum[i]
			case how == mean && s.steps > 0:
				x = s.sum[i] / s.steps
			}
			to = append(to, x)
		}
	}
	return to, nil
}

// begin starts anew after a row on the interval, whose values are given.
func (m *means) begin(row []float64) {
	for _, s := range m.sources {
		n := len(s.columns)
		if !s.sampled() {
			s.last, s.steps = append(s.last[:0], row[:n]...), 0
			for i, how := range s.how {
				if how != impulse {
					s.sum[i] = 0
				}
			}
		}
		row = row[n:]
	}
}

// save returns what a restart needs: the number of steps, the sums and the last row.
func (s *source) save() *soa.Column {
	if s.sampled() {
		return nil
	}
	return &soa.Column{F64: append(append([]float64{s.steps}, s.sum...), s.last...)}
}

// restore takes what save has returned. A source that the checkpoint does not have begins anew.
func (s *source) restore(c *soa.Column) error {
	if c == nil || s.sampled() {
		return nil
	}
	n, x := len(s.columns), c.F64
	if len(x) != 1+n && len(x) != 1+2*n || !(x[0] >= 0 && x[0] == math.Trunc(x[0])) || !finite(x) {
		return mark.Errorf(ErrInput, "column %q: found %s values, expected a whole number ≥ 0, and %d or %d finite numbers", c.Name, shorten(fmt.Sprint(x)), n, 2*n)
	}
	s.steps = x[0]
	copy(s.sum, x[1:])
	if s.last = nil; len(x) > 1+n {
		s.last = append(s.last, x[1+n:]...)
	}
	return nil
}

func finite(values []float64) bool {
	for _, x := range values {
		if x-x != 0 {
			return false
		}
	}
	return true
}

// newMeans makes the columns of walls, bodies and measures.
func (r *runner) newMeans() error {
	r.means = &means{}
	m, taken := r.means, map[string]bool{}
	axes := []string{"_fx", "_fy", "_fz", "_tx", "_ty", "_tz", "_peak", "_impulse_x", "_impulse_y", "_impulse_z"}
	how := []reduction{mean, mean, mean, mean, mean, mean, peak, impulse, impulse, impulse}
	for i := range r.s.walls {
		name := plainName("wall_"+r.s.walls[i].name, taken)
		m.add(name, titles(name, axes), how, func(to []float64) error { return wallForce(r.w, r.b.walls[i], to) })
		if axis := r.s.axisOf(i); axis != (vec.Vec3{}) {
			m.add(name+".place", titles(name, []string{"_position", "_speed"}), []reduction{sample, sample}, func(to []float64) error {
				clear(to)
				if row, ok := r.w.Bodies().Row(r.b.walls[i]); ok {
					to[0], to[1] = r.w.Bodies().Pos.At(int(row)).Dot(axis), r.w.Bodies().Vel.At(int(row)).Dot(axis)
				}
				return nil
			})
		}
	}
	return cmp.Or(m.addBodies(r), r.addMeasures())
}

// axisOf returns the axis along which wall i first follows a load, or zero if it never does.
func (s *Scene) axisOf(i int) vec.Vec3 {
	axis := s.walls[i].course.axis()
	for k := range s.stages {
		if axis == (vec.Vec3{}) {
			axis = s.stages[k].axes[i]
		}
	}
	return axis
}

// addBodies adds the columns of the bodies of output.bodies: position of the centre of mass, and force and torque of
// the constraint that holds it.
func (m *means) addBodies(r *runner) error {
	taken, bodies := map[string]bool{}, r.w.Bodies()
	for i, given := range r.s.output.bodies {
		row := slices.Index(bodies.Name, given)
		if row < 0 || bodies.InvMass[row] == 0 {
			return r.s.at.fault(entry("output.bodies", i), found(given, "the name of a body; generated bodies append -0, -1, … to that of their entry"))
		}
		id, name := bodies.ID[row], plainName("body_"+given, taken)
		m.add(name, titles(name, []string{"_x", "_y", "_z", "_fx", "_fy", "_fz", "_tx", "_ty", "_tz"}),
			[]reduction{sample, sample, sample, mean, mean, mean, mean, mean, mean}, func(to []float64) error {
				clear(to)
				if row, ok := r.w.Bodies().Row(id); ok {
					p := r.w.Bodies().Pos.At(int(row))
					f, t := r.w.Reaction(id)
					copy(to, []float64{p.X, p.Y, p.Z, f.X, f.Y, f.Z, t.X, t.Y, t.Z})
				}
				return nil
			})
	}
	return nil
}

// titles returns a name with each of some endings.
func titles(name string, endings []string) (list []string) {
	for _, end := range endings {
		list = append(list, name+end)
	}
	return list
}

// wallForce reads force, torque, size of the force, and force again. The forces are those of the last step, or of
// World.Measure: WallForce would compute them anew.
func wallForce(w *engine.World, id soa.ID, to []float64) error {
	row, ok := w.Bodies().Row(id)
	if !ok {
		clear(to)
		return nil
	}
	f, t := w.Bodies().Force.At(int(row)), w.Bodies().Torque.At(int(row))
	to[0], to[1], to[2], to[3], to[4], to[5], to[6] = f.X, f.Y, f.Z, t.X, t.Y, t.Z, f.Norm()
	copy(to[7:], to[:3])
	return nil
}
