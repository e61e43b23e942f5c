package scene

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Built is a world made from a scene. The caller must close it after use.
type Built struct {
	World    *engine.World // bodies first, in the order of [order], then walls; see ID and Number
	Warnings []string      // warnings about the scene; the world has its own

	order   order             // of the moving bodies
	names   string            // SHA-256 of the names of the moving bodies as built
	walls   []soa.ID          // in the order of the scene's walls; noWall or goneWall of one that is not there
	base    []int             // the walls of the scene that the world had before its first forces, in order
	comings *comings          // bodies that come and go in the run; nil if none do, and outside of a run
	around  vec.Box           // m, box of the bodies and meshes as built; planes are drawn in this range
	digest  string            // hash of everything that determines the bits of the run
	parts   map[string]string // hashes of the parts of the digest
}

// Close stops the workers of the world.
func (b *Built) Close() { b.World.Close() }

// Build makes the world of the scene. Moving bodies come first, in the order of [order], then the
// walls. workers is as in engine.Config. Errors caused by the scene wrap ErrInput.
func (s *Scene) Build(workers int) (*Built, error) {
	s = cmp.Or(s, &Scene{})
	return s.buildWith(context.Background(), buildOptions{workers: workers, laws: s.lawsOf(1).table, walls: s.firstWalls(), stage: 1})
}

// Ids of walls that are not there: of one that never came, and of one that was removed.
const (
	noWall   = ^soa.ID(0)
	goneWall = noWall - 1
)

// buildOptions say which world is built: the laws, the walls of the scene, in order, and the stage that begins; 0
// for none, or if a state follows.
type buildOptions struct {
	workers int
	pin     bool
	laws    *force.Table
	walls   []int
	stage   int
	gravity *vec.Vec3 // m/s², at first; nil: that of the scene
}

// firstWalls returns the walls that are there from the start.
func (s *Scene) firstWalls() (list []int) {
	for i := range s.walls {
		if !s.walls[i].absent {
			list = append(list, i)
		}
	}
	return list
}

// buildWith is Build with a context. It returns ErrInterrupted when the context is cancelled.
func (s *Scene) buildWith(ctx context.Context, o buildOptions) (*Built, error) {
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
	w, err := engine.New(s.config(b, o))
	if err != nil {
		return nil, &fault{file: s.Path, what: err.Error(), cause: err}
	}
	b.World = w
	if warning != "" {
		b.Warnings = append(b.Warnings, warning)
	}
	if err := s.fill(ctx, b, all, o); err != nil {
		w.Close()
		return nil, err
	}
	return b, nil
}

// config returns the configuration of the world.
func (s *Scene) config(b *Built, o buildOptions) engine.Config {
	return engine.Config{
		Gravity: *cmp.Or(o.gravity, &s.gravity), Law: o.laws, Location: s.location, Method: s.method, Workers: o.workers, Pin: o.pin,
		Skin: s.skin, Horizon: s.horizon, Relief: s.relief, Planar: s.planar, Integrator: s.integrator,
		Search: s.search, SearchRadius: s.lists, SearchEvery: s.serve, TilePairs: s.tilePairs, NumberOf: b.order.shown, Domain: s.domain,
	}
}

