package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// cornerBlock is an oracle in the plane: a rectangle of 1 kg whose corners have springs and dashpots.
// Corner springs have half of the stiffness of a face. The dashpot of a corner is limited to the
// spring's force.
type cornerBlock struct {
	x, z, angle    float64 // centre; positive angles turn x to z
	vx, vz, spin   float64
	width, height  float64
	floor          [][3]float64 // lines a·x + b·z = c with the unit normal (a, b) out of the floor
	k, zeta        float64      // N/m, of a face
	sticks         bool         // corners that touch do not slide
	feet           [4]float64   // x at which a corner that sticks has touched the floor
	touched        [4]bool
	lost           float64 // J
	inertia        float64
	gravity        float64
	forceX, forceZ float64
	moment         float64
}

// touch sums the forces of the corners. A corner feels the line that it is deepest behind.
func (b *cornerBlock) touch(dt float64) {
	sin, cos := math.Sincos(b.angle)
	b.forceX, b.forceZ, b.moment = 0, -b.gravity, 0
	for i := range 4 {
		u, w := b.width/2*float64(i%2*2-1), b.height/2*float64(i/2*2-1)
		rx, rz := u*cos-w*sin, u*sin+w*cos
		depth, normal := math.Inf(-1), [3]float64{}
		for _, l := range b.floor {
			if d := l[2] - l[0]*(b.x+rx) - l[1]*(b.z+rz); d > depth {
				depth, normal = d, l
			}
		}
		if depth <= 0 {
			b.touched[i] = false
			continue
		}
		vx, vz, lever := b.vx-b.spin*rz, b.vz+b.spin*rx, rx*normal[1]-rz*normal[0]
		spring := b.k / 2 * depth
		damping := 2 * b.zeta * math.Sqrt(b.k/2/(1+lever*lever/b.inertia))
		rate := -vx*normal[0] - vz*normal[1]
		dashpot := min(max(damping*rate, -spring), spring)
		b.lost += dashpot * rate * dt
		n := spring + dashpot
		fx, fz := n*normal[0], n*normal[1]
		if b.sticks {
			if !b.touched[i] {
				b.feet[i], b.touched[i] = b.x+rx, true
			}
			fx -= 0.4*b.k*(b.x+rx-b.feet[i]) + damping*vx
		}
		b.forceX, b.forceZ, b.moment = b.forceX+fx, b.forceZ+fz, b.moment+rx*fz-rz*fx
	}
}

// run moves the block for n steps and calls after behind each.
func (b *cornerBlock) run(n int, dt float64, after func()) {
	b.inertia, b.gravity = (b.width*b.width+b.height*b.height)/12, 9.81
	b.touch(dt)
	for range n {
		b.vx, b.vz, b.spin = b.vx+dt/2*b.forceX, b.vz+dt/2*b.forceZ, b.spin+dt/2*b.moment/b.inertia
		b.x, b.z, b.angle = b.x+dt*b.vx, b.z+dt*b.vz, b.angle+dt*b.spin
		b.touch(dt)
		b.vx, b.vz, b.spin = b.vx+dt/2*b.forceX, b.vz+dt/2*b.forceZ, b.spin+dt/2*b.moment/b.inertia
		after()
	}
}

