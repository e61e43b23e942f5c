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

// vertex adds a vertex with its normal.
func (f *forms) vertex(v, normal vec.Vec3) {
	f.smooth = appendFloats(f.smooth, v)
	for _, x := range [...]float64{normal.X, normal.Y, normal.Z} {
		f.normals = append(f.normals, int8(math.Round(x*math.MaxInt8)))
	}
}

// addBall adds a ball: an octahedron whose triangles are cut into four.
func (f *forms) addBall(centre vec.Vec3, radius float64, base int) {
	n := 2 << f.fine // parts of an edge
	for _, side := range [2]float64{1, -1} {
		a, b, c := vec.V(side, 0, 0), vec.V(0, 1, 0), vec.V(0, 0, 1)
		for range 4 {
			row := base
			for i := range n + 1 {
				for j := range n + 1 - i {
					p := a.Scale(float64(n-i-j)).AddScaled(float64(i), b).AddScaled(float64(j), c)
					p = p.Scale(1 / p.Norm())
					f.vertex(centre.AddScaled(radius, p), p)
				}
			}
			for i := range n {
				for j := range n - i {
					at := row + j
					above := row + n + 1 - i + j
					f.triangle(side < 0, at, above, at+1)
					if j < n-i-1 {
						f.triangle(side < 0, at+1, above, above+1)
					}
				}
				row += n + 1 - i
			}
			base += (n + 1) * (n + 2) / 2
			b, c = c, b.Scale(-1)
		}
	}
}

// triangle adds a triangle, turned over if flip is set.
func (f *forms) triangle(flip bool, a, b, c int) {
	if flip {
		b, c = c, b
	}
	f.triangles = append(f.triangles, uint32(a), uint32(b), uint32(c))
}

// unit returns a vector of length 1, or zero for a vector without a direction.
func unit(v vec.Vec3) vec.Vec3 {
	if length := v.Norm(); length > 0 && !notFinite(length) {
		return v.Scale(1 / length)
	}
	return vec.Vec3{}
}

// arcs is the number of parts of the round edges of a block.
const arcs = 3

// addRounded adds a rounded block: its faces, moved outward by the radius, cylinders along its edges and parts of balls at
// its corners. It returns false, and adds nothing, if the polygons are not closed.
func (f *forms) addRounded(b *body, base int) bool {
	type edge struct{ from, to uint32 }
	faceOf, normals := map[edge]int{}, make([]vec.Vec3, len(b.polygons))
	for i, polygon := range b.polygons {
		var n vec.Vec3 // Newell's sum
		for k, v := range polygon {
			next := polygon[(k+1)%len(polygon)]
			faceOf[edge{v, next}] = i
			n = n.Add(b.points[v].Sub(b.points[polygon[0]]).Cross(b.points[next].Sub(b.points[polygon[0]])))
		}
		normals[i] = unit(n)
	}
	for e := range faceOf {
		if _, closed := faceOf[edge{e.to, e.from}]; !closed {
			return false
		}
	}
	at := base
	point := func(v uint32, n vec.Vec3) int {
		f.vertex(b.points[v].AddScaled(b.round, n), n)
		at++
		return at - 1
	}
	arc := func(m, n vec.Vec3, k int) vec.Vec3 { // from m to n
		x := m.Scale(float64(arcs-k)).AddScaled(float64(k), n)
		return unit(x)
	}
	ring := map[edge][arcs + 1]int{} // at the start of each half-edge: from the normal of its face to that of the next face
	for i, polygon := range b.polygons {
		first := at
		for _, v := range polygon {
			point(v, normals[i])
		}
		for k := 2; k < len(polygon); k++ {
			f.triangle(false, first, first+k-1, first+k)
		}
		for k, v := range polygon {
			next := polygon[(k+1)%len(polygon)]
			other := normals[faceOf[edge{next, v}]]
			var here, there [arcs + 1]int
			for j := range arcs + 1 {
				here[j] = point(v, arc(normals[i], other, j))
			}
			ring[edge{v, next}] = here
			if v > next {
				continue // The half-edge in the other direction draws the cylinder.
			}
			for j := range arcs + 1 {
				there[j] = point(next, arc(normals[i], other, j))
			}
			for j := range arcs {
				f.triangle(true, here[j], there[j], here[j+1])
				f.triangle(true, here[j+1], there[j], there[j+1])
			}
		}
	}
	// At each corner, triangles from the middle direction to the arcs around.
	middle := map[uint32]int{}
	for _, polygon := range b.polygons {
		for k, v := range polygon {
			if _, done := middle[v]; !done {
				var n vec.Vec3
				next := polygon[(k+1)%len(polygon)]
				for range len(b.polygons) { // the faces around the corner
					i := faceOf[edge{v, next}]
					n = n.Add(normals[i])
					around := b.polygons[i]
					j := slices.Index(around, v)
					next = around[(j+len(around)-1)%len(around)]
					if next == polygon[(k+1)%len(polygon)] {
						break
					}
				}
				middle[v] = point(v, unit(n))
			}
			here := ring[edge{v, polygon[(k+1)%len(polygon)]}]
			for j := range arcs {
				f.triangle(true, middle[v], here[j], here[j+1])
			}
		}
	}
	return true
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
