package engine

import (
	"errors"
	"strings"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/force"
)

// TestVerletListsInAWorld checks that lists of any radius and age find the same pairs as other
// searches. Lists that serve more searches than the motion allows must end the run with an error
// that names the search.
func TestVerletListsInAWorld(t *testing.T) {
	run := func(cfg Config, n int) (uint64, error) {
		w := gas(t, cfg, false, elastic(2e6))
		dt := w.TimeStep().Contact / 30
		for range n {
			if err := w.Step(dt); err != nil {
				return 0, err
			}
		}
		return w.Hash(), nil
	}
	want, err := run(Config{}, 600)
	if err != nil {
		t.Fatal(err)
	}
	for _, cfg := range []Config{{Search: "vl", SearchRadius: 0.5}, {Search: "vl", SearchEvery: 2}, {Search: "vl", SearchRadius: 0.3, SearchEvery: 1}} {
		if got, err := run(cfg, 600); err != nil || got != want {
			t.Errorf("radius %g, %d searches: hash %016x, error %v, expected %016x", cfg.SearchRadius, cfg.SearchEvery, got, err, want)
		}
	}
	_, err = run(Config{Search: "vl", SearchRadius: 0.2, SearchEvery: 1000}, 3000)
	if !errors.Is(err, ErrFault) || !errors.Is(err, broad.ErrLate) || !strings.Contains(err.Error(), `"vl"`) || errors.Is(err, ErrPairs) {
		t.Errorf("lists for 1000 searches: error %v, expected ErrLate", err)
	}
	// LateLists warns at the start of lists that will come too late.
	for _, c := range []struct {
		cfg  Config
		late bool
	}{
		{Config{}, false}, {Config{Search: "vl", SearchRadius: 0.2}, false}, {Config{Search: "vl", SearchRadius: 0.5, SearchEvery: 2}, false},
		{Config{Search: "vl", SearchRadius: 0.2, SearchEvery: 1}, false}, {Config{Search: "vl", SearchRadius: 0.2, SearchEvery: 1000}, true},
	} {
		w := gas(t, c.cfg, false, elastic(2e6))
		if text := w.LateLists(); text != "" {
			t.Errorf("%+v: %s, expected nothing before the first forces", c.cfg, text)
		}
		w.Measure()
		if text := w.LateLists(); (text != "") != c.late || c.late && !strings.Contains(text, "serve 1000 searches, until a body has moved") {
			t.Errorf("lists of %g m for %d searches: %q, expected a warning: %t", c.cfg.SearchRadius, c.cfg.SearchEvery, text, c.late)
		}
	}
	law, err := force.NewTable(1, elastic(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, cfg := range []Config{{SearchRadius: 1}, {Search: "lc", SearchEvery: 3}, {Search: "vl", SearchEvery: -1}, {Search: "vl", SearchRadius: -1}} {
		cfg.Law = law
		if _, err := New(cfg); !errors.Is(err, ErrConfig) {
			t.Errorf("%+v: error %v, expected ErrConfig", cfg, err)
		}
	}
}
