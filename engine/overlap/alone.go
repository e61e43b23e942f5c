package overlap

import (
	"math"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// alone is one overlap of a type, of bodies of any arena: its tables have what its row looks up.
type alone struct {
	typed
	fans, rims []float64
}

// The rows of alone's tables: poses of A and B, features of a row each, all planes of a prism's bodies
// and one that bounds nothing.
const (
	aloneRims   = 4
	aloneVerts  = 4
	alonePlanes = asm.SharePlanes + 1
)

// of returns the row for a type.
func (c *Clipper) of(s shape) *alone {
	o := &c.one[s]
	if o.shares == nil {
		o.typed = newTyped(s)
		for _, t := range []struct {
			columns [][]float64
			rows    int
		}{{o.shares.Pos[:], 2}, {o.shares.Rot[:], 2}, {o.shares.Verts[:], aloneVerts}, {o.shares.Planes[:], alonePlanes}} {
			for k := range t.columns {
				t.columns[k] = make([]float64, t.rows)
			}
		}
		o.fans, o.rims = make([]float64, soa.FanSize), make([]float64, aloneRims*asm.RimNumbers)
		o.shares.SetTables(o.fans, o.rims)
	}
	return o
}

func (o *alone) pose(k int, p vec.Pose) {
	s := o.shares
	s.Pos[0][k], s.Pos[1][k], s.Pos[2][k] = p.Pos.X, p.Pos.Y, p.Pos.Z
	s.Rot[0][k], s.Rot[1][k], s.Rot[2][k], s.Rot[3][k] = p.Rot.W, p.Rot.X, p.Rot.Y, p.Rot.Z
}

func (o *alone) rim(k int, r *soa.Rim) {
	to := (*[asm.RimNumbers]float64)(o.rims[k*asm.RimNumbers:])
	to[0], to[1], to[2], to[3] = r.In.X, r.In.Y, r.In.Z, r.Offset
	to[4], to[5], to[6], to[7] = r.Length, r.FromTail, r.FromHead, r.Rise
}

func (o *alone) vert(k int, v vec.Vec3) {
	o.shares.Verts[0][k], o.shares.Verts[1][k], o.shares.Verts[2][k] = v.X, v.Y, v.Z
}

// planes copies a body's planes from row k on.
func (o *alone) planes(k int, v *soa.View) {
	to := &o.shares.Planes
	if v.Kind == soa.Plane {
		to[0][k], to[1][k], to[2][k], to[3][k] = 0, 0, 1, 0
		return
	}
	for i, from := range [4][]float64{v.NX, v.NY, v.NZ, v.D} {
		copy(to[i][k:], from[:v.NFaces])
	}
}

// ofType writes the overlap if it is proven to be the one that a facet's features make. The narrowest
// register of lanes is through sooner than the Go loop with one row, so the first row is answered
// together with others that nobody reads.
func (c *Clipper) ofType(va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, id soa.FacetID, s *Shared) bool {
	of := shapeOf(va, vb, id)
	if of == clipped {
		return false
	}
	o := c.of(of)
	o.pose(0, pa)
	o.pose(1, pb)
	clear := clearOf(va, pa, vb, pb)
	switch {
	case of == crossing:
		for k, v := range [2]*soa.View{va, vb} {
			h := v.Edge[[2]uint16{id.A, id.B}[k]]
			o.vert(2*k, v.Vert(v.Tail[h]))
			o.vert(2*k+1, v.Vert(v.Head(h)))
			o.rim(2*k, &v.Rims[h])
			o.rim(2*k+1, &v.Rims[v.Twin[h]])
		}
		r := [4]uint32{0, asm.RimNumbers, 2 * asm.RimNumbers, 3 * asm.RimNumbers}
		o.crossing(0, 0, 1, [4]uint32{0, 1, 2, 3}, r, clear)
	case id.Kind == soa.FaceVertex:
		o.cornerOf(vb, va, soa.Vertex(id.B), soa.Face(id.A))
		o.corner(0, 1, 0, 0, 0, va, soa.Face(id.A), clear, -1)
	default:
		o.cornerOf(va, vb, soa.Vertex(id.A), soa.Face(id.B))
		o.corner(0, 0, 1, 0, 0, vb, soa.Face(id.B), clear, 1)
	}
	o.solve(0, asm.LeastLanes())
	if !o.get(0, s) {
		return false
	}
	c.found = id
	return true
}

// cornerOf copies the fan of a corner and the rims of a face.
func (o *alone) cornerOf(v, g *soa.View, k soa.Vertex, f soa.Face) {
	tip, around := v.Vert(k), v.Around(k)
	fan, edges := (*[soa.FanSize]float64)(o.fans), soa.FanEdges
	if o.shape == corner4 {
		edges = 4 // the others are not read
	}
	fan[0], fan[1], fan[2] = tip.X, tip.Y, tip.Z
	last := &around[len(around)-1].Edge
	for i := range edges {
		e := last
		if i < len(around) {
			e = &around[i].Edge
		}
		fan[3+3*i], fan[4+3*i], fan[5+3*i] = e.X, e.Y, e.Z
	}
	if g.Kind == soa.Plane {
		return
	}
	rims := (*[aloneRims * asm.RimNumbers]float64)(o.rims)
	for i := range g.Rims[g.LoopFirst[f]:][:min(int(g.LoopLen[f]), aloneRims)] {
		r, to := &g.Rims[int(g.LoopFirst[f])+i], rims[i*asm.RimNumbers:][:4] // corners read no more
		to[0], to[1], to[2], to[3] = r.In.X, r.In.Y, r.In.Z, r.Offset
	}
}

// ofPrism writes the overlap if it is proven to be a prism between these faces.
func (c *Clipper) ofPrism(va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, p *soa.Prism, s *Shared) bool {
	of := prismShape(va, vb, p)
	if of == clipped {
		return false
	}
	o := c.of(of)
	o.pose(0, pa)
	o.pose(1, pb)
	nA, nB := facesOf(va), facesOf(vb)
	o.planes(0, va)
	o.planes(nA, vb)
	last := &o.shares.Planes
	for k := range last {
		last[k][alonePlanes-1] = 0
	}
	last[3][alonePlanes-1] = math.MaxFloat64
	o.prism(0, 0, 1, p, [2]uint32{0, uint32(nA)}, alonePlanes-1, nA, nB, clearOf(va, pa, vb, pb), 0)
	o.solve(0, asm.LeastLanes())
	if !o.get(0, s) {
		return false
	}
	c.prism = *p
	return true
}
