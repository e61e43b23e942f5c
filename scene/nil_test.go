package scene

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// TestNilScenes: functions that take a scene or a reader refuse nil, and a scene that nothing has
// loaded, with ErrInput.
func TestNilScenes(t *testing.T) {
	for _, s := range []*Scene{nil, {}} {
		for name, f := range map[string]func() error{
			"Run":   func() error { _, err := Run(t.Context(), s, Options{Dir: t.TempDir()}); return err },
			"Check": func() error { _, err := Check(t.Context(), s, Options{}); return err },
			"Build": func() error { _, err := s.Build(1); return err },
		} {
			if err := f(); !errors.Is(err, ErrInput) {
				t.Errorf("%s of %v: %v, expected ErrInput", name, s, err)
			}
		}
	}
	if _, err := Decode(nil, "x.toml", "."); !errors.Is(err, ErrInput) {
		t.Errorf("Decode: %v", err)
	}
}

// stuck is a reader that returns neither data nor an error.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// TestStuckReaders: a scene or a table that returns neither data nor an error for ever ends with
// io.ErrNoProgress.
func TestStuckReaders(t *testing.T) {
	for _, start := range []string{"", "# 1"} {
		in := func() io.Reader { return io.MultiReader(strings.NewReader(start), stuck{}) }
		if _, err := Decode(in(), "x.toml", "."); !errors.Is(err, io.ErrNoProgress) || !errors.Is(err, ErrInput) {
			t.Errorf("Decode after %q: %v", start, err)
		}
		if _, err := findCut(in(), 0, 0, 1, schedule{first: 0, every: 1}, 5); !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("findCut after %q: %v", start, err)
		}
		if _, _, err := readHeader(in(), 100); start == "" && !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("readHeader: %v", err)
		}
	}
}
