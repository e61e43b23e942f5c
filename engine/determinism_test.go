package engine

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const heapStep = 2e-4

func TestSameBitsOnAnyNumberOfWorkers(t *testing.T) {
	var want []uint64
	for _, workers := range []int{1, 2, 7} {
		for _, tile := range []int{0, 17} {
			w := heap(t, Config{Workers: workers, TilePairs: tile}, 48)
			var got []uint64
			for range 12 {
				steps(t, w, 100, heapStep)
				got = append(got, w.Hash())
			}
			if want == nil {
				want = got
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%d workers, %d pairs a tile: hash at step %d is %016x, expected %016x",
						workers, tile, 100*(i+1), got[i], want[i])
				}
			}
			if w.Measure().Active < 24 {
				t.Fatalf("%d active contacts, expected a heap", w.Measure().Active)
			}
		}
	}
}

// TestSameBitsForAnyTile checks that a heap with more pairs than one tile holds ends with the same
// bits for various tile sizes.
func TestSameBitsForAnyTile(t *testing.T) {
	var want uint64
	cuts := map[int]bool{}
	for _, cfg := range []Config{{Workers: 1}, {Workers: 2}, {Workers: 1, TilePairs: 300}, {Workers: 2, TilePairs: 1}} {
		cfg.Skin = 0.2 // makes more candidate pairs
		w := heap(t, cfg, 64)
		steps(t, w, 1200, heapStep)
		switch h := w.Hash(); {
		case want == 0:
			want = h
		case h != want:
			t.Errorf("%d workers, %d pairs a tile: hash %016x, expected %016x", w.Workers(), cfg.TilePairs, h, want)
		}
		cuts[len(w.space.Costs())] = true
		const full = 512 // pairs of the largest tile
		if m := w.Measure(); m.Contacts <= full || m.Active < 32 {
			t.Errorf("%d pairs, %d active, expected a heap of more than %d pairs", m.Contacts, m.Active, full)
		}
	}
	if len(cuts) != 4 {
		t.Errorf("numbers of tiles %v, expected four", cuts)
	}
}

func TestSameBitsOnEveryBackend(t *testing.T) {
	hashes := map[string]uint64{}
	for name := range backends.Each(t) {
		w := heap(t, Config{Workers: 2}, 48)
		steps(t, w, 1200, heapStep)
		hashes[name] = w.Hash()
	}
	for name, h := range hashes {
		if h != hashes[cpu.Generic] {
			t.Errorf("%s: hash %016x, generic Go gives %016x", name, h, hashes[cpu.Generic])
		}
	}
}

func TestRestartGivesTheSameBits(t *testing.T) {
	whole := heap(t, Config{}, 48)
	steps(t, whole, 400, heapStep)
	state := whole.State()
	steps(t, whole, 200, heapStep)

	again := heap(t, Config{Workers: 2}, 48)
	if err := again.Restore(state); err != nil {
		t.Fatal(err)
	}
	if again.Steps() != 400 {
		t.Fatalf("restored at step %d, expected 400", again.Steps())
	}
	steps(t, again, 200, heapStep)
	if whole.Hash() != again.Hash() {
		t.Errorf("hash after a restart %016x, expected %016x", again.Hash(), whole.Hash())
	}
	sameMeasure(t, whole, again)
}

// sameMeasure demands bit-identical measures of two worlds, except for the number of candidate
// pairs.
func sameMeasure(t *testing.T, want, got *World) {
	t.Helper()
	a, b := want.Measure(), got.Measure()
	a.Contacts, b.Contacts = 0, 0
	if a != b {
		t.Errorf("step %d measures\n%+v, expected\n%+v", got.Steps(), b, a)
	}
}

