package scene

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/disjoint"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// part is a piece of a shape. A shape that is no clump has one, with the identity as its pose.
type part struct {
	row      int // of the template in the world
	template *soa.Template
	material int
	density  float64  // kg/m³
	pose     vec.Pose // frame of the template's file to that of the shape
}

// box returns the box of the part about the origin of the shape, with axes turned by q.
func (p *part) box(q vec.Quat) vec.Box {
	pose, t := vec.Pose{Rot: q}.Mul(p.pose), p.template
	if len(t.Verts) == 0 { // a ball
		c := pose.Point(t.Origin)
		return vec.Box{Min: c, Max: c}.Enlarged(t.Radius)
	}
	box := vec.EmptyBox()
	for _, v := range t.Verts {
		box = box.With(pose.Point(v.Add(t.Origin)))
	}
	return box.Enlarged(t.Round)
}

// body returns the parts and the mass of a body of the shape.
func (h *shape) body() engine.BodySpec {
	b := engine.BodySpec{Mass: h.mass}
	for _, p := range h.parts {
		b.Parts = append(b.Parts, engine.Part{Shape: soa.Shape(p.row), Material: soa.Material(p.material), Density: p.density, Local: p.pose})
	}
	return b
}

// kilograms returns the mass of a body of the shape.
func (h *shape) kilograms() (kg float64) {
	if h.mass != nil {
		return h.mass.Mass
	}
	for _, p := range h.parts {
		kg += float64(p.density * p.template.Volume)
	}
	return kg
}

// turned returns the box of the shape turned by q, about the origin of its frame.
func (h *shape) turned(q vec.Quat) vec.Box {
	if h.template != nil && (q == vec.Identity || len(h.template.Verts) == 0) {
		return h.box.Enlarged(h.template.Round)
	}
	box := vec.EmptyBox()
	for i := range h.parts {
		box = box.Union(h.parts[i].box(q))
	}
	return box
}

// addShapes adds the templates of all shapes to a world: of those of one piece, and of the files of clumps, by name.
// The rows are those that parts have.
func (s *Scene) addShapes(w *engine.World) error {
	for i := range s.shapes {
		for _, t := range s.shapes[i].own {
			if _, err := w.AddShape(t); err != nil {
				return s.at.because(joined("shapes", s.shapes[i].name), err)
			}
		}
	}
	return nil
}

func (s *Scene) hasClumps() bool {
	return slices.ContainsFunc(s.shapes, func(h shape) bool { return h.template == nil })
}

// movingPieces returns about how many pieces the moving bodies have in the whole run, at most. Weights of generators do not count.
func (s *Scene) movingPieces() (n uint64) {
	for i := range s.groups {
		g := &s.groups[i]
		all := 0
		for _, h := range g.shapes {
			all += len(s.shapes[h].parts)
		}
		n += uint64(g.most()) * uint64(all) / uint64(len(g.shapes))
	}
	return n
}

// clump adds a clump: its pieces, the templates of its own files, and its mass.
func (d *digester) clump(h *shape) {
	d.text("clump")
	d.whole(uint64(len(h.own)))
	for _, t := range h.own {
		d.template(t)
	}
	d.whole(uint64(len(h.parts)))
	for _, p := range h.parts {
		d.whole(uint64(p.row))
		d.whole(uint64(p.material))
		d.floats(p.density)
		d.pose(p.pose)
	}
	if m := h.mass; m != nil {
		d.floats(m.Mass, m.Inertia.XX, m.Inertia.YY, m.Inertia.ZZ, m.Inertia.XY, m.Inertia.XZ, m.Inertia.YZ)
		d.vec(m.Centre)
	}
}

func (t *shapeTable) isClump() bool { return t.Pieces != nil || t.Files != nil || t.Parts != "" }

