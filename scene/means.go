package scene

import (
	"cmp"
	"fmt"
	"math"
	"slices"

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
	how     reduction
	read    func(to []float64) // the values of the present step

	now   []float64 // the values of the present step
	sum   []float64 // by reduction, of steps
	steps float64
	rowed bool // a row has sum; the next step begins anew
}

// means are the columns of history.csv that are no point samples. Rows count that are on the interval: an extra row, of
// a run that ends between two of them, changes nothing. So rows are the same whether a run was interrupted or not.
type means struct {
	sources []*source
	err     error // the first of a read
}

// add adds columns. read may be expensive for samples: only rows call it.
func (m *means) add(name string, columns []string, how reduction, read func(to []float64)) {
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

// step takes the values of a step of dt, s, that was just made. It allocates nothing.
func (m *means) step(dt float64) error {
	for _, s := range m.sources {
		if s.how == sample {
			continue
		}
		s.read(s.now)
		if s.rowed {
			if s.steps, s.rowed = 0, false; s.how != impulse {
				clear(s.sum)
			}
		}
		s.steps++
		for i, x := range s.now {
			switch s.how {
			case mean:
				s.sum[i] += x
			case peak:
				s.sum[i] = max(s.sum[i], x)
			case impulse:
				s.sum[i] += float64(x * dt)
			}
		}
	}
	return m.err
}

// row appends the values of a row for the present step. Without a step since the last row, they are those of that row,
// or of the present step before the first one.
func (m *means) row(to []float64) ([]float64, error) {
	for _, s := range m.sources {
		values := s.sum
		if s.how == sample || s.steps == 0 && s.how != impulse {
			values = s.now
			s.read(values)
		}
		for _, x := range values {
			if s.how == mean {
				x /= max(s.steps, 1)
			}
			to = append(to, x)
		}
	}
	return to, m.err
}

// begin starts anew after a row on the interval.
func (m *means) begin() {
	for _, s := range m.sources {
		s.rowed = true
	}
}

// save returns what a restart needs: the number of steps, 1 if a row has them, and the sums.
func (s *source) save() soa.Column {
	rowed := 0.0
	if s.rowed {
		rowed = 1
	}
	return soa.Column{Name: runPrefix + s.name, F64: append([]float64{s.steps, rowed}, s.sum...)}
}

// restore takes what save has returned.
func (s *source) restore(c *soa.Column) error {
	n, x := len(s.columns), c.F64
	if len(x) != 2+n || !(x[0] >= 0 && x[0] == math.Trunc(x[0])) || x[1] != 0 && x[1] != 1 || slices.ContainsFunc(x, notFinite) {
		return mark.Errorf(ErrInput, "column %q: found %s values, expected a whole number ≥ 0, 0 or 1, and %d finite numbers", c.Name, shorten(fmt.Sprint(x)), n)
	}
	s.steps, s.rowed = x[0], x[1] == 1
	copy(s.sum, x[2:])
	return nil
}

func notFinite(x float64) bool { return x-x != 0 }

// newMeans makes the columns of walls, bodies and measures.
func (r *runner) newMeans() error {
	r.means = &means{}
	m, taken := r.means, map[string]bool{}
	for i := range r.s.walls {
		name := plainName("wall_"+r.s.walls[i].name, taken)
		now := func() vectors { return r.vectorsOf(r.b.walls[i]) }
		m.add(name, titles(name, "_fx", "_fy", "_fz", "_tx", "_ty", "_tz"), mean, func(to []float64) { put(to, now().force, now().torque) })
		m.add(name+".peak", titles(name, "_peak"), peak, func(to []float64) { to[0] = now().force.Norm() })
		m.add(name+".impulse", titles(name, "_impulse_x", "_impulse_y", "_impulse_z"), impulse, func(to []float64) { put(to, now().force) })
		if axis := r.s.axisOf(i); axis != (vec.Vec3{}) {
			m.add(name+".place", titles(name, "_position", "_speed"), sample, func(to []float64) { to[0], to[1] = now().pos.Dot(axis), now().vel.Dot(axis) })
		}
	}
	r.addDomain()
	return cmp.Or(r.addBodies(), r.addMeasures())
}

// vectors are those of a body or wall at the present step; zeros if it is not there.
type vectors struct{ pos, vel, force, torque vec.Vec3 }

// vectorsOf returns the vectors of a body or wall. Forces are those of the last step, or of World.Measure: WallForce
// would compute them anew.
func (r *runner) vectorsOf(id soa.ID) (v vectors) {
	b := r.w.Bodies()
	if row, ok := b.Row(id); ok {
		i := int(row)
		v = vectors{b.Pos.At(i), b.Vel.At(i), b.Force.At(i), b.Torque.At(i)}
	}
	return v
}

// put writes the components of vectors.
func put(to []float64, vectors ...vec.Vec3) {
	for i, v := range vectors {
		to[3*i], to[3*i+1], to[3*i+2] = v.X, v.Y, v.Z
	}
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
func (r *runner) addBodies() error {
	m, taken, b := r.means, map[string]bool{}, r.w.Bodies()
	for i, given := range r.s.output.bodies {
		row := slices.Index(b.Name, given)
		if row < 0 || b.InvMass[row] == 0 {
			return r.s.at.fault(entry("output.bodies", i), found(given, "the name of a body; generated bodies append -0, -1, … to that of their entry"))
		}
		id, name := b.ID[row], plainName("body_"+given, taken)
		m.add(name+".place", titles(name, "_x", "_y", "_z"), sample, func(to []float64) { put(to, r.vectorsOf(id).pos) })
		m.add(name, titles(name, "_fx", "_fy", "_fz", "_tx", "_ty", "_tz"), mean, func(to []float64) {
			f, t := r.w.Reaction(id)
			put(to, f, t)
		})
	}
	return nil
}

// titles returns a name with each of some endings.
func titles(name string, endings ...string) (list []string) {
	for _, end := range endings {
		list = append(list, name+end)
	}
	return list
}