// zetaOf returns the damping ratio of the thickness law for a restitution.
func zetaOf(e float64) float64 {
	low, high := 0.0, 64.0
	for range 60 {
		if mid := (low + high) / 2; force.RestitutionWithinForce(mid) > e {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// crossings collects, from the tilts of a rocking block, the energy that the first two crossings of
// the upright position keep.
type crossings struct {
	width, height float64
	last, most    float64
	energy, kept  []float64
}

func (c *crossings) see(tilt float64) {
	if c.last*tilt < 0 {
		edge, half := math.Atan(c.width/c.height), math.Hypot(c.width, c.height)/2
		c.energy = append(c.energy, half*(math.Cos(edge-c.most)-math.Cos(edge)))
		if n := len(c.energy); n > 1 && n <= 3 { // later crossings of wide blocks are no higher than the overlap
			c.kept = append(c.kept, c.energy[n-1]/c.energy[n-2])
		}
		c.most = 0
	}
	c.last, c.most = tilt, max(c.most, math.Abs(tilt))
}

// TestThicknessRocking lets a block four times as high as wide rock from half of the angle at which
// it topples (case V46). A crossing must keep as much energy as blocks with springs at two corners or
// under the whole face, between which the rigid block of Housner 1963 lies (0.8313).
func TestThicknessRocking(t *testing.T) {
	require.Numbers(t)
	const k, h = 4e6, 1.0
	const dt, n = 1.6e-5, 100_000
	for _, c := range []struct{ b, e, least, most float64 }{
		{0.25, 0.5, 0.8, 0.95}, {0.25, 0.3, 0.8, 0.94}, {0.25, 0.1, 0.8, 0.92}, {0.25, 0.05, 0.8, 0.92},
		// Limits of the law: a rigid block keeps 0.971 and 0.364.
		{0.1, 0.5, 0.97, 0.99}, {0.1, 0.05, 0.94, 0.99}, {0.6, 0.05, 0.35, 0.42},
	} {
		if !*soakPhysics && (c.b != 0.25 || c.e == 0.1) {
			continue
		}
		b, start := c.b, math.Atan(c.b/h)/2
		// The block stands on its right edge.
		centre := vec.V(-(b/2*math.Cos(start) - h/2*math.Sin(start)), 0, b/2*math.Sin(start)+h/2*math.Cos(start))
		oracle := cornerBlock{
			x: centre.X, z: centre.Z, angle: -start, width: b, height: h, k: k, zeta: zetaOf(c.e), sticks: true, floor: [][3]float64{{0, 1, 0}},
		}
		corners := crossings{width: b, height: h}
		oracle.run(n, dt, func() { corners.see(oracle.angle) })
		for _, floorOf := range []string{"a plane", "a block", "facets"} {
			if !*soakPhysics && floorOf != "a plane" && c.e == 0.3 {
				continue
			}
			w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: k, Tangential: 0.8 * k, Friction: 2, Restitution: c.e})
			switch floorOf {
			case "a plane":
				addFloor(t, w)
			case "a block":
				addWall(t, w, WallSpec{Pose: at(0, 0, -0.5), Parts: one(addShape(t, w, box(t, 4, 4, 1)), 0)})
			case "facets":
				gridFloor(5, 0, 1).wall(t, w, vec.IdentityPose, Motion{})
			}
			id := addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, b, 1, h)), 1/(b*h)), Pose: vec.Pose{Pos: centre, Rot: vec.FromRotationVector(vec.V(0, start, 0))}})
			seen := crossings{width: b, height: h}
			for range n {
				steps(t, w, 1, dt)
				q := w.Bodies().Rot.At(id)
				seen.see(2 * math.Atan2(q.Y, q.W))
			}
			if t.Logf("b/h = %g, e = %g on %s: keeps %.3f, with springs at corners %.3f", b, c.e, floorOf, seen.kept, corners.kept); len(seen.kept) == 0 {
				t.Fatalf("e = %g on %s: the block does not rock", c.e, floorOf)
			}
			for _, kept := range seen.kept {
				if kept < c.least || kept > c.most {
					t.Errorf("b/h = %g, e = %g on %s: a crossing keeps %.3f of the energy, expected %g to %g", b, c.e, floorOf, kept, c.least, c.most)
				}
			}
		}
	}
}

