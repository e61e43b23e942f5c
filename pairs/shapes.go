package pairs

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// ErrShapes reports a path without shapes, or a name that two shapes share.
var ErrShapes = errors.New("not a set of shapes")

// shape is a shape of bodies, or the reason why it cannot be used.
type shape struct {
	id     uint64 // unique among all shapes ever made; 0 for a fault
	view   *soa.View
	origin vec.Vec3 // m, origin of the view's frame in the frame of the file
	// centred is the view of a facet with its middle as one more vertex, of no edge; see
	// Options.FacetCentre.
	centred *soa.View
	fault   error

	warning string      // about the mesh, or empty
	named   atomic.Bool // a row has named the shape
}

// ShapeSet is the set of shapes that rows may name: shapes from files, by file name without
// extension, and all builtins, by their text.
type ShapeSet struct {
	files map[string]*shape
	paths []string // paths of the files

	lock     sync.Mutex
	builtins map[string]*shape
}

// maxBuiltins is the number of builtins that are stored from batch to batch: 11 KB for a
// tetrahedron, 18 KB for a rock with 20 vertices. It bounds the memory for a table with a new
// builtin in every row, together with the builtins of one batch. The results do not depend on it.
const maxBuiltins = 2048

// LoadShapes reads shapes. A path is a mesh file, a builtin, or a folder, which stands for all
// meshes in it. A mesh file in paths that cannot be a body is an error, and so are two files with
// the same name. A bad mesh in a folder is a fault only of rows that name it, because not every
// mesh in a folder must be a body or be used.
func LoadShapes(paths []string) (*ShapeSet, error) {
	s := &ShapeSet{files: map[string]*shape{}, builtins: map[string]*shape{}}
	type source struct {
		path     string
		inFolder bool
	}
	var sources []source
	for _, path := range paths {
		if geometry.IsBuiltin(path) {
			if made := makeBuiltin(path); made.fault != nil {
				return nil, made.fault
			}
			continue
		}
		stat, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("pairs: %s: %w", path, disk.Unnamed(err))
		}
		if !stat.IsDir() {
			sources = append(sources, source{path, false})
			continue
		}
		meshes, err := MeshesIn(path)
		if err != nil {
			return nil, err
		}
		for _, mesh := range meshes {
			sources = append(sources, source{mesh, true})
		}
	}
	for _, from := range sources {
		s.paths = append(s.paths, from.path)
	}
	loaded := make([]*shape, len(sources))
	var g errgroup.Group
	var large sync.Mutex // held while reading a mesh that may need a large part of the memory
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, from := range sources {
		g.Go(func() error {
			if fileio.TakesMuch(from.path) {
				large.Lock()
				defer large.Unlock()
			}
			loaded[i] = readShape(from.path)
			return nil
		})
	}
	_ = g.Wait() // Each shape holds its own error.
	at := map[string]source{}
	for i, from := range sources {
		name := disk.Stem(from.path)
		if loaded[i].fault != nil && !from.inFolder {
			return nil, loaded[i].fault
		}
		if known := s.files[name]; known != nil && errors.Is(known.fault, ErrShapes) {
			continue // The name is already known to be ambiguous.
		}
		if other, taken := at[name]; taken && !disk.SameFile(other.path, from.path) {
			err := fmt.Errorf("pairs: %s and %s have the same name %q, expected one file of each name: %w",
				other.path, from.path, name, ErrShapes)
			if !from.inFolder && !other.inFolder {
				return nil, err
			}
			s.files[name] = &shape{fault: err}
			continue
		}
		at[name], s.files[name] = from, loaded[i]
	}
	return s, nil
}

// MeshesIn returns the sorted paths of the mesh files in a folder.
func MeshesIn(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("pairs: %w", err)
	}
	var paths []string
	for _, e := range entries {
		if !e.IsDir() && fileio.IsMeshName(e.Name()) {
			paths = append(paths, filepath.Join(folder, e.Name()))
		}
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("pairs: the folder %s has no mesh, expected files that end in one of %s: %w", folder, strings.Join(fileio.MeshEndings(false), " "), ErrShapes)
	}
	return paths, nil
}

// Paths returns the files that were read, including those from folders.
func (s *ShapeSet) Paths() []string { return s.paths }

// Warnings returns a warning for each file whose vertices moved by more than rounding, if a row has
// named its shape since the last call.
func (s *ShapeSet) Warnings() (texts []string) {
	for _, path := range s.paths {
		if h := s.files[disk.Stem(path)]; h.named.Swap(false) {
			texts = append(texts, path+": "+h.warning)
		}
	}
	return texts
}

