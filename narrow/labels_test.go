package narrow

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestLabelsMakeOneFace puts a side of a box, whose coarse rounding keeps it from being planar, on
// a flat face. With labels, every method must return face on face, and no contact may name an edge,
// a corner or a facet inside the side. Without labels some do.
func TestLabelsMakeOneFace(t *testing.T) {
	turn := vec.FromRotationVector(vec.V(0.4, 0.2, 0.3))
	sides, others := 0, 0
	for _, k := range []int{5, 10} {
		p, err := geometry.FromMesh(squareBoxMesh(k, turn, vec.V(20, 20, 20)))
		if err != nil {
			t.Fatal(err)
		}
		tpl := p.Template()
		a, plain := labelledView(t, tpl, tpl.Label), labelledView(t, tpl, nil)
		floor := box(t, 3, 3, 1)
		for f, label := range tpl.Label {
			if int(label) == f {
				continue
			}
			sides++
			n := a.Normal(label)
			pa := vec.Pose{Rot: turnTo(n, vec.V(0, 0, -1))}
			low := math.Inf(1)
			for v := range a.NVerts {
				low = min(low, pa.Rot.Rotate(a.Vert(soa.Vertex(v))).Z)
			}
			pa.Pos.Z = 0.5 - low - 1e-7
			for m := range NMethods {
				kind, list := typeOf(m, a, pa, floor)
				if kind != TypeFaceFace {
					t.Errorf("%v: side %d of a box of %d squares on a floor is %v", m, label, k, kind)
				}
				for _, c := range list {
					if namesInside(a, c) {
						t.Errorf("%v: %v of feature %d of A lies inside a side", m, c.Type, c.A)
					}
				}
			}
			_, list := typeOf(Auto, plain, pa, floor)
			for _, c := range list {
				if namesInside(a, c) {
					others++
				}
			}
		}
	}
	if sides < 3 || others == 0 {
		t.Errorf("%d sides with labels, %d contacts that need them: the test shows nothing", sides, others)
	}
}

func labelledView(t *testing.T, tpl *soa.Template, label []soa.Face) *soa.View {
	t.Helper()
	with := *tpl
	if with.Label = label; label == nil {
		with.Bend = 0
	}
	var arena soa.Shapes
	at, err := arena.Add(&with)
	if err != nil {
		t.Fatal(err)
	}
	return arena.View(at)
}

// turnTo returns a rotation that maps unit vector a to b.
func turnTo(a, b vec.Vec3) vec.Quat {
	axis := a.Cross(b)
	return vec.FromRotationVector(axis.Unit().Scale(math.Atan2(axis.Norm(), a.Dot(b))))
}

func typeOf(m Method, a *soa.View, pa vec.Pose, b *soa.View) (Type, []BasicContact) {
	var out Answer
	var mem Memory
	s := NewSearch()
	pb := vec.Pose{Rot: vec.Identity}
	s.By(m, a, pa, b, pb, 0, Dtol(a, b), &mem, &out)
	if !m.Lists() {
		s.Contacts(a, pa, b, pb, Dtol(a, b), &out, &mem.List)
	}
	return mem.List.Type, mem.List.Basic
}

// namesInside reports whether a contact names a feature of A inside a face of the body as modelled.
func namesInside(a *soa.View, c BasicContact) bool {
	switch c.Type {
	case TypeVertexVertex, TypeVertexEdge, TypeVertexFace:
		return typing.Inner(a, soa.Vertex(c.A))
	case TypeEdgeVertex, TypeEdgeEdge, TypeEdgeFace, TypeEdgeParallel:
		return !typing.Borders(a, a.Edge[c.A])
	}
	return a.Label[c.A] != soa.Face(c.A)
}
