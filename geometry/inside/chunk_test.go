package inside

import (
	"testing"

	"github.com/scree-dem/scree/vec"
)

// TestFewPointsAreShared checks that a thousand points are divided among workers if each costs a
// pass over all triangles.
func TestFewPointsAreShared(t *testing.T) {
	points := make([]vec.Vec3, 1000)
	for i := range points {
		points[i] = unit.Scale(float64(i+1) / 1002)
	}
	places := make([]Place, len(points))
	for _, m := range []Method{Ray, Winding} {
		s, err := New(boxMesh(vec.Vec3{}, unit), Options{Method: m, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		before := s.pool.Stats().Chunks
		if err := s.Locate(points, places, nil); err != nil {
			t.Fatal(err)
		}
		if n := s.pool.Stats().Chunks - before; n < 10 {
			t.Errorf("%s: %d chunks, expected a few for each worker", m, n)
		}
	}
}