// Len returns the number of shapes from files.
func (s *ShapeSet) Len() int { return len(s.files) }

// readShape reads a mesh file.
func readShape(path string) *shape {
	mesh, err := fileio.ReadMesh(path)
	if err != nil {
		return &shape{fault: fmt.Errorf("pairs: %w", err)}
	}
	if len(mesh.Faces) == 1 {
		return makeFacet(path, mesh)
	}
	p, err := geometry.FromMesh(mesh)
	switch {
	case errors.Is(err, geometry.ErrFlat):
		err = fmt.Errorf("%w, or a mesh of one face, which is a facet of a wall", mark.Inner(err))
		fallthrough
	case err != nil:
		return &shape{fault: fmt.Errorf("pairs: %s: %w", path, mark.Inner(fileio.Numbered(path, mesh, err)))}
	}
	h := enter(p.Template())
	h.warning = p.MoveWarning()
	return h
}

// makeFacet makes a facet of a wall of a mesh of one face, with the middle of its corners as origin.
func makeFacet(path string, mesh *geometry.Mesh) *shape {
	loop := mesh.Faces[0]
	var middle vec.Vec3
	for _, k := range loop {
		middle = middle.AddScaled(1/float64(len(loop)), mesh.Verts[k])
	}
	polygon := make([]vec.Vec3, len(loop))
	for k, v := range loop {
		polygon[k] = mesh.Verts[v].Sub(middle)
	}
	t, err := geometry.FacetPolygonTemplate(polygon)
	if err != nil {
		return &shape{fault: fmt.Errorf("pairs: %s: %w", path, err)}
	}
	h := enter(t)
	if h.fault != nil {
		return h
	}
	h.origin = middle
	c, n := *h.view, h.view.NVerts
	for _, x := range []*[]float64{&c.X, &c.Y, &c.Z} {
		padded := soa.Float64s(soa.Pad(n + 1)) // The origin follows the corners.
		copy(padded, (*x)[:n])
		*x = padded
	}
	c.NVerts = n + 1
	c.RingFirst, c.RingLen = append(slices.Clone(c.RingFirst[:n]), 0), append(slices.Clone(c.RingLen[:n]), 0)
	h.centred = &c
	return h
}

// makeBuiltin makes the shape that a text describes.
func makeBuiltin(text string) *shape {
	b, err := geometry.ParseBuiltin(text)
	if err != nil {
		return &shape{fault: err}
	}
	if b.Disc != 0 {
		return &shape{fault: fmt.Errorf("pairs: shape %q is of two dimensions, which are %w", text, ErrAbsent)}
	}
	t, err := b.Template()
	if err != nil {
		return &shape{fault: err}
	}
	return enter(t)
}

// shapeIDs counts all shapes ever made.
var shapeIDs atomic.Uint64

// enter adds a template to its own arena, because a view becomes invalid when the arena grows.
func enter(t *soa.Template) *shape {
	arena := &soa.Shapes{}
	h, err := arena.Add(t)
	if err != nil {
		return &shape{fault: err}
	}
	return &shape{id: shapeIDs.Add(1), view: arena.View(h), origin: t.Origin}
}

// find returns the shape with a name. Workers may call it concurrently.
func (s *ShapeSet) find(name string) *shape {
	if h, ok := s.files[name]; ok {
		if h.warning != "" {
			h.named.Store(true)
		}
		return h
	}
	s.lock.Lock()
	h, ok := s.builtins[name]
	s.lock.Unlock()
	if ok {
		return h
	}
	if !geometry.IsBuiltin(name) {
		return &shape{fault: s.unknown(name)}
	}
	h = makeBuiltin(name)
	s.lock.Lock()
	defer s.lock.Unlock()
	if other, ok := s.builtins[name]; ok {
		return other // Another worker was first. All rows of a track must use the same shape.
	}
	s.builtins[name] = h
	return h
}

// shown is the largest number of names in a message.
const shown = 8

func (s *ShapeSet) unknown(name string) error {
	names := slices.Sorted(maps.Keys(s.files))
	if len(names) > shown {
		names = append(names[:shown], "…")
	}
	list := "a builtin such as box:1x1x1"
	if len(names) > 0 {
		list = "one of " + strings.Join(names, ", ") + " or " + list
	}
	return fmt.Errorf("pairs: unknown shape %q, expected %s", mark.Shorten(name, mark.Shown), list)
}

// trim removes all builtins if there are more than maxBuiltins, and reports whether it did. No
// worker may be running.
func (s *ShapeSet) trim() bool {
	if len(s.builtins) <= maxBuiltins {
		return false
	}
	clear(s.builtins)
	return true
}
