package overlap

import (
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestWriteTo: a batch of a type and a batch of no type write each overlap, with the bits of Share,
// to its row of columns of the caller, and to no other row.
func TestWriteTo(t *testing.T) {
	const rows, first, untouched = 4 * BatchRows, 40, -7.0
	var to Columns
	for k := range to {
		to[k] = make([]float64, rows)
	}
	blank := func() {
		for k := range to {
			for i := range to[k] {
				to[k][i] = untouched
			}
		}
	}
	check := func(t *testing.T, of string, row int, thickness float64, want *Moments) {
		t.Helper()
		var got Moments
		if got.readRow(&to, row, thickness); got != *want {
			t.Errorf("%s: row %d has %+v, Share %+v", of, row, got, *want)
		}
	}
	outside := func(t *testing.T, of string) {
		t.Helper()
		for k := range to {
			for i, x := range to[k] {
				if x != untouched && (i < first || i >= first+BatchRows) {
					t.Fatalf("%s: column %d, row %d is %g, expected nothing written outside rows %d to %d", of, k, i, x, first, first+BatchRows)
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
			bodies.Resize(2 * BatchRows)
			batches := NewTypedBatches()
			poses := bodies.PoseRows()
			batches.Begin(arena, poses)
			var batch *TypedBatch
			for i, o := range all[:BatchRows-3] {
				for k, at := range [2]vec.Pose{o.pa, o.pb} {
					bodies.Pos.Set(2*i+k, at.Pos)
					bodies.Rot.Set(2*i+k, at.Rot)
				}
				batch = batches.Add(uint32(i), soa.PoseRow(2*i), soa.PoseRow(2*i+1), o.a, o.b, min(o.a.Radius, o.b.Radius), &named[i])
			}
			bodies.GatherPoses(0, bodies.Len(), poses)
			blank()
			batch.WriteTo(&to, first)
			batch.Solve()
			for i := range batch.Len() {
				o := &all[batch.PairNumber(i)]
				if want, _ := c.Share(o.a, o.pa, o.b, o.pb, o.along); !batch.Known(i) {
					t.Errorf("%s: overlap %d is not known", name, i)
				} else {
					check(t, name, first+i, batch.Thickness(i), &want)
				}
			}
			outside(t, name)
			for _, i := range []int{3, 0, batch.Len() - 3} {
				batch.Drop(i)
			}
			for i := range batch.Len() {
				o := &all[batch.PairNumber(i)]
				want, _ := c.Share(o.a, o.pa, o.b, o.pb, o.along)
				check(t, name+", others dropped", first+i, batch.Thickness(i), &want)
			}
		}
		solids, r := NewUntypedBatch(), rand.New(rand.NewPCG(83, 84))
		var want []Moments
		for v = view(t, rockBody(r, 12)); len(want) < BatchRows-3; {
			o := meet(c, v, v, turn(r), turn(r), direction(r), 0.02)
			s, ok := c.Share(o.a, o.pa, o.b, o.pb, o.along)
			if ok && c.FindNear(o.a, o.pa, o.b, o.pb, o.along, &Features{}, &Moments{}) == SurfaceFound {
				solids.Add(uint32(len(want)), c)
				want = append(want, s)
			}
		}
		blank()
		solids.WriteTo(&to, first)
		solids.Solve()
		for i := range solids.Len() {
			check(t, "no type", first+i, solids.Thickness(i), &want[solids.PairNumber(i)])
		}
		outside(t, "no type")
		for _, i := range []int{3, 0, solids.Len() - 3} {
			solids.Drop(i)
		}
		for i := range solids.Len() {
			check(t, "no type, others dropped", first+i, solids.Thickness(i), &want[solids.PairNumber(i)])
		}
	})
}
