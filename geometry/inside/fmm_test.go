package inside

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/vec"
)

// TestMethodsByClusters compares fmm and winding-fast with auto on a foam of high genus with
// vertices on a dyadic grid. Three workers must return the bits of one worker.
func TestMethodsByClusters(t *testing.T) {
	require.Numbers(t)
	mesh, err := surfaces.Parse("dyadic-foam:1,8")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	points := make([]vec.Vec3, 34000)
	for i := range points {
		points[i] = vec.V(2*r.Float64()-1, 2*r.Float64()-1, 2*r.Float64()-1)
	}
	answers := func(o Options) (*Solid, []Place, []float64) {
		s, err := New(mesh, o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		places, values := make([]Place, len(points)), make([]float64, len(points))
		if err := s.Locate(points, places, values); err != nil {
			t.Fatal(err)
		}
		return s, places, values
	}
	_, truth, _ := answers(Options{Method: Auto, Workers: 1})
	for _, o := range []Options{
		{Method: WindingFast}, {Method: FMM, Depth: "3"}, {Method: FMM, Points: 500000}, {Method: FMM, Depth: "pre"}, {Method: FMM, Depth: "2", Degree: 3, Leaf: 5},
		{Method: FMM, Direct: "never", Points: 1000}, {Method: FMM, Degree: DegreeOfTriangles, Separation: 1.5}, {Method: FMM, Depth: "3", Separation: 3.5},
		{Method: FMM, Depth: "2", Box: vec.Box{Min: vec.V(-9, -9, -9), Max: vec.V(3, 3, 3)}},
	} {
		o.Workers = 1
		s, places, one := answers(o)
		o.Workers = 3
		_, _, three := answers(o)
		bound := 0.01
		if o.Method == FMM {
			// With one level nothing is converted, so no terms are omitted.
			bound = s.Report.Bound + 0x1p-40
			if !(bound < 0.5) || s.Report.Bound <= 0 && s.Report.Depth > 1 || s.Report.Degree == 0 || s.Report.Depth == 0 || s.Report.Cells == 0 {
				t.Errorf("%+v: report %+v", o, s.Report)
			}
		}
		for i := range points {
			if places[i] != truth[i] || one[i] != three[i] || math.Abs(one[i]-math.Round(one[i])) > bound {
				t.Fatalf("%+v: point %v: %v, value %v, with three workers %v; auto has %v", o, points[i], places[i], one[i], three[i], truth[i])
			}
		}
	}
}

func TestMethodsByClustersRefuse(t *testing.T) {
	mesh, err := surfaces.Sphere(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Depth: "deep"}, `depth is "deep", expected well, pre or a number from 1 to 8`},
		{Options{Depth: "0"}, `depth is "0"`},
		{Options{Depth: "9"}, `depth is "9"`},
		{Options{Degree: 17}, "degree is 17, expected 1 to 16"},
		{Options{Leaf: -3}, "leaf is -3 triangles"},
		{Options{Points: -1}, "number of points is -1"},
		{Options{Degree: -2}, "degree is -2"},
		{Options{Separation: 1}, "separation is 1, expected more than 1 and at most 8"},
		{Options{Separation: math.NaN()}, "separation is NaN"},
		{Options{Separation: 8.5}, "separation is 8.5"},
		{Options{Direct: "always"}, `direct is "always", expected auto or never`},
		{Options{Box: vec.Box{Min: vec.V(1, 0, 0), Max: vec.V(0, 1, 1)}}, "box is {1 0 0} to {0 1 1}, which is empty"},
		{Options{Box: vec.Box{Max: vec.V(1, 1, 0)}}, "which is empty"},
		{Options{Box: vec.Box{Min: vec.V(120, 0, 0), Max: vec.V(130, 1, 1)}}, "131 long together with the mesh, expected at most 128"},
	} {
		c.o.Method = FMM
		if _, err := New(mesh, c.o); !errors.Is(err, geometry.ErrValue) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		}
	}
	endless := vec.Box{Max: vec.V(1, 1, math.Inf(1))}
	if _, err := New(mesh, Options{Method: FMM, Box: endless}); !errors.Is(err, geometry.ErrNotFinite) {
		t.Errorf("an endless box: %v", err)
	}
	mesh.Faces = mesh.Faces[1:]
	if _, err := New(mesh, Options{Method: FMM}); !errors.Is(err, geometry.ErrNotClosed) {
		t.Errorf("an open mesh: %v", err)
	}
	s, err := New(mesh, Options{Method: WindingFast})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	places, values := make([]Place, 1), make([]float64, 1)
	if err := s.Locate([]vec.Vec3{{}}, places, values); err != nil || places[0] != Inside || !(values[0] > 0.9 && values[0] < 1) {
		t.Errorf("winding-fast on an open mesh: %v, %v, %v", places, values, err)
	}
}
