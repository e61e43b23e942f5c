package scene

import (
	"math"
	"strconv"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
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
	if s.Dt = s.advised("time.dt", s.law); s.first == nil {
		s.setSteps(&d.Time)
	}
}

// advised returns the advised time step under laws, rounded down to three digits, for a key that has "auto".
func (s *checks) advised(key string, laws *force.Table) float64 {
	w, err := s.sample(laws, false)
	if err != nil {
		s.failAt(key, err)
		return 0
	}
	defer w.Close()
	limits := w.TimeStep()
	dt, err := strconv.ParseFloat(mark.Limit(min(limits.Advised, limits.Packed)), 64)
	if err != nil || !(dt > 0) || math.IsInf(dt, 1) {
		s.fault(key, found("auto", "a time step > 0 s: no two bodies can meet, so no step is advised"))
	}
	return dt
}

// sample makes a world with two bodies of each shape of the scene, or one if the scene has one, and
// one piece of each wall, or all if the walls are to be whole. The limits of its time step are those of the scene. The caller must close
// it.
func (s *checks) sample(laws *force.Table, whole bool) (*engine.World, error) {
	w, err := engine.New(engine.Config{Law: laws, Workers: 1, Planar: s.planar})
	if err != nil {
		return nil, err
	}
	if err = s.addSamples(w, whole); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// checkPouredStep checks a time step for all shapes of the scene, those of bodies to come, too.
func (s *Scene) checkPouredStep(laws *force.Table, dt float64) (warning string, err error) {
	w, err := (&checks{Scene: s}).sample(laws, true)
	if err != nil {
		return "", err
	}
	defer w.Close()
	if warning, err = w.CheckTimeStep(dt); warning != "" {
		warning = s.at.fault("time.dt", warning).Error()
	}
	return warning, err
}

// addSamples adds the bodies and walls of sample.
func (s *checks) addSamples(w *engine.World, whole bool) error {
	count := make([]int64, len(s.shapes))
	for i := range s.groups {
		g := &s.groups[i]
		for _, h := range g.shapes {
			count[h] += (g.most() + int64(len(g.shapes)) - 1) / int64(len(g.shapes))
			if len(g.weights) > 0 {
				count[h] += g.most()
			}
		}
	}
	if err := s.addShapes(w); err != nil {
		return err
	}
	for i := range s.shapes {
		h := &s.shapes[i]
		for range min(count[i], 2) {
			spec := h.body()
			spec.Name, spec.Pose = "shapes."+h.name, vec.IdentityPose
			if _, err := w.AddBody(spec); err != nil {
				return err
			}
		}
	}
	for i := range s.walls {
		v := &s.walls[i]
		spec, err := engine.WallSpec{Name: v.key, Pose: v.pose}, error(nil)
		if v.plane || !whole {
			t, id := engine.PlaneTemplate(), soa.Shape(0)
			if !v.plane {
				t = v.facets.Template(0)
			}
			id, err = w.AddShape(t)
			spec.Parts = []engine.Part{{Shape: id, Material: soa.Material(v.material)}}
		} else {
			spec.Facets, spec.Material = v.facets, soa.Material(v.material)
		}
		if err == nil {
			var wall soa.ID
			wall, err = w.AddWall(spec)
			if l := v.course.load; err == nil && l != nil {
				if err = w.SetWallLoad(wall, l); err != nil { // Its mass counts.
					err = s.at.because(v.key+".load", err)
				}
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
