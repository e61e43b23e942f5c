package pairs

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

var soakOverlaps = flag.Int("soak.overlaps", 0, "pairs of TestFullAndDualAreExact; 0 for the few of the ordinary run")

// TestFullAndDualAreExact compares full and dual, which share no code, with exact arithmetic, along short
// tracks of random blocks, 2e-6 to 0.3 of the size in each other.
func TestFullAndDualAreExact(t *testing.T) {
	n := max(120, *soakOverlaps)
	r := rand.New(rand.NewPCG(9, 9))
	search := narrow.NewSearch()
	type posed struct {
		a, b   *shape
		pa, pb vec.Pose
	}
	table := trackHead
	var rows []posed
	for k := range n {
		names := [2]string{}
		for i := range names {
			names[i] = []string{"box:1x1x1", "box:1x0.7x0.2", "box:1x1x0.001", "tetra:1", fmt.Sprintf("rock:%d,%d,0.7", k, 5+r.IntN(28))}[r.IntN(5)]
		}
		p := posed{a: makeBuiltin(names[0]), b: makeBuiltin(names[1])}
		along := randomUnit(r)
		p.pa.Rot = vec.FromRotationVector(randomUnit(r).Scale(3 * r.Float64()))
		p.pb = vec.Pose{Pos: along.Scale(2), Rot: vec.FromRotationVector(randomUnit(r).Scale(3 * r.Float64()))}
		size, depth := p.a.view.Radius+p.b.view.Radius, math.Pow(10, -5.4+4.8*r.Float64())
		var ans narrow.Answer
		for range 3 { // Together until they touch, and then by the depth.
			search.Resolve(p.a.view, framed(p.a, p.pa, vec.Vec3{}), p.b.view, framed(p.b, p.pb, vec.Vec3{}), math.Inf(1), &ans)
			p.pb.Pos = p.pb.Pos.AddScaled(-(ans.Gap + depth*size), ans.Normal)
		}
		for range 3 {
			p.pb.Pos = p.pb.Pos.AddScaled(0.05*depth*size, randomUnit(r))
			p.pb.Rot = vec.FromRotationVector(randomUnit(r).Scale(0.01 * depth)).Mul(p.pb.Rot).Normalized()
			rows = append(rows, p)
			table += row(names[0], names[1], p.pa, p.pb, k)
		}
	}
	truth := make([]*oracle.ExactMoments, len(rows))
	for k, p := range rows {
		truth[k] = oracle.NewOverlap(p.a.view, framed(p.a, p.pa, p.pa.Pos), p.b.view, framed(p.b, p.pb, p.pa.Pos)).At(vec.Vec3{}, vec.Vec3{}, vec.Vec3{})
	}
	for where, tols := range map[LocationChoice][2]float64{Full: {1e-10, 1e-9}, Dual: {1e-10, 1e-9}} {
		o := defaults()
		o.Location = where
		answers, stats := run(t, table, o, shapesOf(t))
		worst, counted := [2]float64{}, 0
		for k, a := range answers {
			p := rows[k]
			size := p.a.view.Radius + p.b.view.Radius
			if truth[k] == nil || !(a.gap < -1.1e-6*size) {
				continue
			}
			counted++
			volume, _ := truth[k].Volume.Float64()
			centre := framed(p.a, p.pa, vec.Vec3{}).Pos.Add(truth[k].Centre())
			off := [2]float64{math.Abs(a.volume-volume) / (size * size * size), a.at.Sub(centre).Norm() / size}
			worst[0], worst[1] = max(worst[0], off[0]), max(worst[1], off[1])
			if !(off[0] <= tols[0] && off[1] <= tols[1]) {
				t.Errorf("%v, row %d, %g deep: volume %g, expected %g; errors %.3g", where, a.row, -a.gap, a.volume, volume, off)
			}
		}
		t.Logf("%v: %d overlaps, off by %.2g in volume and %.2g in centroid; %d without, %d hulls used again", where, counted, worst[0], worst[1], stats.NoOverlap, stats.Reused)
		if counted < 2*n || where == Dual && stats.Reused < int64(counted/4) {
			t.Errorf("%v: %d overlaps, %d hulls used again", where, counted, stats.Reused)
		}
	}
}
