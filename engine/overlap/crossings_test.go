package overlap

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/cpu"
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

// crossed is pairs of edges in a batch; rows has of each pair its row, or -1. shapes are those of the pairs.
func crossed(arena *soa.Shapes, pairs []pair, shapes [][2]soa.Shape) (bodies *soa.Bodies, c *kernels.Crossings, rows []int, n int) {
	bodies, c = &soa.Bodies{}, &kernels.Crossings{}
	bodies.Resize(2 * len(pairs))
	c.Resize(soa.Pad(len(pairs)))
	for i, p := range pairs {
		a, b := soa.Body(2*i), soa.Body(2*i+1)
		bodies.Pos.Set(int(a), p.pa.Pos)
		bodies.Rot.Set(int(a), p.pa.Rot)
		bodies.Pos.Set(int(b), p.pb.Pos)
		bodies.Rot.Set(int(b), p.pb.Rot)
		row := -1
		if c.Set(n, arena, a, b, shapes[i][0], shapes[i][1], p.id, p.gap, p.normal, p.armA, p.armB) {
			row = n
			n++
		}
		rows = append(rows, row)
	}
	return bodies, c, rows, n
}

// crossingPairs are pairs of edges that are put on each other at random, and a few other features.
func crossingPairs(arena *soa.Shapes, n int, depth func(r *rand.Rand) float64) (pairs []pair, shapes [][2]soa.Shape) {
	r := rand.New(rand.NewPCG(103, 104))
	for range n {
		s := [2]soa.Shape{soa.Shape(r.IntN(arena.Len())), soa.Shape(r.IntN(arena.Len()))}
		p := featurePair(r, arena.View(s[0]), arena.View(s[1]), r.IntN(20) > 0, depth(r))
		if r.IntN(2) == 0 {
			p, s = p.swapped(), [2]soa.Shape{s[1], s[0]}
		}
		pairs, shapes = append(pairs, p), append(shapes, s)
	}
	return pairs, shapes
}

// TestCrossingsAreReduced: a row of the batch is known where the edges alone answer, and then what Reduced gives, to the
// bit.
func TestCrossingsAreReduced(t *testing.T) {
	arena := rockArena(t)
	pairs, shapes := crossingPairs(arena, 12000, func(r *rand.Rand) float64 { return math.Pow(10, -8+7.5*r.Float64()) })
	bodies, batch, rows, n := crossed(arena, pairs, shapes)
	c := NewCutter()
	eachBackend(t, func(t *testing.T) {
		batch.Solve(arena, bodies, 0, batch.Fill(n))
		answered := 0
		for i, p := range pairs {
			row := rows[i]
			if row < 0 {
				continue
			}
			c.poseA.set(p.pa.Rot, vec.Vec3{})
			c.poseB.set(p.pb.Rot, p.pb.Pos.Sub(p.pa.Pos))
			_, _, ok := c.crossing(p.a, p.b, p.normal, p.gap, BallLocation(p.pa, p.pb, p.armA, p.armB), p.id)
			if ok != batch.Known(row) {
				t.Fatalf("pair %d, %v: known %v, the edges alone answer: %v", i, p.id, batch.Known(row), ok)
			}
			if !ok {
				continue
			}
			answered++
			at, _, _ := p.reduced(c)
			if wide := c.Gyration(); at != batch.At(row) || wide != batch.Width(row) {
				t.Fatalf("pair %d, %v: location %v, width %v, want %v, %v", i, p.id, batch.At(row), batch.Width(row), at, wide)
			}
		}
		t.Logf("%d of %d rows answered", answered, n)
		if n < 9000 || answered < n/2 || answered > n*9/10 {
			t.Errorf("%d of %d rows answered", answered, n)
		}
	})
}

// TestCrossingsAllocateNothing when they have been as large.
func TestBatchesAllocateNothing(t *testing.T) {
	arena := rockArena(t)
	pairs, shapes := crossingPairs(arena, 100, func(*rand.Rand) float64 { return 1e-3 })
	bodies, batch, _, n := crossed(arena, pairs, shapes)
	located := &kernels.Locations{}
	located.Resize(soa.Pad(n))
	if allocs := testing.AllocsPerRun(20, func() {
		batch.Resize(soa.Pad(n))
		p := &pairs[1]
		batch.Set(0, arena, 0, 1, shapes[1][0], shapes[1][1], p.id, p.gap, p.normal, p.armA, p.armB)
		batch.Solve(arena, bodies, 0, batch.Fill(n))
		located.Resize(soa.Pad(n))
		located.Set(0, 0, 1, 0, 0, p.gap, p.normal, p.armA, p.armB)
		located.Solve(arena, bodies, 0, located.Fill(n))
	}); allocs != 0 {
		t.Errorf("%g allocations", allocs)
	}
}

// BenchmarkCrossings finds the locations of as many crossing edges as a tile has; checksum is their sum.
func BenchmarkCrossings(b *testing.B) {
	const n = 512
	arena := rockArena(b)
	pairs, shapes := crossingPairs(arena, n, func(*rand.Rand) float64 { return 1e-3 })
	bodies, batch, _, rows := crossed(arena, pairs, shapes)
	rows = rows / soa.Lanes * soa.Lanes
	before := cpu.Selected()
	defer func() {
		if err := cpu.Select(before); err != nil {
			b.Fatal(err)
		}
	}()
	for _, backend := range cpu.Available() {
		if err := cpu.Select(backend); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("backend=%s", backend), func(b *testing.B) {
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
