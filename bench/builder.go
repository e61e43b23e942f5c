package bench

import (
	"fmt"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
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

// unturned returns a pose without rotation.
func unturned(pos vec.Vec3) vec.Pose { return vec.Pose{Pos: pos, Rot: vec.Identity} }
