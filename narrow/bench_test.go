package narrow

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// geometryRock returns a rock of package geometry's generator, for sizes at which the brute-force
// hull is slow.
func geometryRock(t testing.TB, seed uint64, n int) *soa.View {
	t.Helper()
	p, err := geometry.Rock(seed, n, 1)
	if err != nil {
		t.Fatal(err)
	}
	var s soa.Shapes
	id, err := s.Add(p.Template())
	if err != nil {
		t.Fatal(err)
	}
	return s.View(id)
}

// BenchmarkPair reports ns per pair by method, shape and regime. Poses are drawn from a fixed seed.
// The checksum is the sum of the gaps.
func BenchmarkPair(b *testing.B) {
	shapes := []struct {
		name string
		v    *soa.View
	}{
		{"cube", box(b, 1, 1, 1)}, {"tetra", hullOf(b, tetraPoints())},
		{"rock8", geometryRock(b, 3, 8)}, {"rock12", geometryRock(b, 3, 12)}, {"rock20", geometryRock(b, 4, 20)},
		{"rock40", geometryRock(b, 5, 40)}, {"rock128", geometryRock(b, 6, 128)},
	}
	regimes := []struct {
		name        string
		gap, reach  float64
		faceAligned bool
	}{
		{"far", 0.5, 0, false}, {"close", 0.01, 0, false}, {"within", 0.001, 0.01, false},
		{"touch", -0.001, 0, false}, {"face", -0.001, 0, true}, {"deep", -0.1, 0, false},
	}
	s := NewSearch()
	for _, m := range ways {
		for _, sh := range shapes {
			for _, rg := range regimes {
				r := rand.New(rand.NewPCG(9, 9))
				var pa, pb [64]vec.Pose
				for i := range pa {
					pa[i], pb[i] = benchPose(r, sh.v, rg.gap, rg.faceAligned)
				}
				b.Run(fmt.Sprintf("method=%s/shape=%s/regime=%s", m.name, sh.name, rg.name), func(b *testing.B) {
					var out Answer
					sum := 0.0
					i := 0
					for b.Loop() {
						k := i & 63
						m.call(s, sh.v, pa[k], sh.v, pb[k], rg.reach, &out)
						sum += out.Gap
						i++
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/pair")
					if sum != sum {
						b.Fatal("the checksum is not a number")
					}
				})
			}
		}
	}
}

// benchPose places two copies of a shape at a gap, along a random line or with parallel faces.
func benchPose(r *rand.Rand, v *soa.View, gap float64, aligned bool) (pa, pb vec.Pose) {
	pa, pb = vec.Pose{Rot: randomRot(r)}, vec.Pose{Rot: randomRot(r)}
	dir := randomUnit(r)
	if aligned {
		pb.Rot = pa.Rot
		dir = pa.Rot.Rotate(v.Normal(0).Add(randomUnit(r).Scale(0.1)).Unit())
	}
	lo, hi := 0.0, 3.0
	var out Answer
	for range 50 {
		pb.Pos = dir.Scale((lo + hi) / 2)
		if quick.Resolve(v, pa, v, pb, 9, &out); out.Gap < gap {
			lo = (lo + hi) / 2
		} else {
			hi = (lo + hi) / 2
		}
	}
	return pa, pb
}
