package scene

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// frame is a snapshot of the world. It shares no memory with the world, so it can be written while
// the next steps are made.
type frame struct {
	step     int64
	time     float64
	bodies   *fileio.PolyData
	contacts *fileio.PolyData
	walls    *fileio.PolyData // nil if the walls of an earlier frame are still valid, or if there are none
	still    string           // file with the walls of an earlier frame, or ""
}

// writeFrame makes a snapshot and writes it in another goroutine. It first waits for the frame
// before, so at most one frame is being written.
func (f *folder) writeFrame(ctx context.Context) error {
	if err := errors.Join(f.wait(), f.begin()); err != nil {
		return err
	}
	fr, err := f.snapshot(ctx)
	if err != nil {
		return err
	}
	f.frames.Go(func() error {
		parts, err := f.write(fr, func(name string, d *fileio.PolyData) error {
			path, err := f.place(name)
			if err != nil {
				return err
			}
			return fileio.WriteVTP(ctx, path, d)
		})
		if err != nil {
			return err
		}
		return f.series.Add(parts...)
	})
	return nil
}

// snapshot draws the world. If the context is cancelled, it returns the error of the context.
func (f *folder) snapshot(ctx context.Context) (*frame, error) {
	w := f.r.w
	fr := &frame{step: w.Steps(), time: w.Time(), contacts: f.contactFrame()} // which may close rows up
	fr.bodies = f.bodyFrame(ctx, f.r.b.rows(false), true)
	fr.bodies.Time, fr.contacts.Time = fr.time, fr.time
	if fr.still = f.still; fr.still != "" {
		return fr, ctx.Err()
	}
	if walls := f.r.b.rows(true); len(walls) > 0 {
		fr.walls = f.bodyFrame(ctx, walls, false)
		fr.walls.Time, fr.walls.Timeless = fr.time, !f.r.wallsMove()
		if !f.r.wallsMove() {
			f.still = frameName(wallsPart, fr.step)
		}
	}
	return fr, ctx.Err()
}

// wallsMove reports whether frames may show walls at other places than the frame before.
func (r *runner) wallsMove() bool { return r.changes || r.s.moves() }

// moves reports whether any wall has a motion.
func (s *Scene) moves() bool {
	for i := range s.walls {
		c := &s.walls[i].course
		if m := c.motion; c.servo != nil || c.load != nil ||
			m != nil && (m.Velocity != (vec.Vec3{}) || m.Spin != (vec.Vec3{}) || m.Amplitude != (vec.Vec3{}) || m.VelocityTable != nil || m.SpinTable != nil) {
			return true
		}
	}
	return false
}

// The parts of a frame.
const (
	bodiesPart   = "bodies"
	contactsPart = "contacts"
	wallsPart    = "walls"
)

func frameName(part string, step int64) string { return fmt.Sprintf("%s-%06d.vtp", part, step) }

// write passes the files of a frame to put, and returns the entries of the frame for series.pvd.
func (f *folder) write(fr *frame, put func(name string, d *fileio.PolyData) error) (parts []fileio.SeriesFrame, err error) {
	for _, p := range []struct {
		part string
		d    *fileio.PolyData
	}{{bodiesPart, fr.bodies}, {contactsPart, fr.contacts}, {wallsPart, fr.walls}} {
		file := frameName(p.part, fr.step)
		switch {
		case p.d != nil:
			if err := put(file, p.d); err != nil {
				return nil, err
			}
		case fr.still != "":
			file = fr.still
		default:
			continue
		}
		parts = append(parts, fileio.SeriesFrame{Time: fr.time, Part: p.part, File: file})
	}
	return parts, nil
}

// ballPoints and ballFaces are the sphere that represents balls: an icosahedron subdivided once,
// with 42 points and 80 triangles.
var ballPoints, ballFaces = icosphere()

