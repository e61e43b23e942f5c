package engine

import (
	"errors"
	"strings"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// TestOverlapsAreNamed checks that the error names the wall, the number of overlapping facets,
// their position in the wall's frame, and a remedy.
func TestOverlapsAreNamed(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1e5})
	const n = 2900 // 4 203 550 pairs
	var nested triangles
	for k := range n {
		h := 1 + float64(k)/n
		nested = append(nested, []vec.Vec3{vec.V(3-h, 4-h, 5), vec.V(3+2*h, 4-h, 5), vec.V(3-h, 4+2*h, 5)})
	}
	_, err := w.AddWall(WallSpec{Name: "chute", Parts: nested.parts(t, w), Pose: at(1, 2, 3)})
	if !errors.Is(err, ErrBody) {
		t.Fatalf("error %v, expected %v", err, ErrBody)
	}
	for _, text := range []string{`wall 0 "chute"`, "2900 facets in one plane", ", 5) m of the wall's frame", "more than 4194304 pairs of the wall's facets overlap, 2899 of these with the facet there", "leave out facets"} {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("error %v, expected that it has %q", err, text)
		}
	}
	if w.bodies.Len() != 0 || w.space.Pieces.Len() != 0 || groupsIn(w) != 0 {
		t.Errorf("%d bodies, %d pieces, %d groups after a wall that was refused", w.bodies.Len(), w.space.Pieces.Len(), groupsIn(w))
	}
}
