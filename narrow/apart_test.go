package narrow

import (
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// TestApartBySoLittle answers a tetrahedron and an octahedron that an edge and a vertex separate by
// 2.1e-13. A facet that ties with these to ProofTol has the other sign and must not be the answer.
func TestApartBySoLittle(t *testing.T) {
	p, err := geometry.Tetra(1)
	if err != nil {
		t.Fatal(err)
	}
	q, err := geometry.Octa(1)
	if err != nil {
		t.Fatal(err)
	}
	a, b := addTemplate(t, p.Template()), addTemplate(t, q.Template())
	pa, pb := vec.IdentityPose, vec.Pose{
		Pos: vec.V(0.9329185886736996, 0.5535849224897902, -0.014602141465367426),
		Rot: vec.Quat{W: 0.20685184463571313, X: -0.2180349834883261, Y: 0.1519126157758701, Z: -0.9415920653415581},
	}
	s := NewSearch()
	for name, ask := range map[string]func(out *Answer){
		"search":     func(out *Answer) { s.Resolve(a, pa, b, pb, 0, out) },
		"exhaustive": func(out *Answer) { s.Exhaustive(a, pa, b, pb, 0, out) },
	} {
		var out Answer
		if ask(&out); out.Status != Separated || out.Gap < 2e-13 || out.Gap > 2.2e-13 {
			t.Errorf("%s: %+v", name, out)
		}
	}
}
