package scene

import (
	"fmt"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// wall is one checked [[walls]] table, with the shapes of its pieces.
type wall struct {
	key       string
	name      string
	material  int
	plane     bool
	file      string // mesh file
	templates []*soa.Template
	pose      vec.Pose
	motion    engine.Motion
}

func (s *checks) loadWalls(d *document) {
	named := map[string]int{}
	for i := range d.Walls {
		w := s.loadWall(fmt.Sprintf("walls[%d]", i), i, &d.Walls[i])
		if other, ok := named[w.name]; ok {
			s.fault(w.key+".name", found(w.name, fmt.Sprintf("a name other than that of walls[%d]", other)))
		}
		if s.first != nil {
			return
		}
		named[w.name] = i
		for _, t := range w.templates {
			s.memory.add(t)
		}
		if s.memory.full() {
			s.tooMuchShape(w.key, len(s.shapes)+len(w.templates))
			return
		}
		s.walls = append(s.walls, w)
	}
}

func (s *checks) loadWall(key string, number int, t *wallTable) wall {
	w := wall{key: key, name: t.Name, file: t.File}
	s.checkName(key+".name", t.Name)
	if w.name == "" {
		w.name = fmt.Sprintf("wall-%d", number)
	}
	w.material = s.material(key+".material", t.Material)
	switch {
	case t.Plane != nil && t.File != "":
		s.fault(key+".file", "is given beside plane, expected one of the two")
	case t.Plane != nil:
		s.planeWall(key, t, &w)
	case t.File != "" && s.planar:
		s.fault(key+".file", found(w.file, "a plane with dim = 2"))
	case t.File != "":
		s.meshWall(key, t, &w)
	default:
		s.fault(key, "has neither plane nor file, expected one of the two")
	}
	if t.Motion != nil {
		w.motion = s.motion(key+".motion", t.Motion)
		s.demand(key+".motion.spin", t.Motion.Spin, !w.plane || w.motion.Spin == (vec.Vec3{}),
			"no spin: a plane has no end, it may only be moved")
	}
	return w
}

// planeWall makes a half-space. The z axis of a plane's frame is its normal.
func (s *checks) planeWall(key string, t *wallTable, w *wall) {
	for _, k := range []string{"scale", "position", "rotation"} {
		if s.at.has(key + "." + k) {
			s.fault(key+"."+k, "does not belong to a plane, which has a point and a normal")
		}
	}
	point := s.vector(key+".plane.point", t.Plane.Point, vec.Vec3{})
	s.inPlane(key+".plane.point", point)
	if t.Plane.Normal == nil {
		s.fault(key+".plane.normal", missing("three numbers"))
	}
	normal := s.vector(key+".plane.normal", t.Plane.Normal, vec.Vec3{})
	s.inPlane(key+".plane.normal", normal)
	if m := normal.MaxAbs(); m > 0 {
		normal = normal.Scale(1 / m).Unit() // Divide by the largest component first, because squares may overflow or vanish.
	}
	s.demand(key+".plane.normal", t.Plane.Normal, normal.Finite() && normal != (vec.Vec3{}), "a direction")
	w.pose = vec.Pose{Pos: point, Rot: upTo(normal)}
	w.plane = true
	w.templates = []*soa.Template{engine.PlaneTemplate()}
}

// upTo returns a rotation that takes the z axis to the unit vector n.
func upTo(n vec.Vec3) vec.Quat {
	if n.Z < 0 {
		// Rotate by half a turn about x first, which is exact and takes z to -z. Near -z the
		// rotation from z is ill-defined.
		return vec.Quat{W: 1 - n.Z, X: n.Y, Y: -n.X}.Normalized().Mul(vec.Quat{X: 1})
	}
	return vec.Quat{W: 1 + n.Z, X: -n.Y, Y: n.X}.Normalized()
}

// meshWall makes the facets of a mesh wall, one for each flat convex part, however finely the part
// is triangulated (see geometry.MergeFacets). Each facet has its own contact, so several facets in
// one plane would multiply the stiffness. Triangles without area are omitted with a warning.
func (s *checks) meshWall(key string, t *wallTable, w *wall) {
	mesh := s.readMesh(key+".file", t.File)
	scale := s.scale(key, t.Scale)
	w.pose.Pos = s.vector(key+".position", t.Position, vec.Vec3{})
	w.pose.Rot = s.quaternion(key+".rotation", t.Rotation)
	if s.first != nil {
		return
	}
	scaled := &geometry.Mesh{Name: mesh.Name, Faces: mesh.Faces, Verts: make([]vec.Vec3, len(mesh.Verts))}
	for k, v := range mesh.Verts {
		scaled.Verts[k] = v.Scale(scale)
	}
	polygons, flat, err := geometry.MergeFacets(scaled)
	if err != nil {
		s.fail(s.at.because(key+".file", fmt.Errorf("%s: %w", t.File, fileio.Numbered(t.File, mesh, err))))
	}
	for _, p := range polygons {
		facet, err := geometry.FacetPolygonTemplate(p)
		if err != nil {
			s.fail(s.at.because(key+".file", fmt.Errorf("%s: %w", t.File, err)))
		}
		w.templates = append(w.templates, facet)
	}
	s.demand(key+".file", t.File, len(w.templates) > 0, "a mesh with one triangle at least that has an area")
	if flat > 0 {
		s.warn(key, fmt.Sprintf("%d triangles of %q have no area and are left out", flat, t.File))
	}
}

func (s *checks) motion(key string, t *motionTable) engine.Motion {
	m := engine.Motion{
		Velocity: s.vector(key+".velocity", t.Velocity, vec.Vec3{}), Spin: s.vector(key+".spin", t.Spin, vec.Vec3{}),
		Centre: s.vector(key+".centre", t.Centre, vec.Vec3{}), Amplitude: s.vector(key+".amplitude", t.Amplitude, vec.Vec3{}),
		Frequency: t.Frequency, Ramp: t.Ramp, From: t.From, To: t.To,
	}
	switch {
	case !(m.From >= 0):
		s.fault(key+".from", found(m.From, "a time ≥ 0 s"))
	case m.To != 0 && !(m.To > m.From):
		s.fault(key+".to", found(m.To, fmt.Sprintf("a time after from, %g s; 0 is no end", m.From)))
	case !(m.Frequency >= 0), m.Frequency == 0 && s.at.has(key+".frequency"):
		s.fault(key+".frequency", found(m.Frequency, "a frequency > 0 1/s"))
	case m.Amplitude != (vec.Vec3{}) && m.Frequency == 0:
		s.fault(key+".frequency", missing("a frequency > 0 1/s beside amplitude"))
	case m.Amplitude == (vec.Vec3{}) && m.Frequency != 0:
		s.fault(key+".amplitude", missing("three numbers, one of them not 0, beside frequency"))
	case !(m.Ramp >= 0), m.Ramp > 0 && m.Frequency == 0:
		s.fault(key+".ramp", found(m.Ramp, "a time ≥ 0 s, beside amplitude and frequency"))
	}
	if m.Velocity == (vec.Vec3{}) && m.Spin == (vec.Vec3{}) && m.Amplitude == (vec.Vec3{}) {
		s.warn(key, "has no velocity, spin or amplitude: the wall rests")
	}
	s.inPlane(key+".velocity", m.Velocity)
	s.inPlane(key+".amplitude", m.Amplitude)
	return m
}
