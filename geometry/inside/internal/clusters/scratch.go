package clusters

import "sync"

// Scratch is the workspaces of a method: each goroutine that asks takes one and gives it back. There are as many as ever asked at once.
type Scratch[W any] struct {
	mu   sync.Mutex
	free []*W
}

// Take returns a workspace that nobody has, or a new one from fresh.
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

// Give hands a workspace back.
func (s *Scratch[W]) Give(w *W) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, w)
}
