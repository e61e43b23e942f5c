package overlap

import (
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/vec"
)

// TestSolidsInAnyCompany: an overlap of no type has the same bits alone, in batches of any size and
// order, with and without its skeleton, and on all backends.
func TestSolidsInAnyCompany(t *testing.T) {
	var all []overlapping
	var want []Moments
	sizes, skeletons := map[int]bool{}, 0
	c := NewClipper()
	add := func(o overlapping) {
		if s, ok := c.Share(o.a, o.pa, o.b, o.pb, o.along); ok && c.Named() == (Features{}) {
			all, want = append(all, o), append(want, s)
		}
	}
	overlaps(t, 700, 64, 21, add)
	q := rand.New(rand.NewPCG(21, 23))
	for range 20 { // one body inside the other: none of its faces are chosen, or all
		o := overlapping{a: view(t, boxBody(0.2, 0.3, 0.1)), b: view(t, boxBody(1, 1, 1)), pa: vec.Pose{Rot: turn(q)}, pb: vec.Pose{Rot: turn(q)}}
		o.along = direction(q)
		add(o)
	}
	if len(all) < 100 {
		t.Fatalf("%d of 700 overlaps are of no type", len(all))
	}
	backends.Run(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(21, 22))
		batch := NewUntypedBatch()
		solve := func() {
			batch.Solve()
			for i := range batch.Len() {
				k := batch.PairNumber(i)
				var s Moments
				if ok := batch.At(i, &s); !ok || s != want[k] {
					t.Fatalf("overlap %d in a batch of %d is %v, %+v, alone %+v", k, batch.Len(), ok, s, want[k])
				}
			}
			batch.Clear()
		}
		most := 1
		for _, k := range r.Perm(len(all)) {
			o := &all[k]
			if s, _ := c.Share(o.a, o.pa, o.b, o.pb, o.along); s != want[k] {
				t.Fatalf("overlap %d is %+v, on the first backend %+v", k, s, want[k])
			}
			if c.FindNear(o.a, o.pa, o.b, o.pb, o.along, &Features{}, &Moments{}) != SurfaceFound {
				t.Fatalf("overlap %d is of a type", k)
			}
			kept := new(Skeleton)
			if by, _ := c.Skeleton(); by != nil && r.IntN(2) == 0 {
				*kept = *by
				if _, ok := batch.AddSkeleton(uint32(k), kept, o.a, o.pa, o.b, o.pb); !ok {
					t.Fatalf("overlap %d has not the skeleton that it was found by", k)
				}
				skeletons++
			} else {
				batch.Add(uint32(k), c)
			}
			chosen, _ := batch.rows[batch.n-1].size()
			if sizes[chosen] = true; batch.Len() == most {
				solve()
				most = 1 + r.IntN(BatchRows)
			}
		}
		solve()
	})
	if len(sizes) < 10 || !sizes[0] || skeletons < 50 {
		t.Errorf("the chosen faces have %d numbers of triangles; %d overlaps were added by their skeletons", len(sizes), skeletons)
	}
}
