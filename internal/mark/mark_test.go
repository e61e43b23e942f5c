package mark

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

// TestErrorf: errors.Is finds the kind and the wrapped error, also through another error. The text
// contains only the wrapped error.
func TestErrorf(t *testing.T) {
	kind := errors.New("kind")
	err := fmt.Errorf("outside: %w", Errorf(kind, "name %q: %w", "x", fs.ErrNotExist))
	if !errors.Is(err, kind) || !errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v is not of its kind, or is of another", err)
	}
	if want := `outside: name "x": file does not exist`; err.Error() != want {
		t.Errorf("text %q, expected %q", err, want)
	}
}
