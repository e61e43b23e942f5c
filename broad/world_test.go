package broad

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// world is a set of bodies for tests, and its cells.
type world struct {
	bodies soa.Bodies
	pieces soa.Pieces
	shapes soa.Shapes
	pairs  soa.Pairs
	cells  *CandidateSearch
}

func newWorld(cfg Config) *world { return &world{cells: New(cfg)} }

func (w *world) rebuild(pool *sched.Pool) {
	w.cells.Rebuild(&w.bodies, &w.pieces, &w.shapes, pool, &w.pairs)
}

// part describes a piece of a body to add.
type part struct {
	shape soa.Shape
	local vec.Pose
}

func (w *world) body(pose vec.Pose, invMass float64, parts ...part) soa.Body {
	i := w.bodies.Len()
	w.bodies.Resize(i + 1)
	w.bodies.Pos.Set(i, pose.Pos)
	w.bodies.Rot.Set(i, pose.Rot)
	w.bodies.InvMass[i] = invMass
	w.bodies.FirstPiece[i] = soa.Piece(w.pieces.Len())
	for _, q := range parts {
		w.pieces.Add(soa.Body(i), w.shapes.Kind[q.shape], q.shape, 0, q.local)
		r := q.local.Pos.Norm() + w.shapes.Radius[q.shape]
		w.bodies.Radius[i] = max(w.bodies.Radius[i], r)
	}
	w.bodies.FirstPiece[i+1] = soa.Piece(w.pieces.Len())
	return soa.Body(i)
}

func (w *world) one(at vec.Vec3, rot vec.Quat, shape soa.Shape) soa.Body {
	return w.body(vec.Pose{Pos: at, Rot: rot}, 1, part{shape, vec.IdentityPose})
}

func (w *world) wall(at vec.Vec3, shape soa.Shape) soa.Body {
	return w.body(vec.Pose{Pos: at, Rot: vec.Identity}, 0, part{shape, vec.IdentityPose})
}

func (w *world) add(t *soa.Template) soa.Shape {
	h, err := w.shapes.Add(t)
	if err != nil {
		panic(err)
	}
	return h
}

func (w *world) ball(r float64) soa.Shape {
	return w.add(&soa.Template{Kind: soa.Ball, Name: "ball", Radius: r, Inner: r})
}

// box returns a block with the given half sides.
func (w *world) box(x, y, z float64) soa.Shape {
	verts := make([]vec.Vec3, 8)
	for k := range verts {
		verts[k] = vec.V(sign(k&1, x), sign(k>>1&1, y), sign(k>>2&1, z))
	}
	return w.add(mesh(soa.Block, verts, [][]int{
		{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6},
	}))
}

func sign(bit int, x float64) float64 {
	if bit == 0 {
		return -x
	}
	return x
}

func (w *world) facet(a, b, c vec.Vec3) soa.Shape {
	return w.add(mesh(soa.Facet, []vec.Vec3{a, b, c}, [][]int{{0, 1, 2}, {0, 2, 1}}))
}

// mesh returns a template made from loops of vertices, which must be counter-clockwise seen from
// outside.
func mesh(kind soa.Kind, verts []vec.Vec3, faces [][]int) *soa.Template {
	t := &soa.Template{Kind: kind, Name: kind.String(), Verts: verts, LoopFirst: []soa.HalfEdge{0}}
	for _, v := range verts {
		t.Radius = max(t.Radius, v.Norm())
	}
	head := []int{}
	for _, loop := range faces {
		n := verts[loop[1]].Sub(verts[loop[0]]).Cross(verts[loop[2]].Sub(verts[loop[0]])).Unit()
		t.Normals = append(t.Normals, n)
		t.Offsets = append(t.Offsets, n.Dot(verts[loop[0]]))
		for k, v := range loop {
			t.Tail = append(t.Tail, soa.Vertex(v))
			head = append(head, loop[(k+1)%len(loop)])
		}
		t.LoopFirst = append(t.LoopFirst, soa.HalfEdge(len(t.Tail)))
	}
	t.Twin = make([]soa.HalfEdge, len(t.Tail))
	for h := range t.Tail {
		for g := range t.Tail {
			if int(t.Tail[g]) == head[h] && head[g] == int(t.Tail[h]) {
				t.Twin[h] = soa.HalfEdge(g)
			}
		}
	}
	return t
}

