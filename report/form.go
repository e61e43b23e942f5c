package report

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disjoint"
	"github.com/scree-dem/scree/vec"
)

// geometryOf is what the polygons of a part are.
type geometryOf struct {
	points  []float64 // 3 each, m
	corners []int64   // of all polygons, indices of points
	ends    []int64   // where the corners of each polygon end
	round   []float64 // of each polygon: the rounding radius of its piece, or the radius of a ball, m; nil: none
}

// start returns where the corners of a polygon begin.
func (g *geometryOf) start(polygon int64) int64 {
	if polygon == 0 {
		return 0
	}
	return g.ends[polygon-1]
}

// geometry reads the polygons of the part, once.
func (p *part) geometry() (*geometryOf, error) {
	if p.drawn != nil {
		return p.drawn, nil
	}
	g := &geometryOf{}
	var err error
	if g.points, err = p.file.Floats("Points", "Points"); err != nil {
		return nil, err
	}
	if g.corners, err = p.file.Ints("Polys", "connectivity"); err != nil {
		return nil, err
	}
	if g.ends, err = p.file.Ints("Polys", "offsets"); err != nil {
		return nil, err
	}
	if hasField(p.file, cellData, "round") {
		if g.round, err = p.file.Floats(cellData, "round"); err != nil {
			return nil, err
		}
	}
	ok, last, points := len(g.ends) == p.file.Polys, int64(0), int64(len(g.points)/3)
	for _, end := range g.ends {
		ok, last = ok && end >= last && end <= int64(len(g.corners)), end
	}
	if !ok || slices.ContainsFunc(g.corners, func(v int64) bool { return v < 0 || v >= points }) {
		return nil, &fileio.InputError{File: p.file.Path(), Want: "polygons whose corners are points of the file"}
	}
	p.drawn = g
	return g, nil
}

// formMeta says where the geometry of a form is in the columns of a chunk: first row, and number of rows.
type formMeta struct {
	Hash      string `json:"hash"`
	Vertices  [2]int `json:"vertices"`
	Corners   [2]int `json:"corners"`
	Polygons  [2]int `json:"polygons"`
	Smooth    [2]int `json:"smooth"`
	Triangles [2]int `json:"triangles"`
	Open      bool   `json:"open,omitempty"` // facets, of which both sides are seen
}

// forms collects geometries, in the frame of their bodies. Pieces with flat faces are polygons; balls and rounded blocks are
// triangles with a normal at each vertex.
type forms struct {
	list []formMeta

	vertices          []float32 // 3 each, m
	corners, polygons []uint32  // vertices of the polygons, from 0 in each form; corners of each polygon

	smooth    []float32 // 3 each, m
	normals   []int8    // 3 each
	triangles []uint32  // 3 each, smooth vertices, from 0 in each form

	fine int // times that the triangles of balls are cut into four
}

