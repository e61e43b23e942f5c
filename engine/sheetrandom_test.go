package engine

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Any block over any region, cut anyhow, anywhere.

// quads is a region: some of the cells between lines that are bent or straight, apart by 1e-3 to 1.
type quads struct {
	node [][]vec.Vec3 // by row, then column
	full [][]bool
	bent bool
}

func randomQuads(r *geometry.Rand) *quads {
	lines := func() []float64 {
		x := []float64{0}
		for range 1 + int(4*r.Float64()) {
			d := r.Range(0.2, 1)
			if r.Float64() < 0.3 {
				d *= vec.Pow(10, -3*r.Float64())
			}
			x = append(x, x[len(x)-1]+d)
		}
		for i, last := 0, x[len(x)-1]; i < len(x); i++ {
			x[i] = 2*x[i]/last - 1
		}
		return x
	}
	x, y, shear := lines(), lines(), 0.0
	if r.Float64() < 0.6 {
		shear = r.Range(-0.9, 0.9)
	}
	g := &quads{bent: r.Float64() < 0.3}
	room := func(x []float64, i int) float64 {
		return min(x[min(i+1, len(x)-1)]-x[min(i, len(x)-2)], x[max(i, 1)]-x[max(i-1, 0)])
	}
	for j := range y {
		var row []vec.Vec3
		for i := range x {
			p := vec.V(x[i]+shear*y[j], y[j], 0)
			if g.bent {
				p = p.AddScaled(0.2*min(room(x, i), room(y, j)), vec.V(r.Range(-1, 1), r.Range(-1, 1), 0))
			}
			row = append(row, p)
		}
		g.node = append(g.node, row)
	}
	share, any := r.Range(0.4, 1), false
	for j := range len(y) - 1 {
		g.full = append(g.full, nil)
		for i := range len(x) - 1 {
			g.full[j] = append(g.full[j], r.Float64() < share || !any && i+j == len(x)+len(y)-4)
			any = any || g.full[j][i]
		}
	}
	return g
}

