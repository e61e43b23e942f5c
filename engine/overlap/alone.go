package overlap

import (
	"math"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// alone computes one overlap of a type. Its row reads features from the arena that both bodies
// share. If the bodies are of different arenas, alone copies their features into small tables of
// its own.
type alone struct {
	typed
	own       asm.ShareTables
	cornerRow [soa.CornerSize]float64
	rims      [aloneRims * asm.RimNumbers]float64
	verts     [aloneVerts * soa.FeatureSize]float64
	planes    [alonePlanes * soa.FeatureSize]float64
}

// Rows of alone's own tables: one for each feature. The table of planes has all planes of both
// bodies of a prism, and one plane that bounds nothing.
const (
	aloneRims   = 4
	aloneVerts  = 4
	alonePlanes = asm.SharePlanes + 1
)

// of returns the workspace for a type.
func (c *Clipper) of(s shape) *alone {
	if c.one[s] == nil {
		o := &alone{typed: newTyped(s)}
		o.own = asm.ShareTables{Poses: c.poses[:], Corners: o.cornerRow[:], Rims: o.rims[:], Verts: o.verts[:], Planes: o.planes[:]}
		c.one[s] = o
	}
	return c.one[s]
}

// setPoses writes the poses of A and B to the rows that ofType and ofPrism read.
func (c *Clipper) setPoses(a, b *vec.Pose) {
	for k, p := range [2]*vec.Pose{a, b} {
		to := (*[asm.PoseNumbers]float64)(c.poses[k*asm.PoseNumbers:])
		to[0], to[1], to[2] = p.Pos.X, p.Pos.Y, p.Pos.Z
		to[3], to[4], to[5], to[6] = p.Rot.W, p.Rot.X, p.Rot.Y, p.Rot.Z
	}
}

// clearOf returns the margin, m, by which the signs that prove a type must differ from zero.
func (c *Clipper) clearOf(va, vb *soa.View) float64 {
	if vb.Kind == soa.Plane {
		at := func(k int) vec.Vec3 { return vec.Vec3{X: c.poses[k], Y: c.poses[k+1], Z: c.poses[k+2]} }
		return clearOfPlane(va, at(0), at(asm.PoseNumbers))
	}
	return float64(shareClear * (va.Radius + vb.Radius))
}

// begin sets the tables, and reports whether they are those of an arena. poses are the rows of the
// Clipper.
func (o *alone) begin(va, vb *soa.View, poses []float64) (inArena bool) {
	if va.Arena == vb.Arena {
		o.lookUp(va.Arena, poses)
		return true
	}
	if !sameTable(o.tables.Corners, o.own.Corners) {
		o.tables = o.own
		o.shares.SetTables(o.own)
	}
	return false
}

func (o *alone) rim(k int, r *soa.Rim) {
	to := (*[asm.RimNumbers]float64)(o.rims[k*asm.RimNumbers:])
	to[0], to[1], to[2], to[3] = r.In.X, r.In.Y, r.In.Z, r.Offset
	to[4], to[5], to[6], to[7] = r.Length, r.FromTail, r.FromHead, r.Rise
}

func (o *alone) vert(k int, v vec.Vec3) {
	*(*[3]float64)(o.verts[k*soa.FeatureSize:]) = [3]float64{v.X, v.Y, v.Z}
}

// facesFrom copies the planes of a body to the table, starting at row k.
func (o *alone) facesFrom(k int, v *soa.View) {
	rows := o.planes[k*soa.FeatureSize:]
	if v.Kind == soa.Plane {
		*(*[4]float64)(rows) = [4]float64{0, 0, 1, 0}
		return
	}
	for f := range v.NFaces {
		*(*[4]float64)(rows[f*soa.FeatureSize:]) = [4]float64{v.NX[f], v.NY[f], v.NZ[f], v.D[f]}
	}
}

// answer writes the overlap of the first row to s, and reports whether the overlap is proven to be
// of the type. Corners and crossings have machine code for one row. For the other types, the
// narrowest register of lanes is faster than the Go loop with one row, and with a prism no slower
// than machine code for one row would be. These types are computed together with rows that nobody
// reads.
func (o *alone) answer(s *Shared) bool {
	rows := asm.MinLanes()
	if o.shape < prism4 {
		rows = asm.SingleRows()
	}
	o.solve(0, rows)
	return o.get(0, s)
}

// ofType writes the overlap to s if it is proven to be the one that the features of a facet make,
// and reports whether it is.
func (c *Clipper) ofType(va, vb *soa.View, id soa.FacetID, s *Shared) bool {
	of := shapeOf(va, vb, id)
	if of == clipped {
		return false
	}
	o, clear := c.of(of), c.clearOf(va, vb)
	switch inArena := o.begin(va, vb, c.poses[:]); {
	case inArena:
		o.facet(0, 0, 1, va, vb, id, clear)
	case of == crossing:
		for k, v := range [2]*soa.View{va, vb} {
			h := v.Edge[[2]uint16{id.A, id.B}[k]]
			o.vert(2*k, v.Vert(v.Tail[h]))
			o.vert(2*k+1, v.Vert(v.Head(h)))
			o.rim(2*k, &v.Rims[h])
			o.rim(2*k+1, &v.Rims[v.Twin[h]])
		}
		r := [4]uint32{0, asm.RimNumbers, 2 * asm.RimNumbers, 3 * asm.RimNumbers}
		verts := [4]uint32{0, soa.FeatureSize, 2 * soa.FeatureSize, 3 * soa.FeatureSize}
		o.crossing(0, 0, 1, verts, r, clear)
	case id.Kind == soa.FaceVertex:
		o.cornerOf(vb, va, soa.Vertex(id.B), soa.Face(id.A))
		o.corner(0, 1, 0, 0, 0, va, soa.Face(id.A), clear, -1)
	default:
		o.cornerOf(va, vb, soa.Vertex(id.A), soa.Face(id.B))
		o.corner(0, 0, 1, 0, 0, vb, soa.Face(id.B), clear, 1)
	}
	if !o.answer(s) {
		return false
	}
	c.found = id
	return true
}

// cornerOf copies vertex k of v with its edges, and the rims of face f of g, to the own tables.
func (o *alone) cornerOf(v, g *soa.View, k soa.Vertex, f soa.Face) {
	tip, around := v.Vert(k), v.Around(k)
	row, edges := &o.cornerRow, soa.CornerEdges
	if o.shape == corner4 {
		edges = 4 // the kernel does not read the remaining ones
	}
	row[0], row[1], row[2] = tip.X, tip.Y, tip.Z
	last := &around[len(around)-1].Edge
	for i := range edges {
		e := last
		if i < len(around) {
			e = &around[i].Edge
		}
		row[3+3*i], row[4+3*i], row[5+3*i] = e.X, e.Y, e.Z
	}
	if g.Kind == soa.Plane {
		return
	}
	rims := &o.rims
	for i := range g.Rims[g.LoopFirst[f]:][:min(int(g.LoopLen[f]), aloneRims)] {
		r, to := &g.Rims[int(g.LoopFirst[f])+i], rims[i*asm.RimNumbers:][:4] // the kernel of corners reads only these four
		to[0], to[1], to[2], to[3] = r.In.X, r.In.Y, r.In.Z, r.Offset
	}
}

// ofPrism writes the overlap to s if it is proven to be the prism between the faces of p, and
// reports whether it is.
func (c *Clipper) ofPrism(va, vb *soa.View, p *soa.Prism, s *Shared) bool {
	of := prismShape(va, vb, p)
	if of == clipped {
		return false
	}
	o, clear := c.of(of), c.clearOf(va, vb)
	nA, nB := facesOf(va), facesOf(vb)
	first, none := firstPlanes(va, vb), uint32(noPlane)
	if !o.begin(va, vb, c.poses[:]) {
		first, none = [2]uint32{0, soa.FeatureSize * uint32(nA)}, (alonePlanes-1)*soa.FeatureSize
		o.facesFrom(0, va)
		o.facesFrom(nA, vb)
		*(*[4]float64)(o.planes[none:]) = [4]float64{0, 0, 0, math.MaxFloat64}
	}
	o.prism(0, 0, 1, p, first, none, nA, nB, clear, 0)
	if !o.answer(s) {
		return false
	}
	c.prism = *p
	return true
}
