package kernels

import (
	"fmt"
	"math"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// overBackends runs f once for each backend and count of vertices.
func overBackends(b *testing.B, f func(b *testing.B, verts int)) {
	for backend := range backends.Each(b) {
		for _, verts := range []int{8, 32, 128} {
			b.Run(fmt.Sprintf("backend=%s/verts=%d/data=L2", backend, verts), func(b *testing.B) { f(b, verts) })
		}
	}
}

func report(b *testing.B, rows int, unit string, bytes int, got, want float64) {
	b.Helper()
	if math.Float64bits(got) != math.Float64bits(want) {
		b.Fatalf("checksum %v, want %v", got, want)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/"+unit)
	b.ReportMetric(float64(bytes), "B/"+unit)
}

// stones is 64 different prisms, one after the other in memory.
func stones(b *testing.B, verts int) *soa.Shapes {
	shapes := &soa.Shapes{}
	r := newRandom(uint64(verts))
	for range 64 {
		s := prism(verts / 2)
		for k, v := range s.Verts {
			s.Verts[k] = v.AddScaled(0.1, r.vec())
		}
		add(b, shapes, s)
	}
	return shapes
}

// The batch of certificate C2: one support point a pair.
func BenchmarkAxisGaps(b *testing.B) {
	overBackends(b, func(b *testing.B, verts int) {
		shapes := stones(b, verts)
		r := newRandom(8)
		const n = 256
		var g AxisGaps
		g.Resize(n)
		want := 0.0
		for i := range n {
			h, axis := soa.Shape(r.IntN(shapes.Len())), r.vec().Unit()
			g.Set(i, shapes, h, axis, 3, 1)
			_, reach := bestVert(shapes.View(h), axis.Neg())
			want += (3 - reach) - 1
		}
		for b.Loop() {
			g.Solve(shapes, 0, n)
		}
		got := 0.0
		for _, gap := range g.Gap {
			got += gap
		}
		report(b, n, "pair", 24*verts+7*8+3*4, got, want)
	})
}

func BenchmarkWorldBoxes(b *testing.B) {
	overBackends(b, func(b *testing.B, verts int) {
		shapes := stones(b, verts)
		r := newRandom(9)
		const n = 256
		pieces, bodies := &soa.Pieces{}, &soa.Bodies{}
		want := 0.0
		for range n {
			h, pose := soa.Shape(r.IntN(shapes.Len())), r.pose()
			pieces.Add(body(bodies, pose), soa.Block, h, 0, vec.IdentityPose)
			_, up := bestVert(shapes.View(h), pose.Rot.Mat3().R2)
			want += up + pose.Pos.Z
		}
		var out soa.Boxes
		out.Resize(n)
		for b.Loop() {
			WorldBoxes(shapes, pieces, bodies, 0, n, &out)
		}
		got := 0.0
		for _, z := range out.Max.Z {
			got += z
		}
		report(b, n, "piece", 24*verts+7*8+6*8, got, want)
	})
}
