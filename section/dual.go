package section

import (
	"math"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Dual finds the overlap of two blocks by duality, as PFC's full contact resolution does (Itasca, PFC,
// rigid block contact resolution; Preparata & Muller 1979). It is slow and plain: it serves
// comparison, and tests of Clipper, with which it shares no code. A Dual is the workspace of one
// worker.
type Dual struct {
	cutter Cutter
	planes []bound    // the faces of A, then those of B
	points []vec.Vec3 // by plane: its dual point
	kept   DualKept   // for pairs of which nothing is kept
}

// DualKept is what a Dual keeps of a pair for its next pose. The zero value keeps nothing.
type DualKept struct {
	at    [2]vec.Vec3 // m, the last location, in the frames of A and B
	width float64     // m, of the last overlap along its contact plane; 0 if there was none
	faces [][]int     // loops of the hull of the dual points, which are numbered as the planes
}

// DualResult says how a Dual found an overlap.
type DualResult uint8

const (
	DualNone  DualResult = iota // no overlap with an interior was found
	DualHull                    // by the hull of the dual points
	DualReuse                   // the kept hull is proven to be that of the dual points still
)

// bound is the half-space normal·x ≤ offset. x is relative to the position of A, world axes, m.
type bound struct {
	normal vec.Vec3
	offset float64
}

// thinnestDual, times the sum of the bounding radii, is the depth of the thinnest overlap that Dual
// answers. A face is placed to 2⁻⁵⁰ of that sum, so 2⁻³⁰ of the thickness of a thinner overlap would
// be rounding.
// Smaller: rounding decides about corners of thinner overlaps. Larger: more contacts have the
// reduced location.
const thinnestDual = 1e-6

// clearInside is how far inside all planes an interior point must be, in the scaled axes of dualAxes.
// A dual point lies at the inverse of this distance, and the hull rounds to RoundingLevel of the
// farthest. wellInside is the distance at which another round from the centroid gains nothing.
// Smaller clearInside: the first round may find a wrong hull. Larger clearInside: more overlaps are
// not found. Smaller wellInside: corners lose digits. Larger wellInside: a second round that gains
// nothing.
const (
	clearInside = 0x1p-24
	wellInside  = 0x1p-5
)

// Overlap returns the volume and the centroid of the overlap of blocks A and B, m³ and m. The centroid
// is relative to pa.Pos, world axes. normal, gap, armA and armB are those of Cutter.Reduced. If
// how is DualNone, the overlap is thinner than 1e-6 of the sum of the radii, or the blocks touch
// without a common interior. kept, if not nil, is what an earlier call has kept of the pair.
//
// The interior point is the last location moved with both bodies. If that is not inside all planes,
// it is the centre of the common section through it, or of the reduced section. We depart from the
// source in two points. The axes are scaled so that the overlap is about as thick as wide: dual points
// of a thin overlap are collinear but for rounding. And if the interior point is near a face, the
// overlap is computed once more from its centroid.
func (d *Dual) Overlap(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, normal vec.Vec3, gap float64, armA, armB vec.Vec3, kept *DualKept,
) (volume float64, centroid vec.Vec3, how DualResult) {
	if kept == nil {
		kept, d.kept = &d.kept, DualKept{}
	}
	if !(-gap > float64(thinnestDual*(a.Radius+b.Radius))) {
		*kept = DualKept{}
		return 0, vec.Vec3{}, DualNone
	}
	d.planes = d.planes[:0]
	d.addPlanes(a, pa.Rot, vec.Vec3{})
	d.addPlanes(b, pb.Rot, pb.Pos.Sub(pa.Pos))
	axes := dualAxes{n: normal, thick: -gap, wide: kept.width}
	axes.u = normal.Perpendicular()
	axes.w = normal.Cross(axes.u)
	var at vec.Vec3
	inside := -1.0
	try := func(c vec.Vec3) {
		if now := d.insideBy(c, &axes); now > inside {
			at, inside = c, now
		}
	}
	if kept.width > 0 {
		moved := pa.Rot.Rotate(kept.at[0]).Add(pb.Rot.Rotate(kept.at[1]).Add(pb.Pos.Sub(pa.Pos))).Scale(0.5)
		if try(moved); inside < wellInside {
			try(d.sectionThrough(a, pa, b, pb, normal, moved, nil))
		}
	}
	if inside < wellInside {
		var area float64
		// Half-way through both bodies: between the deepest points, unless one is thinner than the depth.
		c := BallLocation(pa, pb, armA, armB)
		belowA, aboveA := span(a, pa.Rot, normal, normal.Dot(c.Neg()))
		belowB, aboveB := span(b, pb.Rot, normal, normal.Dot(pb.Pos.Sub(pa.Pos).Sub(c)))
		low, high := max(belowA, belowB), min(aboveA, aboveB)
		for _, part := range [...]float64{1.0 / 2, 1.0 / 4, 3.0 / 4, 1.0 / 8, 3.0 / 8, 5.0 / 8, 7.0 / 8, 1.0 / 32, 31.0 / 32} {
			centre := d.sectionThrough(a, pa, b, pb, normal, c.AddScaled(low+float64(part*(high-low)), normal), &area)
			if kept.width == 0 {
				axes.wide = max(math.Sqrt(area), -gap)
			}
			if try(centre); inside > clearInside {
				break
			}
		}
	}
	if inside > clearInside {
		volume, centroid, how = d.about(at, &axes, kept)
		if how != DualNone && inside < wellInside {
			axes.wide = math.Sqrt(volume / axes.thick)
			first := how
			// The second round reuses the hull of the first: that is no reuse of an earlier call's.
			if volume, centroid, how = d.about(centroid, &axes, kept); how != DualNone {
				how = first
			}
		}
	}
	if how == DualNone {
		*kept = DualKept{}
		return 0, vec.Vec3{}, DualNone
	}
	kept.at[0] = pa.Rot.RotateInv(centroid)
	kept.at[1] = pb.Rot.RotateInv(centroid.Sub(pb.Pos.Sub(pa.Pos)))
	kept.width = math.Sqrt(volume / axes.thick)
	return volume, centroid, how
}

// addPlanes appends the half-spaces of a block at a pose.
func (d *Dual) addPlanes(v *soa.View, rot vec.Quat, pos vec.Vec3) {
	for f := range v.NFaces {
		n := rot.Rotate(v.Normal(soa.Face(f)))
		d.planes = append(d.planes, bound{n, v.D[f] + n.Dot(pos)})
	}
}

// dualAxes are the scaled axes of an overlap: x = c + thick·y₁·n + wide·(y₂·u + y₃·w) for a point y.
type dualAxes struct {
	n, u, w     vec.Vec3
	thick, wide float64 // m
}

// scaled returns the components of a normal with respect to y.
func (s *dualAxes) scaled(n vec.Vec3) vec.Vec3 {
	return vec.Vec3{X: float64(s.thick * n.Dot(s.n)), Y: float64(s.wide * n.Dot(s.u)), Z: float64(s.wide * n.Dot(s.w))}
}

// unscaled returns the displacement from c of a point y.
func (s *dualAxes) unscaled(y vec.Vec3) vec.Vec3 {
	return s.n.Scale(s.thick*y.X).AddScaled(s.wide*y.Y, s.u).AddScaled(s.wide*y.Z, s.w)
}

// insideBy returns how far c is inside all planes, in scaled axes; negative outside.
func (d *Dual) insideBy(c vec.Vec3, s *dualAxes) float64 {
	least := math.Inf(1)
	for _, p := range d.planes {
		least = min(least, (p.offset-p.normal.Dot(c))/s.scaled(p.normal).Norm())
	}
	return least
}

// about returns the overlap, with c an interior point.
func (d *Dual) about(c vec.Vec3, s *dualAxes, kept *DualKept) (volume float64, centroid vec.Vec3, how DualResult) {
	// The plane n·x = d has the dual point n/(d − n·c), in scaled axes.
	d.points = d.points[:0]
	for _, p := range d.planes {
		d.points = append(d.points, s.scaled(p.normal).Scale(1/(p.offset-p.normal.Dot(c))))
	}
	corners, ok := d.reuse(kept.faces)
	if how = DualReuse; !ok {
		h, err := hull.Compute(d.points, hull.Options{})
		if err != nil {
			return 0, c, DualNone
		}
		how, kept.faces, corners = DualHull, kept.faces[:0], corners[:0]
		for f, loop := range h.Faces {
			of := make([]int, len(loop))
			for k, v := range loop {
				of[k] = h.Verts[v]
			}
			kept.faces = append(kept.faces, of)
			// The plane m·p = e of a face of the dual hull is dual to the corner m/e of the overlap.
			corners = append(corners, h.Normals[f].Scale(1/h.Offsets[f]))
		}
	}
	volume, y := solidAbout(kept.faces, corners)
	return float64(volume * s.thick * float64(s.wide*s.wide)), c.Add(s.unscaled(y)), how
}

// reuse returns the corners of the overlap by the kept hull, and reports whether that is the hull of
// the dual points: whether no point is above any of its faces.
func (d *Dual) reuse(faces [][]int) (corners []vec.Vec3, ok bool) {
	far := 0.0
	for _, p := range d.points {
		far = max(far, p.MaxAbs())
	}
	tol := float64(hull.RoundingLevel * far)
	for _, loop := range faces {
		m := areaOf(d.points, loop).Unit()
		e := m.Dot(d.points[loop[0]])
		if !(e > 0) {
			return nil, false
		}
		for _, k := range loop {
			if math.Abs(m.Dot(d.points[k])-e) > tol {
				return nil, false
			}
		}
		for _, p := range d.points {
			if m.Dot(p) > e+tol {
				return nil, false
			}
		}
		corners = append(corners, m.Scale(1/e))
	}
	return corners, len(faces) > 0
}

// areaOf returns twice the area of a loop of points, along its normal.
func areaOf(points []vec.Vec3, loop []int) (area vec.Vec3) {
	first := points[loop[0]]
	for k := 2; k < len(loop); k++ {
		area = area.Add(points[loop[k-1]].Sub(first).Cross(points[loop[k]].Sub(first)))
	}
	return area
}

// solidAbout returns the volume and the centroid of the polyhedron whose corners are dual to the faces
// of a hull. Each vertex of the hull is dual to a face of the polyhedron. The corners of that face are
// those of the hull's faces around the vertex.
func solidAbout(faces [][]int, corners []vec.Vec3) (volume float64, centroid vec.Vec3) {
	type edge struct{ from, to int }
	faceOf, start := map[edge]int{}, map[int]edge{}
	var order []int
	for f, loop := range faces {
		for k, v := range loop {
			e := edge{v, loop[(k+1)%len(loop)]}
			if _, known := start[v]; !known {
				start[v], order = e, append(order, v)
			}
			faceOf[e] = f
		}
	}
	var moment vec.Vec3
	for _, v := range order {
		var ring []int
		for e := start[v]; ; {
			f := faceOf[e]
			ring = append(ring, f)
			loop := faces[f]
			for k := range loop {
				if loop[(k+1)%len(loop)] == v {
					e = edge{v, loop[k]} // the next face around v has this side backwards
					break
				}
			}
			if e == start[v] || len(ring) > len(faces) {
				break
			}
		}
		// Tetrahedra from the interior point to a fan of triangles.
		for k := 2; k < len(ring); k++ {
			p, q, r := corners[ring[0]], corners[ring[k-1]], corners[ring[k]]
			six := p.Dot(q.Cross(r))
			volume += six / 6
			moment = moment.AddScaled(six/24, p.Add(q).Add(r))
		}
	}
	return volume, moment.Scale(1 / volume)
}

// sectionThrough returns the centre of the common section of A and B in the plane through a point, both
// relative to pa.Pos, and writes its area unless area is nil. Without a section it returns the point.
func (d *Dual) sectionThrough(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, normal, through vec.Vec3, area *float64,
) (centre vec.Vec3) {
	c := &d.cutter
	c.poseA.set(pa.Rot, vec.Vec3{})
	c.poseB.set(pb.Rot, pb.Pos.Sub(pa.Pos))
	c.u, c.w = axes(normal)
	unit, back := scale(max(a.Radius, b.Radius))
	section := func(poly []point, s *cutBody, v *soa.View, at *pose, rot vec.Quat, out vec.Vec3) []point {
		c.turn(s, v, at, through, out)
		below, above := span(v, rot, out, out.Dot(s.at))
		if !(below < 0 && above > 0) {
			return poly[:0]
		}
		return c.cut(poly, s, s == &c.sideB, 2*above, unit)
	}
	c.polyA = section(c.polyA, &c.sideA, a, &c.poseA, pa.Rot, normal)
	c.polyB = section(c.polyB, &c.sideB, b, &c.poseB, pb.Rot, normal.Neg())
	centre, size, _ := c.locate(through, c.clip(), back)
	if area != nil {
		*area = size
	}
	return centre
}

// span returns the least and the greatest height of a block along a direction, m. pos is the height of
// its position.
func span(v *soa.View, rot vec.Quat, along vec.Vec3, pos float64) (least, most float64) {
	along = rot.RotateInv(along)
	least, most = math.Inf(1), math.Inf(-1)
	for k := range v.NVerts {
		h := along.Dot(v.Vert(soa.Vertex(k)))
		least, most = min(least, h), max(most, h)
	}
	return least + pos, most + pos
}
