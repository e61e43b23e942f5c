package scene

import (
	"context"
	"fmt"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// placed is a body to be: its shape and the pose of the frame of the shape's file.
type placed struct {
	name      string
	shape     int
	pose      vec.Pose
	vel, spin vec.Vec3
}

// generate returns all bodies in the order of the file, or ErrInterrupted when the context is cancelled.
func (s *Scene) generate(ctx context.Context) ([]placed, error) {
	all := make([]placed, 0, s.moving)
	var b *balls // made by the first group that needs it
	for i := range s.groups {
		g := &s.groups[i]
		from := len(all)
		var err error
		switch g.kind {
		case "":
			pose := vec.Pose{Pos: g.position, Rot: g.rotation}
			all = append(all, placed{shape: g.shapes[0], pose: pose})
			all[from].name = g.name
		case "grid":
			all, err = s.grid(ctx, g, all)
		case "wall":
			all, err = s.brickWall(ctx, g, all)
		case "random":
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

// pick returns the shape of a group's body k: in turn, or drawn by weight.
func (g *group) pick(r *geometry.Rand, k int) int {
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
func (g *group) turn(r *geometry.Rand) vec.Quat {
	if g.turned {
		return r.Rotation()
	}
	return g.rotation
}

// centred returns the body whose centre of mass lies at c.
func (s *Scene) centred(h int, c vec.Vec3, q vec.Quat) placed {
	return placed{shape: h, pose: vec.Pose{Pos: c.Sub(q.Rotate(s.shapes[h].template.Origin)), Rot: q}}
}

// grid places centres of mass on a lattice, x fastest, and moves each by up to the jitter. For each
// body it draws the shape (with weights), the rotation (if random), then the move (if any).
func (s *Scene) grid(ctx context.Context, g *group, all []placed) ([]placed, error) {
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

// brickWall builds a pyramid of bricks in running bond: count bricks in the lowest row, one less in
// each row above, half a brick further on. The first shape's box, as turned, is the brick: rows rest on
// each other, and bricks of a row are a joint apart. The foot's middle lies at the origin. It is the
// block wall of Nezami et al. 2004, there of 15, 55 and 120 blocks.
func (s *Scene) brickWall(ctx context.Context, g *group, all []placed) ([]placed, error) {
	r := geometry.NewRand(g.seed)
	h := &s.shapes[g.shapes[0]]
	box := h.box
	if g.rotation != vec.Identity && len(h.template.Verts) > 0 {
		box = vec.EmptyBox()
		for _, v := range h.template.Verts {
			box = box.With(g.rotation.Rotate(v.Add(h.template.Origin)))
		}
	}
	box = box.Enlarged(h.template.Round)
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

// insertTries is how many places are tried for each body before it is given up: random insertion of equal
// balls reaches 30 % of the volume within it, and cannot pass 38 %, where no place is left.
const insertTries = 20000

// outsideTries is how many places outside a region, but in its box, are drawn for each body and
// not counted as tries.
const outsideTries = 1_000_000

// random places bodies one by one where their bounding balls lie in the region and overlap no
// ball of a body that is there, of this group or an earlier one. For each body it draws the shape
// (with weights) and the rotation (if random), then places until one is free.
func (s *Scene) random(ctx context.Context, g *group, b *balls, all []placed) ([]placed, error) {
	r := geometry.NewRand(g.seed)
	n := int(g.count[0])
	for k := range n {
		if err := interrupted(ctx); err != nil {
			return nil, err
		}
		h, q := g.pick(r, k), g.turn(r)
		t := s.shapes[h].template
		radius := t.Radius + t.Round
		room := g.region.box.Enlarged(-radius)
		room.Min, room.Max = s.flat(room.Min), s.flat(room.Max)
		if !(room.Min.X <= room.Max.X && room.Min.Y <= room.Max.Y && room.Min.Z <= room.Max.Z) {
			sides := g.region.box.Size()
			return nil, s.at.fault(g.key+"."+g.region.key, fmt.Sprintf("sides %v, expected at least %s m, the bounding ball of shape %q",
				sides, above(2*radius, min(sides.X, sides.Y, sides.Z)), t.Name))
		}
		free := false
		for try, outside := 0, 0; try < insertTries && !free; try++ {
			c := vec.V(r.Range(room.Min.X, room.Max.X), r.Range(room.Min.Y, room.Max.Y), r.Range(room.Min.Z, room.Max.Z))
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
		if !free {
			return nil, s.at.fault(g.key+".count", fmt.Sprintf(
				"only %d of %d bodies fit into the %s without overlap of their bounding balls, expected a larger %[3]s or fewer bodies",
				k, n, g.region.key))
		}
	}
	return all, nil
}

// ballsOf puts the bounding balls of the bodies that are not in b yet into it. It holds those near the box of any random group.
func (s *Scene) ballsOf(b *balls, all []placed) *balls {
	if b == nil {
		room, largest := vec.EmptyBox(), 0.0
		for i := range s.groups {
			if s.groups[i].kind == "random" {
				room = room.Union(s.groups[i].region.box)
			}
		}
		for i := range s.shapes {
			largest = max(largest, s.shapes[i].template.Radius+s.shapes[i].template.Round)
		}
		b = newBalls(room, largest)
	}
	for _, p := range all[b.bodies:] {
		t := s.shapes[p.shape].template
		b.add(p.pose.Point(t.Origin), t.Radius+t.Round)
	}
	b.bodies = len(all)
	return b
}