// clumpKeys checks the keys of a table that belong to clumps, or do not.
func (s *checks) clumpKeys(key string, t *shapeTable) {
	refuse := func(what string, names ...string) {
		for _, name := range names {
			if s.at.has(key + "." + name) {
				s.fault(key+"."+name, what)
			}
		}
	}
	_, number := oneNumber(t.Mass)
	switch {
	case !t.isClump():
		refuse(`is given for a shape of one piece, expected it beside pieces, files or parts = "objects"`, "mass", "mass_of", "centre", "inertia")
		return
	case s.planar:
		s.fault(key, "is a clump, expected none with dim = 2")
	case t.Pieces != nil:
		s.demand(key+".pieces", "no pieces", len(t.Pieces) > 0, "one piece at least")
		refuse("is given for a clump of pieces, expected it in the shapes of the pieces", "scale", "round")
		if t.MassOf == "" {
			refuse("is given for a clump of pieces, expected it in the shapes of the pieces, or mass_of beside it", "material", "density")
		}
	case t.Files != nil:
		s.demand(key+".files", "no names", len(t.Files) > 0, "one mesh file at least")
	}
	if !number {
		refuse("is given without a mass in kg, expected both or neither", "centre", "inertia")
		return
	}
	for _, name := range []string{"centre", "inertia"} {
		if !s.at.has(key + "." + name) {
			s.fault(key+"."+name, missing("it beside a mass in kg"))
		}
	}
	s.demand(key+".inertia", t.Inertia, len(t.Inertia) == 6, "six numbers [xx, yy, zz, xy, xz, yz]")
}

// loadParts loads the pieces of a clump of files.
func (s *checks) loadParts(key string, t *shapeTable, h *shape) {
	cure := ";" + strings.TrimPrefix(divide, " and")
	if t.Files != nil {
		cure = `; file with parts = "objects", in place of files, makes a piece of each object of an OBJ file,` + divide
	}
	add := func(key, file string, mesh *geometry.Mesh, of string) {
		if s.first != nil {
			return
		}
		one, b := shape{name: h.name}, geometry.Builtin{}
		var err error
		if b.Poly, err = convex(file, mesh, cure); err != nil && of != "" {
			err = fmt.Errorf("%s: %w", of, err)
		}
		if s.finish(key, t, &one, &b, err); s.first == nil {
			h.own, h.warning = append(h.own, one.template), cmp.Or(h.warning, one.warning)
		}
	}
	for i, file := range t.Files {
		at := entry(key+".files", i)
		mesh := s.readMesh(at, file)
		add(at, file, mesh, "")
	}
	if t.Parts == "" {
		return
	}
	key += ".file"
	parts, err := fileio.ReadParts(s.meshPath(t.File))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.readMesh(key, t.File)
	case err != nil:
		s.fail(s.at.because(key, err))
	case len(parts) == 0:
		s.fault(key, found(t.File, "a file with faces"))
	}
	for _, p := range parts {
		add(key, t.File, p.Mesh, fmt.Sprintf("line %d: object %q", p.Line, p.Name))
	}
}