// add adds the geometry of a row.
func (f *forms) add(s sample) error {
	g, err := s.geometry()
	if err != nil {
		return err
	}
	m := formMeta{Hash: formName(s.form[s.row]), Vertices: [2]int{len(f.vertices) / 3}, Corners: [2]int{len(f.corners)}, Polygons: [2]int{len(f.polygons)},
		Smooth: [2]int{len(f.smooth) / 3}, Triangles: [2]int{len(f.triangles) / 3}, Open: true}
	pose, first, last := s.at(s.row), s.polygons[s.row], s.polygons[s.row+1]
	from := g.start(first)
	var points []vec.Vec3
	local := map[int64]uint32{} // of points
	corners := make([]uint32, 0, g.start(last)-from)
	for _, v := range g.corners[from:g.start(last)] {
		k, known := local[v]
		if !known {
			k = uint32(len(points))
			local[v], points = k, append(points, pose.PointInv(vec.V(g.points[3*v], g.points[3*v+1], g.points[3*v+2])))
		}
		corners = append(corners, k)
	}
	// The polygons of a piece share points, and pieces share none.
	of := disjoint.New[uint32](len(points))
	polygons := make([][]uint32, 0, last-first)
	for i := first; i < last; i++ {
		polygon := corners[g.start(i)-from : g.ends[i]-from]
		polygons = append(polygons, polygon)
		for _, v := range polygon {
			of.Join(polygon[0], v)
		}
	}
	pieces, order := map[uint32][]int{}, []uint32{}
	for i, polygon := range polygons {
		if len(polygon) < 3 {
			continue
		}
		piece := of.Lowest(polygon[0])
		if pieces[piece] == nil {
			order = append(order, piece)
		}
		pieces[piece] = append(pieces[piece], i)
	}
	for _, piece := range order {
		b := body{points: points, round: 0}
		for _, i := range pieces[piece] {
			b.polygons = append(b.polygons, polygons[i])
		}
		if g.round != nil {
			b.round = g.round[first+int64(pieces[piece][0])]
		}
		m.Open = m.Open && len(b.polygons) == 1
		smooth := len(f.smooth)/3 - m.Smooth[0]
		switch centre, ball := b.ball(); {
		case ball:
			f.addBall(centre, b.round, smooth)
		case !(b.round > 0) || !f.addRounded(&b, smooth):
			f.addSharp(&b, len(f.vertices)/3-m.Vertices[0])
		}
	}
	m.Vertices[1], m.Corners[1], m.Polygons[1] = len(f.vertices)/3-m.Vertices[0], len(f.corners)-m.Corners[0], len(f.polygons)-m.Polygons[0]
	m.Smooth[1], m.Triangles[1] = len(f.smooth)/3-m.Smooth[0], len(f.triangles)/3-m.Triangles[0]
	f.list = append(f.list, m)
	return nil
}

// body is a piece as it is drawn.
type body struct {
	points   []vec.Vec3
	polygons [][]uint32
	round    float64 // m
}

// ball returns the centre of a ball, whose points lie around it at the distance round.
func (b *body) ball() (centre vec.Vec3, ok bool) {
	if !(b.round > 0) || len(b.polygons) < 4 {
		return centre, false
	}
	box := vec.EmptyBox()
	for _, polygon := range b.polygons {
		for _, v := range polygon {
			box = box.With(b.points[v])
		}
	}
	centre = box.Center()
	const rounding = 1e-6 // of the radius: frames have rounded coordinates, also far from the origin
	for _, polygon := range b.polygons {
		for _, v := range polygon {
			if math.Abs(b.points[v].Sub(centre).Norm()-b.round) > rounding*b.round {
				return centre, false
			}
		}
	}
	return centre, true
}

// addSharp adds a piece with flat faces. base is the number of vertices of the form so far.
func (f *forms) addSharp(b *body, base int) {
	to := map[uint32]uint32{}
	for _, polygon := range b.polygons {
		f.polygons = append(f.polygons, uint32(len(polygon)))
		for _, v := range polygon {
			k, known := to[v]
			if !known {
				k = uint32(base + len(to))
				to[v], f.vertices = k, appendFloats(f.vertices, b.points[v])
			}
			f.corners = append(f.corners, k)
		}
	}
}

func appendFloats(to []float32, v vec.Vec3) []float32 {
	return append(to, float32(v.X), float32(v.Y), float32(v.Z))
}

// formsMeta is the head of a chunk of forms.
type formsMeta struct {
	Forms []formMeta `json:"forms"`
}

// chunk returns the chunk of the forms.
func (f *forms) chunk(level int) ([]byte, error) {
	k := &chunk{}
	addColumn(k, column{Name: "vertex", Components: 3}, f.vertices)
	k.whole("polygon", f.polygons)
	k.whole("corner", f.corners)
	addColumn(k, column{Name: "smooth_vertex", Components: 3}, f.smooth)
	addColumn(k, column{Name: "smooth_normal", Components: 3, Scale: 1 / float64(math.MaxInt8)}, f.normals)
	addColumn(k, column{Name: "triangle", Components: 3}, f.triangles)
	if f.list == nil {
		f.list = []formMeta{}
	}
	return k.write(formsMeta{f.list}, level)
}
