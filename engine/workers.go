package engine

import (
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/sched"
)

func newPool(cfg *Config) (*sched.Pool, error) {
	if !cfg.Pin {
		return sched.New(cfg.Workers), nil
	}
	p, err := sched.NewPinned(cfg.Workers)
	if err != nil {
		return nil, mark.Errorf(ErrConfig, "engine: %w", err)
	}
	return p, nil
}

// PinCaller ties the calling goroutine, which makes the steps, to the logical processor of worker 0, until
// it calls the function that is returned. Without Config.Pin it does nothing.
func (w *World) PinCaller() (unpin func(), err error) { return w.pool.PinCaller() }

// Scheduling returns what the workers did since the start: loops shared out, steals, idle time. Times of
// a pool of one worker are zero.
func (w *World) Scheduling() sched.Stats { return w.pool.Stats() }

// CPUs returns the logical processor of each worker, nil if they are not pinned.
func (w *World) CPUs() []int { return w.pool.CPUs() }
