package narrow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// capped returns shapes of package geometry, which computes the caps of their faces.
func capped(t testing.TB) (names []string, shapes []*soa.View) {
	t.Helper()
	add := func(name string, p *geometry.Polyhedron, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
		shapes = append(shapes, addTemplate(t, p.Template()))
	}
	p, err := geometry.Tetra(1.6)
	add("tetra", p, err)
	p, err = geometry.Box(1, 1, 1)
	add("cube", p, err)
	p, err = geometry.Box(1, 0.5, 0.5)
	add("brick", p, err)
	for _, n := range []int{8, 20, 40} {
		p, err = geometry.Rock(uint64(n), n, 1)
		add(fmt.Sprint("rock", n), p, err)
	}
	p, err = geometry.Prism(12, 0.5, 1)
	add("prism", p, err)
	f, err := geometry.FacetTemplate(vec.V(-3, -2, 0), vec.V(3, -2, 0), vec.V(0, 4, 0))
	if err != nil {
		t.Fatal(err)
	}
	return append(names, "facet"), append(shapes, addTemplate(t, f))
}

// TestFeatureIsTheSearch moves touching pairs a little from step to step. Wherever the facet of the
// last step is proven again, the answer must have the search's bits.
func TestFeatureIsTheSearch(t *testing.T) {
	names, shapes := capped(t)
	r := rand.New(rand.NewPCG(3, 1))
	s := NewSearch()
	pairs := require.Rounds(8, 12, 25)
	all, sure := 0, 0
	for i, a := range shapes[:len(shapes)-1] {
		for j, b := range shapes {
			proven, touching := 0, 0
			for range pairs {
				pa, pb := placed(r, a, b, 0)
				depth := math.Pow(10, -4+2.5*r.Float64())
				var was, warm, cold Answer
				s.Resolve(a, pa, b, pb, 0, &was)
				if was.Gap > 0 {
					pb.Pos = pb.Pos.AddScaled(-was.Gap-depth, was.Normal)
				}
				s.Resolve(a, pa, b, pb, 0, &was)
				for range 20 {
					pb.Pos = pb.Pos.AddScaled(0.1*depth, randomUnit(r))
					pb.Rot = vec.FromRotationVector(randomUnit(r).Scale(0.05 * depth)).Mul(pb.Rot).Normalized()
					s.Resolve(a, pa, b, pb, 0, &cold)
					if cold.Status != Penetrating {
						break
					}
					touching++
					if s.Feature(a, pa, b, pb, 0, was.Facet, &warm) {
						proven++
						warm.AnsweredBy = cold.AnsweredBy
						if warm != cold {
							t.Fatalf("%s on %s: the feature gives\n%+v, the search\n%+v", names[i], names[j], warm, cold)
						}
					}
					was = cold
				}
			}
			t.Logf("%s on %s: %d of %d proven", names[i], names[j], proven, touching)
			all, sure = all+touching, sure+proven
		}
	}
	if all < 50*pairs || float64(sure) < 0.85*float64(all) {
		t.Errorf("%d of %d touching pairs proven by their feature", sure, all)
	}
}

// TestFeatureFromAnywhere passes every facet of K of a touching pair to Feature, right or wrong.
// Wherever Feature proves an answer, it must be the search's.
func TestFeatureFromAnywhere(t *testing.T) {
	names, shapes := capped(t)
	r := rand.New(rand.NewPCG(4, 1))
	s := NewSearch()
	for i, a := range shapes[:4] {
		for j, b := range shapes {
			for range 6 {
				pa, pb := placed(r, a, b, -0.01)
				var right, out Answer
				s.Resolve(a, pa, b, pb, 0, &right)
				try := func(id soa.FacetID) {
					if !s.Feature(a, pa, b, pb, 0, id, &out) {
						return
					}
					if out.AnsweredBy = right.AnsweredBy; out != right {
						t.Fatalf("%s on %s: from %v comes\n%+v, the search says\n%+v", names[i], names[j], id, out, right)
					}
				}
				for f := range max(a.NFaces, a.NVerts, len(a.Edge)) {
					for g := range max(b.NFaces, b.NVerts, len(b.Edge)) {
						for k := soa.FaceVertex; k <= soa.EdgeEdge; k++ {
							try(soa.FacetID{A: uint16(f), B: uint16(g), Kind: k})
						}
					}
				}
			}
		}
	}
}

