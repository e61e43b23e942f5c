package clusters

import "sync"

// Scratch is a pool of workspaces of a method. Each goroutine takes one and gives it back. There
// are as many workspaces as were ever in use at once.
type Scratch[W any] struct {
	mu   sync.Mutex
	free []*W
}

// Take returns an unused workspace, or a new one from fresh.
func (s *Scratch[W]) Take(fresh func() *W) *W {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		w := s.free[n-1]
		s.free = s.free[:n-1]
		return w
	}
	return fresh()
}

// Give returns a workspace to the pool.
func (s *Scratch[W]) Give(w *W) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, w)
}
