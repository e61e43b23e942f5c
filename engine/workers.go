package engine

import (
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/sched"
)

func newPool(cfg *Config) (*sched.Pool, error) {
	if cfg.Recorder != nil {
		return sched.NewRecording(cfg.Recorder), nil
	}
	p, err := sched.Open(cfg.Workers, cfg.Pin)
	if err != nil {
		return nil, mark.Errorf(ErrConfig, "engine: %w", err)
	}
	return p, nil
}

// PinCaller binds the calling goroutine, which must be the one that makes the steps, to the logical
// processor of worker 0. The caller ends the binding by calling unpin. Without Config.Pin,
// PinCaller does nothing. The error is that of the operating system.
func (w *World) PinCaller() (unpin func(), err error) { return w.pool.PinCaller() }

// Scheduling returns statistics of the workers since the start: loops divided, steals, idle time.
// The times of a pool of one worker are zero.
func (w *World) Scheduling() sched.Stats { return w.pool.Stats() }

// CPUs returns the logical processor of each worker, or nil if workers are not pinned.
func (w *World) CPUs() []int { return w.pool.CPUs() }