// cuts of a region, named; facets turn either way, begin with any corner and come in any order. Shards are cells, or rows of them,
// split from a point on one side to another, and so on: neighbours meet at T, and some are slivers of 1e-6.
func (g *quads) cuts(r *geometry.Rand) (names []string, out map[string]triangles) {
	out = map[string]triangles{}
	add := func(name string, corners ...vec.Vec3) {
		k := int(float64(len(corners)) * r.Float64())
		c := append(slices.Clone(corners[k:]), corners[:k]...)
		if r.Float64() < 0.5 {
			slices.Reverse(c)
		}
		k = int(float64(len(out[name])+1) * r.Float64())
		out[name] = slices.Insert(out[name], k, c)
	}
	between := func(a, b vec.Vec3, t float64) vec.Vec3 { return a.AddScaled(t, b.Sub(a)) }
	var split func(name string, p []vec.Vec3, n int)
	split = func(name string, p []vec.Vec3, n int) {
		if n == 0 {
			add(name, p...)
			return
		}
		k := int(float64(len(p)) * r.Float64())
		p = append(slices.Clone(p[k:]), p[:k]...) // from the side between the last and the first
		a, to := between(p[len(p)-1], p[0], r.Range(0.05, 0.95)), 1+int(float64(len(p)-2)*r.Float64())
		one, other := []vec.Vec3{a}, []vec.Vec3{p[to]}
		if r.Float64() < 0.5 {
			other[0] = between(p[to-1], p[to], r.Range(0.05, 0.95))
		} else if to == 1 && len(p) > 3 {
			to, other[0] = 2, p[2]
		}
		one = append(append(one, p[:to]...), other[0])
		if other[0] == p[to] {
			to++
		}
		other = append(append(other, p[to:]...), a)
		if len(one) < 3 || len(other) < 3 {
			add(name, p...)
			return
		}
		split(name, one, n-1)
		split(name, other, n-1)
	}
	in := func(i, j int) bool { return i >= 0 && j >= 0 && j < len(g.full) && i < len(g.full[j]) && g.full[j][i] }
	for j := range g.full {
		for i := range g.full[j] {
			if !in(i, j) {
				continue
			}
			a, b, c, d := g.node[j][i], g.node[j][i+1], g.node[j+1][i+1], g.node[j+1][i]
			add("diagonal", a, b, c)
			add("diagonal", a, c, d)
			add("other diagonal", a, b, d)
			add("other diagonal", b, c, d)
			u := r.Range(0.1, 0.9)
			for k, name := range []string{"fans", "slivers"} {
				m := between(between(a, b, u), between(d, c, u), []float64{0.4, 1e-3}[k])
				add(name, a, b, m)
				add(name, b, c, m)
				add(name, c, d, m)
				add(name, d, a, m)
			}
			split("shards", []vec.Vec3{a, b, c, d}, 3)
			split("twice", []vec.Vec3{a, b, c, d}, 2)
			add("twice", a, b, c, d)
			if g.bent {
				continue
			}
			if !in(i-1, j) {
				k := i
				for in(k, j) {
					k++
				}
				add("rows", a, g.node[j][k], g.node[j+1][k], d)
				split("shards of rows", []vec.Vec3{a, g.node[j][k], g.node[j+1][k], d}, 3)
			}
			if !in(i, j-1) {
				k := j
				for in(i, k) {
					k++
				}
				add("columns", a, b, g.node[k][i+1], g.node[k][i])
				add("shards of rows", a, b, g.node[k][i+1], g.node[k][i])
			}
		}
	}
	for name := range out {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, out
}

// overQuads is a random block at a corner or a side of a cell, or near one: flat, along a side, upright or turned; thin or not; from
// 1e-6 deep to half through.
func overQuads(t testing.TB, r *geometry.Rand, g *quads) (*soa.Template, vec.Pose) {
	pick := func(n int) int { return int(float64(n) * r.Float64()) }
	var shape *soa.Template
	switch pick(9) {
	case 0:
		shape = box(t, 0.5, 0.3, 0.2)
	case 1:
		shape = hull(t, []vec.Vec3{vec.V(0.2, 0.2, 0.2), vec.V(0.2, -0.2, -0.2), vec.V(-0.2, 0.2, -0.2), vec.V(-0.2, -0.2, 0.2)})
	case 2:
		shape = rock(t, uint64(pick(1000)), 20, 0.25)
	case 3, 4:
		shape = rounded(rock(t, uint64(pick(1000)), 12, 0.22), 0.02)
	case 5:
		shape = box(t, 0.4, 0.3, 0.4*vec.Pow(10, -3*r.Float64()))
	case 6:
		shape = box(t, 0.6, 0.6*vec.Pow(10, -2.5*r.Float64()), 0.02)
	case 7:
		shape = rounded(box(t, 0.4, 0.3, 0.4*vec.Pow(10, -2*r.Float64())), 0.02)
	default:
		shape = spike(t)
	}
	j, i := pick(len(g.node)), pick(len(g.node[0])-1)
	p, side := g.node[j][i], g.node[j][i+1].Sub(g.node[j][i])
	about, turn := vec.FromRotationVector(vec.V(0, 0, r.Range(-2, 2))), vec.Identity
	switch pick(8) {
	case 0:
		turn = about
	case 1:
	case 2:
		turn = vec.FromRotationVector(vec.V(0, 0, vec.Atan2(side.Y, side.X)))
	case 3:
		turn = about.Mul(vec.FromRotationVector(vec.V(0.5*pi, 0, 0)))
	case 4:
		turn = about.Mul(vec.FromRotationVector(vec.V(0, 0.5*pi, 0)))
	default:
		turn = r.Rotation()
	}
	switch pick(4) {
	case 0:
	case 1:
		p = p.AddScaled(r.Float64(), side)
	default:
		p = p.Add(vec.V(r.Range(-0.3, 0.3), r.Range(-0.3, 0.3), 0))
	}
	low := math.Inf(1)
	for _, v := range shape.Verts {
		low = min(low, turn.Rotate(v).Z)
	}
	switch deep := 0.4 * vec.Pow(10, -5.5*r.Float64()); pick(3) {
	case 0:
		p.Z = -low + shape.Round - deep
	case 1:
		p.Z = -low + shape.Round - r.Range(0.02, 0.2)
	default:
		p.Z = r.Range(0.5, -0.5) * low
	}
	return shape, vec.Pose{Pos: p, Rot: turn}
}

// placement is where a scene is: in the frame of its wall, and this in the world.
type placement struct {
	own, wall vec.Pose
	scale     float64
}

func anywhere(r *geometry.Rand) placement {
	p := placement{own: vec.IdentityPose, wall: vec.IdentityPose, scale: 1}
	switch int(8 * r.Float64()) {
	case 0:
		p.scale = 1e6
	case 1:
		p.scale = 1e-6
	case 2:
		p.wall = vec.Pose{Pos: vec.V(1e6, -1e6, 5e5), Rot: r.Rotation()}
	case 3, 4, 5:
		ways := []vec.Vec3{vec.V(1, 1, 1), vec.V(1, -1, 0), vec.V(0, 0, -1), vec.V(1, 0, 0), vec.V(0, -1, 0), vec.V(0, 1, 1), r.Unit()}
		p.own = PlanePose(r.Unit().Scale(10*r.Float64()), ways[int(7*r.Float64())])
		p.own.Rot = p.own.Rot.Mul(vec.FromRotationVector(vec.V(0, 0, r.Range(-3, 3))))
	}
	return p
}

// see is contactsOver for a scene that is placed somewhere, in units of the scene; the force and the moment are those of springs of 1
// N/m.
func (p placement) see(t testing.TB, f triangles, shape *soa.Template, pose vec.Pose, law force.Linear) []seen {
	k := p.scale
	var there triangles
	for _, polygon := range f {
		var q []vec.Vec3
		for _, v := range polygon {
			q = append(q, p.own.Point(v).Scale(k))
		}
		there = append(there, q)
	}
	if k != 1 {
		var corners []vec.Vec3
		for _, v := range shape.Verts {
			corners = append(corners, v.Add(shape.Origin).Scale(k))
		}
		shape = rounded(hull(t, corners), k*shape.Round)
	}
	pose = p.own.Mul(pose)
	pose.Pos = pose.Pos.Scale(k)
	law.ReferenceGap, law.Interaction = k*law.ReferenceGap, k*law.Interaction
	out := contactsOver(t, there, shape, p.wall, pose, law)
	n := len(out) - 1
	for i := range out[:n] {
		out[i].gap, out[i].at = out[i].gap/k, out[i].at.Scale(1/k)
	}
	out[n].at, out[n].normal = out[n].at.Scale(1/(k*k)), out[n].normal.Scale(1/k)
	return out
}

// sameCuts compares the contacts of some blocks with a region cut in all ways, for laws that may move the block.
func sameCuts(t *testing.T, seed uint64, blocks int, lawFor func(r *geometry.Rand, pose *vec.Pose) force.Linear) {
	r := geometry.NewRand(seed)
	g := randomQuads(r)
	names, cuts := g.cuts(r)
	for k := range blocks {
		shape, pose := overQuads(t, r, g)
		law, place := lawFor(r, &pose), anywhere(r)
		want := place.see(t, cuts[names[0]], shape, pose, law)
		for _, name := range names[1:] {
			if d := sameContacts(place.see(t, cuts[name], shape, pose, law), want, 1e-9); d != "" {
				t.Errorf("seed %d, body %d, %s and %s: %s", seed, k, name, names[0], d)
			}
		}
	}
}

func anyRimLaw(r *geometry.Rand, _ *vec.Pose) force.Linear { return rimLaw(int(8 * r.Float64())) }

// TestSheetsAtRandom: contacts, forces and moments do not depend on how a flat wall is cut, to 1e-9 of its size.
func TestSheetsAtRandom(t *testing.T) {
	n := uint64(60)
	if require.Quick() {
		n = 8
	}
	seeds := []uint64{
		81, 1112, // a corner 1e-7 off a straight rim, and corners of facets beside it
		330,   // depths that tie
		10170, // the middle of a section on a rim
		10383, // a nearest point beyond the tip of a sliver
	}
	for seed := range n {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { // whose worlds end with it
			sameCuts(t, seed, 10, anyRimLaw)
		})
	}
}

// FuzzSheetCuts is TestSheetsAtRandom and TestSheetsAcrossGaps for any seed.
func FuzzSheetCuts(f *testing.F) {
	f.Add(uint64(77))
	f.Fuzz(func(t *testing.T, seed uint64) {
		sameCuts(t, seed, 2, anyRimLaw)
		sameCuts(t, seed, 2, acrossGap)
	})
}
