package scene

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// shape is one [shapes.NAME]: a ball or a convex block, with what it is made of.
type shape struct {
	name     string
	material int
	density  float64 // kg/m³
	template *soa.Template
	box      vec.Box // of a block, in the frame of its file; of a ball about its centre
}

// loadShapes reads the meshes, as many at a time as there are processors: hulls take far longer than
// the rest of a scene. Of several errors the one of the first name is returned.
func (s *Scene) loadShapes(d *document) error {
	names := inOrder(d.Shapes)
	s.shapes = make([]shape, len(names))
	faults := make([]error, len(names))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		table := d.Shapes[name]
		g.Go(func() error {
			if s.memory.full() {
				return nil // Nothing of it will be used.
			}
			if s.shapes[i], faults[i] = s.loadShape(name, table); faults[i] == nil {
				s.memory.add(s.shapes[i].template)
			}
			return nil
		})
	}
	_ = g.Wait() // The errors are in faults, in the order of the names.
	if s.memory.full() {
		return s.tooMuchShape("shapes", len(names))
	}
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Scene) loadShape(name string, t *shapeTable) (shape, error) {
	key := "shapes." + name
	h := shape{name: name}
	var err error
	if err := s.checkName(key, name); err != nil {
		return h, err
	}
	if h.material, err = s.material(key+".material", t.Material); err != nil {
		return h, err
	}
	h.density = s.density[h.material]
	if t.Density != nil {
		h.density = *t.Density
		if !(h.density > 0) {
			return h, s.at.fault(key+".density", found(h.density, "a density > 0 kg/m³"))
		}
	}
	if h.density == 0 {
		return h, s.at.fault(key+".density", missing("a density > 0 kg/m³ here or in materials."+t.Material))
	}
	scale := 1.0
	if t.Scale != nil {
		scale = *t.Scale
		if !(scale > 0) {
			return h, s.at.fault(key+".scale", found(scale, "a factor > 0"))
		}
	}
	var b geometry.Builtin
	switch {
	case t.Builtin != "" && t.File != "":
		return h, s.at.fault(key+".file", "is given beside builtin, expected one of the two")
	case t.Builtin != "":
		key += ".builtin"
		if b, err = geometry.ParseBuiltin(t.Builtin); err != nil {
			return h, s.at.because(key, err)
		}
		if disc := b.Disc != 0; disc != s.planar {
			return h, s.notPlanar(key, t.Builtin)
		}
	case t.File != "" && s.planar:
		return h, s.notPlanar(key+".file", t.File)
	case t.File != "":
		key += ".file"
		if fileio.TakesMuch(s.meshPath(t.File)) {
			s.large.Lock()
			defer s.large.Unlock()
		}
		mesh, err := s.readMesh(key, t.File)
		if err != nil {
			return h, err
		}
		if b.Poly, err = geometry.FromMesh(mesh); err != nil {
			return h, s.at.because(key, fmt.Errorf("%s: %w", t.File, fileio.NumberedAs(t.File, err)))
		}
	default:
		return h, s.at.fault(key, "has neither builtin nor file, expected one of the two")
	}
	if err := h.make(&b, scale); err != nil {
		return h, s.at.because(key, err)
	}
	if t.Round != nil {
		if err := s.round(&h, b.Poly, *t.Round); err != nil {
			return h, err
		}
	}
	return h, nil
}

// round rounds a block, which is also given as a polyhedron. Where a law acts by the overlap of bodies it becomes the bevelled block.
func (s *Scene) round(h *shape, p *geometry.Polyhedron, r float64) error {
	key := "shapes." + h.name + ".round"
	switch {
	case !(r >= 0) || math.IsInf(r, 1):
		return s.at.fault(key, found(r, "a rounding radius ≥ 0 m"))
	case r > 0 && h.template.Kind == soa.Ball:
		return s.at.fault(key, found(r, "none for a ball, whose radius is its own"))
	case !s.law.Overlaps():
		h.template.Round = r
		return nil
	case r == 0:
		return nil
	}
	p, err := p.Bevelled(r)
	if err != nil {
		return s.at.because(key, err)
	}
	h.template, h.box = p.Template(), p.Box()
	h.template.Name = h.name
	return nil
}

// make scales b and fills in the shape.
func (h *shape) make(b *geometry.Builtin, scale float64) (err error) {
	if b.Disc != 0 {
		b.Disc = float64(b.Disc * scale)
		h.box = vec.Box{}.Enlarged(b.Disc)
	} else if b.Poly == nil {
		b.Ball = float64(b.Ball * scale)
		h.box = vec.Box{}.Enlarged(b.Ball)
	} else {
		if scale != 1 {
			if b.Poly, err = b.Poly.Scaled(scale); err != nil {
				return err
			}
		}
		h.box = b.Poly.Box()
	}
	if h.template, err = b.Template(); err != nil {
		return err
	}
	h.template.Name = h.name
	return nil
}

// meshPath returns where a mesh file is whose name is relative to the folder of the scene.
func (s *Scene) meshPath(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(s.dir, file)
}

// readMesh reads a mesh file whose name is relative to the folder of the scene.
func (s *Scene) readMesh(key, file string) (*geometry.Mesh, error) {
	if strings.ContainsRune(file, 0) {
		return nil, s.at.fault(key, found(file, "a mesh file, whose name has no NUL"))
	}
	path := s.meshPath(file)
	mesh, err := fileio.ReadMesh(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &fault{file: s.at.file, line: s.at.line(key), key: key, cause: err,
			what: found(file, "a mesh file; "+path+" does not exist")}
	}
	if err != nil {
		return nil, s.at.because(key, err)
	}
	return mesh, nil
}