// fill adds shapes, bodies and walls.
func (s *Scene) fill(ctx context.Context, b *Built, all []placed, o buildOptions) error {
	if err := s.addShapes(b.World); err != nil {
		return err
	}
	b.World.Reserve(len(all) + len(s.walls))
	for id := range all {
		if err := interrupted(ctx); err != nil {
			return err
		}
		i := b.order.number(id)
		_, err := s.addBody(b.World, &all[i])
		if errors.Is(err, engine.ErrDomain) {
			return s.at.because("domain.box", err)
		}
		if err != nil {
			return s.at.because(s.keyOf(i), err)
		}
	}
	for range s.walls {
		b.walls = append(b.walls, noWall)
	}
	for _, i := range o.walls {
		if err := s.addWall(b, i); err != nil {
			return err
		}
		b.base = append(b.base, i)
	}
	if err := s.applyCourses(b); err != nil {
		return err
	}
	if o.stage > 0 && len(s.stages) > 0 { // before the first forces, so that nothing changes
		g := &s.stages[o.stage-1]
		for i := range g.settings {
			if to := &g.settings[i]; to.apply != nil {
				if err := to.apply(s, b, 0); err != nil {
					return s.at.because(to.at, err)
				}
			}
		}
		for i, id := range b.walls { // A wall that goes at once was there, too.
			if id != noWall && !slices.Contains(b.base, i) {
				b.base = append(b.base, i)
			}
		}
	}
	b.around, b.names = extentOf(b.World), b.hashNames()
	for i := range s.groups {
		if g := &s.groups[i]; g.kind == "pour" {
			b.around = b.around.Union(g.region.box)
		}
	}
	b.digest, b.parts = s.digest(all)
	return nil
}

// addBody adds a body to a world that has the shapes of the scene.
func (s *Scene) addBody(w *engine.World, p *placed) (soa.ID, error) {
	spec := s.shapes[p.shape].body()
	spec.Name, spec.Pose, spec.Vel, spec.Spin = p.name, p.pose, p.vel, p.spin
	return w.AddBody(spec)
}

// hasWall reports whether wall i of the scene is in the world.
func (b *Built) hasWall(i int) bool {
	_, there := b.World.Bodies().Row(b.walls[i])
	return there && slices.Contains(b.World.Walls(), b.walls[i])
}

// addWall adds wall i of the scene, which must not be there.
func (s *Scene) addWall(b *Built, i int) error {
	v := &s.walls[i]
	if b.hasWall(i) {
		return errors.New("adds a wall that is there already, expected one with present = false, or one that was removed")
	}
	spec := engine.WallSpec{Name: v.name, Facets: v.facets, Material: soa.Material(v.material), Pose: v.pose}
	if v.course.motion != nil {
		spec.Motion = *v.course.motion
		spec.Motion.From, spec.Motion.To = later0(spec.Motion.From, b.World.Time()), laterEnd(spec.Motion.To, b.World.Time())
	}
	if v.plane {
		plane, err := b.World.AddShape(engine.PlaneTemplate())
		if err != nil {
			return s.at.because(v.key, err)
		}
		spec.Parts = []engine.Part{{Shape: plane, Material: soa.Material(v.material)}}
	}
	id, err := b.World.AddWall(spec)
	switch {
	case err != nil && v.file != "":
		return s.at.because(v.key+".file", fmt.Errorf("%s: %w", v.file, err))
	case err != nil:
		return s.at.because(v.key, err)
	}
	b.walls[i] = id
	return nil
}

// bringWall adds wall i of the scene to a world that has begun, with what moves it.
func (s *Scene) bringWall(b *Built, i int) error {
	if err := s.addWall(b, i); err != nil {
		return err
	}
	return s.startWall(b, i)
}

// startWall lets a wall follow its servo or load from now on.
func (s *Scene) startWall(b *Built, i int) error {
	c := s.walls[i].course
	c.motion = nil // It was added with it.
	return c.apply(b, i, b.World.Time())
}

// findWalls finds the walls of the scene in the world by their names, after a state has been restored. came are the
// names of those that are or were there.
func (s *Scene) findWalls(b *Built, came []string) {
	bodies := b.World.Bodies()
	for i := range s.walls {
		if b.walls[i] = noWall; slices.Contains(came, s.walls[i].name) {
			b.walls[i] = goneWall
		}
	}
	for _, id := range b.World.Walls() {
		row, _ := bodies.Row(id)
		if i := slices.IndexFunc(s.walls, func(w wall) bool { return w.name == bodies.Name[row] }); i >= 0 {
			b.walls[i] = id
		}
	}
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
