package backends

import (
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/cpu"
)

func TestEach(t *testing.T) {
	before := cpu.Selected()
	var names []string
	for name := range Each(t) {
		if cpu.Selected() != name {
			t.Errorf("%s is yielded, %s selected", name, cpu.Selected())
		}
		names = append(names, name)
	}
	if !slices.Equal(names, cpu.Available()) || cpu.Selected() != before {
		t.Errorf("%v, and then %s, expected %v and %s", names, cpu.Selected(), cpu.Available(), before)
	}
	for range Each(t) {
		break
	}
	if cpu.Selected() != before {
		t.Errorf("%s is selected after a loop that was left, expected %s", cpu.Selected(), before)
	}
}