func icosphere() (points []vec.Vec3, faces [][3]int) {
	p, err := geometry.Icosa(1)
	if err != nil {
		panic("scene: " + err.Error()) // The edge is a valid constant.
	}
	for _, v := range p.Verts {
		points = append(points, v.Unit())
	}
	middles := map[[2]int]int{}
	middle := func(a, b int) int {
		key := [2]int{min(a, b), max(a, b)}
		if _, ok := middles[key]; !ok {
			middles[key] = len(points)
			points = append(points, points[a].Add(points[b]).Unit())
		}
		return middles[key]
	}
	for face := range p.NFaces() {
		loop := p.Loop(face)
		a, b, c := int(loop[0]), int(loop[1]), int(loop[2])
		ab, bc, ca := middle(a, b), middle(b, c), middle(c, a)
		faces = append(faces, [3]int{a, ab, ca}, [3]int{b, bc, ab}, [3]int{c, ca, bc}, [3]int{ab, bc, ca})
	}
	return points, faces
}

// bodyFrame draws the bodies in some rows: one polygon for each face, with the fields of its body. If the
// context is cancelled, the result is incomplete and must not be used.
func (f *folder) bodyFrame(ctx context.Context, bodies []soa.Body, moving bool) *fileio.PolyData {
	w := f.r.w
	b, pieces := w.Bodies(), w.Pieces()
	// The columns of a frame with many balls are the largest of a run, so they are allocated once,
	// at their final size.
	points, corners, faces, rows := 0, 0, 0, 0
	for _, body := range bodies {
		for p := b.FirstPiece[body]; p < b.FirstPiece[body+1]; p++ {
			k, c, n := f.drawing(p)
			points, corners, faces, rows = points+k, corners+c, faces+n, rows+1
		}
	}
	d := &fileio.PolyData{Points: make([]float64, 0, 3*points)}
	d.Polys = fileio.CellList{Connectivity: make([]int64, 0, corners), Offsets: make([]int64, 0, faces)}
	of := make([]int32, 0, faces) // for each polygon, the index of its piece in list
	list := make([]int, 0, rows)  // drawn pieces
	instances := newInstances(len(bodies))
	for _, body := range bodies {
		if ctx.Err() != nil {
			break
		}
		f.instance(instances, body)
		for p := b.FirstPiece[body]; p < b.FirstPiece[body+1]; p++ {
			for range f.draw(d, p) {
				of = append(of, int32(len(list)))
			}
			list = append(list, int(p))
		}
		instances.polygons = append(instances.polygons, int64(len(of))-instances.drawn)
		instances.drawn = int64(len(of))
	}
	d.FieldData = instances.fields()
	if box := w.DomainBox(); moving && box != (vec.Box{}) {
		d.FieldData = append(d.FieldData, fileio.Field{Name: "domain", Floats: []float64{box.Min.X, box.Min.Y, box.Min.Z, box.Max.X, box.Max.Y, box.Max.Z}})
	}
	want := f.r.s.output.fields
	add := func(field fileio.Field) {
		field.Rows = of
		d.CellData = append(d.CellData, field)
	}
	ints := func(name string, at func(p int) int64) {
		if want[name] {
			v := make([]int64, len(list))
			for i, p := range list {
				v[i] = at(p)
			}
			add(fileio.Field{Name: name, Ints: v})
		}
	}
	ints("id", func(p int) int64 { return int64(f.r.b.Number(b.ID[pieces.Body[p]])) })
	ints("material", func(p int) int64 { return int64(pieces.Material[p]) })
	if moving {
		ints("shape", func(p int) int64 { return int64(pieces.Shape[p]) })
	}
	floats := func(name string, at func(body int) float64) {
		if want[name] {
			v := make([]float64, len(list))
			for i, p := range list {
				v[i] = at(int(pieces.Body[p]))
			}
			add(fileio.Field{Name: name, Floats: v})
		}
	}
	floats("speed", func(body int) float64 { return b.Vel.At(body).Norm() })
	if moving {
		floats("mass", func(body int) float64 { return b.Mass[body] })
	}
	if want["name"] && slices.ContainsFunc(bodies, func(row soa.Body) bool { return b.Name[row] != "" }) {
		d.Names = make([]string, 0, len(bodies))
		for _, row := range bodies {
			d.Names = append(d.Names, b.Name[row])
		}
	}
	vectors := func(name string, c *soa.Vec3s) {
		if want[name] {
			v := make([]float64, 0, 3*len(list))
			for _, p := range list {
				x := c.At(int(pieces.Body[p]))
				v = append(v, x.X, x.Y, x.Z)
			}
			add(fileio.Field{Name: name, Components: 3, Floats: v})
		}
	}
	vectors("velocity", &b.Vel)
	vectors("spin", &b.Spin)
	round := make([]float64, len(list))
	for i, p := range list {
		radius, _ := f.ball(soa.Piece(p))
		round[i] = w.Shapes().Round[pieces.Shape[p]] + radius
	}
	if slices.Max(append(round, 0)) > 0 {
		add(fileio.Field{Name: "round", Floats: round[:len(list)]})
	}
	return d
}

