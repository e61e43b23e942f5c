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

// Blocks over the open edges of regions that are not convex.

// sameContacts describes a difference between two sets of contacts in any order, or returns "".
func sameContacts(a, b []seen, tol float64) string {
	if len(a) != len(b) {
		return fmt.Sprintf("%d contacts %v, expected %d %v", len(a), a, len(b), b)
	}
	for _, x := range a {
		found := false
		for _, y := range b {
			found = found || math.Abs(x.gap-y.gap) <= tol && x.normal.Sub(y.normal).Norm() <= tol && x.at.Sub(y.at).Norm() <= tol
		}
		if !found {
			return fmt.Sprintf("%v, expected one of %v", x, b)
		}
	}
	return ""
}

// overOpenEdge returns a random block over or beside the open edges of a region, deeper than some
// parts of the region are wide.
func overOpenEdge(t testing.TB, r *geometry.Rand, kind int) (*soa.Template, vec.Pose) {
	var shape *soa.Template
	switch kind % 5 {
	case 0:
		shape = box(t, 0.4, 0.4, 0.4)
	case 1:
		shape = box(t, 0.5, 0.3, 0.2)
	case 2:
		shape = hull(t, []vec.Vec3{vec.V(0.2, 0.2, 0.2), vec.V(0.2, -0.2, -0.2), vec.V(-0.2, 0.2, -0.2), vec.V(-0.2, -0.2, 0.2)})
	case 3:
		shape = rock(t, uint64(kind), 20, 0.25)
	default:
		shape = rounded(rock(t, uint64(kind), 12, 0.22), 0.02)
	}
	turn := r.Rotation()
	if kind%3 == 0 {
		turn = vec.FromRotationVector(vec.V(0, 0, r.Range(-2, 2))) // lies flat
	}
	pose := vec.Pose{Pos: vec.V(r.Range(-0.5, 0.5), r.Range(-0.5, 0.5), 0), Rot: turn}
	low := math.Inf(1)
	for _, v := range shape.Verts {
		low = min(low, turn.Rotate(v).Z)
	}
	pose.Pos.Z = -low + shape.Round - 0.4*vec.Pow(10, -5.5*r.Float64())*r.Range(0.5, 1)
	switch kind % 7 {
	case 0: // in a hole that is too tight, or nearly so
		shape, pose.Pos = box(t, 0.4, 0.4*r.Range(0.7, 0.9), 0.6), vec.V(r.Range(-0.01, 0.01), r.Range(0, 0.05), r.Range(-0.1, 0.1))
		pose.Rot = vec.FromRotationVector(vec.V(r.Range(-1, 1), r.Range(-1, 1), r.Range(-1, 1)).Scale(0.02))
	case 1: // a spike near open edges
		shape, pose.Pos.Z = spike(t), 0.15
		pose.Pos.X, pose.Pos.Y = 0.2*pose.Pos.X, 0.2*pose.Pos.Y
		pose.Rot = vec.FromRotationVector(vec.V(r.Range(-1, 1), r.Range(-1, 1), 0).Scale(0.5))
	}
	return shape, pose
}

// contactsOver returns the contacts of a rotating block, and in the last element the moment and the
// force on it. The dashpots make the moment depend on the widths of sections.
func contactsOver(t testing.TB, f triangles, shape *soa.Template, wall, pose vec.Pose, law force.Linear) []seen {
	w := newWorld(t, Config{}, law)
	f.wall(t, w, wall, Motion{})
	addBody(t, w, BodySpec{Parts: one(addShape(t, w, shape), 1000), Pose: wall.Mul(pose), Spin: wall.Rot.Rotate(vec.V(1, 2, 3))})
	w.Measure()
	return append(contactsOf(w), seen{at: w.bodies.Torque.At(1), normal: w.bodies.Force.At(1)})
}

