package narrow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// coldPair is two shapes at poses that no search has seen before.
type coldPair struct {
	a, b   *soa.View
	pa, pb vec.Pose
}

// coldPairs is the number of pairs of a pool: enough that no branch predictor learns them.
const coldPairs = 1 << 13

// coldShapes returns the shapes of one name, from which pairs are drawn, and their size: the mean
// distance of a vertex from the origin.
func coldShapes(t testing.TB, name string) (shapes []*soa.View, size float64) {
	t.Helper()
	add := func(p *geometry.Polyhedron, err error) {
		if err != nil {
			t.Fatal(err)
		}
		shapes = append(shapes, addTemplate(t, p.Template()))
	}
	switch name {
	case "tetra":
		add(geometry.Tetra(1.6))
	case "cube":
		add(geometry.Box(1, 1, 1))
	case "hex":
		add(geometry.Prism(6, 1, 2))
	default:
		vertices := 0
		if _, err := fmt.Sscanf(name, "rock%d", &vertices); err != nil {
			t.Fatal(err)
		}
		for i := range 8 {
			add(geometry.Rock(uint64(40+i), vertices, 1))
		}
	}
	n := 0
	for _, v := range shapes {
		for i := range v.NVerts {
			size += v.Vert(soa.Vertex(i)).Norm()
			n++
		}
	}
	return shapes, size / float64(n)
}

// coldPool draws n pairs with gaps uniform between lo and hi, in multiples of the shapes' size.
// Every pair of an aligned pool has parallel faces.
func coldPool(t testing.TB, name string, lo, hi float64, aligned bool, n int) []coldPair {
	shapes, size := coldShapes(t, name)
	r := rand.New(rand.NewPCG(uint64(len(name)), 77))
	pool := make([]coldPair, 0, n)
	for range n {
		a, b := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
		pa, pb := vec.Pose{Rot: randomRot(r)}, vec.Pose{Rot: randomRot(r)}
		dir := randomUnit(r)
		if aligned {
			pb.Rot = pa.Rot
			dir = pa.Rot.Rotate(a.Normal(soa.Face(r.IntN(a.NFaces))).Add(dir.Scale(0.1)).Unit())
		}
		want := (lo + float64((hi-lo)*r.Float64())) * size
		pb.Pos = dir.Scale(placedAt(a, pa, b, pb, dir, want))
		shift := randomUnit(r).Scale(10)
		pa.Pos, pb.Pos = pa.Pos.Add(shift), pb.Pos.Add(shift)
		pool = append(pool, coldPair{a, b, pa, pb})
	}
	return pool
}

// placedAt returns how far along dir B must lie for the gap to be as wanted, to a relative 1e-6.
func placedAt(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dir vec.Vec3, want float64) float64 {
	lo, hi := 0.0, 2*(a.Radius+b.Radius)
	var out Answer
	for range 20 {
		mid := (lo + hi) / 2
		pb.Pos = dir.Scale(mid)
		quick.Resolve(a, pa, b, pb, 9, &out)
		if out.Gap < want {
			lo = mid
		} else {
			hi = mid
		}
		// The gap grows no faster than the distance moved.
		if step := want - out.Gap; step > 0 {
			lo = max(lo, mid+step)
		} else {
			hi = min(hi, mid+step)
		}
		if hi-lo < 1e-6 {
			break
		}
	}
	return (lo + hi) / 2
}

// coldRegimes holds the ranges of gaps of the benchmarks.
var coldRegimes = []struct {
	name    string
	lo, hi  float64
	aligned bool
}{{"apart", 0, 0.1, false}, {"touching", -0.01, 0, false}, {"deep", -0.2, -0.05, false}, {"degenerate", -0.01, 0, true}}

// BenchmarkCold reports ns per pair of a search without stored data. Thousands of pairs pass before
// one repeats.
func BenchmarkCold(b *testing.B) {
	for _, shape := range []string{"tetra", "cube", "hex", "rock12", "rock32", "rock64", "rock128", "rock512"} {
		for _, rg := range coldRegimes {
			b.Run(fmt.Sprintf("shape=%s/regime=%s", shape, rg.name), func(b *testing.B) {
				pool := coldPoolOf(b, shape, rg.name, rg.lo, rg.hi, rg.aligned)
				s := NewSearch()
				var out Answer
				sum, i := 0.0, 0
				for b.Loop() {
					p := &pool[i&(coldPairs-1)]
					s.Resolve(p.a, p.pa, p.b, p.pb, math.Inf(1), &out)
					sum += out.Gap
					i++
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/pair")
				if !(sum*rg.hi >= 0 && sum*rg.lo >= 0) {
					b.Fatalf("the checksum is %g, expected gaps from %g to %g", sum, rg.lo, rg.hi)
				}
			})
		}
	}
}

// pools caches the pools, because the benchmark's function runs several times.
var pools = map[string][]coldPair{}

func coldPoolOf(t testing.TB, shape, regime string, lo, hi float64, aligned bool) []coldPair {
	key := shape + "/" + regime
	if pools[key] == nil {
		pools[key] = coldPool(t, shape, lo, hi, aligned, coldPairs)
	}
	return pools[key]
}
