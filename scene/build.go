package scene

import (
	"cmp"
	"context"
	"fmt"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Built is a world made from a scene. The caller must close it after use.
type Built struct {
	World    *engine.World // bodies first, in the order of [order], then walls; see ID and Number
	Warnings []string      // warnings about the scene; the world has its own

	order  order             // of the moving bodies
	names  string            // SHA-256 of the names of the moving bodies as built
	walls  []soa.ID          // in the order of the scene's walls
	around vec.Box           // m, box of the bodies and meshes as built; planes are drawn in this range
	digest string            // hash of everything that determines the bits of the run
	parts  map[string]string // hashes of the parts of the digest
}

// Close stops the workers of the world.
func (b *Built) Close() { b.World.Close() }

// Build makes the world of the scene. Moving bodies come first, in the order of [order], then the
// walls. workers is as in engine.Config. Errors caused by the scene wrap ErrInput.
func (s *Scene) Build(workers int) (*Built, error) {
	return cmp.Or(s, &Scene{}).build(context.Background(), workers, false)
}

// build is Build with a context. It returns ErrInterrupted when the context is cancelled.
func (s *Scene) build(ctx context.Context, workers int, pin bool) (*Built, error) {
	if s.law == nil {
		return nil, mark.Errorf(ErrInput, "scene: the scene is nil or empty, expected one that Load has returned")
	}
	warning, err := s.checkMemory(s.Memory())
	if err != nil {
		return nil, err
	}
	all, err := s.generate(ctx)
	if err != nil {
		return nil, err
	}
	b := &Built{Warnings: append([]string(nil), s.warnings...), order: s.orderOf(all)}
	w, err := engine.New(s.config(b, workers, pin))
	if err != nil {
		return nil, &fault{file: s.Path, what: err.Error(), cause: err}
	}
	b.World = w
	if warning != "" {
		b.Warnings = append(b.Warnings, warning)
	}
	if err := s.fill(ctx, b, all); err != nil {
		w.Close()
		return nil, err
	}
	return b, nil
}

// config returns the configuration of the world.
func (s *Scene) config(b *Built, workers int, pin bool) engine.Config {
	return engine.Config{
		Gravity: s.gravity, Law: s.law, Location: s.location, Method: s.method, Workers: workers, Pin: pin,
		Skin: s.skin, Horizon: s.horizon, Relief: s.relief, Planar: s.planar, Integrator: s.integrator,
		Search: s.search, SearchRadius: s.lists, SearchEvery: s.serve, NumberOf: b.order.shown,
	}
}

// fill adds shapes, bodies and walls. Shape i of the scene is shape i of the world.
func (s *Scene) fill(ctx context.Context, b *Built, all []placed) error {
	for i := range s.shapes {
		if _, err := b.World.AddShape(s.shapes[i].template); err != nil {
			return s.at.because(joined("shapes", s.shapes[i].name), err)
		}
	}
	b.World.Reserve(len(all) + len(s.walls))
	for id := range all {
		if err := interrupted(ctx); err != nil {
			return err
		}
		i := b.order.number(id)
		p := &all[i]
		h := &s.shapes[p.shape]
		_, err := b.World.AddBody(engine.BodySpec{
			Name: p.name, Pose: p.pose, Vel: p.vel, Spin: p.spin,
			Parts: []engine.Part{{Shape: soa.Shape(p.shape), Material: soa.Material(h.material), Density: h.density}},
		})
		if err != nil {
			return s.at.because(s.keyOf(i), err)
		}
	}
	for i := range s.walls {
		v := &s.walls[i]
		spec := engine.WallSpec{Name: v.name, Facets: v.facets, Material: soa.Material(v.material), Pose: v.pose}
		if v.course.motion != nil {
			spec.Motion = *v.course.motion
		}
		if v.plane {
			plane, err := b.World.AddShape(engine.PlaneTemplate())
			if err != nil {
				return s.at.because(v.key, err)
			}
			spec.Parts = []engine.Part{{Shape: plane, Material: soa.Material(v.material)}}
		}
		id, err := b.World.AddWall(spec)
		if err != nil && v.file != "" {
			return s.at.because(v.key+".file", fmt.Errorf("%s: %w", v.file, err))
		}
		if err != nil {
			return s.at.because(v.key, err)
		}
		b.walls = append(b.walls, id)
	}
	if err := s.applyCourses(b); err != nil {
		return err
	}
	b.around, b.names = extentOf(b.World), b.hashNames()
	b.digest, b.parts = s.digest(all, s.walls)
	return nil
}

// extentOf returns the box of the bounding balls of all pieces except planes.
func extentOf(w *engine.World) vec.Box {
	box, pieces, shapes := vec.EmptyBox(), w.Pieces(), w.Shapes()
	for i := range pieces.Len() {
		p := soa.Piece(i)
		h := pieces.Shape[p]
		if shapes.Kind[h].IsEndless() {
			continue
		}
		at := pieces.Pose(w.Bodies(), p).Pos
		box = box.Union(vec.Box{Min: at, Max: at}.Enlarged(shapes.Radius[h] + shapes.Round[h]))
	}
	return box
}
