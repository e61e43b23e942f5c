package engine

import (
	"errors"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/narrow"
)

// TestMethods runs a heap by every method of the narrow phase. GJK and EPA without certificates
// must give the hash of the default. All methods must give contacts that carry the heap, and the
// same bits on any number of workers.
// give the hash of the default; all give contacts that hold, and the same bits on any number of workers.
func TestMethods(t *testing.T) {
	n := 600
	if require.Quick() {
		n = 200
	}
	var want uint64
	for _, m := range narrow.Methods() {
		t.Run(m.String(), func(t *testing.T) {
			w := heap(t, Config{Method: m}, 24)
			other := heap(t, Config{Method: m, Workers: 2, TilePairs: 17}, 24)
			steps(t, w, n, heapStep)
			steps(t, other, n, heapStep)
			if w.Hash() != other.Hash() {
				t.Errorf("hash %016x on one worker, %016x on two", w.Hash(), other.Hash())
			}
			switch m {
			case narrow.Auto:
				want = w.Hash()
			case narrow.GJKEPA:
				if w.Hash() != want {
					t.Errorf("hash %016x, by certificates %016x", w.Hash(), want)
				}
			}
			got := w.Measure()
			if got.Active == 0 && !require.Quick() {
				t.Error("no contacts")
			}
			if !(got.Kinetic() >= 0) || got.Penetration > 0.02 {
				t.Errorf("%+v", got)
			}
		})
	}
	law, err := force.NewTable(1, force.Linear{Kn: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(Config{Law: law, Method: narrow.NMethods}); !errors.Is(err, ErrConfig) {
		t.Errorf("a method that is none: %v", err)
	}
}
