package scene

import (
	"context"
	"fmt"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// placed is a body to be added: its shape, and the pose of the frame of the shape's file.
type placed struct {
	name      string
	shape     int
	pose      vec.Pose
	vel, spin vec.Vec3
}

// generate returns all bodies in the order of the file. It returns ErrInterrupted when the context
// is cancelled.
func (s *Scene) generate(ctx context.Context) ([]placed, error) {
	if made := s.made.Swap(nil); made != nil {
		return *made, interrupted(ctx)
	}
	all := make([]placed, 0, s.moving)
	var b *balls // made for the first group that needs it
	for i := range s.groups {
		g := &s.groups[i]
		from := len(all)
		var err error
		switch g.kind {
		case "":
			all = append(all, placed{name: g.name, shape: g.shapes[0], pose: vec.Pose{Pos: g.position, Rot: g.rotation}})
		case "grid":
			all, err = s.grid(ctx, g, all)
		case "wall":
			all, err = s.brickWall(ctx, g, all)
		case "random", "fill":
			b = s.ballsOf(b, all)
			all, err = s.random(ctx, g, b, all)
		}
		if err != nil {
			return nil, err
		}
		for k := from; k < len(all); k++ {
			all[k].vel, all[k].spin = g.vel, g.spin
			if g.kind != "" && g.name != "" {
				all[k].name = fmt.Sprintf("%s-%d", g.name, k-from)
			}
		}
	}
	return all, nil
}

// pick returns the shape of body k of a group: in turn, or drawn at random by weight.
func (g *bodyEntry) pick(r *geometry.Rand, k int) int {
	if g.weights == nil {
		return g.shapes[k%len(g.shapes)]
	}
	x := r.Float64() * g.weights[len(g.weights)-1]
	for i, sum := range g.weights {
		if x < sum {
			return g.shapes[i]
		}
	}
	return g.shapes[len(g.shapes)-1]
}

// turn returns the rotation of the next body.
func (g *bodyEntry) turn(r *geometry.Rand) vec.Quat {
	if g.turned {
		return r.Rotation()
	}
	return g.rotation
}

// centred returns the body of shape h with rotation q whose centre of mass lies at c.
func (s *Scene) centred(h int, c vec.Vec3, q vec.Quat) placed {
	return placed{shape: h, pose: vec.Pose{Pos: c.Sub(q.Rotate(s.shapes[h].centre)), Rot: q}}
}

// grid places centres of mass on a lattice, x fastest, and shifts each by up to the jitter along
// each axis. For each body it draws the shape (with weights), then the rotation (if random), then
// the shift (with jitter).
func (s *Scene) grid(ctx context.Context, g *bodyEntry, all []placed) ([]placed, error) {
	r := geometry.NewRand(g.seed)
	k := 0
	for z := range g.count[2] {
		for y := range g.count[1] {
			for x := range g.count[0] {
				if err := interrupted(ctx); err != nil {
					return nil, err
				}
				h, q := g.pick(r, k), g.turn(r)
				c := g.origin.Add(vec.V(float64(x), float64(y), float64(z)).Mul(g.spacing))
				if g.jitter > 0 {
					c = c.Add(s.flat(vec.V(r.Range(-1, 1), r.Range(-1, 1), r.Range(-1, 1)).Scale(g.jitter)))
				}
				all = append(all, s.centred(h, c, q))
				k++
			}
		}
	}
	return all, nil
}

// brickWall builds a triangular wall of bricks in running bond: count bricks in the lowest row, and
// one less in each row above, shifted by half a brick. The brick is the box of the rotated first
// shape. Rows touch, and bricks in a row are separated by the joint. The origin of the group is the
// middle of the bottom of the wall. This is the block wall of Nezami et al. 2004, who used 15, 55
// and 120 blocks.
func (s *Scene) brickWall(ctx context.Context, g *bodyEntry, all []placed) ([]placed, error) {
	r := geometry.NewRand(g.seed)
	h := &s.shapes[g.shapes[0]]
	box := h.turned(g.rotation)
	step, height := box.Size().X+g.joint, box.Size().Z
	k := 0
	for row := range g.count[0] {
		n := g.count[0] - row
		z := float64((float64(row) + 0.5) * height)
		for i := range n {
			if err := interrupted(ctx); err != nil {
				return nil, err
			}
			x := float64((float64(i) - float64(float64(n-1)/2)) * step)
			pos := g.origin.Add(vec.V(x, 0, z)).Sub(box.Center())
			all = append(all, placed{shape: g.pick(r, k), pose: vec.Pose{Pos: pos, Rot: g.turn(r)}})
			k++
		}
	}
	return all, nil
}

// insertTries is the number of places that are tried for each body before generation fails. With
// this number, random insertion of equal balls reaches a volume fraction of 30 %. The limit is 38
// %, where no free place is left.
const insertTries = 20000

// outsideTries is the number of places for each body that may lie in the box of a region but
// outside the region. These do not count as tries.
const outsideTries = 1_000_000

// random places bodies one by one. Their bounding balls lie in the region and overlap no bounding
// ball of an earlier body, of this group or another. For each body it draws the shape (with
// weights) and the rotation (if random), then places until one is free. A fill ends with the first body
// for which none is.
func (s *Scene) random(ctx context.Context, g *bodyEntry, b *balls, all []placed) ([]placed, error) {
	r := geometry.NewRand(g.seed)
	n := int(g.count[0])
	if g.kind == "fill" && n == 0 {
		n = maxBodies + 1
	}
	for k := range n {
		if err := interrupted(ctx); err != nil {
			return nil, err
		}
		h, q := g.pick(r, k), g.turn(r)
		radius := s.shapes[h].radius
		room, err := s.room(g, h)
		if err != nil {
			return nil, err
		}
		free := false
		for try, outside := 0, 0; try < insertTries && !free; try++ {
			c := drawIn(room, r)
			if !g.region.holds(c, radius) {
				if outside++; outside < outsideTries {
					try--
				}
				continue
			}
			if free = b.free(c, radius); free {
				b.add(c, radius)
				all = append(all, s.centred(h, c, q))
				b.bodies++
			}
		}
		if !free && g.kind == "fill" && k > 0 {
			g.count[0] = int64(k) // It was not known; from now on it is.
			break
		}
		if !free {
			return nil, s.at.fault(g.key+".count", fmt.Sprintf(
				"only %d of %d bodies fit into the %s without overlap of their bounding balls, expected a larger %[3]s or fewer bodies",
				k, n, g.region.key))
		}
	}
	return all, nil
}

// ballsOf adds the bounding balls of the bodies that are not yet in b, and returns b. A nil b is
// made first, for the balls near the box of any random group.
func (s *Scene) ballsOf(b *balls, all []placed) *balls {
	if b == nil {
		room, largest := vec.EmptyBox(), 0.0
		for i := range s.groups {
			if kind := s.groups[i].kind; kind == "random" || kind == "fill" {
				room = room.Union(s.groups[i].region.box)
			}
		}
		for i := range s.shapes {
			largest = max(largest, s.shapes[i].radius)
		}
		b = newBalls(room, largest)
	}
	for _, p := range all[b.bodies:] {
		h := &s.shapes[p.shape]
		b.add(p.pose.Point(h.centre), h.radius)
	}
	b.bodies = len(all)
	return b
}
