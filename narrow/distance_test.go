package narrow_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// The distance between a box and another one beside it, rotated by 45°.
func ExampleDistance() {
	box := must(geometry.Box(1, 1, 1)).Template()
	turned := vec.Pose{Pos: vec.V(2, 0, 0), Rot: vec.FromRotationVector(vec.V(0, 0, math.Pi/4))}
	d := must(narrow.Distance(box, vec.Pose{}, box, turned))
	fmt.Printf("%.4f m along (%.0f, %.0f, %.0f)\n", d.Gap, d.Normal.X, d.Normal.Y, d.Normal.Z)
	// Output: 0.7929 m along (1, 0, 0)
}

// TestDistance has pairs far apart, for which a search with reach 0 may return a lower bound, in
// either order and for all kinds. The frames are those of the shapes' files, whose origins are not
// the centroids.
func TestDistance(t *testing.T) {
	corner := must(geometry.FromPoints("corner", []vec.Vec3{
		{}, {X: 1}, {Y: 1}, {X: 1, Y: 1}, {Z: 1}, {X: 1, Z: 1}, {Y: 1, Z: 1}, {X: 1, Y: 1, Z: 1},
	})).Template() // a cube with a corner at its origin
	rock := must(geometry.Rock(7, 20, 0.5)).Template()
	ball := &soa.Template{Name: "ball", Kind: soa.Ball, Radius: 0.5, Inner: 0.5}
	ball.Volume = 1
	plane := &soa.Template{Name: "plane", Kind: soa.Plane}
	at := func(x, y, z float64) vec.Pose { return vec.Pose{Pos: vec.V(x, y, z)} }
	for _, c := range []struct {
		name string
		a, b *soa.Template
		pb   vec.Pose
		want float64
	}{
		{"corner to corner", corner, corner, at(4, 5, 6), math.Sqrt(9 + 16 + 25)},
		{"turned about the file's origin", corner, corner, vec.Pose{Pos: vec.V(3, 0, 0), Rot: vec.FromRotationVector(vec.V(0, 0, math.Pi/2))}, 1},
		{"overlap", corner, corner, at(0.25, 0.5, 0.75), -0.25},
		{"ball and block", ball, corner, at(3, 3, 3), math.Sqrt(27) - 0.5},
		{"block and plane", corner, plane, at(0, 0, -2), 2},
		{"ball and plane", ball, plane, at(0, 0, -2), 1.5},
	} {
		for _, swapped := range []bool{false, true} {
			d, err := narrow.Distance(c.a, vec.Pose{}, c.b, c.pb)
			if swapped {
				d, err = narrow.Distance(c.b, c.pb, c.a, vec.Pose{})
			}
			if err != nil || math.Abs(d.Gap-c.want) > 1e-12 || d.OnB.Sub(d.OnA.AddScaled(d.Gap, d.Normal)).Norm() > 1e-12 {
				t.Errorf("%s, swapped %v: %+v, %v; expected %g", c.name, swapped, d, err, c.want)
			}
		}
	}
	// A rock apart: the search with reach 0 stops at a bound; the distance does not.
	var arena soa.Shapes
	a, b := must(arena.Add(rock)), must(arena.Add(corner))
	bounds := 0
	for k := range 40 {
		pa := vec.Pose{Pos: vec.V(1.3+0.1*float64(k), 2.2, -0.4), Rot: vec.FromRotationVector(vec.V(float64(k), 1, 2))}
		var bound, exact narrow.Answer
		s := narrow.NewSearch()
		pc := vec.Pose{Pos: pa.Point(rock.Origin), Rot: pa.Rot}
		s.Resolve(arena.View(a), pc, arena.View(b), vec.Pose{Pos: corner.Origin, Rot: vec.Identity}, 0, &bound)
		s.Exhaustive(arena.View(a), pc, arena.View(b), vec.Pose{Pos: corner.Origin, Rot: vec.Identity}, math.Inf(1), &exact)
		d := must(narrow.Distance(rock, pa, corner, vec.Pose{}))
		if math.Abs(d.Gap-exact.Gap) > 1e-12*(1+exact.Gap) {
			t.Errorf("pose %d: %g, expected %g", k, d.Gap, exact.Gap)
		}
		if bound.Gap < d.Gap-1e-9 {
			bounds++
		}
	}
	if bounds == 0 {
		t.Error("no pair for which reach 0 gives less than the distance")
	}
	// The mirror image of a cube, whose loops run clockwise: no face holds a projection.
	mirrored := *corner
	mirrored.Verts, mirrored.Normals = slices.Clone(corner.Verts), slices.Clone(corner.Normals)
	for _, points := range [][]vec.Vec3{mirrored.Verts, mirrored.Normals} {
		for k := range points {
			points[k].X = -points[k].X
		}
	}
	for want, ask := range map[string]func() (narrow.Separation, error){
		"is nil": func() (narrow.Separation, error) { return narrow.Distance(nil, vec.Pose{}, rock, vec.Pose{}) },
		"unit quaternion": func() (narrow.Separation, error) {
			return narrow.Distance(rock, vec.Pose{Rot: vec.Quat{W: 2}}, rock, vec.Pose{})
		},
		"expected finite": func() (narrow.Separation, error) {
			return narrow.Distance(rock, at(math.NaN(), 0, 0), rock, vec.Pose{})
		},
		"not converged": func() (narrow.Separation, error) {
			return narrow.Distance(&mirrored, vec.Pose{}, corner, vec.Pose{Pos: vec.V(0.5, 0.5, 2), Rot: vec.FromRotationVector(vec.V(0.3, 0.5, 0))})
		},
		"have no gap": func() (narrow.Separation, error) { return narrow.Distance(plane, vec.Pose{}, plane, vec.Pose{}) },
	} {
		if _, err := ask(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %q in it", err, want)
		}
	}
}

// TestDistanceFar moves shapes so far apart that the squares of their distances overflow.
func TestDistanceFar(t *testing.T) {
	ball, box := must(geometry.BallTemplate(1)), must(geometry.Box(1, 1, 1)).Template()
	rock := must(geometry.Rock(1, 40, 1)).Template()
	facet := must(geometry.FacetTemplate(vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(0, 1, 0)))
	for _, pair := range [][2]*soa.Template{{ball, ball}, {ball, box}, {ball, rock}, {ball, facet}, {box, rock}, {rock, facet}} {
		for _, far := range []float64{1e20, 1e150, 1e160, 1e300} {
			for _, way := range []vec.Vec3{vec.V(1, 0.5, 0.25), vec.V(1, 0.5, 0), vec.V(0, 0, -1)} {
				d, err := narrow.Distance(pair[0], vec.Pose{Pos: way.Scale(far)}, pair[1], vec.Pose{})
				want := way.Norm() * far
				if err != nil || !(math.Abs(d.Gap-want) <= 1e-12*want) || !(d.Normal.Add(way.Unit()).Norm() <= 1e-12) {
					t.Errorf("%s and %s, %g m apart: %+v, %v", pair[0].Name, pair[1].Name, want, d, err)
				}
			}
		}
	}
}
