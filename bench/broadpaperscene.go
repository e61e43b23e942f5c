package bench

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/multilevel"
	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// The series of Muth et al. 2007, section 3. If the paper has no speeds, balls start with random
// ones.
const (
	planarSeries    = "2d"        // 3.1: sizes 1 to 3; the container grows with the number
	equalSeries     = "3d"        // 3.2: one size; the container grows with the number
	fracturedSeries = "fractured" // 3.3: one box; more and more balls are broken into (R/r)³ each
	pictureSeries   = "picture"   // Figs 8 and 9: 300 discs at the start and after 2 s
)

var broadSeries = []string{planarSeries, equalSeries, fracturedSeries, pictureSeries}

// paperSystem is one system of a series: balls or discs in a box, without damping and friction.
type paperSystem struct {
	series    string
	ratio     float64 // R/r of the fractured series; 1 for the other series
	planar    bool
	stiffness float64 // N/m
	density   float64 // kg/m³; of discs kg/m²
	dt        float64 // s, the paper's
	long      float64 // s, the paper's run
	// contactSteps is the number of untimed steps in a contact time of the smallest balls. Longer steps
	// make a larger energy error. The fractured series has few contacts and the most steps.
	contactSteps float64
	every        int // number of steps from a search to the next
	gravity      vec.Vec3
	box          vec.Vec3 // m, one corner at the origin, the size
	cell         float64  // m, length of the paper's linked cells
	at, vel      []vec.Vec3
	radius       []float64
}

// Numbers of balls of the series. The fractured series has the numbers of broken balls.
var (
	planarCounts    = []int{244, 488, 975, 1950, 3900, 7800}
	equalSides      = []int{8, 13, 18, 23, 28, 33, 39}
	fracturedBroken = []int{0, 493, 526, 498, 520} // by R/r - 1
)

// systemsOf makes the systems of a series.
func systemsOf(series string, seed uint64) (all []*paperSystem, err error) {
	switch series {
	case planarSeries:
		for i, n := range planarCounts {
			s, err := planarSystem(n, i, seed)
			if err != nil {
				return nil, err
			}
			all = append(all, s)
		}
	case equalSeries:
		for _, side := range equalSides {
			all = append(all, equalSystem(side, seed))
		}
	case fracturedSeries:
		for i, broken := range fracturedBroken {
			all = append(all, fracturedSystem(i+1, broken, seed))
		}
	default:
		all = append(all, pictureSystem(seed))
	}
	return all, nil
}

// planarSystem makes n discs of radii 0.5 to 1.5 mm in a container of 5 × 5 linked cells, doubled i
// times. The density is about 0.67.
func planarSystem(n, i int, seed uint64) (*paperSystem, error) {
	const cell = 7e-3
	s := &paperSystem{
		series: planarSeries, ratio: 1, planar: true, stiffness: 1e7, density: 7000, dt: 1e-7, long: 2, contactSteps: 16,
		gravity: vec.V(0, -Gravity, 0), cell: cell,
		box: vec.V(float64(int(5)<<((i+1)/2))*cell, float64(int(5)<<(i/2))*cell, 0),
	}
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	for _, k := range r.Perm(n) {
		// Draw one size in each n-th of the range, so that the density does not depend on n.
		s.radius = append(s.radius, 5e-4+float64(1e-3*((float64(k)+float64(r.Float64()))/float64(n))))
		s.at = append(s.at, vec.V(r.Float64()*s.box.X, r.Float64()*s.box.Y, 0))
	}
	if err := s.separate(); err != nil {
		return nil, err
	}
	s.number()
	s.setVelocities(r, 0.1)
	return s, nil
}

// equalSystem makes a cube of side³ balls, about three for each linked cell.
func equalSystem(side int, seed uint64) *paperSystem {
	const cell = 2e-3
	n := side * side * side
	length := cell * math.Round(math.Cbrt(float64(n)/3))
	s := &paperSystem{
		series: equalSeries, ratio: 1, stiffness: 1e5, density: 1e10, dt: 1e-5, long: 0.2, contactSteps: 50,
		box: vec.V(length, length, length), cell: cell,
	}
	s.lattice(side, length/float64(side), 5e-4)
	s.setVelocities(rand.New(rand.NewPCG(seed, uint64(n))), 0.02)
	return s
}

// fracturedSystem makes 1000 balls on a lattice, and breaks some into k³ balls each. Broken balls
// have the volume and mass of the whole ones.
func fracturedSystem(k, broken int, seed uint64) *paperSystem {
	const side, apart, radius = 10, 0.033, 0.01
	s := &paperSystem{
		series: fracturedSeries, ratio: float64(k), stiffness: 4e6, density: 7000, dt: 4e-7, long: 0.26, contactSteps: 8,
		gravity: vec.V(0, 0, -Gravity),
		box:     vec.V(side*apart, side*apart, side*apart), cell: apart,
	}
	s.lattice(side, apart, radius)
	r := rand.New(rand.NewPCG(seed, uint64(k)))
	whole, radii := s.at, s.radius
	s.at, s.radius = nil, nil
	breaks := make([]bool, len(whole))
	for _, i := range r.Perm(len(whole))[:broken] {
		breaks[i] = true
	}
	for i, at := range whole {
		if !breaks[i] {
			s.at, s.radius = append(s.at, at), append(s.radius, radii[i])
			continue
		}
		part := apart / float64(k)
		corner := at.Sub(vec.V(1, 1, 1).Scale(0.5 * (apart - part)))
		for j := range k * k * k {
			s.at = append(s.at, corner.Add(site(j, k).Scale(part)))
			s.radius = append(s.radius, radius/float64(k))
		}
	}
	s.setVelocities(r, 2)
	return s
}