// edgeLaw returns a law that acts across a gap in every fourth case.
func edgeLaw(kind int) force.Linear {
	law := force.Linear{Kn: 1, Dn: 0.1}
	if kind%4 == 3 {
		law.ReferenceGap, law.Interaction = 0.03, 0.04
	}
	return law
}

// TestOpenEdgesOfAnyCut checks that the contacts of blocks over concave corners, notches and holes
// do not depend on how the group is cut.
func TestOpenEdgesOfAnyCut(t *testing.T) {
	n := require.Rounds(6, 8, 16)
	several, asPlane := 0, 0
	for _, wide := range []float64{0.04, 0.2, 0.397, 0.5, 1.1} {
		for name, g := range floors.Regions(wide) {
			cuts := g.Cuts()
			r := geometry.NewRand(uint64(1000*wide) + uint64(len(name)))
			for k := range n {
				shape, pose := overOpenEdge(t, r, k)
				want := contactsOver(t, cuts["diagonal"], shape, vec.IdentityPose, pose, edgeLaw(k))
				for cut, f := range cuts {
					if d := sameContacts(contactsOver(t, f, shape, vec.IdentityPose, pose, edgeLaw(k)), want, 1e-9); d != "" {
						t.Fatalf("%s %g wide, %s, body %d at %v: %s", name, wide, cut, k, pose, d)
					}
				}
				switch {
				case len(want) > 2:
					several++
				case math.Abs(want[0].normal.Z) > 1-1e-12:
					asPlane++
				}
			}
		}
	}
	t.Logf("of %d blocks %d have contacts with several open edges, %d one along the normal", 45*n, several, asPlane)
	if several < n || asPlane > 40*n {
		t.Errorf("of %d blocks %d have contacts with several open edges, %d one along the normal", 45*n, several, asPlane)
	}
}

// TestOpenEdgesAnywhere does the same for a wall that is rotated, far away, and in another unit.
func TestOpenEdgesAnywhere(t *testing.T) {
	r := geometry.NewRand(4)
	for name, g := range floors.Regions(0.397) {
		f := g.Cuts()["fans"]
		for k := range 20 {
			shape, pose := overOpenEdge(t, r, k)
			want := contactsOver(t, f, shape, vec.IdentityPose, pose, edgeLaw(k))
			for _, c := range []struct{ scale, offset, tol float64 }{{1, 0, 1e-9}, {1e6, 0, 1e-9}, {1e-6, 0, 1e-9}, {1, 1e6, 1e-6}} {
				wall := vec.Pose{Pos: vec.V(c.offset, -c.offset, 0.5*c.offset), Rot: vec.FromRotationVector(vec.V(0.3, -1, 0.4))}
				if c.scale != 1 {
					wall.Rot = vec.Identity
				}
				var scaled triangles
				for _, p := range f {
					var q []vec.Vec3
					for _, v := range p {
						q = append(q, v.Scale(c.scale))
					}
					scaled = append(scaled, q)
				}
				var corners []vec.Vec3
				for _, v := range shape.Verts {
					corners = append(corners, v.Add(shape.Origin).Scale(c.scale))
				}
				b := rounded(hull(t, corners), c.scale*shape.Round)
				there := pose
				there.Pos = pose.Pos.Scale(c.scale)
				law := edgeLaw(k)
				law.ReferenceGap, law.Interaction, law.Dn = c.scale*law.ReferenceGap, c.scale*law.Interaction, 0
				got := contactsOver(t, scaled, b, wall, there, law)
				for i := range got {
					got[i].gap /= c.scale
					got[i].normal = wall.Rot.RotateInv(got[i].normal)
					got[i].at = wall.Rot.RotateInv(got[i].at.Sub(wall.Pos)).Scale(1 / c.scale)
				}
				if d := sameContacts(got[:len(got)-1], want[:len(want)-1], c.tol); d != "" {
					t.Errorf("%s, body %d, scale %g, offset %g: %s", name, k, c.scale, c.offset, d)
				}
			}
		}
	}
}