// bruteForce returns the correct list: all pairs of pieces, sorted, that may pair and whose cell
// extents overlap.
func (w *world) bruteForce() (pairs [][2]soa.Piece) {
	n := soa.Piece(w.pieces.Len())
	kind := w.pieces.Kind
	for a := range n {
		for b := range n {
			if kind[a] > kind[b] || kind[a] == kind[b] && a >= b || !w.mayPair(a, b) {
				continue
			}
			x, y := w.cells.CellExtent(a), w.cells.CellExtent(b)
			if enters(x) && enters(y) && x.Overlaps(y) {
				pairs = append(pairs, [2]soa.Piece{a, b})
			}
		}
	}
	return pairs
}

func (w *world) mayPair(a, b soa.Piece) bool {
	i, j := w.pieces.Body[a], w.pieces.Body[b]
	bothFacets := w.pieces.Kind[a] == soa.Facet && w.pieces.Kind[b] == soa.Facet
	return i != j && !bothFacets && (w.bodies.InvMass[i] != 0 || w.bodies.InvMass[j] != 0)
}

func enters(b vec.Box) bool {
	s := b.Size()
	return s.X+s.Y+s.Z <= maxExtent
}

func (w *world) check(t *testing.T) {
	t.Helper()
	want := w.bruteForce()
	got := &w.pairs
	if len(got.B) != len(got.A) {
		t.Fatalf("columns of %d, %d rows", len(got.A), len(got.B))
	}
	for k := range min(len(want), got.Len()) {
		if got.A[k] != want[k][0] || got.B[k] != want[k][1] {
			t.Fatalf("pair %d of %d is (%d, %d), want (%d, %d) of %d",
				k, got.Len(), got.A[k], got.B[k], want[k][0], want[k][1], len(want))
		}
	}
	if got.Len() != len(want) {
		t.Fatalf("%d pairs, want %d", got.Len(), len(want))
	}
	if s := w.cells.Stats(); s.Pairs != len(want) || s.Pieces+s.Unpaired != w.pieces.Len() {
		t.Fatalf("stats %+v do not add up", s)
	}
	w.other(t)
}

// everyPair is a method that compares all rows.
type everyPair struct{}

func (everyPair) Search(r *Rows, p *PairList) error {
	p.A, p.B = p.A[:0], p.B[:0]
	for i := range r.Box {
		for j := i + 1; j < len(r.Box); j++ {
			if r.Box[i].Overlaps(r.Box[j]) {
				p.A, p.B = append(p.A, soa.Piece(i)), append(p.B, soa.Piece(j))
			}
		}
	}
	return nil
}

// other fails if another method makes a different list.
func (w *world) other(t *testing.T) {
	t.Helper()
	cfg := w.cells.cfg
	cfg.Skin, cfg.Search = w.cells.skin, everyPair{}
	cells, pairs := New(cfg), soa.Pairs{}
	cells.reach = w.cells.reach
	pieces := w.pieces
	pieces.Extent = soa.Boxes{}
	cells.Rebuild(&w.bodies, &pieces, &w.shapes, nil, &pairs)
	if !slices.Equal(pairs.A, w.pairs.A) || !slices.Equal(pairs.B, w.pairs.B) {
		t.Fatalf("%d pairs, %d by another method", w.pairs.Len(), pairs.Len())
	}
	if got, want := cells.Stats(), w.cells.Stats(); got.Pieces != want.Pieces || got.Unpaired != want.Unpaired || got.Pairs != want.Pairs {
		t.Fatalf("stats %+v, by another method %+v", want, got)
	}
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func unit(r *rand.Rand) vec.Vec3 {
	for {
		if v := vec.V(2*r.Float64()-1, 2*r.Float64()-1, 2*r.Float64()-1); v.Norm() < 1 && v.Norm() > 0.1 {
			return v.Unit()
		}
	}
}

func rotation(r *rand.Rand) vec.Quat {
	return vec.FromRotationVector(unit(r).Scale(math.Pi * r.Float64()))
}

// within returns a random point in the cube of the given side about the origin.
func within(r *rand.Rand, side float64) vec.Vec3 {
	return vec.V(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(side)
}

// packedSide returns the side of the cube in which n spheres of radius r have the given volume
// fraction.
func packedSide(n int, r, fraction float64) float64 {
	return r * math.Cbrt(float64(n)*4*math.Pi/3/fraction)
}