// pictureSystem makes 300 discs at rest above the ground, numbered row by row.
func pictureSystem(seed uint64) *paperSystem {
	const wide, high, apart = 25, 12, 3.4e-3
	s := &paperSystem{
		series: pictureSeries, ratio: 1, planar: true, stiffness: 1e7, density: 7000, dt: 1e-7, long: 2, contactSteps: 25, gravity: vec.V(0, -Gravity, 0),
		box: vec.V(wide*apart, (high+2)*apart, 0),
	}
	r := rand.New(rand.NewPCG(seed, wide*high))
	for i := range wide * high {
		radius := 5e-4 + float64(1e-3*r.Float64())
		room := 0.5*apart - radius
		move := vec.V(float64(2*room*r.Float64())-room, float64(2*room*r.Float64())-room, 0)
		s.at = append(s.at, vec.V(float64(i/high)+0.5, float64(i%high)+1.5, 0).Scale(apart).Add(move))
		s.radius = append(s.radius, radius)
	}
	s.vel = make([]vec.Vec3, len(s.at))
	return s
}

// lattice adds side³ balls, x fastest.
func (s *paperSystem) lattice(side int, apart, radius float64) {
	for i := range side * side * side {
		s.at = append(s.at, site(i, side).Add(vec.V(0.5, 0.5, 0.5)).Scale(apart))
		s.radius = append(s.radius, radius)
	}
}

// meanRadius returns the mean radius of the balls, m.
func (s *paperSystem) meanRadius() (mean float64) {
	for _, x := range s.radius {
		mean += x / float64(len(s.radius))
	}
	return mean
}

// setVelocities sets random velocities of about the given size, m/s.
func (s *paperSystem) setVelocities(r *rand.Rand, speed float64) {
	for range s.at {
		v := vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		if s.planar {
			v.Z = 0
		}
		s.vel = append(s.vel, v.Scale(speed/math.Sqrt(3)))
	}
}

const (
	// spare is the factor by which discs are enlarged while they are separated, so that they end
	// apart.
	spare = 1.01
	// separations is the largest number of iterations of separate.
	separations = 20000
)

// separate moves discs at random positions apart until none overlap.
func (s *paperSystem) separate() error {
	large := make([]float64, len(s.radius))
	for i, r := range s.radius {
		large[i] = spare * r
	}
	f, found := broad.NewFinder(multilevel.New()), &broad.Found{}
	for range separations {
		for i, p := range s.at {
			r := s.radius[i]
			s.at[i] = vec.V(min(max(p.X, r), s.box.X-r), min(max(p.Y, r), s.box.Y-r), 0)
		}
		if err := f.Find(&broad.Input{Centre: s.at, Radius: large}, found); err != nil {
			return err
		}
		apart := true
		for k, i := range found.A {
			apart = apart && s.at[i].Sub(s.at[found.B[k]]).Norm() >= s.radius[i]+s.radius[found.B[k]]
		}
		if apart {
			return nil
		}
		for k, i := range found.A {
			j := found.B[k]
			d := s.at[i].Sub(s.at[j])
			if far := d.Norm(); far > 0 {
				d = d.Scale(0.5 * (large[i] + large[j] - far) / far)
				s.at[i], s.at[j] = s.at[i].Add(d), s.at[j].Sub(d)
			}
		}
	}
	return fmt.Errorf("bench: %d discs in %g m by %g m overlap after %d pushes", len(s.at), s.box.X, s.box.Y, separations)
}

// number sorts balls by columns, so that neighbours have similar numbers.
func (s *paperSystem) number() {
	order := make([]int, len(s.at))
	for i := range order {
		order[i] = i
	}
	column := func(i int) int { return int(s.at[i].X / 2e-3) }
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(column(i), column(j)), cmp.Compare(s.at[i].Y, s.at[j].Y))
	})
	s.at, s.radius = chosen(s.at, order), chosen(s.radius, order)
}

// world makes a world of the system, with position Verlet as in the paper. c has all but the motion.
func (s *paperSystem) world(c engine.Config) (*engine.World, error) {
	law := force.Linear{Kn: s.stiffness, ByRestitution: true, Restitution: 1}
	c.Gravity, c.Planar, c.Integrator = s.gravity, s.planar, engine.PositionVerlet
	return newWorld(law, c, s.fill)
}

// fill adds the balls and the planes of the box.
func (s *paperSystem) fill(b *builder) {
	template := geometry.BallTemplate
	if s.planar {
		template = geometry.DiscTemplate
	}
	shapes := map[float64]soa.Shape{}
	for i, r := range s.radius {
		shape, known := shapes[r]
		if !known {
			shape = b.shape(template(r))
			shapes[r] = shape
		}
		b.body("", engine.Part{Shape: shape, Density: s.density}, unturned(s.at[i]), s.vel[i])
	}
	plane := []engine.Part{{Shape: b.shape(engine.PlaneTemplate(), nil)}}
	for _, side := range []struct{ point, normal vec.Vec3 }{
		{vec.Vec3{}, vec.V(1, 0, 0)}, {s.box, vec.V(-1, 0, 0)}, {vec.Vec3{}, vec.V(0, 1, 0)}, {s.box, vec.V(0, -1, 0)},
		{vec.Vec3{}, vec.V(0, 0, 1)}, {s.box, vec.V(0, 0, -1)},
	} {
		if !s.planar || side.normal.Z == 0 {
			b.wall(engine.WallSpec{Parts: plane, Pose: engine.PlanePose(side.point, side.normal)})
		}
	}
}
