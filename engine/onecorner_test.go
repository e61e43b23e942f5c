package engine

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// pleats returns n facets around one corner. Every second edge is a ridge that is rise above the
// valleys beside it.
func pleats(n int, rise float64) (wall triangles) {
	at := func(k int) vec.Vec3 {
		s, c := vec.Sincos(2 * math.Pi * float64(k%n) / float64(n))
		return vec.V(c, s, -0.5+rise*float64(k%n%2))
	}
	for k := range n {
		wall = append(wall, []vec.Vec3{{}, at(k), at(k + 1)})
	}
	return wall
}

// TestFacetsAtOneCorner puts a cube on walls whose facets all meet at one corner. A smooth cone of
// any number of facets, and a few pleats, carry it. Many pleats would take time n⁴: the world stops
// with a fault that names the wall and the corner, also a world that is read further.
func TestFacetsAtOneCorner(t *testing.T) {
	for _, c := range []struct {
		facets int
		rise   float64
		want   string
	}{
		{5000, 0, ""}, {60, 0.2, ""},
		{3000, 0.004, `engine: wall 0 "fan": 3000 facets meet at the corner (0, 0, 0) m of the wall's frame, expected fewer`},
	} {
		t.Run(fmt.Sprint(c.facets, " facets, rise ", c.rise), func(t *testing.T) {
			w := newWorld(t, Config{}, force.Thickness{Stiffness: 1e5, Restitution: 0.5})
			addWall(t, w, WallSpec{Name: "fan", Parts: pleats(c.facets, c.rise).parts(t, w), Pose: vec.IdentityPose})
			addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 1, 1, 1)), 1000), Pose: at(0.2, 0.3, 0.3)})
			err := w.Fault()
			if c.want == "" {
				if m := w.Measure(); err != nil || m.Active == 0 {
					t.Errorf("%d contacts, error %v", m.Active, err)
				}
				return
			}
			if !errors.Is(err, ErrTangled) || !errors.Is(err, ErrFault) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, expected %s", err, c.want)
			}
			if again := w.Step(1e-6); again != err || w.Contacts().Len() != 0 || w.Measure().Active != 0 || len(w.State()) == 0 {
				t.Errorf("a step, measures and state after the fault: %v", again)
			}
		})
	}
}
