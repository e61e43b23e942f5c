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

// overOpenEdge returns a random block over or beside the open edges of a region. It is up to deep, m,
// under the region's plane.
func overOpenEdge(t testing.TB, r *geometry.Rand, kind int, deep float64) (*soa.Template, vec.Pose) {
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
	pose.Pos.Z = -low + shape.Round - r.Range(0.1, 1)*deep
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
// do not depend on how the group is cut, if the blocks are up to 1e-4 of their size deep. Blocks
// that are deeper, or apart from the wall, have the contacts of the facets at open edges.
func TestOpenEdgesOfAnyCut(t *testing.T) {
	n := require.Rounds(6, 8, 16)
	law, asPlane := edgeLaw(0), 0
	for _, wide := range []float64{0.04, 0.2, 0.397, 0.5, 1.1} {
		for name, g := range floors.Regions(wide) {
			cuts := g.Cuts()
			r := geometry.NewRand(uint64(1000*wide) + uint64(len(name)))
			for k := range n {
				shape, pose := overOpenEdge(t, r, k, 4e-5)
				want := contactsOver(t, cuts["diagonal"], shape, vec.IdentityPose, pose, law)
				for cut, f := range cuts {
					if d := sameContacts(contactsOver(t, f, shape, vec.IdentityPose, pose, law), want, 1e-9); d != "" {
						t.Fatalf("%s %g wide, %s, body %d at %v: %s", name, wide, cut, k, pose, d)
					}
				}
				if math.Abs(want[0].normal.Z) > 1-1e-12 {
					asPlane++
				}
			}
		}
	}
	t.Logf("of %d blocks %d have one contact along the normal", 45*n, asPlane)
	if asPlane < 10*n || asPlane > 44*n {
		t.Errorf("of %d blocks %d have one contact along the normal, expected some and some others", 45*n, asPlane)
	}
}

// TestOpenEdgesAnywhere does the same for a wall that is rotated, far away, and in another unit.
func TestOpenEdgesAnywhere(t *testing.T) {
	r := geometry.NewRand(4)
	for name, g := range floors.Regions(0.397) {
		f := g.Cuts()["fans"]
		for k := range 20 {
			shape, pose := overOpenEdge(t, r, k, 0.2*vec.Pow(10, -5*r.Float64()))
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