// TestRestoredWorldAnswers checks that a restored world returns the same results before its first
// step as the world that was saved.
func TestRestoredWorldAnswers(t *testing.T) {
	for _, at := range []int{0, 1, 1200} {
		whole := heap(t, Config{TilePairs: 17}, 48)
		steps(t, whole, at, heapStep)
		state := whole.State()
		again := heap(t, Config{Workers: 2}, 48)
		if err := again.Restore(state); err != nil {
			t.Fatal(err)
		}
		sameMeasure(t, whole, again)
		if at == 1200 && again.Measure().Active < 24 {
			t.Errorf("%d active contacts, expected a heap", again.Measure().Active)
		}
		if !reflect.DeepEqual(state, again.State()) {
			t.Errorf("step %d: the state of the restored world is another", at)
		}
		type row struct {
			a, b                    soa.Piece
			gap, relief             float64
			at, force, normal, slip vec.Vec3
		}
		rows := func(w *World) (all []row) {
			c := w.Contacts()
			for i := range w.space.ActiveRows {
				a, b := w.space.PiecesOf(i)
				all = append(all, row{a, b, c.Gap[i], w.forces.Relief[i], c.Location.At(i), w.forces.Force.At(i), c.Normal.At(i), slipOf(&w.forces, i)})
			}
			return all
		}
		if want, got := rows(whole), rows(again); !slices.Equal(want, got) {
			t.Errorf("step %d: %d contacts\n%+v\nexpected %d\n%+v", at, len(got), got, len(want), want)
		}
		for id := range whole.Bodies().Len() {
			f, m := whole.Bodies().Force.At(id), whole.Bodies().Torque.At(id)
			if g, n := again.Bodies().Force.At(id), again.Bodies().Torque.At(id); f != g || m != n {
				t.Errorf("step %d: body %d feels %v, %v, expected %v, %v", at, id, g, n, f, m)
			}
		}
	}
}

// TestLedgerOfAnyCut checks that the ledger is bit-identical however pairs are divided into tiles,
// whichever pairs are candidates, and after any number of restarts.
func TestLedgerOfAnyCut(t *testing.T) {
	want := heap(t, Config{}, 48)
	other := heap(t, Config{TilePairs: 5, Workers: 2, Skin: 0.03}, 48)
	again := heap(t, Config{TilePairs: 11}, 48)
	for range 12 {
		steps(t, want, 100, heapStep)
		steps(t, other, 100, heapStep)
		sameMeasure(t, want, other)
		steps(t, again, 100, heapStep)
		sameMeasure(t, want, again)
		state := again.State()
		again = heap(t, Config{TilePairs: 11}, 48)
		if err := again.Restore(state); err != nil {
			t.Fatal(err)
		}
	}
	if m := want.Measure(); m.Ledger.Friction == 0 || m.Ledger.Damping == 0 || m.Active < 24 {
		t.Errorf("measured %+v, expected a heap that slides", m)
	}
}

// TestHeapThatHovers simulates a heap under a law that acts across a gap. Its pairs are apart but
// within reach, and answered by their nearest features, with the same bits as a run that is
// restarted half way.
func TestHeapThatHovers(t *testing.T) {
	law := force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.5, ByRestitution: true, Restitution: 0.2, Interaction: 0.02, ReferenceGap: 0.01}
	whole := heapUnder(t, law, 0, Config{}, 48)
	steps(t, whole, 1000, heapStep)
	state, before := whole.State(), whole.AnsweredBy()
	steps(t, whole, 1000, heapStep)
	again := heapUnder(t, law, 0, Config{Workers: 2}, 48)
	if err := again.Restore(state); err != nil {
		t.Fatal(err)
	}
	steps(t, again, 1000, heapStep)
	if whole.Hash() != again.Hash() {
		t.Errorf("hash after a restart %016x, expected %016x", again.Hash(), whole.Hash())
	}
	apart := 0
	for i := range whole.space.ActiveRows {
		if whole.space.Contacts.Gap[i] > 0 {
			apart++
		}
	}
	levels := whole.AnsweredBy()
	for i := range levels.By {
		levels.By[i] -= before.By[i]
	}
	if apart < 30 {
		t.Errorf("%d active contacts across a gap, expected a heap that hovers", apart)
	}
	if s := levels.By[narrow.BySearch]; s*10 > levels.By[narrow.ByFeature] {
		t.Errorf("the search answers %d pairs, features %d", s, levels.By[narrow.ByFeature])
	}
	t.Logf("%d contacts across a gap; levels %v", apart, levels.By)
}

