package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside"
	"github.com/scree-dem/scree/vec"
)

type point = vec.Vec3

// gridAbout returns the centres of side³ equal cells of a cube about a mesh, x fastest. It is the
// smallest cube whose sides lie on a grid with a power of two as its unit, an eighth to a quarter
// of the mesh's largest half side. Therefore the points of a grid of 64³ have coordinates equal to
// those of vertices and edges of a dyadic mesh.
func gridAbout(m *geometry.Mesh, side int) []point {
	box := m.Box()
	size := box.Size()
	_, exponent := math.Frexp(0.5 * max(size.X, size.Y, size.Z))
	unit := math.Ldexp(1, exponent-3)
	snap := func(v vec.Vec3, to func(float64) float64) vec.Vec3 {
		return vec.V(to(v.X/unit), to(v.Y/unit), to(v.Z/unit)).Scale(unit)
	}
	box = vec.Box{Min: snap(box.Min, math.Floor), Max: snap(box.Max, math.Ceil)}
	size = box.Size()
	half := 0.5 * max(size.X, size.Y, size.Z)
	at := func(k float64) float64 { return float64(half * (2*k + float64(1-side)) / float64(side)) }
	points := make([]point, side*side*side)
	for i := range points {
		k := site(i, side)
		points[i] = box.Center().Add(vec.V(at(k.X), at(k.Y), at(k.Z)))
	}
	return points
}

// shuffled returns the points in a random order.
func shuffled(points []point, seed uint64) []point {
	mixed := slices.Clone(points)
	r := rand.New(rand.NewPCG(seed, 16))
	r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	return mixed
}

// randomIn returns n seeded points, uniform in the box of a mesh.
func randomIn(m *geometry.Mesh, n int, seed uint64) []point {
	box, r := m.Box(), rand.New(rand.NewPCG(seed, 62))
	size, points := box.Size(), make([]point, n)
	for i := range points {
		points[i] = box.Min.Add(vec.V(float64(size.X*r.Float64()), float64(size.Y*r.Float64()), float64(size.Z*r.Float64())))
	}
	return points
}

// A method that tries all faces gets a sample of the points if points times faces exceed a limit.
// The sample then has the work of the limit, or insideFew points in a long study.
const (
	insideLimit     = 200_000_000
	insideLimitLong = 10_000_000_000
	insideFew       = 10_000
	// insideCheck is the number of points at which rays verify the truth.
	insideCheck = 500
)

// insideSample returns the number of points for a method.
func insideSample(method string, points, faces int, long bool) int {
	switch {
	case method != "ray" && method != "winding":
		return points
	case long && points*faces > insideLimitLong:
		return min(points, insideFew)
	case !long && points*faces > insideLimit:
		return min(points, max(insideLimit/faces, 1))
	}
	return points
}

// sampled returns the indices of the points for a method, in ascending order; nil means all points.
func (s *insideScene) sampled(method string, o *InsideOptions) []int {
	n := insideSample(method, len(s.points), len(s.mesh.Faces), o.Long)
	if o.Full || n == len(s.points) {
		return nil
	}
	return sample(len(s.points), n, o.Seed)
}

// sample returns n random indices below all, in ascending order.
func sample(all, n int, seed uint64) []int {
	rows := rand.New(rand.NewPCG(seed, 61)).Perm(all)[:n]
	slices.Sort(rows)
	return rows
}

// chosen returns the items of the given indices, or all for nil.
func chosen[T any](all []T, rows []int) (some []T) {
	if rows == nil || all == nil {
		return all
	}
	for _, i := range rows {
		some = append(some, all[i])
	}
	return some
}

// know computes the true places with method auto, which is exact. Rays verify a sample of them;
// rays and auto share only the signs. auto refuses open meshes. If method accepts open meshes, the
// true places and values are then those of winding.
func (s *insideScene) know(e *Env, o *InsideOptions, method string) {
	if s.truth != nil {
		return
	}
	truth := make([]inside.Place, len(s.points))
	err := s.locate(inside.Options{Method: inside.Auto, Workers: o.Workers}, s.points, truth, nil)
	if err != nil && inside.Method(method).TakesOpen() {
		s.values = make([]float64, len(s.points))
		err = s.locate(inside.Options{Method: inside.Winding, Workers: o.Workers}, s.points, truth, s.values)
	}
	e.check(err)
	if s.truth = truth; s.values != nil {
		return
	}
	rows := sample(len(s.points), min(insideCheck, len(s.points)), o.Seed+1)
	points, want := chosen(s.points, rows), chosen(s.truth, rows)
	places := make([]inside.Place, len(points))
	e.check(s.locate(inside.Options{Method: inside.Ray, Workers: o.Workers, Seed: o.Seed + 1}, points, places, nil))
	for i := range places {
		if places[i] != want[i] {
			e.check(fmt.Errorf("point %v is %v by auto, expected %v as by ray", points[i], want[i], places[i]))
		}
	}
}

func (s *insideScene) locate(o inside.Options, points []point, places []inside.Place, values []float64) error {
	solid, err := inside.New(s.mesh, o)
	if err != nil {
		return err
	}
	defer solid.Close()
	return solid.Locate(points, places, values)
}
