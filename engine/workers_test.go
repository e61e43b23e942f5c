package engine

import (
	"errors"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/sched"
)

func TestPinRefused(t *testing.T) {
	law, err := force.NewTable(1, force.Linear{Kn: 1})
	if err != nil {
		t.Fatal(err)
	}
	if cpus, _ := cpu.Allowed(); len(cpus) >= maxWorkers {
		t.Skip("there are processors for all")
	}
	w, err := New(Config{Law: law, Workers: maxWorkers, Pin: true})
	if w != nil || !errors.Is(err, ErrConfig) || !errors.Is(err, sched.ErrPin) {
		t.Errorf("%d workers: %v", maxWorkers, err)
	}
}

func TestSameBitsWhenPinned(t *testing.T) {
	cpus, err := cpu.Allowed()
	if err != nil {
		t.Skip(err)
	}
	var want uint64
	for _, cfg := range []Config{{Workers: 1}, {Workers: min(len(cpus), 4), Pin: true}} {
		w := heap(t, cfg, 48)
		unpin, err := w.PinCaller()
		if err != nil {
			t.Fatal(err)
		}
		steps(t, w, 400, heapStep)
		unpin()
		if want == 0 {
			want = w.Hash()
		}
		if w.Hash() != want {
			t.Errorf("pinned to %v: hash %016x, expected %016x", w.CPUs(), w.Hash(), want)
		}
		if n := len(w.CPUs()); cfg.Pin && n != w.Workers() || !cfg.Pin && n != 0 {
			t.Errorf("pin is %v, processors are %v", cfg.Pin, w.CPUs())
		}
		s := w.Scheduling()
		if loops := s.Calls + s.Inline; loops < 2*400 || s.Chunks < loops || len(s.Workers) != w.Workers() {
			t.Errorf("400 steps in %d loops of %d chunks on %d workers", loops, s.Chunks, len(s.Workers))
		}
	}
}
