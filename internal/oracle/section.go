package oracle

import (
	"math"
	"math/rand/v2"

	"github.com/scree-dem/scree/vec"
)

// Section returns area and centroid of the common part of the plane n·p = d and all the bodies: a
// square that covers the first body, cut by every half-space. ok is false when nothing is left.
// Bodies without a volume have no section.
func Section(n vec.Vec3, d float64, bodies ...Body) (area float64, centroid vec.Vec3, ok bool) {
	mid := bodies[0].Middle()
	size := 2 * bodies[0].Size()
	foot := mid.AddScaled(d-n.Dot(mid), n)
	u := n.Perpendicular()
	v := n.Cross(u)
	p := polygon{
		foot.AddScaled(-size, u).AddScaled(-size, v), foot.AddScaled(size, u).AddScaled(-size, v),
		foot.AddScaled(size, u).AddScaled(size, v), foot.AddScaled(-size, u).AddScaled(size, v),
	}
	for _, b := range bodies {
		for f := range b.Faces {
			fn, fd := b.plane(f)
			p, _ = clipOne(p, fn, fd)
		}
	}
	if len(p) == 0 {
		return 0, vec.Vec3{}, false
	}
	var moment vec.Vec3
	for i := 2; i < len(p); i++ {
		x, y := p[i-1].Sub(p[0]), p[i].Sub(p[0])
		a := float64(0.5 * n.Dot(x.Cross(y)))
		area += a
		moment = moment.AddScaled(a/3, x.Add(y))
	}
	if !(area > 0) {
		return 0, p[0], true
	}
	return area, p[0].AddScaled(1/area, moment), true
}

// Boxes returns the pairs i < j of boxes that overlap, in order of i, then j: all pairs are tried.
func Boxes(boxes []vec.Box) [][2]int {
	var pairs [][2]int
	for i := range boxes {
		for j := i + 1; j < len(boxes); j++ {
			if boxes[i].Overlaps(boxes[j]) {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	return pairs
}

// InsideMonteCarlo estimates the volume of the points of box for which inside is true, and the
// standard error of the estimate, from n samples of the seed's sequence.
func InsideMonteCarlo(box vec.Box, inside func(vec.Vec3) bool, n int, seed uint64) (volume, sigma float64) {
	r := rand.New(rand.NewPCG(seed, 0))
	size := box.Size()
	hits := 0
	for range n {
		p := box.Min.Add(vec.V(r.Float64(), r.Float64(), r.Float64()).Mul(size))
		if inside(p) {
			hits++
		}
	}
	whole, share := size.X*size.Y*size.Z, float64(hits)/float64(n)
	return whole * share, whole * math.Sqrt(share*(1-share)/float64(n))
}

// BoxOf returns the axis-aligned box of the body.
func (b Body) BoxOf() vec.Box {
	box := vec.EmptyBox()
	for _, v := range b.Verts {
		box = box.With(v)
	}
	return box
}
