package engine

import (
	"math"

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

// regionWork is memory of MeasureRegion and SolidFraction.
type regionWork struct {
	inside   []bool    // by row: the body is one of the region
	friction []float64 // by row of the law: the Coulomb coefficient; NaN if it was not asked for yet
	solid    solidWork
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
	var c cell
	if err := w.boundCell(&r, &c); err != nil {
		return err
	}
	m.Volume = c.volume
	w.markInside(&c, m)
	w.sumContacts(&c, m)
	return nil
}

// markInside finds the bodies of a region, and sums over them.
func (w *World) markInside(c *cell, m *RegionMeasure) {
	b := &w.bodies
	w.region.inside = soa.Resize(w.region.inside, b.Len())
	for i := range b.Len() {
		in := b.Mass[i] != 0 && !b.Gone[i] && c.holds(b.Pos.At(i))
		if w.region.inside[i] = in; in {
			m.Bodies++
			m.Kinetic += float64(0.5*b.Mass[i]*b.Vel.At(i).Norm2()) + float64(0.5*b.Spin.At(i).Dot(b.AngMom.At(i)))
		}
	}
}

// sumContacts sums over the contacts of a region. The bodies must be marked.
func (w *World) sumContacts(c *cell, m *RegionMeasure) {
	b, of, con := &w.bodies, &w.space.Pieces, &w.space.Contacts
	w.region.friction = w.region.friction[:0]
	for range w.law.AllNeeds() {
		w.region.friction = append(w.region.friction, math.NaN())
	}
	var stress, fabric vec.Sym3
	touches, loaded, sliding := 0, 0, 0
	for row := range w.space.ActiveRows {
		p, q := w.space.PiecesOf(row)
		bodyA, bodyB := of.Body[p], of.Body[q]
		for _, i := range [2]soa.Body{bodyA, bodyB} {
			if w.region.inside[i] {
				touches++
			}
		}
		at := con.Location.At(row)
		if !c.holds(at) && !(c.walled && (c.isBound(bodyA) || c.isBound(bodyB))) {
			continue
		}
		m.Contacts++
		f, n := w.forces.Force.At(row), con.Normal.At(row)
		fabric = fabric.Add(n.Outer())
		from, to := at, at
		if b.Mass[bodyA] != 0 {
			from = b.Pos.At(int(bodyA))
		}
		if b.Mass[bodyB] != 0 {
			to = b.Pos.At(int(bodyB))
		}
		stress = stress.Add(symmetric(f, to.Sub(from)))
		if f != (vec.Vec3{}) {
			loaded++
			if slides(f, n, w.frictionOf(of.Material[p], of.Material[q])) {
				sliding++
			}
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

// frictionOf returns the Coulomb coefficient of two materials. It asks the law once in a measure.
func (w *World) frictionOf(a, b soa.Material) float64 {
	known := &w.region.friction[w.law.Row(a, b)]
	if math.IsNaN(*known) {
		*known = w.law.At(a, b).Springs(1, 0).Friction // Friction depends on neither mass nor overlap, so any arguments do.
	}
	return *known
}

// slides reports whether the force of a contact is at the Coulomb limit.
func slides(force, normal vec.Vec3, friction float64) bool {
	normalForce := -force.Dot(normal)
	along := force.AddScaled(normalForce, normal).Norm()
	limit := float64(friction * normalForce)
	return limit > 0 && along >= float64(limit*(1-slidingTol))
}

// Unbalanced returns the unbalanced force ratio, as YADE has it: the mean |ΣF| of a body that moves over the mean
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
