package inside

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/vec"
)

// TestSeveralGoroutines checks that concurrent calls return the results of consecutive calls,
// including calls with points sorted for clusters and points that are not finite.
func TestSeveralGoroutines(t *testing.T) {
	mesh, err := surfaces.Torus(1, 0.4, 40, 20)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 3))
	const callers = 4
	var points [callers][]vec.Vec3
	for c := range points {
		n := 200
		if c == 0 {
			n = chunkMany + 100 // more than Locate accepts without sorting
		}
		for range n {
			points[c] = append(points[c], vec.V(3*rng.Float64()-1.5, 3*rng.Float64()-1.5, rng.Float64()-0.5))
		}
		points[c][c].Y = math.NaN()
	}
	for _, m := range Methods {
		s, err := New(mesh, Options{Method: m, Workers: 3})
		if err != nil {
			t.Fatal(err)
		}
		call := func(c int) (places []Place, values []float64, err error) {
			places, values = make([]Place, len(points[c])), make([]float64, len(points[c]))
			return places, values, s.Locate(points[c], places, values)
		}
		var wait sync.WaitGroup
		for c := range callers {
			if c == 0 && !m.byClusters() {
				continue
			}
			wantPlaces, wantValues, wantErr := call(c)
			wait.Go(func() {
				for range 3 {
					places, values, err := call(c)
					same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
					if err == nil || err.Error() != wantErr.Error() || !slices.Equal(places, wantPlaces) || !slices.EqualFunc(values, wantValues, same) {
						t.Errorf("%s, caller %d: %v, expected %v and the answers of one call at a time", m, c, err, wantErr)
					}
				}
			})
		}
		wait.Wait()
		s.Close()
	}
}
