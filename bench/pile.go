package bench

import (
	"errors"
	"fmt"
	"math"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// builder adds shapes, bodies and walls to a world. It stores the first error and adds nothing
// after an error.
type builder struct {
	w   *engine.World
	err error
}

// newWorld makes a world with one material, and calls fill to fill it.
func newWorld(law force.Parameters, c engine.Config, fill func(b *builder)) (*engine.World, error) {
	var err error
	if c.Law, err = force.NewTable(1, law); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	w, err := engine.New(c)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	b := &builder{w: w}
	if fill(b); b.err != nil {
		w.Close()
		return nil, fmt.Errorf("bench: %w", b.err)
	}
	return w, nil
}

// shape adds a shape. t and err are the results of the function that made the shape.
func (b *builder) shape(t *soa.Template, err error) (s soa.Shape) {
	if b.err == nil {
		b.err = err
	}
	if b.err == nil {
		s, b.err = b.w.AddShape(t)
	}
	return s
}

// solid is shape for a polyhedron.
func (b *builder) solid(p *geometry.Polyhedron, err error) soa.Shape {
	if err != nil {
		return b.shape(nil, err)
	}
	return b.shape(p.Template(), nil)
}

// body adds a body of one part.
func (b *builder) body(name string, part engine.Part, pose vec.Pose, vel vec.Vec3) {
	if b.err == nil {
		_, b.err = b.w.AddBody(engine.BodySpec{Name: name, Parts: []engine.Part{part}, Pose: pose, Vel: vel})
	}
}

func (b *builder) wall(wall engine.WallSpec) {
	if b.err == nil {
		_, b.err = b.w.AddWall(wall)
	}
}

// site returns site i of a cubic lattice with n sites along a side and spacing 1, x fastest.
func site(i, n int) vec.Vec3 { return vec.V(float64(i%n), float64(i/n%n), float64(i/(n*n))) }

// sitesAlong returns the number of sites along a side of the smallest cubic lattice of at least the given number.
func sitesAlong(count int) (n int) {
	for n*n*n < count {
		n++
	}
	return n
}

// unturned returns a pose without rotation.
func unturned(pos vec.Vec3) vec.Pose { return vec.Pose{Pos: pos, Rot: vec.Identity} }

// ErrScene marks a settled scene that cannot be run.
var ErrScene = errors.New("scene not usable")

// Material and gravity of all piles.
const (
	Density  = 2600.0 // kg/m³, of granite
	Friction = 0.5
	Gravity  = 9.81 // m/s², along −z
	// Restitution of the piles is low. Poses from a foreign engine set bodies in motion at the
	// start, and this motion dies out within a few contact times. The measured pile is at rest.
	Restitution = 0.1
	// tangentialShare is the tangential stiffness over the normal one, as for scenes.
	tangentialShare = 0.8
)

// Names of the piles' laws, as in scenes.
const (
	LinearLaw    = "linear"
	ThicknessLaw = "thickness"
)

// pileLaw returns the law with the given name, and the given stiffness, N/m.
func pileLaw(name string, stiffness float64) force.Parameters {
	switch name {
	case PointsLaw:
		return pointSprings{stiffness / 4}
	case ThicknessLaw:
		return force.Thickness{Stiffness: stiffness, Tangential: tangentialShare * stiffness, Friction: Friction, Restitution: Restitution}
	}
	return linearLaw(stiffness)
}

func linearLaw(stiffness float64) force.Linear {
	return force.Linear{Kn: stiffness, Kt: tangentialShare * stiffness, Mu: Friction, ByRestitution: true, Restitution: Restitution}
}

// newPile builds the world of a settled scene, at rest: first the bodies, in their order, then one
// wall for each fixed box. Shapes are the convex hulls of their vertices. The caller must close the
// world.
func newPile(s *fileio.Settled, law force.Parameters, cfg engine.Config) (*engine.World, error) {
	cfg.Gravity = vec.V(0, 0, -Gravity)
	return newWorld(law, cfg, func(b *builder) { fill(b, s) })
}

// fill adds the shapes, bodies and fixed boxes of a scene.
func fill(b *builder, s *fileio.Settled) {
	for i := range s.Shapes {
		what := ""
		p, err := geometry.FromPoints(fmt.Sprintf("shape %d", i), s.Shapes[i].Verts)
		if err == nil {
			what = fmt.Sprintf("shape %d: ", i)
		}
		b.solid(p, err)
		b.unusable(s.Lines.Shapes, i, what)
	}
	b.w.Reserve(len(s.Bodies) + len(s.Static))
	for i, body := range s.Bodies {
		b.body(fmt.Sprintf("body %d", i), engine.Part{Shape: soa.Shape(body.Shape), Density: Density}, body.Pose, vec.Vec3{})
		b.unusable(s.Lines.Bodies, i, "")
	}
	shapes := map[vec.Vec3]soa.Shape{} // of boxes by half sides
	for i, box := range s.Static {
		shape, known := shapes[box.Half]
		if !known {
			shape = b.solid(geometry.Box(2*box.Half.X, 2*box.Half.Y, 2*box.Half.Z))
			shapes[box.Half] = shape
		}
		b.unusable(s.Lines.Static, i, fmt.Sprintf("fixed box %d: ", i))
		b.wall(engine.WallSpec{Name: fmt.Sprintf("box %d", i), Parts: []engine.Part{{Shape: shape}}, Pose: unturned(box.Center)})
		b.unusable(s.Lines.Static, i, "")
	}
}

// unusable adds the position of row i of a scene to an error that has just occurred: the line, if
// the scene was read from a file, and the item.
func (b *builder) unusable(lines []int32, i int, item string) {
	if b.err == nil || errors.Is(b.err, ErrScene) {
		return
	}
	place := ""
	if i < len(lines) && lines[i] > 0 {
		place = fmt.Sprintf("line %d, ", lines[i])
	}
	b.err = mark.Errorf(errors.Join(ErrScene, b.err), "%s%s%s", place, item, mark.WithoutPackage(b.err.Error()))
}

// start has the parameters of a pile's law, and the quantities they follow from.
type start struct {
	stiffness float64 // N/m
	cap       float64 // m, overlap that acts at once
	mass      float64 // kg, mean mass of a body
	radius    float64 // m, mean bounding radius of a body
}

const (
	// capShare is the share of the mean overlap that acts at once. Loads build up over motions of
	// this size. A smaller share makes a quieter start and stiffer springs. At a tenth, a step of
	// 1e-4 s is a fiftieth of the contact time of the piles measured here. At a hundredth, it would
	// be a sixth of the advised step.
	capShare = 0.1
	// leastOverlap, a share of the mean radius, distinguishes overlaps from the rounding of bodies
	// that meet exactly.
	leastOverlap = 1e-6
	// weightShare is the share of its radius by which a body's weight may compress a contact, if
	// the overlaps do not determine the stiffness.
	weightShare = 1e-3
)

// carrying returns the law under which a pile made by another engine carries its own weight at
// once.
//
// Overlaps left by other engines are meaningless as forces: their mean is millimetres, and some are
// a large part of a body. Therefore the part of an overlap above a tenth of the mean is forgiven at
// first (engine.Relief). The stiffness is such that the rest supports the whole pile, by the virial
// theorem. In equilibrium, Σ F·Δz over the contacts equals Σ m·g·z over the bodies, with z measured
// from the lowest contact. F is the force of a spring with its present compression.
//
// Bodies that rest on each other with whole faces still move. The force of a contact acts at one
// point, and this point moves to the load only after the bodies have tilted by about their overlap.
// Therefore the pile creeps by millimetres, 1e-5 of a body a step, and then comes to rest.
//
// If a pile has no contacts or no overlaps, the stiffness is such that the mean weight of a body
// compresses a contact by a thousandth of the mean radius.
func carrying(s *fileio.Settled) (start, error) {
	w, err := newPile(s, linearLaw(1), engine.Config{Workers: 1, NoLedger: true})
	if err != nil {
		return start{}, err
	}
	defer w.Close()
	w.Measure()
	b := w.Bodies()
	var st start
	moving := len(s.Bodies) // they come first
	if moving == 0 {
		return start{}, mark.Errorf(ErrScene, "bench: 0 bodies, expected one at least")
	}
	for i := range moving {
		st.mass += b.Mass[i]
		st.radius += b.Radius[i]
	}
	st.mass /= float64(moving)
	st.radius /= float64(moving)
	st.stiffness = st.mass * Gravity / (weightShare * st.radius)
	contacts, lowest := 0, 0.0
	for c := range w.ActiveContacts() {
		if z := c.Location.Z; contacts == 0 || z < lowest {
			lowest = z
		}
		st.cap += max(-c.Gap, 0)
		contacts++
	}
	if st.cap = per(st.cap, float64(contacts)); !(st.cap > leastOverlap*st.radius) {
		st.cap = 0
		return st, nil
	}
	st.cap *= capShare
	virial, weight := 0.0, 0.0
	height := make([]float64, len(b.InvMass)) // of the centres; a wall counts as being at the lowest contact
	for i := range moving {
		height[i] = b.Pos.Z[i] - lowest
		weight += float64(b.Mass[i] * Gravity * height[i])
	}
	for c := range w.ActiveContacts() {
		overlap := min(max(-c.Gap, 0), st.cap)
		virial += float64(overlap * c.Normal.Z * (height[c.B] - height[c.A]))
	}
	if virial > 0 && weight > 0 {
		st.stiffness = weight / virial
	}
	return st, nil
}

// ErrCheck marks a world whose contacts differ from those of the exhaustive test of all pairs.
var ErrCheck = errors.New("contacts differ from those of all pairs tried one by one")

// gapTolerance, relative to the larger radius of a pair, is the gap within which either state,
// touching or apart, is accepted, and the largest accepted difference of depths. It is above the
// rounding of the narrow phase, 1e-12 of the size, and far below any gap that matters for a force
// of the pile.
const gapTolerance = 1e-10

// Check compares a world's contacts, after Measure or a step, with the exhaustive method for every
// pair of pieces whose bounding balls overlap. The world has no facets. Check returns an error unless each touching pair
// is a candidate pair and an active contact, each active contact touches, and the depths agree. Cost: O(pieces²) for the
// balls, 1 to 100 µs for each pair.
func Check(w *engine.World) error {
	bodies, pieces := w.Bodies(), w.Pieces()
	pairs, c := w.Pairs(), w.Contacts()
	gaps := make(map[[2]soa.Piece]float64, pairs.Len()) // of candidate pairs that the loop below has not met yet; +Inf: no active contact
	for i := range pairs.Len() {
		key := [2]soa.Piece{min(pairs.A[i], pairs.B[i]), max(pairs.A[i], pairs.B[i])}
		if gaps[key] = math.Inf(1); pairs.Row[i] != soa.NoRow && c.Active[pairs.Row[i]] {
			gaps[key] = w.Gap(int(pairs.Row[i]))
		}
	}
	search := narrow.NewSearch()
	var a narrow.Answer
	for i := range pieces.Len() {
		for j := i + 1; j < pieces.Len(); j++ {
			p, q := soa.Piece(i), soa.Piece(j)
			vp, vq, pp, pq := w.Shapes().View(pieces.Shape[p]), w.Shapes().View(pieces.Shape[q]), pieces.Pose(bodies, p), pieces.Pose(bodies, q)
			tol := float64(gapTolerance * max(vp.Radius, vq.Radius))
			bi, bj := pieces.Body[p], pieces.Body[q]
			if pp.Pos.Sub(pq.Pos).Norm() > vp.Radius+vq.Radius+tol || bi == bj || bodies.InvMass[bi]+bodies.InvMass[bj] == 0 {
				continue
			}
			search.Exhaustive(vp, pp, vq, pq, 0, &a)
			key := [2]soa.Piece{p, q}
			gap, candidate := gaps[key]
			delete(gaps, key)
			ok, what := candidate && !math.IsInf(gap, 1), ""
			switch {
			case a.Gap < -tol && !candidate:
				what = fmt.Sprintf("overlap by %.6g m and are no candidate pair", -a.Gap)
			case a.Gap < -tol && !ok:
				what = fmt.Sprintf("overlap by %.6g m and are no contact", -a.Gap)
			case a.Gap > tol && ok && gap <= 0:
				what = fmt.Sprintf("are %.6g m apart and are a contact of gap %.6g m", a.Gap, gap)
			case ok && a.Gap < -tol && math.Abs(a.Gap-gap) > tol:
				what = fmt.Sprintf("have gap %.17g m, expected %.17g m", gap, a.Gap)
			default:
				continue
			}
			return fmt.Errorf("bench: pieces %d and %d %s: %w", p, q, what, ErrCheck)
		}
	}
	for key, gap := range gaps {
		if gap <= 0 {
			return fmt.Errorf("bench: pieces %d and %d are a contact of gap %.6g m, and their bounding balls are apart: %w", key[0], key[1], gap, ErrCheck)
		}
	}
	return nil
}
