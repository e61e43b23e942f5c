package bench

import (
	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// coherentSteps is how many steps a coherent pool is moved for before it starts again from nothing. In them a pair goes a
// hundredth of its size or so.
const coherentSteps = 32

// mostMotion is the farthest, m at a size of 1 m, that any point of a block goes in a step, against the other block and
// in all.
const mostMotion = 1e-3

// motion is a pair that moves: both blocks along, and B slides past A and turns about the point next to A. The
// poses of a step follow from those at the start, so that any step can be had.
type motion struct {
	start blockPair
	along vec.Vec3 // m a step, of both
	slide vec.Vec3 // m a step, of B, across the normal
	turn  vec.Vec3 // rad a step, of B
	about vec.Vec3 // m, world axes, at the start
}

// newMotions makes the pairs of a pool move, each at a speed of its own.
func newMotions(pool []blockPair, seed uint64) []motion {
	r := geometry.NewRand(^seed)
	search := narrow.NewSearch()
	var out narrow.Answer
	list := make([]motion, len(pool))
	for i := range pool {
		p := &pool[i]
		search.Resolve(p.a, p.pa, p.b, p.pb, 10, &out)
		speed := r.Range(0, mostMotion)
		slide := r.Unit()
		slide = slide.AddScaled(-slide.Dot(out.Normal), out.Normal)
		list[i] = motion{
			start: *p, about: p.pb.Pos.Add(out.ArmB),
			along: r.Unit().Scale(0.2 * speed),
			slide: slide.Scale(0.4 * speed),
			// No point of B is farther than twice its radius from the point about which it turns.
			turn: r.Unit().Scale(0.4 * speed / (2 * p.b.Radius)),
		}
	}
	return list
}

// at writes the poses after a number of steps.
func (m *motion) at(step int, p *blockPair) {
	k := float64(step)
	q := vec.FromRotationVector(m.turn.Scale(k))
	p.pa.Pos = m.start.pa.Pos.AddScaled(k, m.along)
	arm := m.start.pb.Pos.Sub(m.about)
	p.pb.Rot = q.Mul(m.start.pb.Rot).Normalized()
	p.pb.Pos = m.about.Add(q.Rotate(arm)).AddScaled(k, m.along).AddScaled(k, m.slide)
}

// moveAll writes the poses of all pairs after a number of steps.
func moveAll(list []motion, step int, pool []blockPair) {
	for i := range list {
		list[i].at(step, &pool[i])
	}
}
