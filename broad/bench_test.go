package broad

import (
	"fmt"
	"math"
	"testing"

	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// scatter gives the bodies new random places and rotations at volume fraction 0.64. The branch
// predictor would learn a scene that is repeated.
func (w *world) scatter(seed uint64, side float64) {
	r := random(seed)
	for i := range w.bodies.Len() {
		w.bodies.Pos.Set(i, within(r, side))
		w.bodies.Rot.Set(i, rotation(r))
	}
}

// BenchmarkRebuild builds the list of new random scenes from the poses alone. Spheres have diameter
// 1, and cubes have the same circumscribed sphere. ratio is that of the largest to the least
// radius; radii are uniform in between.
func BenchmarkRebuild(b *testing.B) {
	for _, shape := range []string{"sphere", "cube"} {
		for _, ratio := range []float64{1, 20} {
			for _, n := range []int{1 << 10, 1 << 13, 1 << 16} {
				for _, workers := range []int{1, 2} {
					if workers == 2 && n < 1<<16 || shape == "cube" && ratio > 1 {
						continue
					}
					name := fmt.Sprintf("shape=%s/ratio=%g/bodies=%d/workers=%d", shape, ratio, n, workers)
					b.Run(name, func(b *testing.B) { rebuildBench(b, shape, ratio, n, workers) })
				}
			}
		}
	}
}

func rebuildBench(b *testing.B, shape string, ratio float64, n, workers int) {
	w := newWorld(Config{Skin: 1e-3})
	r := random(1)
	shapes := make([]soa.Shape, 32)
	volume := 0.0
	radii := make([]float64, len(shapes))
	for k := range shapes {
		t := float64(k) / float64(len(shapes)-1)
		radii[k] = 0.5 * (1 - t*(1-1/ratio))
		if shape == "cube" {
			const half = 0.28867513459481287 // 0.5/√3
			shapes[k] = w.box(half, half, half)
		} else {
			shapes[k] = w.ball(radii[k])
		}
	}
	for range n {
		k := r.IntN(len(shapes))
		w.one(vec.Vec3{}, vec.Identity, shapes[k])
		volume += 4.0 / 3 * math.Pi * radii[k] * radii[k] * radii[k]
	}
	side := packedSide(1, 1, 0.64) * math.Cbrt(volume/(4.0/3*math.Pi))
	var pool *sched.Pool
	if workers > 1 {
		pool = sched.New(workers)
		defer pool.Close()
	}
	seed, pairs, sum := uint64(0), 0, uint64(0)
	for b.Loop() {
		b.StopTimer()
		seed++
		w.scatter(seed, side)
		b.StartTimer()
		w.rebuild(pool)
		pairs += w.pairs.Len()
		if seed == 1 {
			sum = w.checksum()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/body")
	b.ReportMetric(float64(pairs)/float64(b.N*n), "pairs/body")
	b.ReportMetric(float64(sum), "checksum")
}

// checksum returns the FNV-1a hash of the pairs of the list, reduced to fit a float64.
func (w *world) checksum() uint64 {
	h := uint64(14695981039346656037)
	for k, a := range w.pairs.A {
		h = (h ^ uint64(a)) * 1099511628211
		h = (h ^ uint64(w.pairs.B[k])) * 1099511628211
	}
	return h >> 40
}

func BenchmarkStale(b *testing.B) {
	for _, n := range []int{1 << 10, 1 << 16} {
		b.Run(fmt.Sprintf("bodies=%d", n), func(b *testing.B) {
			w := newWorld(Config{Skin: 1e-3})
			h := w.ball(0.5)
			for range n {
				w.one(vec.Vec3{}, vec.Identity, h)
			}
			w.scatter(1, packedSide(n, 0.5, 0.64))
			w.rebuild(nil)
			stale := 0
			for b.Loop() {
				if w.cells.Stale(&w.bodies) {
					stale++
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/body")
			b.ReportMetric(float64(stale), "checksum")
		})
	}
}
