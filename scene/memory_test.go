package scene

import (
	"errors"
	"strings"
	"testing"
)

// TestMemory: ten million bodies are refused where they do not fit, before anything is built, and warned of where a heap of them
// does not.
func TestMemory(t *testing.T) {
	s := withBodies(t, "[[bodies]]\ngenerator = \"grid\"\nshapes = [\"ball\"]\nspacing = 1\ncount = [1000, 1000, 10]")
	m := s.Memory()
	if m.Bodies != 1e7*bodyMemory || m.Heap <= 2*m.Bodies {
		t.Errorf("memory %+v", m)
	}
	for _, c := range []struct {
		machine uint64
		warned  bool
		refused bool
	}{{0, false, false}, {m.Heap, false, false}, {m.Heap - 1, true, false}, {m.Bodies, true, false}, {m.Bodies - 1, false, true}} {
		m.Machine = c.machine
		warning, err := s.checkMemory(m)
		if (warning != "") != c.warned || (err != nil) != c.refused {
			t.Errorf("of %d bytes: warning %q, error %v", c.machine, warning, err)
		}
		if err != nil && (!errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "found 10000000 in all, which take about 12.4 GB")) {
			t.Errorf("error %v", err)
		}
		if c.warned && !strings.Contains(warning, "bodies take about 12.4 GB of the") {
			t.Errorf("warning %q", warning)
		}
	}
}

// TestMemoryIsMeasured compares the estimate with what building allocates: bodies may not take more than it says by half.
func TestMemoryIsMeasured(t *testing.T) {
	s := withBodies(t, "[[bodies]]\ngenerator = \"grid\"\nshapes = [\"ball\"]\nspacing = 1\ncount = [50, 50, 8]")
	var b *Built
	got := allocated(func() {
		var err error
		if b, err = s.Build(1); err != nil {
			t.Fatal(err)
		}
	})
	b.Close()
	// All that was allocated on the way, of which columns that were outgrown are a half.
	if want := s.Memory().Bodies; got > 3*want || got < want/3 {
		t.Errorf("building took %d bytes, the estimate is %d", got, want)
	}
}