// TestThicknessRolling lets a hexagonal prism roll down a slope of 15°. It must be at least nearly as
// fast as a rimless wheel without restitution (McGeer 1990), which keeps k² of its energy at each
// impact, k = (cos 2α + κ)/(1 + κ) with 2α = 60° between legs and κ the inertia about the centre
// over m·R².
func TestThicknessRolling(t *testing.T) {
	require.Numbers(t)
	const stiffness, radius, dt = 1e6, 0.5, 5e-5
	var hexagon []vec.Vec3
	for i := range 6 {
		sin, cos := math.Sincos(math.Pi / 3 * float64(i))
		hexagon = append(hexagon, vec.V(radius*cos, -0.5, radius*sin), vec.V(radius*cos, 0.5, radius*sin))
	}
	area := 1.5 * math.Sqrt(3) * radius * radius
	sin, cos := math.Sincos(15 * math.Pi / 180)
	const inertia = 5.0 / 12 // of m·R²
	keeps := (math.Cos(math.Pi/3) + inertia) / (1 + inertia)
	// Steady rolling: fall of one side's length down the slope = loss of an impact. From the energy
	// before an impact the time of a side follows by integration over the angle of the leg.
	drop := radius * 9.81 * sin // of the centre, times g, for a side as long as the radius
	before := drop / (1 - keeps*keeps)
	whole, n := 0.0, 200_000
	for i := range n {
		leg := (float64(i)+0.5)/float64(n)*math.Pi/3 - math.Pi/6
		height := 9.81 * radius * (math.Cos(leg+15*math.Pi/180) - math.Cos(-math.Pi/6+15*math.Pi/180))
		speed := math.Sqrt(2 * (keeps*keeps*before - height) / ((1 + inertia) * radius * radius))
		whole += math.Pi / 3 / float64(n) / speed
	}
	want := radius / whole
	for _, e := range []float64{0.3, 0.1, 0.05} {
		w := newWorld(t, Config{Gravity: vec.V(9.81*sin, 0, -9.81*cos)}, force.Thickness{Stiffness: stiffness, Tangential: 0.8 * stiffness, Friction: 1, Restitution: e})
		addFloor(t, w)
		id := addBody(t, w, BodySpec{Parts: one(addShape(t, w, hull(t, hexagon)), 1/area), Pose: at(0, 0, radius*math.Sqrt(3)/2), Vel: vec.V(1.2, 0, 0), Spin: vec.V(0, 2.4, 0)})
		steps(t, w, int(2/dt), dt)
		x := w.Bodies().Pos.X[id]
		steps(t, w, int(4/dt), dt)
		speed := (w.Bodies().Pos.X[id] - x) / 4
		if t.Logf("e = %g: rolls at %.3f m/s, a rimless wheel at %.3f", e, speed, want); speed < 0.9*want {
			t.Errorf("e = %g: the prism rolls at %.3f m/s, expected at least %.3f", e, speed, 0.9*want)
		}
	}
}

// pipeFloor returns the lines of a pipe about the origin with sides of the given angle, rad, from
// 90° to one side to 90° to the other.
func pipeFloor(radius, side float64) (lines [][3]float64) {
	for a := -math.Pi/2 + side/2; a < math.Pi/2; a += side {
		lines = append(lines, [3]float64{-math.Sin(a), math.Cos(a), -radius * math.Cos(side/2)})
	}
	return lines
}

// TestThicknessSlidesOverBends lets a frictionless block slide over valleys and swing in half pipes
// of facets (case V47). The law must lose what impacts on the bends lose: as much as on two planes,
// and about as much as a block with springs at its corners on the same polygon.
func TestThicknessSlidesOverBends(t *testing.T) {
	require.Numbers(t)
	const k, dt = 1e6, 4e-5
	law := force.Thickness{Stiffness: k, Restitution: 0.3}
	block := func(w *World) []Part { return one(addShape(t, w, box(t, 1, 0.7, 0.3)), 1/0.21) }
	lost := func(w *World, pose vec.Pose, vel vec.Vec3, seconds float64) float64 {
		addBody(t, w, BodySpec{Parts: block(w), Pose: pose, Vel: vel})
		steps(t, w, int(seconds/dt), dt)
		return w.Measure().Ledger.Damping
	}
	for _, c := range []struct{ degrees, yaw float64 }{{2, 0}, {5, 0}, {2, 0.2}, {2, 1.5}, {5, 0.1}} {
		bend := c.degrees * math.Pi / 180
		start, vel := vec.Pose{Pos: vec.V(-1, 0, 0.15-9.81/k), Rot: vec.FromRotationVector(vec.V(0, 0, c.yaw))}, vec.V(3, 0, 0)
		w := newWorld(t, Config{Gravity: down}, law)
		twoSlopes(bend).wall(t, w, vec.IdentityPose, Motion{})
		facets := lost(w, start, vel, 0.9)
		w = newWorld(t, Config{Gravity: down}, law)
		planeWall(t, w, PlanePose(vec.Vec3{}, vec.V(0, 0, 1)), Motion{})
		planeWall(t, w, PlanePose(vec.Vec3{}, vec.V(-math.Sin(bend), 0, math.Cos(bend))), Motion{})
		planes := lost(w, start, vel, 0.9)
		t.Logf("a valley of %g°, turned by %g rad: loses %.4f J, on planes %.4f J", c.degrees, c.yaw, facets, planes)
		if facets > 1.3*planes {
			t.Errorf("a valley of %g°, turned by %g rad: the block loses %.4f J of 4.5 J, on planes %.4f J", c.degrees, c.yaw, facets, planes)
		}
	}
	const radius = 5.0
	seconds := 2.5 // half a swing
	if *soakPhysics {
		seconds = 10
	}
	coarser := math.Inf(1)
	for _, degrees := range []float64{2, 0.5} {
		side := degrees * math.Pi / 180
		var wall triangles
		for _, l := range pipeFloor(radius, side) {
			middle := math.Atan2(-l[0], l[1])
			p := func(a, y float64) vec.Vec3 { return vec.V(radius*math.Sin(a), y, radius*(1-math.Cos(a))) }
			wall = append(wall, []vec.Vec3{p(middle-side/2, -1), p(middle+side/2, -1), p(middle+side/2, 1), p(middle-side/2, 1)})
		}
		height, angle := math.Sqrt(radius*radius-0.25)-0.15, math.Pi/6
		pose := vec.Pose{
			Pos: vec.V(height*math.Sin(angle), 0, radius-height*math.Cos(angle)), Rot: vec.FromRotationVector(vec.V(0, -angle, 0)),
		}
		oracle := cornerBlock{
			x: pose.Pos.X, z: pose.Pos.Z - radius, angle: angle, width: 1, height: 0.3, k: k, zeta: zetaOf(0.3), floor: pipeFloor(radius, side),
		}
		oracle.run(int(seconds/dt), dt, func() {})
		w := newWorld(t, Config{Gravity: down}, law)
		wall.wall(t, w, vec.IdentityPose, Motion{})
		got := lost(w, pose, vec.Vec3{}, seconds)
		t.Logf("a half pipe of sides of %g°: loses %.3f J, with springs at corners %.3f J", degrees, got, oracle.lost)
		if got > 2*oracle.lost || got > coarser {
			t.Errorf("a half pipe of sides of %g°: the block loses %.3f J; expected at most twice the %.3f J of springs at corners, and the %.3f J of larger sides",
				degrees, got, oracle.lost, coarser)
		}
		coarser = got
	}
}

