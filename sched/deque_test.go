package sched

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/scree-dem/scree/internal/require"
)

func TestDequeOrder(t *testing.T) {
	var d deque
	if _, ok := d.pop(); ok {
		t.Fatal("pop from a new deque")
	}
	if _, ok, lost := d.steal(); ok || lost {
		t.Fatal("steal from a new deque")
	}
	for i := uint32(0); i < 5; i++ {
		d.push(makeSpan(i, i+1))
	}
	for _, want := range []uint32{0, 1} {
		if s, ok, _ := d.steal(); !ok || s.lo() != want || s.hi() != want+1 {
			t.Errorf("steal: [%d, %d) %v, want the oldest, %d", s.lo(), s.hi(), ok, want)
		}
	}
	for _, want := range []uint32{4, 3, 2} {
		if d.empty() {
			t.Error("empty before all was popped")
		}
		if s, ok := d.pop(); !ok || s.lo() != want {
			t.Errorf("pop: %d %v, want the newest, %d", s.lo(), ok, want)
		}
	}
	if _, ok := d.pop(); ok || !d.empty() {
		t.Error("work left in an emptied deque")
	}
}

func TestSpanKeepsExtremes(t *testing.T) {
	for _, c := range [][2]uint32{{0, 1}, {0, maxChunks}, {maxChunks - 1, maxChunks}, {1 << 31, 1<<31 + 1}} {
		if s := makeSpan(c[0], c[1]); s.lo() != c[0] || s.hi() != c[1] {
			t.Errorf("[%d, %d) came back as [%d, %d)", c[0], c[1], s.lo(), s.hi())
		}
	}
}

func TestDequeFullPanics(t *testing.T) {
	var d deque
	// Fill the ring across its end.
	for i := 0; i < dequeSize/2; i++ {
		d.push(0)
		d.pop()
		d.push(0)
		d.steal()
	}
	for i := 0; i < dequeSize; i++ {
		d.push(makeSpan(uint32(i), 0))
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("push onto a full deque did not panic")
			}
		}()
		d.push(0)
	}()
	for i := 0; i < dequeSize; i++ {
		if s, ok, _ := d.steal(); !ok || s.lo() != uint32(i) {
			t.Fatalf("steal %d: %d %v", i, s.lo(), ok)
		}
	}
}

// TestDequeDepth counts the spans in a deque if each cut keeps as much as splitTasks allows, from
// the largest number of tasks down to one.
func TestDequeDepth(t *testing.T) {
	depth := 0
	for size := uint32(maxChunks); size > 1; depth++ {
		size -= max(1, size/4)
	}
	if depth != 77 {
		t.Errorf("depth %d; the comment at dequeSize says 77", depth)
	}
	if depth > dequeSize {
		t.Errorf("depth %d exceeds %d slots", depth, dequeSize)
	}
}

// TestDequeNothingLostOrDoubled lets one owner push and pop at random while thieves steal. Each
// element must be taken exactly once.
func TestDequeNothingLostOrDoubled(t *testing.T) {
	// Each element takes a push and a pop or a steal, not counting failed tries. This makes ten
	// million operations over all four cases, and four hundred thousand with -short.
	elements := 1_250_000
	if require.Quick() {
		elements = 50_000
	}
	cases := []struct {
		name    string
		thieves int
		burst   int // largest number of pushes or pops in a row
	}{
		{"one thief, nearly empty", 1, 2},
		{"three thieves, nearly empty", 3, 2},
		{"one thief, nearly full", 1, dequeSize},
		{"three thieves, bursts", 3, 16},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var d deque
			var finished atomic.Bool
			taken := make([]atomic.Uint32, elements)
			var stolen atomic.Int64
			var wg sync.WaitGroup
			for range c.thieves {
				wg.Go(func() {
					for !finished.Load() {
						s, ok, _ := d.steal()
						if !ok {
							runtime.Gosched()
							continue
						}
						if s.hi() != ^s.lo() {
							t.Errorf("torn element %x", uint64(s))
						}
						taken[s.lo()].Add(1)
						stolen.Add(1)
					}
				})
			}
			rng := rand.New(rand.NewPCG(7, uint64(c.burst)))
			next, held := 0, 0
			for bursts := 0; next < elements; bursts++ {
				for k := rng.IntN(c.burst) + 1; k > 0 && next < elements; k-- {
					if d.bottom.Load()-d.top.Load() >= dequeSize {
						break
					}
					d.push(makeSpan(uint32(next), ^uint32(next)))
					next++
				}
				if bursts%500 == 0 {
					// Lets the thieves run in the middle of operations even on one processor.
					for before := stolen.Load(); !d.empty() && stolen.Load() == before; {
						runtime.Gosched()
					}
				}
				for k := rng.IntN(c.burst) + 1; k > 0; k-- {
					if s, ok := d.pop(); ok {
						taken[s.lo()].Add(1)
						held++
					}
				}
			}
			for {
				s, ok := d.pop()
				if !ok {
					break
				}
				taken[s.lo()].Add(1)
				held++
			}
			finished.Store(true)
			wg.Wait()
			for i := range taken {
				if n := taken[i].Load(); n != 1 {
					t.Fatalf("element %d taken %d times", i, n)
				}
			}
			if held+int(stolen.Load()) != elements {
				t.Errorf("%d popped and %d stolen of %d", held, stolen.Load(), elements)
			}
			if held == 0 || stolen.Load() == 0 {
				t.Errorf("one side idle: %d popped, %d stolen", held, stolen.Load())
			}
			if !d.empty() {
				t.Error("not empty at the end")
			}
		})
	}
}

// FuzzDequeAgainstSlice applies a sequence of operations to a deque and to a slice.
func FuzzDequeAgainstSlice(f *testing.F) {
	f.Add([]byte{0, 0, 1, 2, 0, 2, 1, 1})
	f.Add([]byte{1, 2, 0, 2, 2, 0, 1, 1, 0})
	f.Fuzz(func(t *testing.T, ops []byte) {
		var d deque
		var model []span
		for i, op := range ops {
			want, wantOK := span(0), false
			var got span
			var ok bool
			switch {
			case op%3 == 0:
				if len(model) < dequeSize {
					s := makeSpan(uint32(i), uint32(op))
					d.push(s)
					model = append(model, s)
				}
			case op%3 == 1:
				if wantOK = len(model) > 0; wantOK {
					want, model = model[len(model)-1], model[:len(model)-1]
				}
				got, ok = d.pop()
			default:
				if wantOK = len(model) > 0; wantOK {
					want, model = model[0], model[1:]
				}
				var lost bool
				if got, ok, lost = d.steal(); lost {
					t.Fatal("lost against nobody")
				}
			}
			if ok != wantOK || ok && got != want {
				t.Fatalf("operation %d (%d): %x %v, want %x %v", i, op%3, got, ok, want, wantOK)
			}
			if d.empty() != (len(model) == 0) {
				t.Fatalf("operation %d: empty is %v with %d elements", i, d.empty(), len(model))
			}
		}
	})
}
