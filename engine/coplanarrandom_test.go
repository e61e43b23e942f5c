package engine

import (
	"fmt"
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/floors"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Random blocks over random regions, cut in all ways.

// overQuads returns a random block at or near a corner or a side of a cell: flat, along a side,
// upright or rotated; thin or not; between 1e-6 and half of its size deep.
func overQuads(t testing.TB, r *geometry.Rand, g *floors.Quads) (*soa.Template, vec.Pose) {
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
	j, i := pick(len(g.Node)), pick(len(g.Node[0])-1)
	p, side := g.Node[j][i], g.Node[j][i+1].Sub(g.Node[j][i])
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

// placement is the position of a scene in the frame of its wall, and of the wall in the world.
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

// see returns the contacts of a scene at a placement, in units of the scene. Force and moment are
// those of springs of 1 N/m.
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

// sameCuts compares the contacts of some blocks with a region cut in all ways. lawFor chooses a law
// and may move the block.
func sameCuts(t *testing.T, seed uint64, blocks int, lawFor func(r *geometry.Rand, pose *vec.Pose) force.Linear) {
	r := geometry.NewRand(seed)
	g := floors.RandomQuads(r)
	names, cuts := g.Cuts(r)
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

func anyEdgeLaw(r *geometry.Rand, _ *vec.Pose) force.Linear { return edgeLaw(int(8 * r.Float64())) }

// TestCoplanarFacetsAtRandom checks that contacts, forces and moments do not depend on how a flat
// wall is cut, to 1e-9 of its size.
func TestCoplanarFacetsAtRandom(t *testing.T) {
	n := require.Rounds(8, 20, 60)
	seeds := []uint64{
		81, 1112, // a corner 1e-7 off a straight open edge, with facet corners beside it
		330,   // depths that tie
		10170, // the middle of a section on an open edge
		10383, // a nearest point beyond the tip of a sliver
	}
	for seed := range uint64(n) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { // a subtest, so that its worlds are closed at its end
			sameCuts(t, seed, 10, anyEdgeLaw)
		})
	}
}

// FuzzCoplanarCuts is TestCoplanarFacetsAtRandom and TestCoplanarFacetsAcrossGaps for any seed.
func FuzzCoplanarCuts(f *testing.F) {
	f.Add(uint64(77))
	f.Fuzz(func(t *testing.T, seed uint64) {
		sameCuts(t, seed, 2, anyEdgeLaw)
		sameCuts(t, seed, 2, acrossGap)
	})
}
