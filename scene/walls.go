package scene

import (
	"fmt"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// wall is one [[walls]], checked, with the shapes of its pieces.
type wall struct {
	key       string
	name      string
	material  int
	plane     bool
	file      string // of a mesh
	templates []*soa.Template
	pose      vec.Pose
	motion    engine.Motion
}

func (s *Scene) loadWalls(d *document) error {
	named := map[string]int{}
	for i := range d.Walls {
		w, err := s.loadWall(fmt.Sprintf("walls[%d]", i), i, &d.Walls[i])
		if err != nil {
			return err
		}
		if other, ok := named[w.name]; ok {
			return s.at.fault(w.key+".name", found(w.name, fmt.Sprintf("a name other than that of walls[%d]", other)))
		}
		named[w.name] = i
		for _, t := range w.templates {
			s.memory.add(t)
		}
		if s.memory.full() {
			return s.tooMuchShape(w.key, len(s.shapes)+len(w.templates))
		}
		s.walls = append(s.walls, w)
	}
	return nil
}

func (s *Scene) loadWall(key string, number int, t *wallTable) (w wall, err error) {
	w = wall{key: key, name: t.Name, file: t.File}
	if err := s.checkName(key+".name", t.Name); err != nil {
		return w, err
	}
	if w.name == "" {
		w.name = fmt.Sprintf("wall-%d", number)
	}
	if w.material, err = s.material(key+".material", t.Material); err != nil {
		return w, err
	}
	switch {
	case t.Plane != nil && t.File != "":
		return w, s.at.fault(key+".file", "is given beside plane, expected one of the two")
	case t.Plane != nil:
		err = s.planeWall(key, t, &w)
	case t.File != "":
		if err = s.planarWall(key, &w); err == nil {
			err = s.meshWall(key, t, &w)
		}
	default:
		err = s.at.fault(key, "has neither plane nor file, expected one of the two")
	}
	if err != nil {
		return w, err
	}
	if t.Motion != nil {
		w.motion, err = s.motion(key+".motion", t.Motion)
		if err == nil {
			err = s.planarSway(key+".motion", &w.motion)
		}
		if err == nil && w.plane && w.motion.Spin != (vec.Vec3{}) {
			err = s.at.fault(key+".motion.spin", found(t.Motion.Spin, "no spin: a plane has no end, it may only be moved"))
		}
	}
	return w, err
}

// planeWall makes a half-space. The frame of a plane has its normal as z.
func (s *Scene) planeWall(key string, t *wallTable, w *wall) error {
	for _, k := range []string{"scale", "position", "rotation"} {
		if s.at.has(key + "." + k) {
			return s.at.fault(key+"."+k, "does not belong to a plane, which has a point and a normal")
		}
	}
	point, err := s.vector(key+".plane.point", t.Plane.Point, vec.Vec3{})
	if err != nil {
		return err
	}
	if err := s.inPlane(key+".plane.point", point); err != nil {
		return err
	}
	if t.Plane.Normal == nil {
		return s.at.fault(key+".plane.normal", missing("three numbers"))
	}
	normal, err := s.vector(key+".plane.normal", t.Plane.Normal, vec.Vec3{})
	if err != nil {
		return err
	}
	if m := normal.MaxAbs(); m > 0 {
		normal = normal.Scale(1 / m).Unit() // First by its largest part: squares may overflow or vanish.
	}
	if !normal.Finite() || normal == (vec.Vec3{}) {
		return s.at.fault(key+".plane.normal", found(t.Plane.Normal, "a direction"))
	}
	if err := s.inPlane(key+".plane.normal", normal); err != nil {
		return err
	}
	w.pose = vec.Pose{Pos: point, Rot: upTo(normal)}
	w.plane = true
	w.templates = []*soa.Template{engine.PlaneTemplate()}
	return nil
}

// upTo returns a rotation that takes z to the unit vector n.
func upTo(n vec.Vec3) vec.Quat {
	if n.Z < 0 {
		// First half a turn about x, which is exact, to -z: near there the way from z is ill-defined.
		return vec.Quat{W: 1 - n.Z, X: n.Y, Y: -n.X}.Normalized().Mul(vec.Quat{X: 1})
	}
	return vec.Quat{W: 1 + n.Z, X: -n.Y, Y: n.X}.Normalized()
}

// meshWall makes facets of a mesh: of each flat convex part one, however finely it is triangulated (see
// geometry.MergeFacets). A facet has a contact of its own, so a side of many would be as many times as
// stiff. Triangles without an area are left out with a warning.
func (s *Scene) meshWall(key string, t *wallTable, w *wall) error {
	mesh, err := s.readMesh(key+".file", t.File)
	if err != nil {
		return err
	}
	scale := 1.0
	if t.Scale != nil {
		if scale = *t.Scale; !(scale > 0) {
			return s.at.fault(key+".scale", found(scale, "a factor > 0"))
		}
	}
	if w.pose.Pos, err = s.vector(key+".position", t.Position, vec.Vec3{}); err != nil {
		return err
	}
	if w.pose.Rot, err = s.quaternion(key+".rotation", t.Rotation); err != nil {
		return err
	}
	scaled := &geometry.Mesh{Name: mesh.Name, Faces: mesh.Faces, Verts: make([]vec.Vec3, len(mesh.Verts))}
	for k, v := range mesh.Verts {
		scaled.Verts[k] = v.Scale(scale)
	}
	polygons, flat, err := geometry.MergeFacets(scaled)
	if err != nil {
		return s.at.because(key+".file", fmt.Errorf("%s: %w", t.File, fileio.NumberedAs(t.File, err)))
	}
	for _, p := range polygons {
		facet, err := geometry.FacetPolygonTemplate(p)
		if err != nil {
			return s.at.because(key+".file", fmt.Errorf("%s: %w", t.File, err))
		}
		w.templates = append(w.templates, facet)
	}
	if len(w.templates) == 0 {
		return s.at.fault(key+".file", found(t.File, "a mesh with one triangle at least that has an area"))
	}
	if flat > 0 {
		s.warnings = append(s.warnings, fmt.Sprintf("%s:%d: %s: %d triangles of %q have no area and are left out",
			s.at.file, s.at.line(key), key, flat, t.File))
	}
	return nil
}

func (s *Scene) motion(key string, t *motionTable) (m engine.Motion, err error) {
	m = engine.Motion{Frequency: t.Frequency, Ramp: t.Ramp, From: t.From, To: t.To}
	for _, c := range []struct {
		name string
		v    []float64
		to   *vec.Vec3
	}{
		{"velocity", t.Velocity, &m.Velocity}, {"spin", t.Spin, &m.Spin},
		{"centre", t.Centre, &m.Centre}, {"amplitude", t.Amplitude, &m.Amplitude},
	} {
		if *c.to, err = s.vector(key+"."+c.name, c.v, vec.Vec3{}); err != nil {
			return m, err
		}
	}
	switch {
	case !(m.From >= 0):
		err = s.at.fault(key+".from", found(m.From, "a time ≥ 0 s"))
	case m.To != 0 && !(m.To > m.From):
		err = s.at.fault(key+".to", found(m.To, fmt.Sprintf("a time after from, %g s; 0 is no end", m.From)))
	case !(m.Frequency >= 0), m.Frequency == 0 && s.at.has(key+".frequency"):
		err = s.at.fault(key+".frequency", found(m.Frequency, "a frequency > 0 1/s"))
	case m.Amplitude != (vec.Vec3{}) && m.Frequency == 0:
		err = s.at.fault(key+".frequency", missing("a frequency > 0 1/s beside amplitude"))
	case m.Amplitude == (vec.Vec3{}) && m.Frequency != 0:
		err = s.at.fault(key+".amplitude", missing("three numbers, one of them not 0, beside frequency"))
	case !(m.Ramp >= 0), m.Ramp > 0 && m.Frequency == 0:
		err = s.at.fault(key+".ramp", found(m.Ramp, "a time ≥ 0 s, beside amplitude and frequency"))
	case m.Frequency*s.Dt > 0.5:
		err = s.at.fault(key+".frequency", found(m.Frequency, fmt.Sprintf("at most %.3g 1/s: two time steps of %g s a period", 0.5/s.Dt, s.Dt)))
	case m.Ramp > s.lasts(&m)+s.Dt: // by more than rounding
		s.warnings = append(s.warnings, fmt.Sprintf("%s:%d: %s.ramp: found %g s, longer than the motion, %.4g s: the amplitude is never reached",
			s.at.file, s.at.line(key+".ramp"), key, m.Ramp, s.lasts(&m)))
	}
	return m, err
}

// lasts returns how long a motion lasts within the run of the scene, s.
func (s *Scene) lasts(m *engine.Motion) float64 {
	end := float64(s.Steps) * s.Dt
	if m.To > 0 {
		end = min(end, m.To)
	}
	return max(end-m.From, 0)
}