// instances are the columns of a frame with a row for each body: where it is, and which bodies have one geometry.
type instances struct {
	pose                   []float64
	number, polygons, form []int64
	drawn                  int64 // polygons of the bodies before
}

func newInstances(n int) *instances {
	return &instances{pose: make([]float64, 0, 7*n), number: make([]int64, 0, n), polygons: make([]int64, 0, n), form: make([]int64, 0, n)}
}

// instance adds the row of a body but for its polygons.
func (f *folder) instance(c *instances, body soa.Body) {
	b, pieces := f.r.w.Bodies(), f.r.w.Pieces()
	id := b.ID[body]
	pose := b.Pose(body)
	at, q := pose.Pos.Add(f.r.home(id)), pose.Rot
	c.pose = append(c.pose, at.X, at.Y, at.Z, q.W, q.X, q.Y, q.Z)
	c.number = append(c.number, int64(f.r.b.Number(id)))
	f.form = f.form[:0]
	for p := b.FirstPiece[body]; p < b.FirstPiece[body+1]; p++ {
		f.form = binary.LittleEndian.AppendUint64(f.form, uint64(pieces.Shape[p]))
		if pieces.Offset[p] {
			at, q := pieces.Local[p].Pos, pieces.Local[p].Rot
			for _, x := range [...]float64{at.X, at.Y, at.Z, q.W, q.X, q.Y, q.Z} {
				f.form = binary.LittleEndian.AppendUint64(f.form, math.Float64bits(x))
			}
		}
	}
	c.form = append(c.form, int64(xxhash.Sum64(f.form)>>11)) // 53 bits, which a float64 has
}

// fields returns the columns as field data.
func (c *instances) fields() []fileio.Field {
	return []fileio.Field{{Name: "pose", Components: 7, Floats: c.pose}, {Name: "number", Ints: c.number}, {Name: "polygons", Ints: c.polygons}, {Name: "form", Ints: c.form}}
}

// ball returns the radius of a piece that is a ball; ok is false for others.
func (f *folder) ball(p soa.Piece) (radius float64, ok bool) {
	shapes, h := f.r.w.Shapes(), f.r.w.Pieces().Shape[p]
	if ok = shapes.Kind[h].IsRound(); ok {
		radius = shapes.Radius[h]
	}
	return radius, ok
}

// drawing returns the numbers of points, face corners and faces that draw adds for piece p.
func (f *folder) drawing(p soa.Piece) (points, corners, faces int) {
	if _, ok := f.ball(p); ok {
		return len(ballPoints), 3 * len(ballFaces), len(ballFaces)
	}
	if polygon := f.polygonOf(p); polygon != nil {
		return len(polygon), len(polygon), 1
	}
	view := f.r.w.Shapes().View(f.r.w.Pieces().Shape[p])
	return view.NVerts, len(view.Tail), view.NFaces
}

// polygonOf returns the corners of a facet, or of the square that stands for a plane, in the frame of
// the piece; nil for other pieces. One side of a facet is drawn.
func (f *folder) polygonOf(p soa.Piece) []vec.Vec3 {
	w := f.r.w
	h := w.Pieces().Shape[p]
	switch kind := w.Shapes().Kind[h]; {
	case kind.IsEndless():
		c, half := w.Pieces().Pose(w.Bodies(), p).PointInv(f.r.b.around.Center()), float64(0.5*f.r.b.around.Size().Norm())
		f.corners = append(f.corners[:0], vec.V(c.X-half, c.Y-half, 0), vec.V(c.X+half, c.Y-half, 0), vec.V(c.X+half, c.Y+half, 0), vec.V(c.X-half, c.Y+half, 0))
	case kind.IsFlat():
		f.corners = w.Shapes().AppendCorners(f.corners[:0], h)
	default:
		return nil
	}
	return f.corners
}

