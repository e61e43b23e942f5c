package engine

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// RegionMeasure is what MeasureRegion finds in a region. The contacts of the region are the active contacts
// whose location lies in it, and all of the walls that bound it. Its bodies are those that move and whose
// centre of mass lies in it. World axes.
type RegionMeasure struct {
	Volume       float64  // m³, of the region
	Stress       vec.Sym3 // Pa, tension positive, see Stress
	Fabric       vec.Sym3 // mean of n⊗n over the normals n of the contacts; its trace is 1, or 0 without contacts
	Coordination float64  // active contacts of the bodies, over the number of bodies; 0 without bodies
	Sliding      float64  // share of contacts at the Coulomb limit among those with a force; 0 without any
	Kinetic      float64  // J, of the bodies
	Contacts     int      // of the region
	Bodies       int      // of the region
}

// Stress returns the mean stress of a region, Pa, world axes, tension positive (Christoffersen et al. 1981): the
// symmetric part of 1/V·Σ f⊗l over the contacts of the region. f is the force on body A. l leads from the centre
// of mass of A to that of B, or of a contact with a wall to or from the location. Contacts with a wall that bounds the region count
// wherever they are. The sum has the order of the pairs, so it has the same bits on any number of workers. Like
// Measure, Stress first computes forces that are not those of the present state. An error wraps ErrRegion: the
// region has no volume, or its walls no longer bound one.
func (w *World) Stress(r Region) (vec.Sym3, error) {
	var m RegionMeasure
	err := w.MeasureRegion(r, &m)
	return m.Stress, err
}

// MeasureRegion measures a region, as Stress does, with its errors. All sums have a fixed order. Cost: one pass over
// the bodies and one over the candidate pairs. It allocates nothing once its memory has grown.
func (w *World) MeasureRegion(r Region, m *RegionMeasure) error {
	w.begin()
	*m = RegionMeasure{}
	var c presentRegion
	if err := w.boundCell(&r, &c); err != nil {
		return err
	}
	m.Volume = c.volume
	b := &w.bodies
	for i := range b.Len() {
		if w.isIn(&c, soa.Body(i)) {
			m.Bodies++
			m.Kinetic += float64(0.5*b.Mass[i]*b.Vel.At(i).Norm2()) + float64(0.5*b.Spin.At(i).Dot(b.AngMom.At(i)))
		}
	}
	w.sumContacts(&c, m)
	return nil
}

// isIn reports whether a body is one of those of a region.
func (w *World) isIn(c *presentRegion, i soa.Body) bool {
	return w.bodies.Mass[i] != 0 && !w.bodies.Gone[i] && c.holds(w.InBox(w.bodies.Pos.At(int(i))))
}

// sumContacts sums over the contacts of a region, whose bodies are counted.
func (w *World) sumContacts(c *presentRegion, m *RegionMeasure) {
	b, of, con := &w.bodies, &w.space.Pieces, &w.space.Contacts
	var stress, fabric vec.Sym3
	touches, loaded, sliding := 0, 0, 0
	for row := range w.space.ActiveRows {
		p, q := w.space.PiecesOf(row)
		at := con.Location.At(row)
		counts, ends := c.holds(w.InBox(at)), [2]vec.Vec3{at, at}
		for k, i := range [2]soa.Body{of.Body[p], of.Body[q]} {
			if w.isIn(c, i) {
				touches++
			}
			if b.Mass[i] != 0 {
				ends[k] = b.Pos.At(int(i))
			}
			counts = counts || c.isBound(b.ID[i])
		}
		if !counts {
			continue
		}
		if b.Mass[of.Body[q]] != 0 {
			shift, _ := w.imageOf(row)
			ends[1] = ends[1].Add(shift)
		}
		m.Contacts++
		f, n := w.forces.Force.At(row), con.Normal.At(row)
		fabric = fabric.Add(n.Outer())
		stress = stress.Add(symmetric(f, ends[1].Sub(ends[0])))
		if f != (vec.Vec3{}) {
			loaded++
		}
		if w.slides(row) {
			sliding++
		}
	}
	m.Stress = stress.Scale(1 / c.volume)
	if m.Contacts > 0 {
		m.Fabric = fabric.Scale(1 / float64(m.Contacts))
	}
	if m.Bodies > 0 {
		m.Coordination = float64(touches) / float64(m.Bodies)
	}
	if loaded > 0 {
		m.Sliding = float64(sliding) / float64(loaded)
	}
}

// symmetric returns ½(f⊗l + l⊗f).
func symmetric(f, l vec.Vec3) vec.Sym3 {
	half := func(a, b, c, d float64) float64 { return 0.5 * (float64(a*b) + float64(c*d)) }
	return vec.Sym3{
		XX: float64(f.X * l.X), YY: float64(f.Y * l.Y), ZZ: float64(f.Z * l.Z),
		XY: half(f.X, l.Y, f.Y, l.X), XZ: half(f.X, l.Z, f.Z, l.X), YZ: half(f.Y, l.Z, f.Z, l.Y),
	}
}

// Unbalanced returns the unbalanced force ratio, as YADE has it: the mean |ΣF| of a body that may move over the mean
// force of a contact. ΣF is the sum of contact forces, load and weight. Contacts without a force do not count. Without
// any contact with a force the ratio is 1. The sums have a fixed order. Like Measure, Unbalanced first computes
// forces that are not those of the present state.
func (w *World) Unbalanced() float64 {
	w.begin()
	b := &w.bodies
	net, contact := 0.0, 0.0 // N
	bodies, contacts := 0, 0
	for i := range b.Len() {
		if b.InvMass[i] != 0 && !b.Gone[i] {
			sum := b.Force.At(i).AddScaled(b.Mass[i], w.gravity)
			if h, row := w.nextHeld(i, i+1); row == i {
				if h.Fixed == FixAll {
					continue
				}
				sum = (^h.Fixed & 7).of(sum) // What a constraint carries is balanced.
			}
			net += sum.Norm()
			bodies++
		}
	}
	for row := range w.space.ActiveRows {
		if f := w.forces.Force.At(row).Norm(); f > 0 {
			contact += f
			contacts++
		}
	}
	if bodies == 0 || contacts == 0 {
		return 1
	}
	return net / float64(bodies) / (contact / float64(contacts))
}