// assemble gives the shapes their parts, rows, centres and radii, and the clumps their masses.
func (s *checks) assemble(d *document) {
	row := 0
	rows := make([]int, len(s.shapes)) // of the first own template of a shape
	for i := range s.shapes {
		rows[i] = row
		row += len(s.shapes[i].own)
	}
	for i := range s.shapes {
		h := &s.shapes[i]
		t, key := d.Shapes[h.name], joined("shapes", h.name)
		for k, own := range h.own {
			h.parts = append(h.parts, part{rows[i] + k, own, h.material, h.density, vec.IdentityPose})
		}
		for k := range t.Pieces {
			p, at := &t.Pieces[k], entry(key+".pieces", k)
			of := s.shapesNamed(at+".shape", []string{p.Shape})[0]
			if s.first == nil && d.Shapes[p.Shape].isClump() {
				s.fault(at+".shape", found(p.Shape, "a shape that is no clump"))
			}
			if s.first != nil {
				return
			}
			pose := vec.Pose{Pos: p.Position, Rot: vec.Identity}
			if p.Rotation != nil {
				pose.Rot = *p.Rotation
			}
			from := &s.shapes[of]
			if size := 2 * (from.own[0].Radius + from.own[0].Round); !(pose.Pos.MaxAbs() <= farSizes*size) {
				s.fault(at+".position", atMost(pose.Pos.MaxAbs(), farSizes*size, fmt.Sprintf("m from the origin, for a piece of %.3g m", size)))
				return
			}
			h.parts = append(h.parts, part{rows[of], from.own[0], from.material, from.density, pose})
		}
		if h.template != nil {
			h.centre, h.radius = h.template.Origin, h.template.Radius+h.template.Round
			continue
		}
		if s.massOfClump(key, t, h); s.first != nil {
			return
		}
		for k := range h.parts {
			p := &h.parts[k]
			h.radius = max(h.radius, p.pose.Point(p.template.Origin).Sub(h.centre).Norm()+p.template.Radius+p.template.Round)
		}
		if _, number := oneNumber(t.Mass); number {
			s.warnInertia(key+".inertia", h)
		}
		s.warnApart(key, h)
	}
}

// massOfClump sets the mass and the centre of a clump.
func (s *checks) massOfClump(key string, t *shapeTable, h *shape) {
	var pieces []geometry.MassPiece
	for _, p := range h.parts {
		pieces = append(pieces, geometry.MassPiece{Shape: p.template, Pose: p.pose, Density: p.density})
	}
	var m geometry.BodyMass
	var err error
	kg, number := oneNumber(t.Mass)
	switch {
	case t.MassOf != "":
		m, key = s.massOfMesh(key, t, h), key+".mass_of"
	case number:
		m.Mass, m.Centre = kg, t.Centre
		m.Inertia = vec.Sym3{XX: t.Inertia[0], YY: t.Inertia[1], ZZ: t.Inertia[2], XY: t.Inertia[3], XZ: t.Inertia[4], YZ: t.Inertia[5]}
		key += ".inertia"
	case t.Mass == "sum":
		for _, p := range pieces { // as the engine sums
			h.centre = h.centre.AddScaled(float64(p.Density*p.Shape.Volume), p.Pose.Point(p.Shape.Origin))
		}
		h.centre = h.centre.Scale(1 / h.kilograms())
		return
	default:
		if m, err = geometry.UnionMass(pieces); errors.Is(err, geometry.ErrTooLarge) {
			err = fmt.Errorf(`%w; mass_of = "MESH", or mass in kg with centre and inertia, needs no union`, err)
		}
		key += ".mass"
	}
	if err == nil && s.first == nil {
		err = m.Check()
	}
	if box := h.turned(vec.Identity); err == nil && !box.Holds(m.Centre) {
		err = fmt.Errorf("centre of mass at %v, expected it in the box of the pieces, %v to %v", m.Centre, box.Min, box.Max)
		key = strings.Replace(key, ".inertia", ".centre", 1)
	}
	if err != nil {
		s.fail(s.at.because(key, err))
	}
	h.mass, h.centre = &m, m.Centre
}

// massOfMesh returns the mass of the closed mesh that a clump names.
func (s *checks) massOfMesh(key string, t *shapeTable, h *shape) (m geometry.BodyMass) {
	density := cmp.Or(t.Density, h.density)
	switch differ := func(p part) bool { return p.density != h.parts[0].density }; {
	case density > 0:
	case t.Material != "":
		if density = s.density[s.material(key+".material", t.Material)]; density == 0 {
			s.fault(key+".density", missing("a density > 0 kg/m³ here or in materials."+t.Material))
		}
	case slices.ContainsFunc(h.parts, differ):
		s.fault(key+".density", missing("a density > 0 kg/m³, or a material that has one: those of the pieces differ"))
	default:
		density = h.parts[0].density
	}
	at := key + ".mass_of"
	mesh, in := s.closed(at, t.MassOf)
	if s.first != nil {
		return m
	}
	if in.Report.Empty {
		s.fault(at, found(t.MassOf, "a mesh that encloses a volume"))
		return m
	}
	for k, v := range mesh.Verts {
		mesh.Verts[k] = v.Scale(t.Scale)
	}
	p, err := mesh.Mass()
	if err != nil {
		s.fail(s.at.because(at, err))
	}
	return geometry.BodyMass{Mass: float64(density * p.Volume), Centre: p.Centroid, Inertia: p.Inertia.Scale(density)}
}

