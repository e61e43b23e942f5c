package engine

import (
	"errors"
	"testing"

	"github.com/scree-dem/scree/engine/broad"
	"github.com/scree-dem/scree/engine/force"
)

// A run has the same hashes whatever method finds its candidate pairs, with walls that start and
// stop, on any number of workers.
func TestSearchesMakeOneRun(t *testing.T) {
	const dt, parts, each = 2e-4, 4, 100
	run := func(search string, workers int) (hashes []uint64, pairs int) {
		w := gates(t, workers, false)
		w.broad = broad.New(broad.Config{Reach: w.law.Reach(), Search: newSearch(search)})
		for range parts {
			steps(t, w, each, dt)
			hashes = append(hashes, w.Hash())
			pairs += w.pairs.Len()
		}
		return hashes, pairs
	}
	want, wantPairs := run("", 1)
	for _, search := range Searches() {
		for _, workers := range []int{1, 2} {
			got, pairs := run(search, workers)
			for i := range want {
				if got[i] != want[i] || pairs != wantPairs {
					t.Fatalf("%s on %d workers: hash at step %d is %016x with %d pairs in all, expected %016x with %d",
						search, workers, each*(i+1), got[i], pairs, want[i], wantPairs)
				}
			}
		}
	}
	law, err := force.NewTable(1, force.Linear{Kn: 1e5})
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Law: law, Search: "tree"}
	if _, err := New(cfg); !errors.Is(err, ErrConfig) {
		t.Errorf("search tree: %v, expected ErrConfig", err)
	}
}
