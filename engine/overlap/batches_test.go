package overlap

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// rockArena has blocks with vertices of more than three edges, and a cube.
func rockArena(t testing.TB) *soa.Shapes {
	t.Helper()
	r := rand.New(rand.NewPCG(101, 102))
	shapes := &soa.Shapes{}
	for _, n := range []int{20, 20, 40, 12, 8} {
		if _, err := shapes.Add(template(rockBody(r, n))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := shapes.Add(template(boxBody(1, 1, 1))); err != nil {
		t.Fatal(err)
	}
	return shapes
}

// featureBatch is what the batches of edges and of corners have in common.
type featureBatch interface {
	Resize(n int)
	Set(i int, shapes *soa.Shapes, a, b soa.Body, p, q soa.Shape, id soa.FacetID, gap float64, normal, armA, armB *vec.Vec3) bool
	Fill(n int) int
	Solve(shapes *soa.Shapes, bodies *soa.Bodies, lo, hi int)
	Known(i int) bool
	At(i int) vec.Vec3
	Width(i int) vec.Sym3
}

// crossed puts pairs in a batch; rows has of each pair its row, or -1. shapes are those of the pairs.
func crossed(c featureBatch, arena *soa.Shapes, pairs []pair, shapes [][2]soa.Shape) (bodies *soa.Bodies, rows []int, n int) {
	bodies = &soa.Bodies{}
	bodies.Resize(2 * len(pairs))
	c.Resize(soa.Pad(len(pairs)))
	for i, p := range pairs {
		a, b := soa.Body(2*i), soa.Body(2*i+1)
		bodies.Pos.Set(int(a), p.pa.Pos)
		bodies.Rot.Set(int(a), p.pa.Rot)
		bodies.Pos.Set(int(b), p.pb.Pos)
		bodies.Rot.Set(int(b), p.pb.Rot)
		row := -1
		if c.Set(n, arena, a, b, shapes[i][0], shapes[i][1], p.id, p.gap, &p.normal, &p.armA, &p.armB) {
			row = n
			n++
		}
		rows = append(rows, row)
	}
	return bodies, rows, n
}

// batchPairs are pairs of edges, or of corners and faces, that are put on each other at random, and a few of the other
// kind.
func batchPairs(arena *soa.Shapes, edges bool, n int, depth func(r *rand.Rand) float64) (pairs []pair, shapes [][2]soa.Shape) {
	r := rand.New(rand.NewPCG(103, 104))
	for range n {
		s := [2]soa.Shape{soa.Shape(r.IntN(arena.Len())), soa.Shape(r.IntN(arena.Len()))}
		p := featurePair(r, arena.View(s[0]), arena.View(s[1]), edges == (r.IntN(20) > 0), depth(r))
		if r.IntN(2) == 0 {
			p, s = p.swapped(), [2]soa.Shape{s[1], s[0]}
		}
		pairs, shapes = append(pairs, p), append(shapes, s)
	}
	return pairs, shapes
}

// TestBatchesAreReduced: a row of a batch is known where the features alone answer, and then what Reduced gives, to the
// bit.
func TestBatchesAreReduced(t *testing.T) {
	arena := rockArena(t)
	for _, k := range []struct {
		name  string
		edges bool
		batch featureBatch
		rows  int
	}{{"edges", true, &kernels.Crossings{}, 9000}, {"corners", false, &kernels.Corners{}, 9000}} {
		t.Run(k.name, func(t *testing.T) {
			pairs, shapes := batchPairs(arena, k.edges, 12000, func(r *rand.Rand) float64 { return math.Pow(10, -8+7.5*r.Float64()) })
			batch := k.batch
			bodies, rows, n := crossed(batch, arena, pairs, shapes)
			c := NewCutter()
			backends.Run(t, func(t *testing.T) {
				batch.Solve(arena, bodies, 0, batch.Fill(n))
				answered := 0
				for i, p := range pairs {
					row := rows[i]
					if row < 0 {
						continue
					}
					if _, _, ok := p.byFeatures(c); ok != batch.Known(row) {
						t.Fatalf("pair %d, %v: known %v, the features alone answer: %v", i, p.id, batch.Known(row), ok)
					}
					if !batch.Known(row) {
						continue
					}
					answered++
					at, _, _ := p.reduced(c)
					if wide := c.Gyration(); at != batch.At(row) || wide != batch.Width(row) {
						t.Fatalf("pair %d, %v: location %v, width %v, want %v, %v", i, p.id, batch.At(row), batch.Width(row), at, wide)
					}
				}
				t.Logf("%d of %d rows answered", answered, n)
				if n < k.rows || answered < n/2 || answered > n*9/10 {
					t.Errorf("%d of %d rows answered", answered, n)
				}
			})
		})
	}
}

// TestBatchesAllocateNothing: once they have been as large.
func TestBatchesAllocateNothing(t *testing.T) {
	arena := rockArena(t)
	located := &kernels.Locations{}
	for _, batch := range []featureBatch{&kernels.Crossings{}, &kernels.Corners{}} {
		_, edges := batch.(*kernels.Crossings)
		pairs, shapes := batchPairs(arena, edges, 100, func(*rand.Rand) float64 { return 1e-3 })
		bodies, _, n := crossed(batch, arena, pairs, shapes)
		located.Resize(soa.Pad(n))
		if allocs := testing.AllocsPerRun(20, func() {
			batch.Resize(soa.Pad(n))
			p := &pairs[1]
			batch.Set(0, arena, 0, 1, shapes[1][0], shapes[1][1], p.id, p.gap, &p.normal, &p.armA, &p.armB)
			batch.Solve(arena, bodies, 0, batch.Fill(n))
			located.Resize(soa.Pad(n))
			located.Set(0, 0, 1, 0, 0, p.gap, &p.normal, &p.armA, &p.armB)
			located.Solve(arena, bodies, 0, located.Fill(n))
		}); allocs != 0 {
			t.Errorf("%g allocations", allocs)
		}
	}
}

// BenchmarkFeatureBatches finds the locations of as many crossing edges, or corners on faces, as a tile has; checksum is
// their sum.
func BenchmarkFeatureBatches(b *testing.B) {
	const n = 512
	arena := rockArena(b)
	for _, batch := range []featureBatch{&kernels.Crossings{}, &kernels.Corners{}} {
		_, edges := batch.(*kernels.Crossings)
		kind := map[bool]string{true: "crossing", false: "corner"}[edges]
		pairs, shapes := batchPairs(arena, edges, n, func(*rand.Rand) float64 { return 1e-3 })
		bodies, _, rows := crossed(batch, arena, pairs, shapes)
		rows = rows / soa.Lanes * soa.Lanes
		for backend := range backends.Each(b) {
			b.Run(fmt.Sprintf("kind=%s/backend=%s", kind, backend), func(b *testing.B) {
				for b.Loop() {
					batch.Solve(arena, bodies, 0, rows)
				}
				sum := 0.0
				for i := range rows {
					if batch.Known(i) {
						sum += batch.At(i).X + batch.Width(i).XX
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/pair")
				b.ReportMetric(sum, "checksum")
			})
		}
	}
}
