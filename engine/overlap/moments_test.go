package overlap

import (
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestAnswersGoWhereTheyAreToldTo: a batch of a type, and one of no type, write each
// overlap, with the bits of Share, to its row of columns that others own, and to no row outside theirs.
func TestAnswersGoWhereTheyAreToldTo(t *testing.T) {
	const room, rows, first, untouched = 32, 128, 40, -7.0
	to := columnsOf(rows)
	blank := func() {
		for k := range to {
			for i := range to[k] {
				to[k][i] = untouched
			}
		}
	}
	check := func(t *testing.T, of string, row int, thickness float64, want *Shared) {
		t.Helper()
		var got Shared
		if got.readRow(to, row, thickness); got != *want {
			t.Errorf("%s: row %d has %+v, Share %+v", of, row, got, *want)
		}
	}
	outside := func(t *testing.T, of string, room int) {
		t.Helper()
		for k := range to {
			for i, x := range to[k] {
				if x != untouched && (i < first || i >= first+room) {
					t.Fatalf("%s: column %d, row %d is %g, expected nothing written outside rows %d to %d", of, k, i, x, first, first+room)
				}
			}
		}
	}
	v := view(t, boxBody(1, 1, 1))
	arena := &soa.Shapes{}
	if _, err := arena.Add(template(boxBody(1, 1, 1))); err != nil {
		t.Fatal(err)
	}
	backends.Run(t, func(t *testing.T) {
		c := NewClipper()
		for name, of := range map[string]shape{"corner": corner4, "crossing": crossing, "prism": prism6} {
			all, named := sharePairs(t, arena.View(0), of)
			bodies := &soa.Bodies{}
			bodies.Resize(2 * room)
			batches, poses, solver := NewBatches(bodies), bodies.PoseRows(), NewSolver()
			solver.Begin(arena, poses)
			var batch *Batch
			for i, o := range all[:room-3] {
				for k, at := range [2]vec.Pose{o.pa, o.pb} {
					bodies.Pos.Set(2*i+k, at.Pos)
					bodies.Rot.Set(2*i+k, at.Rot)
				}
				batch = batches.At(batches.Add(uint32(i), soa.Body(2*i), soa.Body(2*i+1), o.a, o.b, named[i].Facet, &named[i].Prism))
			}
			bodies.GatherPoses(0, bodies.Len(), poses)
			blank()
			solver.Solve(batch, to, first)
			for i := range solver.Len() {
				o := &all[batch.Of(i)]
				if want, _ := c.Share(o.a, o.pa, o.b, o.pb, o.along); !solver.Known(i) {
					t.Errorf("%s: overlap %d is not known", name, i)
				} else {
					check(t, name, first+i, solver.Thickness(i), &want)
				}
			}
			outside(t, name, room)
			for _, i := range []int{3, 0, solver.Len() - 3} {
				solver.Drop(i)
			}
			for i := range solver.Len() {
				o := &all[batch.Of(solver.Row(i))]
				want, _ := c.Share(o.a, o.pa, o.b, o.pb, o.along)
				check(t, name+", others dropped", first+i, solver.Thickness(i), &want)
			}
		}
		solids, r := NewSolids(), rand.New(rand.NewPCG(83, 84))
		var want []Shared
		for v = view(t, rockBody(r, 12)); len(want) < room-3; {
			o := meet(c, v, v, turn(r), turn(r), direction(r), 0.02)
			s, ok := c.Share(o.a, o.pa, o.b, o.pb, o.along)
			if ok && c.FindNear(o.a, o.pa, o.b, o.pb, o.along, &Features{}, &Shared{}) == Surfaced {
				solids.Add(uint32(len(want)), c)
				want = append(want, s)
			}
		}
		blank()
		solids.WriteTo(to, first)
		solids.Solve()
		for i := range solids.Len() {
			check(t, "no type", first+i, solids.Thickness(i), &want[solids.Of(i)])
		}
		outside(t, "no type", solids.Room())
		for _, i := range []int{3, 0, solids.Len() - 3} {
			solids.Drop(i)
		}
		for i := range solids.Len() {
			check(t, "no type, others dropped", first+i, solids.Thickness(i), &want[solids.Of(i)])
		}
	})
}

func columnsOf(rows int) *Columns {
	var to Columns
	for k := range to {
		to[k] = make([]float64, rows)
	}
	return &to
}

// TestRowsOfBatchesStay: pairs of all types come to batches and leave them in any order. Those that are there have the bits of Share, each in
// the row that its place says.
func TestRowsOfBatchesStay(t *testing.T) {
	arena := &soa.Shapes{}
	if _, err := arena.Add(template(boxBody(1, 1, 1))); err != nil {
		t.Fatal(err)
	}
	var all []overlapping
	var named []Features
	for _, of := range []shape{corner4, crossing, prism4, prism6} {
		some, features := sharePairs(t, arena.View(0), of)
		all, named = append(all, some[:50]...), append(named, features[:50]...)
	}
	bodies := &soa.Bodies{}
	bodies.Resize(2 * len(all))
	c, want := NewClipper(), make([]Shared, len(all))
	for i := range all {
		o := &all[i]
		for k, at := range [2]vec.Pose{o.pa, o.pb} {
			bodies.Pos.Set(2*i+k, at.Pos)
			bodies.Rot.Set(2*i+k, at.Rot)
			bodies.Radius[2*i+k] = o.a.Radius
		}
		want[i], _ = c.Share(o.a, o.pa, o.b, o.pb, o.along)
	}
	r, batches, solver, place := rand.New(rand.NewPCG(61, 62)), NewBatches(bodies), NewSolver(), make([]Place, len(all))
	solver.Begin(arena, bodies.PoseRows())
	for round := range 20 {
		for range r.IntN(200) {
			i := r.IntN(len(all))
			if at := place[i]; at != 0 {
				if last, ok := batches.Remove(at); ok {
					place[last] = at
				}
				place[i] = 0
			} else {
				o := &all[i]
				place[i] = batches.Add(uint32(i), soa.Body(2*i), soa.Body(2*i+1), o.a, o.b, named[i].Facet, &named[i].Prism)
			}
		}
		there := 0
		for k := range batches.All() {
			b := &batches.All()[k]
			solver.Solve(b, columnsOf(b.Room()), 0)
			for at := range solver.Len() {
				i := b.Of(solver.Row(at))
				var got Shared
				if known := solver.At(at, &got); !known || got != want[i] || place[i] != b.place(at) {
					t.Fatalf("round %d: pair %d is known %v: %+v, expected %+v", round, i, known, got, want[i])
				}
				there++
			}
		}
		for _, at := range place {
			if at != 0 {
				there--
			}
		}
		if there != 0 {
			t.Fatalf("round %d: %d pairs more in batches than were put there", round, there)
		}
	}
}
