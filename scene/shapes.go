package scene

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// shape is one [shapes.NAME] table: a ball or a convex block, with its material, or a clump.
type shape struct {
	name     string
	material int
	density  float64       // kg/m³
	template *soa.Template // nil for a clump
	box      vec.Box       // of a block in the frame of its file; of a ball about its centre
	warning  string        // about its mesh, or empty

	own    []*soa.Template    // of the shape or of the files of a clump, in rows of the world
	parts  []part             // one, but of a clump
	mass   *geometry.BodyMass // of a clump; nil: the sum over the parts
	centre vec.Vec3           // of mass, m, in the frame of the shape
	radius float64            // m, of a ball about the centre that holds the shape
}

// loadShapes reads the meshes in parallel, because computing hulls takes far longer than the rest
// of a scene. Of several errors it reports the one of the first name.
func (s *checks) loadShapes(d *document) {
	names := inOrder(d.Shapes)
	s.shapes = make([]shape, len(names))
	faults := make([]error, len(names))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		table := d.Shapes[name]
		g.Go(func() error {
			if s.memory.full() {
				return nil // The shapes will not be used.
			}
			c := &checks{Scene: s.Scene}
			if s.shapes[i] = c.loadShape(name, table); c.first == nil {
				for _, t := range s.shapes[i].own {
					s.memory.add(t)
				}
			}
			faults[i] = c.first
			return nil
		})
	}
	_ = g.Wait() // The errors are in faults, in the order of the names.
	if s.first = cmp.Or(faults...); s.first == nil && !s.memory.full() {
		s.assemble(d)
	}
	for _, h := range s.shapes {
		if h.warning != "" {
			s.warn(joined("shapes", h.name)+".file", h.warning)
		}
	}
	if s.memory.full() {
		s.tooMuchShape("shapes", len(names))
	}
}

func (s *checks) loadShape(name string, t *shapeTable) shape {
	key := joined("shapes", name)
	h := shape{name: name}
	s.clumpKeys(key, t)
	if len(t.Pieces) > 0 || s.first != nil {
		return h
	}
	if t.Material == "" {
		s.fault(key+".material", missing("a text in quotes, the name of a material"))
		return h
	}
	h.material = s.material(key+".material", t.Material)
	if h.density = cmp.Or(t.Density, s.density[h.material]); h.density == 0 {
		s.fault(key+".density", missing("a density > 0 kg/m³ here or in materials."+t.Material))
	}
	if t.isClump() {
		s.loadParts(key, t, &h)
		return h
	}
	s.loadOne(key, t, &h)
	h.own = append(h.own, h.template)
	return h
}

// loadOne loads the ball or block of a table.
func (s *checks) loadOne(key string, t *shapeTable, h *shape) {
	var b geometry.Builtin
	var err error
	switch {
	case t.Builtin != "":
		key += ".builtin"
		name, _, _ := strings.Cut(t.Builtin, ":")
		if hint := hintOf("builtin="+strings.TrimSpace(name), ""); hint != "" {
			s.fault(key, found(t.Builtin, hint))
			return
		}
		if b, err = geometry.ParseBuiltin(t.Builtin); err == nil && (b.Disc != 0) != s.planar {
			s.notPlanar(key, t.Builtin)
		}
	case t.File != "" && s.planar:
		s.notPlanar(key+".file", t.File)
	case t.File != "":
		key += ".file"
		if fileio.TakesMuch(s.meshPath(t.File)) {
			s.large.Lock()
			defer s.large.Unlock()
		}
		mesh := s.readMesh(key, t.File)
		if s.first != nil {
			return
		}
		b.Poly, err = convex(t.File, mesh, "; parts = \"objects\" makes a piece of each object of an OBJ file,"+divide)
	}
	s.finish(key, t, h, &b, err)
}

// divide names the page for a mesh with dents.
const divide = " and docs/scenes.md, Clumps, says how to divide a mesh into convex ones"

// convex makes a block of a mesh from a file. cure is added to the error of a mesh with dents, or of several parts.
func convex(file string, mesh *geometry.Mesh, cure string) (*geometry.Polyhedron, error) {
	p, err := geometry.FromMesh(mesh)
	if err == nil {
		return p, nil
	}
	if !slices.ContainsFunc([]error{geometry.ErrNotConvex, geometry.ErrNotConnected, geometry.ErrNotManifold, geometry.ErrSelfIntersecting},
		func(of error) bool { return errors.Is(err, of) }) {
		cure = ""
	}
	return nil, fmt.Errorf("%s: %w%s", file, fileio.Numbered(file, mesh, err), cure)
}

// finish scales and rounds a shape. err is that of its polyhedron.
func (s *checks) finish(key string, t *shapeTable, h *shape, b *geometry.Builtin, err error) {
	if err == nil && s.first == nil {
		err = h.make(b, t.Scale)
	}
	if err != nil {
		s.fail(s.at.because(key, err))
	}
	if t.Round > 0 && s.first == nil {
		s.round(h, b.Poly, t.Round)
	}
}

// round applies the rounding radius r > 0 to a block with polyhedron p. If a law acts by the overlap of
// bodies, the rounded block is replaced by a bevelled block.
func (s *checks) round(h *shape, p *geometry.Polyhedron, r float64) {
	key := joined("shapes", h.name) + ".round"
	switch {
	case h.template.Kind.IsRound():
		s.fault(key, found(r, "none for a ball, whose radius is its own"))
	case !s.law.Overlaps():
		h.template.Round = r
	default:
		p, err := p.Bevelled(r)
		if err != nil {
			s.fail(s.at.because(key, err))
			return
		}
		h.template, h.box = p.Template(), p.Box()
		h.template.Name = h.name
	}
}

// make scales b and stores it in the shape.
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
		h.box, h.warning = b.Poly.Box(), b.Poly.MoveWarning()
	}
	if h.template, err = b.Template(); err != nil {
		return err
	}
	h.template.Name = h.name
	return nil
}

// meshPath returns the path of a mesh file. Relative names refer to the folder of the scene.
func (s *Scene) meshPath(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(s.dir, file)
}

// readMesh reads a mesh file. Relative names refer to the folder of the scene. It returns nil on
// failure.
func (s *checks) readMesh(key, file string) *geometry.Mesh {
	if strings.ContainsRune(file, 0) {
		s.fault(key, found(file, "a mesh file, whose name has no NUL"))
		return nil
	}
	path := s.meshPath(file)
	mesh, err := fileio.ReadMesh(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f := s.at.faultOf(key, found(file, "a mesh file; "+path+" does not exist"))
		f.cause = err
		s.fail(f)
	case err != nil:
		s.fail(s.at.because(key, err))
	}
	return mesh
}
