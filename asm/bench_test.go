package asm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
)

// working is how many bytes of columns a benchmark reads: half of a small L1, and half of a small
// L2.
var working = []struct {
	name  string
	bytes int
}{{"L1", 16 << 10}, {"L2", 256 << 10}}

// overBackends runs f once for each backend, count of vertices and size of the data.
func overBackends(b *testing.B, f func(b *testing.B, verts, bytes int)) {
	for backend := range backends.Each(b) {
		for _, verts := range []int{8, 32, 128} {
			for _, w := range working {
				b.Run(fmt.Sprintf("backend=%s/verts=%d/data=%s", backend, verts, w.name), func(b *testing.B) {
					f(b, verts, w.bytes)
				})
			}
		}
	}
}

// report reports the time and the bytes of a query, and fails if the results do not sum to want.
func report(b *testing.B, queries int, bytes, got, want float64) {
	b.Helper()
	if math.Float64bits(got) != math.Float64bits(want) {
		b.Fatalf("checksum %v, want %v", got, want)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(queries), "ns/query")
	b.ReportMetric(bytes, "B/query")
}

func uniform(r *rand.Rand, n int) []float64 {
	c := make([]float64, n)
	for i := range c {
		c[i] = 2*r.Float64() - 1
	}
	return c
}

// arena is shapes with equal numbers of points, and a direction for each.
type arena struct {
	x, y, z, dx, dy, dz []float64
	first, count        []uint32
	n                   int
}

func newArena(verts, bytes int) *arena {
	n := max(bytes/(24*verts), 1)
	r := rand.New(rand.NewPCG(1, uint64(verts)))
	a := &arena{
		x: uniform(r, n*verts), y: uniform(r, n*verts), z: uniform(r, n*verts),
		dx: uniform(r, n), dy: uniform(r, n), dz: uniform(r, n), n: n,
	}
	for q := range n {
		a.first, a.count = append(a.first, uint32(q*verts)), append(a.count, uint32(verts))
	}
	return a
}

// sums returns the sums of the greatest heights and of the indices, by brute force.
func (a *arena) sums() (values, indices float64) {
	for q := range a.n {
		lo, hi := a.first[q], a.first[q]+a.count[q]
		k, max := highest(heights(a.x[lo:hi], a.y[lo:hi], a.z[lo:hi], a.dx[q], a.dy[q], a.dz[q]))
		values += max
		indices += float64(k)
	}
	return values, indices
}

func BenchmarkSupport(b *testing.B) {
	overBackends(b, func(b *testing.B, verts, bytes int) {
		a := newArena(verts, bytes)
		want, wantIndices := a.sums()
		var got float64
		for b.Loop() {
			values, indices := 0.0, 0
			for q := range a.n {
				lo, hi := q*verts, (q+1)*verts
				k, max := Support(a.x[lo:hi], a.y[lo:hi], a.z[lo:hi], a.dx[q], a.dy[q], a.dz[q])
				values += max
				indices += k
			}
			got = values + float64(indices)
		}
		report(b, a.n, float64(24*verts), got, want+wantIndices)
	})
}

func BenchmarkSupportPairs(b *testing.B) {
	overBackends(b, func(b *testing.B, verts, bytes int) {
		a := newArena(verts, bytes)
		want, _ := a.sums()
		index, value := make([]uint32, a.n), make([]float64, a.n)
		for b.Loop() {
			SupportPairs(a.x, a.y, a.z, a.first, a.count, a.dx, a.dy, a.dz, index, value)
		}
		got := 0.0
		for _, v := range value {
			got += v
		}
		report(b, a.n, float64(24*verts+24+8+12), got, want)
	})
}

func BenchmarkInterval(b *testing.B) {
	overBackends(b, func(b *testing.B, verts, bytes int) {
		a := newArena(verts, bytes)
		want := 0.0
		for q := range a.n {
			lo, hi := q*verts, (q+1)*verts
			h := heights(a.x[lo:hi], a.y[lo:hi], a.z[lo:hi], a.dx[q], a.dy[q], a.dz[q])
			_, low := lowest(h)
			_, high := highest(h)
			want += high - low
		}
		var got float64
		for b.Loop() {
			got = 0
			for q := range a.n {
				lo, hi := q*verts, (q+1)*verts
				low, high, _, _ := Interval(a.x[lo:hi], a.y[lo:hi], a.z[lo:hi], a.dx[q], a.dy[q], a.dz[q])
				got += high - low
			}
		}
		report(b, a.n, float64(24*verts), got, want)
	})
}

func BenchmarkPlaneDistance(b *testing.B) {
	overBackends(b, func(b *testing.B, verts, bytes int) {
		a := newArena(verts, bytes)
		d := make([]float64, len(a.x))
		want, _ := a.sums()
		var got float64
		for b.Loop() {
			got = 0
			for q := range a.n {
				lo, hi := q*verts, (q+1)*verts
				_, max := PlaneDistance(a.x[lo:hi], a.y[lo:hi], a.z[lo:hi], d[lo:hi], a.dx[q], a.dy[q], a.dz[q])
				got += max
			}
		}
		report(b, a.n, float64(32*verts), got, want)
	})
}

func BenchmarkPosedBoxes(b *testing.B) {
	overBackends(b, func(b *testing.B, verts, bytes int) {
		a := newArena(verts, bytes)
		r := rand.New(rand.NewPCG(2, uint64(verts)))
		poses, out := newPoses(a.n), newBoxes(a.n)
		for _, c := range poses.columns() {
			copy(*c, uniform(r, a.n))
		}
		want := 0.0
		for q := range a.n {
			lo, hi := q*verts, (q+1)*verts
			h := heights(a.x[lo:hi], a.y[lo:hi], a.z[lo:hi], poses.YX[q], poses.YY[q], poses.YZ[q])
			_, low := lowest(h)
			want += low + poses.PY[q]
		}
		for b.Loop() {
			PosedBoxes(a.x, a.y, a.z, a.first, a.count, poses, out)
		}
		got := 0.0
		for _, v := range out.MinY {
			got += v
		}
		report(b, a.n, float64(24*verts+8+12*8+6*8), got, want)
	})
}

// overSizes runs f once for each backend and size of the data.
func overSizes(b *testing.B, f func(b *testing.B, bytes int)) {
	for backend := range backends.Each(b) {
		for _, w := range append(working, struct {
			name  string
			bytes int
		}{"RAM", 64 << 20}) {
			b.Run(fmt.Sprintf("backend=%s/data=%s", backend, w.name), func(b *testing.B) { f(b, w.bytes) })
		}
	}
}

// One pair in ten has expired. The bodies of a pair have near indices.
func BenchmarkOdometerSweep(b *testing.B) {
	overSizes(b, func(b *testing.B, bytes int) {
		n := bytes / 16
		bodies := max(n/8, 64)
		r := rand.New(rand.NewPCG(4, 4))
		odometer := uniform(r, bodies)
		x, y, expiry := make([]uint32, n), make([]uint32, n), make([]float64, n)
		want := 0
		for i := range n {
			x[i] = uint32(i * bodies / n)
			y[i] = uint32(min(int(x[i])+r.IntN(50), bodies-1))
			expiry[i] = odometer[x[i]] + odometer[y[i]] + 1
			if r.IntN(10) == 0 {
				expiry[i] -= 2
				want++
			}
		}
		out := make([]uint32, n)
		got := 0
		for b.Loop() {
			got = OdometerSweep(x, y, expiry, odometer, 0, n, out)
		}
		report(b, n, 16, float64(got), float64(want))
	})
}
