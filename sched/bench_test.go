package sched

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"
)

// toil is a body with a known amount of arithmetic per index. Its sum does not depend on which
// worker did which index.
type toil struct {
	turns int
	per   []paddedSum
}

func newToil(workers, turns int) *toil { return &toil{turns: turns, per: make([]paddedSum, workers)} }

func (b *toil) Range(lo, hi, worker int) {
	var sum uint64
	for i := lo; i < hi; i++ {
		x := uint64(i) + 1
		for range b.turns {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
		}
		sum += x
	}
	b.per[worker].v += int64(sum)
}

func (b *toil) Task(task, worker int) { b.Range(task, task+1, worker) }

func (b *toil) sum() (s int64) {
	for i := range b.per {
		s += b.per[i].v
		b.per[i].v = 0
	}
	return s
}

// BenchmarkForkJoin measures one loop of one chunk per worker, from call to return. The work is
// none (the pure cost of fork and join), or about 10 and 100 µs. It compares other ways to write
// such a loop in Go. way=serial is the same work in one call.
func BenchmarkForkJoin(b *testing.B) {
	for _, work := range []struct {
		name     string
		n, turns int
	}{{"0us", 64, 0}, {"10us", 64, 150}, {"100us", 64, 1500}} {
		want := func() int64 {
			t := newToil(1, work.turns)
			t.Range(0, work.n, 0)
			return t.sum()
		}()
		run := func(way string, workers int, t *toil, loop func()) {
			b.Run(fmt.Sprintf("way=%s/workers=%d/work=%s", way, workers, work.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					loop()
					if t.sum() != want {
						b.Fatal("wrong sum")
					}
				}
			})
		}
		serial := newToil(1, work.turns)
		run("serial", 1, serial, func() { serial.Range(0, work.n, 0) })
		for _, workers := range []int{1, 2, 4, 16} {
			t := newToil(workers, work.turns)
			lo := func(w int) int { return work.n * w / workers }

			p := New(workers)
			run("sched", workers, t, func() { p.For(work.n, work.n/workers, t) })
			p.Close()
			if workers == 1 {
				continue
			}

			run("waitgroup", workers, t, func() {
				var wg sync.WaitGroup
				for w := 1; w < workers; w++ {
					wg.Go(func() { t.Range(lo(w), lo(w+1), w) })
				}
				t.Range(0, lo(1), 0)
				wg.Wait()
			})
			run("errgroup", workers, t, func() {
				var g errgroup.Group
				for w := 1; w < workers; w++ {
					g.Go(func() error { t.Range(lo(w), lo(w+1), w); return nil })
				}
				t.Range(0, lo(1), 0)
				_ = g.Wait()
			})

			// Persistent goroutines receive their worker index and reply when done.
			start, done := make([]chan struct{}, workers), make(chan struct{}, workers)
			for w := 1; w < workers; w++ {
				start[w] = make(chan struct{}, 1)
				go func() {
					for range start[w] {
						t.Range(lo(w), lo(w+1), w)
						done <- struct{}{}
					}
				}()
			}
			run("channels", workers, t, func() {
				for w := 1; w < workers; w++ {
					start[w] <- struct{}{}
				}
				t.Range(0, lo(1), 0)
				for w := 1; w < workers; w++ {
					<-done
				}
			})
			for w := 1; w < workers; w++ {
				close(start[w])
			}
		}
	}
}

// BenchmarkAfterPause measures a loop of about 190 µs of work on two workers after a serial
// stretch. During the stretch, the other worker spins, or parks if the stretch is longer than
// spinTime. ns/loop is the loop alone. efficiency is the time of the same work in one call, divided
// by twice ns/loop.
func BenchmarkAfterPause(b *testing.B) {
	makers := []struct {
		name string
		make func() (*Pool, error)
	}{
		{"none", func() (*Pool, error) { return New(2), nil }},
		{"each", func() (*Pool, error) { return NewPinned(2) }},
	}
	for _, pin := range makers {
		for _, pause := range []int64{0, 20, 50, 200, 1000} {
			b.Run(fmt.Sprintf("workers=2/pinned=%s/pause=%dus", pin.name, pause), func(b *testing.B) {
				p, err := pin.make()
				if err != nil {
					b.Skip(err)
				}
				defer p.Close()
				unpinCaller, err := p.PinCaller()
				if err != nil {
					b.Fatal(err)
				}
				defer unpinCaller()
				t := newToil(2, 1500)
				serial := int64(math.MaxInt64)
				for range 20 {
					start := now()
					t.Range(0, 64, 0)
					serial = min(serial, now()-start)
				}
				var loops int64
				for b.Loop() {
					for end := now() + pause*1000; now() < end; {
					}
					start := now()
					p.For(64, 4, t)
					loops += now() - start
				}
				b.ReportMetric(float64(loops)/float64(b.N), "ns/loop")
				b.ReportMetric(float64(serial)*float64(b.N)/float64(2*loops), "efficiency")
				if t.sum() == 0 {
					b.Fatal("nothing was done")
				}
			})
		}
	}
}

// BenchmarkChunk measures the cost of handing out one chunk, and compares it with a shared counter.
func BenchmarkChunk(b *testing.B) {
	const n = 1 << 14
	for _, workers := range []int{1, 2, 4} {
		t := newToil(workers, 1)
		p := New(workers)
		want := func() int64 { t.Range(0, n, 0); return t.sum() }()
		check := func(b *testing.B) {
			if t.sum() != want {
				b.Fatal("wrong sum")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/chunk")
		}
		b.Run(fmt.Sprintf("way=sched/workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				t.sum()
				p.For(n, 1, t)
			}
			check(b)
		})
		costs := make([]float64, n)
		for i := range costs {
			costs[i] = float64(i%17) + 1
		}
		b.Run(fmt.Sprintf("way=tasks/workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				t.sum()
				p.ForTasks(costs, t)
			}
			check(b)
		})
		b.Run(fmt.Sprintf("way=counter/workers=%d", workers), func(b *testing.B) {
			var next atomic.Int64
			c := &counterLoop{next: &next, n: n, body: t}
			for b.Loop() {
				t.sum()
				next.Store(0)
				p.For(workers, 1, c)
			}
			check(b)
		})
		p.Close()
	}
}

// counterLoop hands out indices by a counter that all workers share.
type counterLoop struct {
	next *atomic.Int64
	n    int
	body Ranger
}

func (c *counterLoop) Range(_, _, worker int) {
	for i := int(c.next.Add(1) - 1); i < c.n; i = int(c.next.Add(1) - 1) {
		c.body.Range(i, i+1, worker)
	}
}

// BenchmarkImbalance has all the cost in the first eighth of the indices, while the declared costs
// are equal.
func BenchmarkImbalance(b *testing.B) {
	for _, workers := range []int{1, 2, 4} {
		t := &skewed{toil: newToil(workers, 0), n: 512}
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			p := New(workers)
			defer p.Close()
			for b.Loop() {
				p.For(t.n, 1, t)
			}
			s := p.Stats()
			b.ReportMetric(float64(s.Steals)/float64(b.N), "steals/op")
			b.ReportMetric(s.Imbalance, "imbalance")
		})
		if t.sum() == 0 {
			b.Fatal("nothing was done")
		}
	}
}

type skewed struct {
	*toil
	n int
}

func (s *skewed) Range(lo, hi, worker int) {
	var x uint64 = 1
	for i := lo; i < hi; i++ {
		turns := 1
		if i < s.n/8 {
			turns = 3000
		}
		for range turns {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
		}
	}
	s.per[worker].v += int64(x | 1)
}
