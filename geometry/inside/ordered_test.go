package inside

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/vec"
)

// TestShuffledPoints checks that shuffled points have the same bits as the points in the order of a
// grid: both pass through the clusters in the same groups.
func TestShuffledPoints(t *testing.T) {
	mesh, err := surfaces.Torus(1, 0.4, 40, 20)
	if err != nil {
		t.Fatal(err)
	}
	const side = 34
	var grid []vec.Vec3
	for k := range side * side * side {
		grid = append(grid, vec.V(float64(k%side), float64(k/side%side), float64(k/side/side)).Scale(3.0/side).Sub(vec.V(1.5, 1.5, 1.5)))
	}
	mixed := rand.New(rand.NewPCG(1, 1)).Perm(len(grid))
	shuffled := make([]vec.Vec3, len(grid))
	for i, at := range mixed {
		shuffled[i] = grid[at]
	}
	for _, m := range []Method{WindingFast, FMM} {
		s, err := New(mesh, Options{Method: m, Workers: 1, Depth: "2"})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		answers := func(points []vec.Vec3) ([]Place, []float64, error) {
			places, values := make([]Place, len(points)), make([]float64, len(points))
			return places, values, s.Locate(points, places, values)
		}
		places, values, err := answers(grid)
		mixedPlaces, mixedValues, mixedErr := answers(shuffled)
		if err != nil || mixedErr != nil {
			t.Fatal(err, mixedErr)
		}
		for i, at := range mixed {
			if places[at] != mixedPlaces[i] || values[at] != mixedValues[i] {
				t.Fatalf("%s, point %v: %v, %v, shuffled %v, %v", m, grid[at], places[at], values[at], mixedPlaces[i], mixedValues[i])
			}
		}
		// Points that are not finite must not change the results of other points.
		broken := slices.Clone(shuffled)
		broken[20000].X, broken[300].Y = math.NaN(), math.Inf(1)
		places, values, err = answers(broken)
		if !errors.Is(err, geometry.ErrNotFinite) || !strings.Contains(err.Error(), "point 300 ") || !strings.Contains(err.Error(), "(2 such") {
			t.Errorf("%s: %v, expected point 300 of two", m, err)
		}
		for i, place := range places {
			if i == 300 || i == 20000 {
				if place != Outside || !math.IsNaN(values[i]) {
					t.Errorf("%s: point %v is %v, value %v", m, broken[i], place, values[i])
				}
			} else if place != mixedPlaces[i] || math.Abs(values[i]-mixedValues[i]) > 0.01 {
				t.Fatalf("%s: point %v is %v, %v beside points that are not finite, %v, %v without", m, broken[i], place, values[i], mixedPlaces[i], mixedValues[i])
			}
		}
		if n := testing.AllocsPerRun(2, func() { _ = s.Locate(grid, places, values) }); n != 0 {
			t.Errorf("%s: %v allocations", m, n)
		}
	}
}
