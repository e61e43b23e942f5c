package pairs

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/vec"
)

// motion returns a table of pairs that approach, touch and slide. Their rows alternate, and rows
// without a track are among them.
func motion(r *rand.Rand, pairs, steps int) string {
	type pair struct {
		a, b   string
		p, q   vec.Pose
		v      vec.Vec3
		ra, rb float64
	}
	names := append([]string{"ball:0.5"}, solids...)
	list := make([]pair, pairs)
	for i := range list {
		k := &list[i]
		*k = pair{a: names[r.IntN(len(names))], b: names[r.IntN(len(names))], p: randomPose(r, 5)}
		way := randomUnit(r)
		k.q = vec.Pose{Pos: k.p.Pos.Add(way.Scale(2)), Rot: k.p.Rot}
		k.v = way.Scale(-1.6 / float64(steps))
		if i%4 == 0 {
			k.ra, k.rb = 0.05, 0.1
		}
	}
	var b strings.Builder
	b.WriteString(head + ",track,round_a,round_b\n")
	for s := range steps {
		for i := range list {
			k := &list[i]
			if s < 3*steps/4 {
				k.q.Pos = k.q.Pos.Add(k.v)
			}
			stream := randomUnit(r)
			k.p.Pos, k.q.Pos = k.p.Pos.Add(stream), k.q.Pos.Add(stream)
			k.p.Rot = vec.FromRotationVector(randomUnit(r).Scale(1e-3)).Mul(k.p.Rot).Normalized()
			id := fmt.Sprint(7 * (i - pairs/2))
			if i%9 == 8 {
				id = ""
			}
			b.WriteString(row(k.a, k.b, k.p, k.q, id, k.ra, k.rb))
		}
	}
	return b.String()
}

// TestTrackForgetsOtherRounding: what a track knows of its pair holds for the radii of that row. Boxes
// 0.1 m apart touch once they are rounded by 0.1 m each, and no certificate may say that they are apart.
func TestTrackForgetsOtherRounding(t *testing.T) {
	table, alone := head+",track,round_a,round_b\n", roundsHead
	for _, r := range [][2]float64{{0, 0}, {0.1, 0.1}, {0, 0}, {0, 0.15}, {0.15, 0}} {
		table += row("box:1x1x1", "box:1x1x1", at(0, 0, 0), at(1.1, 0.1, 0.2), "1", r[0], r[1])
		alone += row("box:1x1x1", "box:1x1x1", at(0, 0, 0), at(1.1, 0.1, 0.2), r[0], r[1])
	}
	got, _ := run(t, table, defaults(), shapesOf(t))
	want, _ := run(t, alone, defaults(), shapesOf(t))
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("on a track %+v, alone %+v", got[i], want[i])
		}
	}
}

// withoutLevel returns a row of the output without its level.
func withoutLevel(line string) string {
	return line[:strings.LastIndexByte(strings.TrimSuffix(line, ","), ',')]
}

// TestTracks: rows of a track have the same results as alone, to the bit, except for the level.
// Every level occurs.
func TestTracks(t *testing.T) {
	shapes := shapesOf(t)
	table := motion(rand.New(rand.NewPCG(7, 8)), 60, 150) // more rows than a batch, so that tracks continue in the next batch
	for _, m := range narrow.Methods() {
		if !m.Measures() {
			continue // The bounds of these methods depend on the stored certificates.
		}
		o := defaults()
		o.Method = m
		warm, stats, err := text(t, table, o, shapes)
		if err != nil {
			t.Fatal(err)
		}
		cold, _, err := text(t, withoutTracks(table), o, shapes)
		if err != nil {
			t.Fatal(err)
		}
		x, y := strings.Split(warm, "\n"), strings.Split(cold, "\n")
		if len(x) != len(y) || len(x) < 2*batchRows {
			t.Fatalf("%v: %d and %d lines", m, len(x), len(y))
		}
		for i := range x {
			if x[i] != y[i] && withoutLevel(x[i]) != withoutLevel(y[i]) {
				t.Fatalf("%v: on a track\n%s\nalone\n%s", m, x[i], y[i])
			}
		}
		if stats.Tracks != 54 {
			t.Errorf("%v: %d tracks, expected 54", m, stats.Tracks)
		}
		for level, n := range stats.AnsweredBy {
			if m == narrow.Auto && n == 0 {
				t.Errorf("level %s answered none: %v", level, stats.AnsweredBy)
			}
		}
	}
}

// withoutTracks empties the column track.
func withoutTracks(table string) string {
	var b strings.Builder
	for i, line := range strings.SplitAfter(table, "\n") {
		if i > 0 && line != "" {
			values := strings.Split(line, ",")
			values[len(values)-3] = ""
			line = strings.Join(values, ",")
		}
		b.WriteString(line)
	}
	return b.String()
}

