package narrow_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// noise returns a length between a rounding and the single-precision error of a side of 1, or 0.
func noise(r *rand.Rand) float64 {
	if r.IntN(6) == 0 {
		return 0
	}
	return math.Pow(10, -17+9.5*r.Float64())
}

// columnPair returns two boxes of one shape, rotated at random. One stands on the other, moved
// sideways and tilted by noise only, so that their corners nearly coincide.
func columnPair(r *rand.Rand, v *soa.View) (pa, pb vec.Pose) {
	f := soa.Face(r.IntN(v.NFaces))
	n := v.Normal(f)
	side := n.Cross(spin(r).Rotate(vec.V(1, 0, 0))).Unit()
	pa.Rot = spin(r)
	pb.Rot = vec.FromRotationVector(pa.Rot.Rotate(spin(r).Rotate(vec.V(noise(r), 0, 0)))).Mul(pa.Rot).Normalized()
	depth := math.Pow(10, -6+3*r.Float64())
	pb.Pos = pa.Rot.Rotate(n.Scale(2*v.D[f]-depth).AddScaled(noise(r), side))
	return pa, pb
}

// TestColumnsAreProven stacks boxes whose faces are parallel up to the rounding of a file's
// coordinates. A budget must be of both faces. Wherever the bodies move within such noise,
// kernels.FaceFaces must return the search's answer, to the bit, on every backend.
func TestColumnsAreProven(t *testing.T) {
	shapes := bricks(t, 1)
	// A rotated box, as read from a file in single precision, so that none of its numbers is exact.
	turned, err := geometry.FromMesh(singlePrecision(t, vec.FromRotationVector(vec.V(0.4, 0.2, 0.3))))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := shapes.Add(turned.Template()); err != nil {
		t.Fatal(err)
	}
	type touch struct {
		a, b  soa.PoseRow
		proof narrow.Proof
		want  narrow.Answer
	}
	r := rand.New(rand.NewPCG(16, 9))
	s := narrow.NewSearch()
	bodies := &soa.Bodies{}
	place := func(pose vec.Pose) soa.PoseRow {
		i := bodies.Len()
		bodies.Resize(i + 1)
		bodies.Pos.Set(i, pose.Pos)
		bodies.Rot.Set(i, pose.Rot)
		return soa.PoseRow(i)
	}
	var touches []touch
	boxes := []soa.Shape{0, 1, 2, 4}
	pairs, proofs := 1500, 0
	for k := range pairs {
		v := shapes.View(boxes[k%len(boxes)])
		pa, pb := columnPair(r, v)
		var was, warm narrow.Answer
		s.Resolve(v, pa, v, pb, 0, &was)
		if !s.Feature(v, pa, v, pb, 0, was.Facet, &warm) {
			continue
		}
		proof := s.Budget(1 / v.Radius)
		if proof.QuadA == 0 {
			continue
		}
		proofs++
		for range 4 {
			axis, way := spin(r).Rotate(vec.V(noise(r), 0, 0)), spin(r).Rotate(vec.V(noise(r), 0, 0))
			pb.Rot = vec.FromRotationVector(axis).Mul(pb.Rot).Normalized()
			pb.Pos = pb.Pos.Add(way)
			if s.Resolve(v, pa, v, pb, 0, &was); was.Status != narrow.Penetrating {
				break
			}
			touches = append(touches, touch{place(pa), place(pb), proof, was})
		}
	}
	if proofs < pairs*95/100 {
		t.Errorf("%d of %d pairs have a budget of two faces", proofs, pairs)
	}
	for backend := range backends.Each(t) {
		var f kernels.FaceFaces
		f.Resize(len(touches))
		for i, c := range touches {
			f.Set(i, c.a, c.b, uint32(c.proof.QuadA), uint32(c.proof.QuadB))
		}
		f.Solve(shapes, &bodies.PoseColumns, 0, f.Len())
		known := 0
		for i, c := range touches {
			if !f.Known(i) {
				continue
			}
			known++
			got := [4]vec.Vec3{{X: f.Gap[i]}, f.Normal.At(i), f.ArmA.At(i), f.ArmB.At(i)}
			want := [4]vec.Vec3{{X: c.want.Gap}, c.want.Normal, c.want.ArmA, c.want.ArmB}
			if id := f.Facet(i, shapes); got != want || id != c.want.Facet {
				t.Fatalf("%s, pair %d: %v, gap, normal, arms\n%v, the search %v\n%v", backend, i, id, got, c.want.Facet, want)
			}
		}
		t.Logf("%s: of %d steps %d are known", backend, len(touches), known)
		if known < len(touches)*95/100 {
			t.Errorf("%s: of %d steps %d are known", backend, len(touches), known)
		}
	}
}

// singlePrecision returns a rotated cube of side 1 whose corners are rounded to single precision.
func singlePrecision(t *testing.T, turn vec.Quat) *geometry.Mesh {
	t.Helper()
	box, err := geometry.Box(1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := &geometry.Mesh{Name: "cube"}
	for _, p := range box.Verts {
		q := turn.Rotate(p)
		m.Verts = append(m.Verts, vec.V(float64(float32(q.X)), float64(float32(q.Y)), float64(float32(q.Z))))
	}
	for f := range box.NFaces() {
		loop := box.Loop(f)
		for i := 2; i < len(loop); i++ {
			m.Faces = append(m.Faces, []int{int(loop[0]), int(loop[i-1]), int(loop[i])})
		}
	}
	return m
}
