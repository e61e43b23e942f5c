package engine

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// reordered returns the same facets in another order, with their corners in another order.
func (f triangles) reordered(seed uint64) (out triangles) {
	r := rand.New(rand.NewPCG(seed, 1))
	for _, p := range f {
		k := r.IntN(len(p))
		p = slices.Concat(p[k:], p[:k])
		if r.IntN(2) == 0 {
			slices.Reverse(p)
		}
		out = append(out, p)
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// dome returns three rectangles side by side, each 0.18 rad steeper than the next.
func dome() triangles {
	v, x, z := vec.V, 0.9838437, 0.1790296
	return triangles{
		{v(-0.5-x, -2, -z), v(-0.5, -2, 0), v(-0.5, 2, 0), v(-0.5-x, 2, -z)},
		{v(-0.5, -2, 0), v(0.5, -2, 0), v(0.5, 2, 0), v(-0.5, 2, 0)},
		{v(0.5, -2, 0), v(0.5+x, -2, -z), v(0.5+x, 2, -z), v(0.5, 2, 0)},
	}
}

// TestPressInAnyOrder presses blocks on a dome, and beside ridges around the rough sides of a pit.
// The order of facets and of their corners must not change the force.
func TestPressInAnyOrder(t *testing.T) {
	for name, c := range map[string]struct {
		wall  triangles
		pose  vec.Pose
		sizes vec.Vec3
		order uint64
	}{
		"dome": {dome(), vec.Pose{Pos: vec.V(0.5, 0.1, 0.2), Rot: vec.FromRotationVector(vec.V(0, 0.1, 0.3))}, vec.V(0.7, 0.5, 0.4), 4},
		"pit": {pit().bent(0.02), vec.Pose{
			Pos: vec.V(0.1797785140032251, -0.4261481180268283, 0.31036843881347403),
			Rot: vec.Quat{W: 0.9365548394326358, X: -0.14821639612811668, Y: 0.14421937757576975, Z: 0.28301537729558207},
		}, vec.V(0.6, 0.6, 0.6), 1},
		"rough pit": {pit().bent(0.1), vec.Pose{
			Pos: vec.V(-0.7228360775022795, -0.4579924392636001, 0.3449524862977666),
			Rot: vec.Quat{W: 0.9471357562318028, X: 0.018857311108316906, Y: -0.3199286818735988, Z: 0.014963275029115366},
		}, vec.V(0.7, 0.5, 0.3), 2},
	} {
		w, id := pressWorld(t, c.wall, box(t, c.sizes.X, c.sizes.Y, c.sizes.Z))
		f, m := w.pressAt(id, c.pose)
		if !(f.Norm() > 1e-4) {
			t.Errorf("%s: the block is hardly pressed: %v", name, f)
		}
		w, id = pressWorld(t, c.wall.reordered(c.order), box(t, c.sizes.X, c.sizes.Y, c.sizes.Z))
		if g, n := w.pressAt(id, c.pose); f.Sub(g).Norm() > 1e-12 || m.Sub(n).Norm() > 1e-12 {
			t.Errorf("%s: in another order the force is %v and the moment %v, expected %v and %v", name, g, n, f, m)
		}
	}
}

// TestPressInACornerOfAnyCut presses a block into the corner of a basin whose floor is one facet, or
// triangles, one of which is narrow and ends near that corner. The force must be the same.
func TestPressInACornerOfAnyCut(t *testing.T) {
	v := vec.V
	near, inner := v(0.99, 0, 0), v(0.94, 0.01, 0)
	a, b, c, d := v(0, 0, 0), v(1, 0, 0), v(1, 1, 0), v(0, 1, 0)
	corners, rim := [4]vec.Vec3{a, b, c, d}, [4]vec.Vec3{v(-0.5, -0.5, 1), v(1.5, -0.5, 1), v(1.5, 1.5, 1), v(-0.5, 1.5, 1)}
	var sides triangles
	for k := range 4 {
		sides = append(sides, []vec.Vec3{corners[k], corners[(k+1)%4], rim[(k+1)%4], rim[k]})
	}
	pose := vec.Pose{Pos: v(0.825, 0.175, 0.171), Rot: vec.Identity}
	var f, m [2]vec.Vec3
	for k, floor := range []triangles{{{a, b, c, d}}, {{a, near, inner}, {near, b, inner}, {b, c, inner}, {c, d, inner}, {d, a, inner}}} {
		w, id := pressWorld(t, slices.Concat(floor, sides), box(t, 0.4, 0.4, 0.4))
		f[k], m[k] = w.pressAt(id, pose)
	}
	if off, turn := f[0].Sub(f[1]).Norm(), m[0].Sub(m[1]).Norm(); off > 1e-12 || turn > 1e-12 || !(f[0].Norm() > 1e-2) {
		t.Errorf("forces %v and %v, moments %v and %v", f[0], f[1], m[0], m[1])
	}
}