// TestFacesOnFaces lays bodies face on face, exactly parallel or tilted. Nearly all must be proven,
// with the search's bits.
func TestFacesOnFaces(t *testing.T) {
	_, shapes := capped(t)
	brick, prism := shapes[2], shapes[len(shapes)-2]
	r := rand.New(rand.NewPCG(8, 1))
	s := NewSearch()
	for _, c := range []struct {
		name   string
		a, b   *soa.View
		height float64
		turned bool // rotated about the vertical, at random
		share  float64
	}{
		{"bricks in running bond", brick, brick, 0.5, false, 0.99},
		{"bricks turned", brick, brick, 0.5, true, 0.99},
		{"prisms turned", prism, prism, 1, true, 0.97},
	} {
		for _, tilt := range []float64{0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2} {
			for _, depth := range []float64{1e-6, 1e-4, 1e-2} {
				proven, n := 0, 200
				for range n {
					axis := vec.V(r.Float64()-0.5, r.Float64()-0.5, 0).Unit()
					rot := vec.FromRotationVector(axis.Scale(tilt))
					if tilt == 0 {
						rot = vec.Identity
					}
					at := vec.V(0.5+0.1*r.Float64(), 0.02*r.Float64(), c.height)
					if c.turned {
						rot = rot.Mul(vec.FromRotationVector(vec.V(0, 0, 6*r.Float64())))
						at = vec.V(0.2*r.Float64(), 0.2*r.Float64(), c.height)
					}
					pa, pb := vec.IdentityPose, vec.Pose{Pos: at, Rot: rot}
					var cold, warm, was Answer
					s.Resolve(c.a, pa, c.b, pb, 1, &cold)
					pb.Pos.Z -= cold.Gap + depth
					before := pb
					before.Pos.X += 1e-3 * depth
					s.Resolve(c.a, pa, c.b, before, 0, &was)
					s.Resolve(c.a, pa, c.b, pb, 0, &cold)
					if !s.Feature(c.a, pa, c.b, pb, 0, was.Facet, &warm) {
						continue
					}
					proven++
					if warm.AnsweredBy = cold.AnsweredBy; warm != cold {
						t.Fatalf("%s, tilt %g, depth %g: the feature gives\n%+v, the search\n%+v", c.name, tilt, depth, warm, cold)
					}
				}
				want := c.share
				switch {
				case tilt == 1e-12:
					want = 0.4 // the facets differ by rounding only, so a search must decide which one is the shallowest
				case depth == 1e-2:
					want = 0.9
				}
				if share := float64(proven) / float64(n); share < want {
					t.Errorf("%s, tilt %g, depth %g: %.3f proven, expected %g", c.name, tilt, depth, share, want)
				}
			}
		}
	}
}

func TestFeatureOfNothing(t *testing.T) {
	_, shapes := capped(t)
	a, b := shapes[1], shapes[1]
	s := NewSearch()
	var out Answer
	for name, id := range map[string]soa.FacetID{
		"none": {}, "corner": {Kind: soa.VertexVertex}, "face out of range": {Kind: soa.FaceVertex, A: 6},
		"vertex out of range": {Kind: soa.VertexFace, A: 8}, "edge out of range": {Kind: soa.EdgeEdge, B: 12},
	} {
		if s.Feature(a, at(0, 0, 0), b, at(0, 0, 0.9), 0, id, &out) {
			t.Errorf("%s: proven", name)
		}
	}
	if s.Feature(a, at(0, 0, 0), b, at(0, math.NaN(), 0.9), 0, soa.FacetID{Kind: soa.FaceVertex}, &out) {
		t.Error("a pose that is not finite: proven")
	}
}

func BenchmarkFeature(b *testing.B) {
	names, shapes := capped(b)
	for i, v := range shapes[:len(shapes)-1] {
		b.Run("shape="+names[i], func(b *testing.B) {
			r := rand.New(rand.NewPCG(5, 1))
			s := NewSearch()
			type pair struct {
				pa, pb vec.Pose
				id     soa.FacetID
			}
			var pairs []pair
			var out Answer
			for len(pairs) < 512 {
				pa, pb := placed(r, v, v, -0.003)
				s.Resolve(v, pa, v, pb, 0, &out)
				if s.Feature(v, pa, v, pb, 0, out.Facet, &out) {
					pairs = append(pairs, pair{pa, pb, out.Facet})
				}
			}
			sum, k := 0.0, 0
			for b.Loop() {
				p := &pairs[k&511]
				k++
				s.Feature(v, p.pa, v, p.pb, 0, p.id, &out)
				sum += out.Gap
			}
			if !(sum < 0) {
				b.Fatal("no depth")
			}
		})
	}
}
