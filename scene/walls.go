package scene

import (
	"fmt"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// wall is one checked [[walls]] table, with the shapes of its pieces.
type wall struct {
	key      string
	name     string
	material int
	plane    bool
	file     string               // mesh file
	facets   *geometry.WallFacets // of the file
	pose     vec.Pose
	course   wallCourse
	absent   bool   // present = false
	hash     string // see wallHash
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
		if w.facets != nil && s.memory.addFacets(w.facets) {
			s.tooMuchShape(w.key, len(s.shapes)+w.facets.Len())
			return
		}
		s.walls = append(s.walls, w)
	}
	for i := range d.Walls { // once all walls are known
		w, t := &s.walls[i], &d.Walls[i]
		w.course = s.wallCourse(w.key, t.Motion, t.Servo, t.Load, w)
	}
}

func (s *checks) loadWall(key string, number int, t *wallTable) wall {
	w := wall{key: key, name: t.Name, file: t.File}
	if w.name == "" {
		w.name = fmt.Sprintf("wall-%d", number)
	}
	w.material = s.material(key+".material", t.Material)
	switch {
	case t.Plane != nil:
		s.planeWall(key, t, &w)
	case s.planar:
		s.fault(key+".file", found(w.file, "a plane with dim = 2"))
	default:
		s.meshWall(key, t, &w)
	}
	w.absent = !t.Present
	return w
}

// planeWall makes a half-space. The z axis of a plane's frame is its normal.
func (s *checks) planeWall(key string, t *wallTable, w *wall) {
	point, normal := t.Plane.Point, t.Plane.Normal
	s.inPlane(key+".plane.point", point)
	s.inPlane(key+".plane.normal", normal)
	if m := normal.MaxAbs(); m > 0 {
		normal = normal.Scale(1 / m).Unit() // Divide by the largest component first, because squares may overflow or vanish.
	}
	s.demand(key+".plane.normal", asList(t.Plane.Normal), normal.Finite() && normal != (vec.Vec3{}), "a direction")
	w.pose = vec.Pose{Pos: point, Rot: upTo(normal)}
	w.plane = true
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
	w.pose = vec.Pose{Pos: t.Position, Rot: vec.Identity}
	set(&w.pose.Rot, t.Rotation)
	if s.first != nil {
		return
	}
	scaled := &geometry.Mesh{Name: mesh.Name, Faces: mesh.Faces, Verts: make([]vec.Vec3, len(mesh.Verts))}
	for k, v := range mesh.Verts {
		scaled.Verts[k] = v.Scale(t.Scale)
	}
	facets, flat, err := geometry.MergeFacets(scaled)
	if err != nil {
		s.fail(s.at.because(key+".file", fmt.Errorf("%s: %w", t.File, fileio.Numbered(t.File, mesh, err))))
		return
	}
	w.facets = facets
	s.demand(key+".file", t.File, facets.Len() > 0, "a mesh with one triangle at least that has an area")
	if flat > 0 {
		s.warn(key, fmt.Sprintf("%d triangles of %q have no area and are left out", flat, t.File))
	}
}

func (s *checks) motion(key string, t *motionTable) engine.Motion {
	m := engine.Motion{
		Velocity: t.Velocity.start(), VelocityTable: t.Velocity.varying(), Spin: t.Spin.start(), SpinTable: t.Spin.varying(), Centre: t.Centre, Amplitude: t.Amplitude, Frequency: t.Frequency, Ramp: t.Ramp, From: t.From, To: t.To,
	}
	switch {
	case m.To != 0 && !(m.To > m.From):
		s.fault(key+".to", found(m.To, fmt.Sprintf("a time after from, %g s; 0 is no end", m.From)))
	case m.Amplitude == (vec.Vec3{}) && m.Frequency != 0:
		s.fault(key+".amplitude", found(asList(m.Amplitude), "three numbers, one of them not 0, beside frequency"))
	}
	if m.VelocityTable != nil {
		m.Velocity = vec.Vec3{}
	}
	if m.SpinTable != nil {
		m.Spin = vec.Vec3{}
	}
	if m == (engine.Motion{Centre: m.Centre, Frequency: m.Frequency, From: m.From, To: m.To, Ramp: m.Ramp}) {
		s.warn(key, "has no velocity, spin or amplitude: the wall rests")
	}
	for _, v := range t.Velocity.values() {
		s.inPlane(key+".velocity", v)
	}
	s.inPlane(key+".amplitude", m.Amplitude)
	return m
}
