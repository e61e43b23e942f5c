package scene

import (
	"fmt"
	"sync"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside"
	"github.com/scree-dem/scree/vec"
)

// closedMesh is a closed mesh, convex or not, that is filled with bodies or counts them.
type closedMesh struct {
	file string
	near *inside.Clearance

	mu     sync.Mutex // guards the fields below
	in     *inside.Solid
	points []vec.Vec3
	places []inside.Place
}

// solid reads a closed mesh. It returns nil on failure.
func (s *checks) solid(key, file string) *closedMesh {
	_, in := s.closed(key, file)
	if s.first != nil {
		return nil
	}
	return &closedMesh{file: file, near: in.Clearance(), in: in}
}

// closed reads a mesh, and returns it beside what tells points inside.
func (s *checks) closed(key, file string) (*geometry.Mesh, *inside.Solid) {
	mesh := s.readMesh(key, file)
	if s.first != nil {
		return nil, nil
	}
	in, err := inside.New(mesh, inside.Options{Workers: 1})
	if err != nil {
		s.fail(s.at.because(key, fmt.Errorf("%s: %w", file, fileio.Numbered(file, mesh, inside.Fault(err)))))
	}
	return mesh, in
}

// String describes the mesh, with all digits of its volume.
func (d *closedMesh) String() string {
	r := &d.in.Report
	return fmt.Sprintf("%s of %d triangles, %v m³, %v", d.file, r.Triangles, r.Volume, []vec.Vec3{r.Box.Min, r.Box.Max})
}

// holds reports whether a ball lies in the solid.
func (d *closedMesh) holds(c vec.Vec3, radius float64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.points = append(d.points[:0], c)
	return d.count() == 1 && !d.near.Within(c, radius)
}

// bodies returns the number of moving bodies with the centre of mass in the solid or on its
// surface.
func (d *closedMesh) bodies(w *engine.World) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	b := w.Bodies()
	d.points = d.points[:0]
	for i := range b.Len() {
		if b.InvMass[i] > 0 {
			d.points = append(d.points, w.InBox(b.Pos.At(i)))
		}
	}
	return d.count()
}

// count returns the number of points in the solid or on its surface.
func (d *closedMesh) count() (n int) {
	d.places = append(d.places[:0], make([]inside.Place, len(d.points))...)
	_ = d.in.Locate(d.points, d.places, nil) // Points that are not finite lie outside.
	for _, p := range d.places {
		if p != inside.Outside {
			n++
		}
	}
	return n
}
