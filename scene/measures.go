package scene

import (
	"cmp"
	"fmt"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// measureTable is one [[measure]] table. Its columns of history.csv are means over the steps since the row before.
type measureTable struct {
	Name    string       `key:"name" default:"required" form:"a name" doc:"name in the columns of history.csv; unique"`
	Box     *[2]vec.Vec3 `key:"box" unit:"m" default:"the box of the domain" group:"region" doc:"the least corner and the greatest; with dim = 2 a rectangle, one metre thick"`
	Ball    *ballTable   `key:"ball" form:"a table { centre, radius }" group:"region" doc:"a ball; with dim = 2 a disc, one metre thick"`
	Between []string     `key:"between" form:"the names of six walls" group:"region" doc:"six flat walls in three opposite pairs: planes, or meshes whose facets all lie in one plane. The region follows them"`
	Mean    bool         `key:"mean" default:"true" doc:"the columns are means over all steps since the row before. Without it they are those of the row's step, which takes less time"`
}

type ballTable struct {
	Centre vec.Vec3 `key:"centre" unit:"m" default:"0" doc:"centre"`
	Radius float64  `key:"radius" unit:"m" default:"required" bounds:"> 0" doc:"radius"`
}

// measure is one checked [[measure]] table. A run changes its own copy.
type measure struct {
	key, name string
	mean      bool
	text      string // name and region, with all digits
	region    engine.Region
	cell      bool      // the region is the box of the domain
	between   []int     // walls of the scene that bound the region; empty if it is given
	walls     [6]soa.ID // for which the region was found
	there     bool      // the region is known, and all walls are there
}

func (s *checks) checkMeasures(d *document) {
	names := map[string]bool{}
	for i := range d.Measures {
		t, key := &d.Measures[i], fmt.Sprintf("measure[%d]", i)
		m := measure{key: key, name: t.Name, mean: t.Mean}
		s.demand(key+".name", m.name, !names[m.name], "a name that no other [[measure]] has")
		names[m.name] = true
		var err error
		switch {
		case t.Ball != nil:
			key += ".ball"
			s.inPlane(key+".centre", t.Ball.Centre)
			m.text = fmt.Sprintf("%s ball %v", m.name, *t.Ball)
			s.inPeriod(key, vec.Box{Min: t.Ball.Centre, Max: t.Ball.Centre}.Enlarged(t.Ball.Radius))
			m.region, err = engine.BallRegion(t.Ball.Centre, t.Ball.Radius)
		case t.Box != nil:
			key += ".box"
			m.text = fmt.Sprintf("%s box %v", m.name, *t.Box)
			b := s.box(key, t.Box)
			s.inPeriod(key, b)
			if s.inPlane(key, b.Min); s.planar {
				s.inPlane(key, b.Max)
				b.Min.Z, b.Max.Z = -0.5, 0.5
			}
			m.region, err = engine.BoxRegion(b)
		case t.Between == nil:
			m.text, m.cell = m.name+" domain", true
			s.demand(key+".box", plain("nothing"), d.Domain != nil, "box, ball or between: there is no domain, whose box it could be")
		default:
			key += ".between"
			m.text = fmt.Sprintf("%s between %q", m.name, t.Between)
			s.demand(key, t.Between, len(t.Between) == 6, "the names of six walls")
			for _, name := range t.Between {
				m.between = append(m.between, s.wallNamed(key, name))
			}
		}
		if err != nil {
			s.fail(s.at.because(key, err))
		}
		if !m.mean {
			m.text += " mean false"
		}
		s.measures = append(s.measures, m)
	}
}

// tensor is the endings of the columns of a symmetric tensor.
var tensor = []string{"_xx", "_yy", "_zz", "_xy", "_xz", "_yz"}

// addMeasures adds the columns of all measures, and that of the unbalanced force ratio. The ratio takes a pass over
// bodies and contacts, so without a measure that is a mean it is a sample.
func (r *runner) addMeasures() error {
	m, taken, balance := r.means, map[string]bool{}, sample
	for i := range r.s.measures {
		of := r.s.measures[i]
		if err := of.find(r.b); err != nil {
			return r.s.at.because(of.key+".between", err)
		}
		how := sample
		if of.mean {
			how, balance = mean, mean
		}
		name := plainName(of.name, taken)
		list := append(titles("stress_"+name, tensor...), titles("fabric_"+name, tensor...)...)
		list = append(list, "coordination_"+name, "sliding_"+name, "kinetic_"+name)
		m.add("measure."+name, list, how, func(to []float64) {
			var found engine.RegionMeasure
			err := of.find(r.b)
			if err == nil && of.there {
				err = r.w.MeasureRegion(of.region, &found)
			}
			if err != nil {
				m.err = cmp.Or(m.err, fmt.Errorf("scene: step %d: measure %q: %w", r.w.Steps(), of.name, err))
			}
			x, y := &found.Stress, &found.Fabric
			copy(to, []float64{x.XX, x.YY, x.ZZ, x.XY, x.XZ, x.YZ, y.XX, y.YY, y.ZZ, y.XY, y.XZ, y.YZ, found.Coordination, found.Sliding, found.Kinetic})
		})
		m.add("solid."+name, []string{"solid_" + name}, sample, func(to []float64) {
			to[0] = 0
			if m.err = cmp.Or(m.err, of.find(r.b)); of.there && m.err == nil {
				to[0], m.err = r.w.SolidFraction(of.region)
			}
		})
	}
	m.add("unbalanced", []string{"unbalanced"}, balance, func(to []float64) { to[0] = r.w.Unbalanced() })
	return nil
}

// find finds the region, once the walls that bound it are there.
func (m *measure) find(b *Built) (err error) {
	was := m.walls
	m.there = true
	if m.cell {
		m.region, err = b.World.DomainRegion()
		return err
	}
	for k, i := range m.between {
		m.walls[k] = b.walls[i]
		_, here := b.World.Bodies().Row(m.walls[k])
		m.there = m.there && here
	}
	if m.there && m.walls != was {
		m.region, err = b.World.BetweenWalls(m.walls)
	}
	return err
}
