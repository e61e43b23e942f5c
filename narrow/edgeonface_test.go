package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/vec"
)

// TestEdgeOnFace puts edges on faces, parallel and tilted, and also off the middle. It compares
// Feature with GJK, EPA and the exhaustive search, to the bit. Nearly all pairs must be proven. The
// faces of rocks have vertices that are coplanar only up to rounding. An edge exactly parallel to
// such a face may be left to a search, if the result depends on which vertex counts.
func TestEdgeOnFace(t *testing.T) {
	names, shapes := capped(t)
	r := rand.New(rand.NewPCG(31, 2))
	s, oracle := NewSearch(), NewSearch()
	rounds := 300
	if require.Quick() {
		rounds = 60
	}
	for i, a := range shapes[:4] { // tetra, cube, brick, rock8
		for _, tilt := range []float64{0, 1e-9, 1e-6, 1e-4, 1e-2} {
			pairs, proven := 0, 0
			for n := range rounds {
				b := shapes[r.IntN(3)]
				if i == 3 {
					b = a
				}
				p := posedAs(r, []Type{TypeEdgeFace, TypeFaceEdge}[n%2], a, b)
				depth := math.Pow(10, -5+3*r.Float64())
				p.pb.Pos = p.pb.Pos.AddScaled(-depth*a.Radius, p.n)
				p.pb.Rot = vec.FromRotationVector(randomUnit(r).Scale(tilt)).Mul(p.pb.Rot).Normalized()
				var was, warm, slow Answer
				oracle.Resolve(p.a, p.pa, p.b, p.pb, 0, &was)
				if was.Status != Penetrating || was.Gap > -1e-9 {
					continue
				}
				pairs++
				if !s.Feature(p.a, p.pa, p.b, p.pb, 0, was.Facet, &warm) {
					continue
				}
				proven++
				oracle.Exhaustive(p.a, p.pa, p.b, p.pb, 0, &slow)
				if slow.AnsweredBy = warm.AnsweredBy; slow != warm {
					t.Fatalf("%s, tilt %g: the certificate says\n%+v\nthe exhaustive search\n%+v\npa=%+v pb=%+v",
						names[i], tilt, warm, slow, p.pa, p.pb)
				}
			}
			least := 0.98
			t.Logf("%s, tilt %g: %d of %d pairs proven", names[i], tilt, proven, pairs)
			if i == 3 && tilt == 0 {
				least = 0.5
			}
			if pairs < rounds/2 || float64(proven) < least*float64(pairs) {
				t.Errorf("%s, tilt %g: %d of %d pairs proven", names[i], tilt, proven, pairs)
			}
		}
	}
}