func TestHashSeesEveryBit(t *testing.T) {
	w := heap(t, Config{}, 32)
	steps(t, w, 1500, heapStep)
	h := w.Hash()
	flip := func(name string, x *float64) {
		t.Helper()
		old := *x
		*x = math.Float64frombits(math.Float64bits(old) ^ 1)
		if w.Hash() == h {
			t.Errorf("the hash does not see the lowest bit of %s", name)
		}
		*x = old
	}
	b, last := &w.bodies, w.bodies.Len()-1
	for name, c := range bodyColumns(b) {
		switch name {
		case "odometer", "force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z":
			continue // computed from the other columns
		}
		flip(name, &(*c)[last])
	}
	active := -1
	for i, a := range w.space.Contacts.Active {
		if a {
			active = i
		}
	}
	if active < 0 {
		t.Fatal("no active contact")
	}
	c := &w.space.Contacts
	for name, x := range map[string]*float64{
		"slip.x": &w.forces.History[0][active], "slip.y": &w.forces.History[1][active], "slip.z": &w.forces.History[2][active],
		"normal.x": &c.Normal.X[active], "normal.y": &c.Normal.Y[active], "normal.z": &c.Normal.Z[active],
		"relief": &w.forces.Relief[active],
	} {
		flip(name, x)
	}
	f := &c.Facet[active]
	for name, x := range map[string]*uint16{"feature of A": &f.A, "feature of B": &f.B} {
		*x ^= 1
		if w.Hash() == h {
			t.Errorf("the hash does not see the lowest bit of %s", name)
		}
		*x ^= 1
	}
	f.Kind ^= 1
	if w.Hash() == h {
		t.Error("the hash does not see the kind of the witness")
	}
	f.Kind ^= 1
	if w.Hash() != h {
		t.Error("the test did not put the state back")
	}
}

func TestWarmStepsAllocateNothing(t *testing.T) {
	for _, workers := range []int{1, 2} {
		t.Run(fmt.Sprint("workers=", workers), func(t *testing.T) {
			w := heap(t, Config{Workers: workers}, 48)
			warm := 5000 // the heap has fallen, and every workspace has its final size
			if require.Quick() {
				warm = 3000
			}
			steps(t, w, warm, heapStep)
			if workers == 1 {
				if n := testing.AllocsPerRun(1000, func() { steps(t, w, 1, heapStep) }); n != 0 {
					t.Errorf("%g allocations a step", n)
				}
				return
			}
			// The garbage collector allocates when it runs, and pair lists grow while the heap
			// settles. So the collector is off, and one in several thousand steps must be free of
			// allocations.
			runtime.GC()
			defer debug.SetGCPercent(debug.SetGCPercent(-1))
			least := ^uint64(0)
			for range 10 {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				steps(t, w, 1000, heapStep)
				runtime.ReadMemStats(&after)
				if least = min(least, after.Mallocs-before.Mallocs); least == 0 {
					return
				}
			}
			t.Errorf("at least %d allocations in 1000 steps", least)
		})
	}
}

// slipOf returns the slip of row i under the linear law.
func slipOf(f *soa.Forces, i int) vec.Vec3 {
	return vec.V(f.History[0][i], f.History[1][i], f.History[2][i])
}

// TestRowsThatStayMakeTheSameBits checks that a heap whose tiles are laid anew at each rebuild ends
// with the same bits and ledger as one whose rows stay in place if possible.
func TestRowsThatStayMakeTheSameBits(t *testing.T) {
	for _, workers := range []int{1, 2} {
		stay, anew := heap(t, Config{Workers: workers, Skin: 0.002, TilePairs: 40}, 64), heap(t, Config{Workers: 1, Skin: 0.002}, 64)
		kept := 0
		for range 900 {
			before := stay.AnsweredBy().Rebuilds
			rows := stay.space.Internals().Rows()
			steps(t, stay, 1, heapStep)
			if stay.AnsweredBy().Rebuilds > before && stay.space.Internals().Rows() == rows {
				kept++
			}
			anew.space.Internals().LayAnew()
			steps(t, anew, 1, heapStep)
		}
		if stay.Hash() != anew.Hash() || stay.Measure().Ledger != anew.Measure().Ledger {
			t.Errorf("%d workers: hash %016x, expected %016x; ledger %+v, expected %+v", workers, stay.Hash(), anew.Hash(), stay.Measure().Ledger, anew.Measure().Ledger)
		}
		if all := stay.AnsweredBy().Rebuilds; kept < 20 || int64(kept) == all {
			t.Errorf("rows stayed at %d of %d rebuilds", kept, all)
		}
	}
}
