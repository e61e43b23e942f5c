package sched

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// bomb panics at some of its chunks.
type bomb struct {
	at    map[int]any
	calls []atomic.Int32
}

func newBomb(n int, at map[int]any) *bomb { return &bomb{at: at, calls: make([]atomic.Int32, n)} }

func (b *bomb) Range(lo, hi, _ int) {
	for i := lo; i < hi; i++ {
		b.calls[i].Add(1)
		if v, ok := b.at[i]; ok {
			explode(v)
		}
	}
}

func (b *bomb) Task(task, worker int) { b.Range(task, task+1, worker) }

// explode panics. It is a frame to search for in the stack.
//
//go:noinline
func explode(v any) { panic(v) }

// caught runs f and returns the value with which it panicked.
func caught(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

var errBomb = errors.New("out of powder")

func TestPanicIsCarried(t *testing.T) {
	for _, workers := range []int{1, 2, 4, 16} {
		t.Run(fmt.Sprintf("workers=%d", workers), func(t *testing.T) {
			p := New(workers)
			defer p.Close()
			ones := make([]float64, 200)
			for i := range ones {
				ones[i] = 1
			}
			for round := range 50 {
				// The lowest of several panics is reported, whichever comes first in time.
				b := newBomb(200, map[int]any{57: errBomb, 58: "later", 61: 3, 150: "far", 199: "last"})
				lo, hi := 57, 58
				var v any
				if round%2 == 0 {
					v = caught(func() { p.For(200, 4, b) })
					lo, hi = 56, 60
				} else {
					v = caught(func() { p.ForTasks(ones, b) })
				}
				f, ok := v.(*BodyPanic)
				if !ok {
					t.Fatalf("caught %T %v", v, v)
				}
				if f.Value != errBomb || f.Lo != lo || f.Hi != hi || f.Worker < 0 || f.Worker >= workers {
					t.Fatalf("caught %v at [%d, %d) of worker %d", f.Value, f.Lo, f.Hi, f.Worker)
				}
				if !errors.Is(f, errBomb) {
					t.Error("errors.Is does not look through")
				}
				if !strings.Contains(f.Error(), "sched.explode") || !strings.HasPrefix(f.Error(), "sched: ") ||
					!strings.Contains(f.Error(), "out of powder") {
					t.Fatalf("message without the worker's stack:\n%v", f)
				}
				for i := range 57 {
					if n := b.calls[i].Load(); n != 1 {
						t.Fatalf("index %d, before the panic, ran %d times", i, n)
					}
				}
				for i := range b.calls {
					if n := b.calls[i].Load(); n > 1 {
						t.Fatalf("index %d ran %d times", i, n)
					}
				}
			}
			// The pool still works.
			c := newCensus(t, 1000, 3, workers)
			p.For(1000, 3, c)
			c.once()
		})
	}
}

func TestPanicValues(t *testing.T) {
	p := New(2)
	defer p.Close()
	var missing *runtime.PanicNilError
	if v, _ := caught(func() { p.For(8, 1, newBomb(8, map[int]any{3: nil})) }).(*BodyPanic); v == nil || !errors.As(v, &missing) {
		t.Errorf("panic(nil) arrived as %v", v)
	}
	if v, _ := caught(func() { p.For(8, 1, newBomb(8, map[int]any{3: "text"})) }).(*BodyPanic); v == nil || v.Unwrap() != nil {
		t.Errorf("a string arrived as %v", v)
	}
	var rt runtime.Error
	if v, _ := caught(func() { p.For(8, 1, nil) }).(*BodyPanic); v == nil || !errors.As(v, &rt) || v.Lo != 0 {
		t.Errorf("a nil body arrived as %v", v)
	}
}

// quitter ends the goroutine at one chunk, either on the caller or on another worker.
type quitter struct {
	onCaller bool
	arrived  chan struct{}
	once     sync.Once
}

func (q *quitter) Range(_, _, worker int) {
	if (worker == 0) == q.onCaller {
		q.once.Do(func() {
			close(q.arrived)
			runtime.Goexit()
		})
	}
	<-q.arrived
}

func TestGoexitOnWorker(t *testing.T) {
	p := New(3)
	defer p.Close()
	for range 20 {
		v := caught(func() { p.For(30, 1, &quitter{arrived: make(chan struct{})}) })
		f, _ := v.(*BodyPanic)
		if f == nil || !errors.Is(f, ErrGoexit) || f.Worker == 0 {
			t.Fatalf("caught %v", v)
		}
		c := newCensus(t, 100, 1, 3)
		p.For(100, 1, c)
		c.once()
	}
}

func TestGoexitOnCaller(t *testing.T) {
	for _, workers := range []int{1, 3} {
		p := New(workers)
		for range 20 {
			returned := false
			var wg sync.WaitGroup
			wg.Go(func() {
				p.For(30, 1, &quitter{onCaller: true, arrived: make(chan struct{})})
				returned = true
			})
			wg.Wait()
			if returned {
				t.Fatal("For returned to a goroutine that had ended")
			}
			c := newCensus(t, 100, 1, workers)
			p.For(100, 1, c)
			c.once()
		}
		p.Close()
	}
}

// nest calls f from inside a body, below some frames of its own.
type nest struct {
	depth int
	f     func()
}

func (n *nest) Range(_, _, _ int) { n.dive(n.depth) }

//go:noinline
func (n *nest) dive(depth int) {
	if depth == 0 {
		n.f()
		return
	}
	n.dive(depth - 1)
}

func TestNestedCallIsRefused(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		for _, depth := range []int{0, 1, 61, 62, 63, 64, 65, 500} {
			p := New(workers)
			inner := newCensus(t, 10, 1, workers)
			for name, f := range map[string]func(){
				"For":      func() { p.For(10, 1, inner) },
				"ForTasks": func() { p.ForTasks([]float64{1, 2}, &sums{}) },
				"Close":    func() { p.Close() },
			} {
				for _, n := range []int{1, 50} {
					v := caught(func() { p.For(n, 1, &nest{depth, f}) })
					b, _ := v.(*BodyPanic)
					if b == nil || !strings.HasPrefix(fmt.Sprint(b.Value), "sched: "+name+" called from inside a loop body") {
						t.Fatalf("workers=%d depth=%d n=%d %s: caught %v", workers, depth, n, name, v)
					}
				}
			}
			p.Close()
		}
	}
}

func TestOtherPoolMayBeCalledFromBody(t *testing.T) {
	p, inner := New(2), New(2)
	defer p.Close()
	defer inner.Close()
	c := newCensus(t, 100, 1, 2)
	var mu sync.Mutex
	p.For(8, 1, &nest{0, func() {
		mu.Lock()
		defer mu.Unlock()
		inner.For(100, 1, c)
		c.once()
	}})
	v := caught(func() {
		p.For(8, 1, &nest{0, func() { inner.For(8, 1, newBomb(8, map[int]any{0: errBomb})) }})
	})
	if b, _ := v.(*BodyPanic); b == nil {
		t.Fatalf("caught %v", v)
	}
}