// TestThinRowOfAnyCut presses a rounded rock on the corner of a row that is thinner than the rock
// is deep. The contact's location must not depend on how the row is cut. The far side of the row is
// parallel to the section; within √ε of each other, rounding once decided the location.
func TestThinRowOfAnyCut(t *testing.T) {
	mask := []string{"#.##", "#..#", ".##."}
	cuts := (&floors.Region{X: []float64{-1, -0.7903935487188721, -0.30301402735510086, 1},
		Y:    []float64{-1, -0.9476217271397186, 0.27847614231688356, 0.8859426068660974, 1},
		Full: func(i, j int) bool { return mask[i][j] == '#' }, Shear: -0.5821256096858245}).Cuts()
	shape := rounded(rock(t, 219, 12, 0.22), 0.02)
	r := geometry.NewRand(7)
	for k, off := range []float64{0, 0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-2} {
		pose := vec.Pose{Pos: vec.V(0.24862084830764186, -0.9476217271397186, -0.015341491437832588),
			Rot: vec.Quat{W: 0.716854654826706, Z: -0.6972226357866504}}
		pose.Pos = pose.Pos.AddScaled(off, r.Unit())
		law := edgeLaw(3 + k%2)
		want := contactsOver(t, cuts["diagonal"], shape, vec.IdentityPose, pose, law)
		for cut, f := range cuts {
			if d := sameContacts(contactsOver(t, f, shape, vec.IdentityPose, pose, law), want, 1e-11); d != "" {
				t.Errorf("%s, off by %g: %s", cut, off, d)
			}
		}
	}
}

// FuzzOpenEdges compares a block over any of the regions, cut in two ways. If there is one contact,
// its translation must separate the block from all facets, and no shorter one may do so. The oracle
// moves the block and tests each facet.
func FuzzOpenEdges(f *testing.F) {
	f.Add(uint64(1), uint8(0), uint8(10))
	f.Add(uint64(5), uint8(3), uint8(100))
	f.Add(uint64(9), uint8(7), uint8(200))
	f.Fuzz(func(t *testing.T, seed uint64, kind, wide uint8) {
		all := floors.Regions(0.02 + 1.2*float64(wide)/255)
		name := []string{"L", "oblique L", "acute L", "notch", "skew notch", "hole", "skew hole", "cross", "teeth"}[kind%9]
		cuts := all[name].Cuts()
		r := geometry.NewRand(seed)
		shape, pose := overOpenEdge(t, r, int(seed%1000))
		law := edgeLaw(int(seed % 1000))
		want := contactsOver(t, cuts["diagonal"], shape, vec.IdentityPose, pose, law)
		for cut, f := range cuts {
			if d := sameContacts(contactsOver(t, f, shape, vec.IdentityPose, pose, law), want, 1e-9); d != "" {
				t.Fatalf("%s %d, %s, at %v: %s", name, wide, cut, pose, d)
			}
		}
		if len(want) != 2 || want[0].gap > -1e-6 || law.ReferenceGap > 0 {
			return
		}
		free := func(d vec.Vec3) bool {
			for _, p := range cuts["diagonal"] {
				if len(contactsOver(t, triangles{p}, shape, vec.IdentityPose, vec.Pose{Pos: pose.Pos.Add(d), Rot: pose.Rot}, law)) > 1 {
					return false
				}
			}
			return true
		}
		depth := -want[0].gap
		for range 40 {
			if d := r.Unit().Scale(0.999 * depth); free(d) {
				t.Fatalf("%s %d, at %v: free after %v, %g long, for a depth of %g", name, wide, pose, d, d.Norm(), depth)
			}
		}
		if !free(want[0].normal.Scale(-depth * (1 + 1e-9))) {
			t.Logf("%s %d, at %v: not free after %v, %g", name, wide, pose, want[0].normal, depth)
		}
	})
}