// apartRel, times the radius of a clump, is the largest gap of pieces that count as touching. It covers files in which
// coordinates have few digits.
// Smaller: warnings of rounding. Larger: gaps pass.
const apartRel = 1e-4

// warnInertia warns of an inertia that is given in another unit: of a body wider than the clump, or of a point in it.
func (s *checks) warnInertia(key string, h *shape) {
	moments, _ := geometry.MassProperties{Inertia: h.mass.Inertia}.Principal()
	most, whole := max(moments.X, moments.Y, moments.Z), float64(h.mass.Mass*h.radius*h.radius)
	if most > whole || most < leastInertia*whole {
		s.warn(key, fmt.Sprintf("has the largest principal moment %.3g kg·m², expected at most mass × radius², %.3g, and more than %g of that: is it in kg·m²?", most, whole, leastInertia))
	}
}

// leastInertia is the least principal moment of a clump, over its mass times its radius squared, that passes without a warning.
// Another value: only the warning.
const leastInertia = 1e-4

// ClumpReport has the mass properties of a clump.
type ClumpReport struct {
	Shape   string     `json:"shape"`             // name of the shape
	Pieces  int        `json:"pieces"`            // number of pieces
	Mass    float64    `json:"mass"`              // kg
	Centre  [3]float64 `json:"centre"`            // m, of mass, in the frame of the shape
	Inertia []float64  `json:"inertia,omitempty"` // kg·m², xx, yy, zz, xy, xz, yz about the centre, axes of the shape; none with mass = "sum"
}

// clumpReports returns the mass properties of all clumps.
func (s *Scene) clumpReports() (list []ClumpReport) {
	for i := range s.shapes {
		h := &s.shapes[i]
		if h.template != nil {
			continue
		}
		r := ClumpReport{Shape: h.name, Pieces: len(h.parts), Mass: h.kilograms(), Centre: [3]float64(asList(h.centre))}
		if m := h.mass; m != nil {
			r.Inertia = []float64{m.Inertia.XX, m.Inertia.YY, m.Inertia.ZZ, m.Inertia.XY, m.Inertia.XZ, m.Inertia.YZ}
		}
		list = append(list, r)
	}
	return list
}

// warnApart warns of pieces that no others of the clump touch.
func (s *checks) warnApart(key string, h *shape) {
	room := float64(apartRel * h.radius)
	one := disjoint.New[int](len(h.parts))
	boxes := make([]vec.Box, len(h.parts))
	for i := range h.parts {
		boxes[i] = h.parts[i].box(vec.Identity).Enlarged(room)
		for k := range i {
			a, b := &h.parts[i], &h.parts[k]
			if one.Lowest(i) == one.Lowest(k) || !boxes[i].Overlaps(boxes[k]) {
				continue
			}
			if gap, err := narrow.Distance(a.template, a.pose, b.template, b.pose); err != nil || gap.Gap <= room {
				one.Join(i, k)
			}
		}
	}
	var apart []string
	for i := range h.parts {
		if one.Lowest(i) == i {
			apart = append(apart, fmt.Sprint(i))
		}
	}
	if len(apart) > 1 {
		s.warn(key, fmt.Sprintf("has pieces too far apart to touch: %d groups, with the pieces %s and those that touch them", len(apart), strings.Join(apart[:min(len(apart), 5)], ", ")))
	}
}
