package pairs

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

// TestOptionsAreChecked: Run refuses options and shapes that mean nothing, before it reads anything.
func TestOptionsAreChecked(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Options)
		kind   error
		want   string
	}{
		{"method", func(o *Options) { o.Method = 200 }, ErrOption, "method 200"},
		{"location", func(o *Options) { o.Location = 9 }, ErrOption, "location 9"},
		{"NaN", func(o *Options) { o.DTol = math.NaN() }, ErrOption, "DTol is NaN"},
		{"infinite", func(o *Options) { o.DTol = math.Inf(1) }, ErrOption, "DTol is +Inf"},
		{"negative workers", func(o *Options) { o.Workers = -1 }, ErrOption, "-1 workers"},
		{"too many workers", func(o *Options) { o.Workers = 1 << 40 }, ErrOption, "expected 0 to 1024"},
	} {
		o := defaults()
		c.change(&o)
		stats, err := Run(t.Context(), stuck{}, "t.csv", shapesOf(t), nil, o)
		if stats != nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, shapes := range []*ShapeSet{nil, {}} {
		if _, err := Run(t.Context(), strings.NewReader(head+"\n"+good+"\n"), "t.csv", shapes, nil, defaults()); !errors.Is(err, ErrShapes) {
			t.Errorf("shapes %v: %v", shapes, err)
		}
	}
}

// stuck is a reader that returns neither data nor an error.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// TestStuckReaders: a table that returns neither data nor an error for ever ends with io.ErrNoProgress.
func TestStuckReaders(t *testing.T) {
	for _, start := range []string{"", "shape_a", head + "\n", head + "\n" + good + "\nbox"} {
		in := io.MultiReader(strings.NewReader(start), stuck{})
		if _, err := Run(t.Context(), in, "t.csv", shapesOf(t), nil, defaults()); !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("%q: %v", start, err)
		}
	}
}
