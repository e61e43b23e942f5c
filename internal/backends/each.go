package backends

import (
	"iter"
	"testing"

	"github.com/scree-dem/scree/internal/cpu"
)

// Each selects, in turn, each backend that this build and this processor support, and yields its
// name. After the loop it restores the previous selection.
func Each(tb testing.TB) iter.Seq[string] {
	return func(yield func(string) bool) {
		tb.Helper()
		before := cpu.Selected()
		choose := func(name string) {
			if err := cpu.Select(name); err != nil {
				tb.Fatal(err)
			}
		}
		defer choose(before)
		for _, name := range cpu.Available() {
			if choose(name); !yield(name) {
				return
			}
		}
	}
}

// Run runs f once for each backend, as a subtest named after the backend.
func Run(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	for name := range Each(t) {
		t.Run("backend="+name, f)
	}
}
