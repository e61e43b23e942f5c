package bench

import (
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// coherentSteps is the number of steps that a coherent pool moves before it starts again with
// nothing known. A pair moves about a hundredth of its size in them.
const coherentSteps = 32

// mostMotion is the longest path of any point of a block in a step, m, for a size of 1 m. It holds
// for the motion relative to the other block and for the total motion.
const mostMotion = 1e-3

// motion is a pair that moves. Both blocks translate, and B slides along A and rotates about its
// point next to A. The poses of any step follow directly from those at the start.
type motion struct {
	start blockPair
	along vec.Vec3 // m per step, both blocks
	slide vec.Vec3 // m per step, B, orthogonal to the normal
	turn  vec.Vec3 // rad per step, B
	about vec.Vec3 // m, world axes, at the start: the point about which B rotates
}

// newMotions makes a motion for each pair of a pool, each with its own speed.
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
			// No point of B is farther than twice B's radius from the point about which B rotates.
			turn: r.Unit().Scale(0.4 * speed / (2 * p.b.Radius)),
		}
	}
	return list
}

// at writes the poses after the given number of steps.
func (m *motion) at(step int, p *blockPair) {
	k := float64(step)
	q := vec.FromRotationVector(m.turn.Scale(k))
	p.pa.Pos = m.start.pa.Pos.AddScaled(k, m.along)
	arm := m.start.pb.Pos.Sub(m.about)
	p.pb.Rot = q.Mul(m.start.pb.Rot).Normalized()
	p.pb.Pos = m.about.Add(q.Rotate(arm)).AddScaled(k, m.along).AddScaled(k, m.slide)
}

// moveAll writes the poses of all pairs after the given number of steps.
func moveAll(list []motion, step int, pool []blockPair) {
	for i := range list {
		list[i].at(step, &pool[i])
	}
}