// TestTrackLevels tests each certificate.
func TestTrackLevels(t *testing.T) {
	cube := "box:1x1x1"
	for _, c := range []struct {
		name string
		rows string
		want string
	}{
		{"at rest apart", row(cube, cube, at(0, 0, 0), at(3, 0, 0), 1) + row(cube, cube, at(0, 0, 0), at(3, 0, 0), 1), "search odometer"},
		{"carried along", row(cube, cube, at(0, 0, 0), at(3, 0, 0), 1) + row(cube, cube, at(50, 0, 0), at(53, 0, 0), 1), "search odometer"},
		{"sliding by", row(cube, cube, at(0, 0, 0), at(1.5, 0, 0), 1) + row(cube, cube, at(0, 0, 0), at(1.5, 0.8, 0), 1), "search axis"},
		{"touching", row(cube, cube, at(0, 0, 0), at(0.99, 0.1, 0.2), 1) + row(cube, cube, at(0, 0, 0), at(0.98, 0.1, 0.2), 1), "search feature"},
		{"a fault between", row(cube, cube, at(0, 0, 0), at(3, 0, 0), 1) + row(cube, "sphere", at(0, 0, 0), at(3, 0, 0), 1) +
			row(cube, cube, at(0, 0, 0), at(3, 0, 0), 1), "search  odometer"},
		{"another shape", row(cube, cube, at(0, 0, 0), at(3, 0, 0), 1) + row(cube, "tetra:1", at(0, 0, 0), at(3, 0, 0), 1), "search search"},
		{"other tracks", row(cube, cube, at(0, 0, 0), at(3, 0, 0), 1) + row(cube, cube, at(0, 0, 0), at(3, 0, 0), -1) +
			row(cube, cube, at(0, 0, 0), at(3, 0, 0), "") + row(cube, cube, at(0, 0, 0), at(3, 0, 0), "") + row(cube, cube, at(0, 0, 0), at(3, 0, 0), -1),
			"search search search search odometer"},
	} {
		list, _ := run(t, trackHead+c.rows, defaults(), shapesOf(t))
		var levels []string
		for _, a := range list {
			levels = append(levels, a.level)
			if a.status == apart && !a.hasPoints {
				t.Errorf("%s: only a bound of the distance: %+v", c.name, a)
			}
		}
		if got := strings.Join(levels, " "); got != c.want {
			t.Errorf("%s: levels %q, expected %q", c.name, got, c.want)
		}
	}
}

// TestTracksAreBounded: if there are too many tracks, the oldest half is removed, whatever their
// order.
func TestTracksAreBounded(t *testing.T) {
	tracks := newTracks(100)
	for row := range 1000 {
		tracks.of(&question{track: int64(row % 150 * 31)}, row)
		if row%10 == 9 {
			tracks.trim()
			if n := len(tracks.by); n > 100 {
				t.Fatalf("%d tracks after row %d", n, row)
			}
		}
	}
	for row := 990; row < 1000; row++ {
		if tracks.by[int64(row%150*31)] == nil {
			t.Errorf("the track of row %d is forgotten", row)
		}
	}
}

// TestSameBytes: the output does not depend on the number of workers.
func TestSameBytes(t *testing.T) {
	table := motion(rand.New(rand.NewPCG(9, 10)), 80, 70)
	var want string
	for _, workers := range []int{1, 2, 7} {
		o := defaults()
		o.Workers = workers
		got, _, err := text(t, table, o, shapesOf(t))
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%d workers give other bytes", workers)
		}
	}
}

// TestAllocatesNothing: a batch allocates nothing once everything has grown.
func TestAllocatesNothing(t *testing.T) {
	table := motion(rand.New(rand.NewPCG(11, 12)), 50, 40)
	in, err := fileio.NewBlocks(strings.NewReader(table), "pairs.csv", required, optional)
	if err != nil {
		t.Fatal(err)
	}
	b := new(batch)
	if !in.Next(&b.block, batchRows) || b.block.Len() != 2000 {
		t.Fatal(b.block.Len())
	}
	pool := sched.New(1)
	defer pool.Close()
	o := defaults()
	c := newTeam(pool, in, shapesOf(t), &o, &Stats{})
	work := func() { c.work(b, true) }
	work()
	work()
	if n := testing.AllocsPerRun(3, work); n != 0 {
		t.Errorf("%g allocations for 2000 rows", n)
	}
	var out bytes.Buffer
	if _, err := Run(context.Background(), strings.NewReader(table), "pairs.csv", shapesOf(t), &out, o); err != nil {
		t.Fatal(err)
	}
	first := out.String()[strings.IndexByte(out.String(), '\n')+1:]
	if n := len(b.texts[0].Bytes()); n < 1000 || n > len(first) {
		t.Errorf("the first task wrote %d bytes of %d", n, len(first))
	}
}
