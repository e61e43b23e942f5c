package geometry

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/vec"
)

// bumpy returns the hull of a rock with a vertex above the middle of its first facet, as a mesh of
// triangles. height is that of the vertex, in units of the radius.
func bumpy(t *testing.T, seed uint64, height float64) *Mesh {
	rock := must[*Polyhedron](t)(Rock(seed, 12, 1))
	loop := rock.Loop(0)
	middle := rock.Verts[loop[0]].Add(rock.Verts[loop[1]]).Add(rock.Verts[loop[2]]).Scale(1.0 / 3)
	points := append(append([]vec.Vec3(nil), rock.Verts...), middle.AddScaled(height, rock.Normals[0]))
	h := must[*hull.Hull](t)(hull.Compute(points, hull.Options{Merge: -1}))
	return &Mesh{Name: "bumpy", Verts: inOrder(points, h.Verts), Faces: h.Faces}
}

// TestMoveWarning: meshes in single precision have no warning. A warning of a mesh whose facets are
// nearly coplanar states how much a depth may change: how much the support along any direction does.
func TestMoveWarning(t *testing.T) {
	for _, spec := range []string{"box:1x2x3", "dodeca:1", "prism:9,1,1", "prism:24,1,0.3", "rock:3,40,1"} {
		for _, off := range []float64{0, 1, 4} {
			mesh := meshOf(must[Builtin](t)(ParseBuiltin(spec)).Poly)
			p := must[*Polyhedron](t)(FromMesh(single(mesh, NewRand(7).Rotation(), vec.V(off, off, -off))))
			if w := p.MoveWarning(); w != "" {
				t.Errorf("%s, %g off: %s", spec, off, w)
			}
		}
	}
	warned, most := 0, 0.0
	r := NewRand(5)
	for seed := range uint64(100) {
		mesh := bumpy(t, seed, 5e-7)
		p, err := FromMesh(mesh)
		if err != nil {
			t.Fatal(err)
		}
		if p.MoveWarning() != "" {
			warned++
		}
		directions := append([]vec.Vec3(nil), p.Normals...)
		for range 50 {
			directions = append(directions, r.Unit())
		}
		for _, n := range directions {
			change := math.Abs(support(p.Verts, n) - support(mesh.Verts, n))
			if most = max(most, change); change > p.Moved+1e-15 {
				t.Fatalf("seed %d: a support changed by %g, vertices moved by %g", seed, change, p.Moved)
			}
		}
	}
	if t.Logf("%d of 100 meshes with warnings, supports changed by up to %.3g", warned, most); warned < 50 || most < 1e-7 {
		t.Error("expected most meshes with warnings, and supports that change by more than 1e-7")
	}

	// Welding moves vertices too.
	cube := meshOf(must[*Polyhedron](t)(Box(1, 1, 1)))
	cube.Verts = append(cube.Verts, cube.Verts[cube.Faces[0][0]].Add(vec.V(0, 0, 9e-8)))
	cube.Faces[0] = append([]int{8}, cube.Faces[0]...)
	if p := must[*Polyhedron](t)(FromMesh(cube)); !(p.Moved >= 8.9e-8) {
		t.Errorf("welding moved a vertex by 9e-8, found %g", p.Moved)
	}
}

// TestMoveWarningFar: a mesh of double precision far from its origin has the warning that it has at
// the origin.
func TestMoveWarningFar(t *testing.T) {
	seen := 0
	for seed := range uint64(20) {
		mesh := bumpy(t, seed, 5e-7)
		near, err := FromMesh(mesh)
		if err != nil {
			t.Fatal(err)
		}
		for i := range mesh.Verts {
			mesh.Verts[i].X += 20
		}
		far, err := FromMesh(mesh)
		if err != nil {
			t.Fatal(err)
		}
		if near.MoveWarning() == "" || near.Moved < 1.5*roundingMove*extentOf(vec.BoxAround(near.Verts)).size {
			continue
		}
		if seen++; far.MoveWarning() == "" {
			t.Errorf("seed %d: a mesh 20 m from its origin moved by %g m and is not warned of; at the origin by %g m", seed, far.Moved, near.Moved)
		}
	}
	if seen < 5 {
		t.Errorf("%d meshes had moved", seen)
	}
}