// draw adds the faces of piece p to d and returns their number.
func (f *folder) draw(d *fileio.PolyData, p soa.Piece) int {
	w := f.r.w
	pose, h := w.Pieces().Pose(w.Bodies(), p), w.Pieces().Shape[p]
	pose.Pos = pose.Pos.Add(f.r.home(w.Bodies().ID[w.Pieces().Body[p]]))
	base := int64(len(d.Points) / 3)
	point := func(v vec.Vec3) {
		v = pose.Point(v)
		d.Points = append(d.Points, v.X, v.Y, v.Z)
	}
	end := func() { d.Polys.Offsets = append(d.Polys.Offsets, int64(len(d.Polys.Connectivity))) }
	if radius, ok := f.ball(p); ok {
		for _, v := range ballPoints {
			point(v.Scale(radius))
		}
		for _, t := range ballFaces {
			d.Polys.Connectivity = append(d.Polys.Connectivity, base+int64(t[0]), base+int64(t[1]), base+int64(t[2]))
			end()
		}
		return len(ballFaces)
	}
	if polygon := f.polygonOf(p); polygon != nil {
		for k, v := range polygon {
			point(v)
			d.Polys.Connectivity = append(d.Polys.Connectivity, base+int64(k))
		}
		end()
		return 1
	}
	view := w.Shapes().View(h)
	for k := range view.NVerts {
		point(view.Vert(soa.Vertex(k)))
	}
	for face := range view.NFaces {
		for h := view.LoopFirst[face]; h < view.LoopFirst[face]+view.LoopLen[face]; h++ {
			d.Polys.Connectivity = append(d.Polys.Connectivity, base+int64(view.Tail[h]))
		}
		end()
	}
	return view.NFaces
}

// contactFrame draws a dot for each active contact at its location. Fields: force on body A, N;
// normal from A to B; gap, m; the numbers of the two bodies; whether the contact slides.
func (f *folder) contactFrame() *fileio.PolyData {
	w := f.r.w
	d := &fileio.PolyData{}
	force := fileio.Field{Name: "force", Components: 3, Floats: []float64{}}
	normal := fileio.Field{Name: "normal", Components: 3, Floats: []float64{}}
	gap := fileio.Field{Name: "gap", Floats: []float64{}}
	bodies := fileio.Field{Name: "bodies", Components: 2, Ints: []int64{}}
	sliding := fileio.Field{Name: "sliding", Ints: []int64{}}
	for _, c := range f.r.b.contacts() {
		at, fo, n := c.Location, c.Force, c.Normal
		if f.r.s.wrap {
			at = w.InBox(at)
		}
		d.Points = append(d.Points, at.X, at.Y, at.Z)
		force.Floats = append(force.Floats, fo.X, fo.Y, fo.Z)
		normal.Floats = append(normal.Floats, n.X, n.Y, n.Z)
		if f.r.s.output.fields[gap.Name] {
			gap.Floats = append(gap.Floats, w.Gap(c.Row))
		}
		bodies.Ints = append(bodies.Ints, int64(c.A), int64(c.B))
		slides := int64(0)
		if c.Sliding {
			slides = 1
		}
		sliding.Ints = append(sliding.Ints, slides)
		d.Verts.Connectivity = append(d.Verts.Connectivity, int64(len(d.Verts.Connectivity)))
		d.Verts.Offsets = append(d.Verts.Offsets, int64(len(d.Verts.Connectivity)))
	}
	for _, field := range []fileio.Field{force, normal, gap, bodies, sliding} {
		if f.r.s.output.fields[field.Name] {
			d.PointData = append(d.PointData, field)
		}
	}
	return d
}
