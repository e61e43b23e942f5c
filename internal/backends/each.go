package backends

import (
	"iter"
	"testing"

	"github.com/scree-dem/scree/internal/cpu"
)

// Each selects each backend that this build and this processor have, one after the other, and yields its name. After the
// last, or when the test ends, the one that was selected before is again.
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

// Run runs a test once for each backend, as a subtest by its name.
func Run(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	for name := range Each(t) {
		t.Run("backend="+name, f)
	}
}