// TestThicknessKeepsWhatSlides moves settled blocks without friction so that the overlap stays as it
// is: along and about the normal of a plane, and along a drum of facets. Dashpots must take nothing.
func TestThicknessKeepsWhatSlides(t *testing.T) {
	const k, dt = 1e6, 4e-5
	for name, c := range map[string]struct {
		wall      triangles
		vel, spin vec.Vec3
	}{
		"along a plane": {gridFloor(4, 0, 1).moved(vec.V(0, 0, -2)), vec.V(1, 0.5, 0), vec.Vec3{}},
		"turns":         {gridFloor(4, 0, 1).moved(vec.V(0, 0, -2)), vec.Vec3{}, vec.V(0, 0, 3)},
		"along a drum":  {drum(24), vec.V(0, 1, 0), vec.Vec3{}},
	} {
		w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: k, Restitution: 0.2})
		c.wall.wall(t, w, vec.IdentityPose, Motion{})
		id := addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 0.8, 0.5, 0.3)), 1/0.12), Pose: at(0, 0, 0.17-2)})
		steps(t, w, int(1/dt), dt)
		w.SetVelocity(soa.ID(id), c.vel, c.spin)
		before := w.Measure().Ledger.Damping
		steps(t, w, int(0.2/dt), dt)
		if lost := w.Measure().Ledger.Damping - before; math.Abs(lost) > 1e-12 {
			t.Errorf("%s: dashpots take %.2g J of a block that slides", name, lost)
		}
	}
}

// TestThicknessStiffDashpots drops a tilted brick of a low restitution. A dashpot may give energy in a
// step only by the error of the step, which falls with its third power.
func TestThicknessStiffDashpots(t *testing.T) {
	gives := func(dt float64) (most, lost float64) {
		w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: 1e6, Restitution: 0.05})
		addFloor(t, w)
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 0.5, 0.3, 0.2)), 1/0.03), Pose: vec.Pose{Pos: vec.V(0.03, 0.02, 0.105), Rot: vec.FromRotationVector(vec.V(0.01, 0.02, 0.3))}})
		for range int(0.2 / dt) {
			before := w.Measure().Ledger.Damping
			steps(t, w, 1, dt)
			lost = w.Measure().Ledger.Damping
			most = max(most, before-lost)
		}
		return most, lost
	}
	contact := ofContact(1e6, 1)
	coarse, lost := gives(contact / 110)
	fine, _ := gives(contact / 440)
	t.Logf("of %.3g J lost a dashpot gives back at most %.2g J in a step of a 110th of the contact time, %.2g J in a quarter of that", lost, coarse, fine)
	if coarse > 1e-5*lost || fine > coarse/16 {
		t.Errorf("of %g J lost a dashpot gives back %g J in a step, %g J in a quarter of it", lost, coarse, fine)
	}
}
