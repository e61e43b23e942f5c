package scene

import (
	"math"
	"strconv"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// checkAuto sets the time step of a scene with dt = "auto": the longest step of which the engine does
// not warn, for its shapes, walls and laws, rounded down to three digits. Where bodies lie has no effect on it.
func (s *checks) checkAuto(d *document) {
	if !s.Auto {
		return
	}
	w, err := s.sample()
	if err != nil {
		s.fail(s.at.because("time.dt", err))
		return
	}
	defer w.Close()
	limits := w.TimeStep()
	if s.Dt, err = strconv.ParseFloat(mark.Limit(min(limits.Advised, limits.Packed)), 64); err != nil || !(s.Dt > 0) || math.IsInf(s.Dt, 1) {
		s.fault("time.dt", found("auto", "a time step > 0 s: no two bodies can meet, so no step is advised"))
		return
	}
	s.setSteps(&d.Time)
}

// sample makes a world with two bodies of each shape of the scene, or one if the scene has one, and
// one piece of each wall. The limits of its time step are those of the scene. The caller must close
// it.
func (s *checks) sample() (*engine.World, error) {
	w, err := engine.New(engine.Config{Law: s.law, Workers: 1, Planar: s.planar})
	if err != nil {
		return nil, err
	}
	if err = s.addSamples(w); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// addSamples adds the bodies and walls of sample.
func (s *checks) addSamples(w *engine.World) error {
	count := make([]int64, len(s.shapes))
	for i := range s.groups {
		g := &s.groups[i]
		for _, h := range g.shapes {
			count[h] += (g.bodies() + int64(len(g.shapes)) - 1) / int64(len(g.shapes))
			if len(g.weights) > 0 {
				count[h] += g.bodies()
			}
		}
	}
	for i := range s.shapes {
		h := &s.shapes[i]
		id, err := w.AddShape(h.template)
		part := engine.Part{Shape: id, Material: soa.Material(h.material), Density: h.density}
		for range min(count[i], 2) {
			if err == nil {
				_, err = w.AddBody(engine.BodySpec{Name: "shapes." + h.name, Pose: vec.IdentityPose, Parts: []engine.Part{part}})
			}
		}
		if err != nil {
			return err
		}
	}
	for i := range s.walls {
		v := &s.walls[i]
		t := engine.PlaneTemplate()
		if !v.plane {
			t = v.facets.Template(0)
		}
		id, err := w.AddShape(t)
		if err == nil {
			part := engine.Part{Shape: id, Material: soa.Material(v.material)}
			var wall soa.ID
			wall, err = w.AddWall(engine.WallSpec{Name: v.key, Pose: v.pose, Parts: []engine.Part{part}})
			if l := v.course.load; err == nil && l != nil {
				err = w.SetWallLoad(wall, l) // Its mass counts.
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
