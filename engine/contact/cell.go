package contact

import (
	"math"
	"slices"
	"sync/atomic"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/multilevel"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Image counts by how many periods a place is displaced along x, y and z.
type Image [3]int32

// Sub returns n − m.
func (n Image) Sub(m Image) Image { return Image{n[0] - m[0], n[1] - m[1], n[2] - m[2]} }

// Times returns the numbers of n times those of a vector.
func (n Image) Times(v vec.Vec3) vec.Vec3 {
	return vec.Vec3{X: float64(float64(n[0]) * v.X), Y: float64(float64(n[1]) * v.Y), Z: float64(float64(n[2]) * v.Z)}
}

// cell is the box of a space with periodic sides. Bodies keep their positions when they pass a side. So a body has a
// turn: the image of the box that holds its centre of mass. Body B of a pair counts as displaced by an image of its own:
//
//	          turn 0            turn 1
//	|                    A  |  B                 |      image (0, 0, 0)
//	|  B'                A  |                    |      B has turn 0: image (1, 0, 0)
//
// The image of a pair of two bodies that move is that of the nearest place of B. The box is so wide that no other place
// can touch A before the next search for pairs. A wall stands in the box alone, and a body meets it where the image of
// the body in the box lies. A plane is parallel to the periodic axes, so it needs no image.
type cell struct {
	periodic     bool        // some axis is
	from, length vec.Vec3    // m: the least corner, and the periods; a period of 0 is an axis that is not periodic
	turns        []Image     // by body
	images       []Image     // by row of Pairs
	places       []uint32    // rows of Pairs with an image; place k is row Pieces.Len()+k of the poses
	walled       bool        // some wall is no plane
	crossed      atomic.Bool // a body has passed a side since the last search, in a space with such a wall

	home   []vec.Vec3 // m, by body: the displacement into the box
	near   []soa.Piece
	boxes  []vec.Box
	finder *broad.Finder
	found  broad.Found
	a, b   []soa.Piece
	keys   []uint64
}

// SetCell sets the least corner and the periods, m, of a periodic box; a period of 0 is an axis that is not periodic. Later calls
// may change lengths alone. Then add to the odometers of all bodies how far the sides have moved.
func (sp *Space) SetCell(from, length vec.Vec3) {
	sp.cell.from, sp.cell.length, sp.cell.periodic = from, length, length != vec.Vec3{}
}

// Shift returns by how far an image displaces a place, m.
func (sp *Space) Shift(n Image) vec.Vec3 { return n.Times(sp.cell.length) }

// TurnAt returns the image of the box in which a point lies.
func (sp *Space) TurnAt(p vec.Vec3) (n Image) {
	c := &sp.cell
	for axis, x := range [3][3]float64{{p.X, c.from.X, c.length.X}, {p.Y, c.from.Y, c.length.Y}, {p.Z, c.from.Z, c.length.Z}} {
		if x[2] > 0 {
			n[axis] = int32(math.Floor((x[0] - x[1]) / x[2]))
		}
	}
	return n
}

// Turn returns the turn of a body.
func (sp *Space) Turn(i int) Image {
	if len(sp.cell.turns) == 0 {
		return Image{}
	}
	return sp.cell.turns[i]
}

// UpdateTurn sets the turn of a body that has moved. If there is a wall that is no plane, a body that passes a side makes the
// next Update search for all pairs. Several workers may call it at once, for bodies of their own.
func (sp *Space) UpdateTurn(i int) (was, now Image) {
	c := &sp.cell
	was, now = c.turns[i], sp.TurnAt(sp.Bodies.Pos.At(i))
	if c.turns[i] = now; was != now && c.walled {
		c.crossed.Store(true)
	}
	return was, now
}

// IsPlane reports whether a piece is a plane.
func (sp *Space) IsPlane(p soa.Piece) bool { return sp.Pieces.Kind[p].IsEndless() }

// findTurns computes the turns of all bodies.
func (sp *Space) findTurns() {
	c := &sp.cell
	if !c.periodic {
		return
	}
	c.turns = grow(c.turns, sp.Bodies.Len())
	for i := range c.turns {
		if c.turns[i] = (Image{}); sp.Bodies.InvMass[i] != 0 {
			c.turns[i] = sp.TurnAt(sp.Bodies.Pos.At(i))
		}
	}
}

// imageOf returns the image of the pair of two pieces at the present poses.
func (sp *Space) imageOf(a, b soa.Piece) (n Image) {
	c, i, k := &sp.cell, sp.Pieces.Body[a], sp.Pieces.Body[b]
	if !c.periodic || sp.IsPlane(b) {
		return n
	}
	n = c.turns[i].Sub(c.turns[k])
	if sp.Bodies.InvMass[i] == 0 || sp.Bodies.InvMass[k] == 0 {
		return n
	}
	d := sp.Pieces.Pose(sp.Bodies, b).Pos.Add(sp.Shift(n)).Sub(sp.Pieces.Pose(sp.Bodies, a).Pos)
	for axis, x := range [3][2]float64{{d.X, c.length.X}, {d.Y, c.length.Y}, {d.Z, c.length.Z}} {
		if x[1] > 0 {
			n[axis] -= int32(math.Round(x[0] / x[1]))
		}
	}
	return n
}

// sameImage reports whether row i of the pairs, before a search, has the image that the pair has now.
func (sp *Space) sameImage(i int) bool {
	return !sp.cell.periodic || sp.cell.images[i] == sp.imageOf(sp.Pairs.A[i], sp.Pairs.B[i])
}

// shiftOf returns how far B of pair i is displaced, m.
func (sp *Space) shiftOf(i int) vec.Vec3 {
	if !sp.cell.periodic {
		return vec.Vec3{}
	}
	return sp.Shift(sp.cell.images[i])
}

// ShiftOf returns how far B of the pair of a contact row is displaced, m. The location of the contact and A are where
// they are, and B counts as displaced.
func (sp *Space) ShiftOf(row int) vec.Vec3 { return sp.shiftOf(int(sp.Contacts.Pair[row])) }

// SideOf returns by how many periods B of a contact row is displaced if the images of both bodies in the box touch. So it is
// zero unless the contact is across a side.
func (sp *Space) SideOf(row int) (n Image) {
	i, b := sp.Contacts.Pair[row], sp.Bodies
	p, q := sp.Pieces.Body[sp.Pairs.A[i]], sp.Pieces.Body[sp.Pairs.B[i]]
	if !sp.cell.periodic || b.InvMass[p] == 0 || b.InvMass[q] == 0 {
		return n
	}
	return sp.cell.images[i].Sub(sp.cell.turns[p].Sub(sp.cell.turns[q]))
}

// poseA and poseB return the poses of the pieces of pair i, B displaced by the pair's image.
func (sp *Space) poseA(i int) vec.Pose { return sp.Pieces.Pose(sp.Bodies, sp.Pairs.A[i]) }

func (sp *Space) poseB(i int) vec.Pose {
	return sp.displaced(sp.Pieces.Pose(sp.Bodies, sp.Pairs.B[i]), i)
}

// displaced returns a pose, displaced by the image of pair i.
func (sp *Space) displaced(pose vec.Pose, i int) vec.Pose {
	if sp.cell.periodic {
		pose.Pos = pose.Pos.Add(sp.shiftOf(i))
	}
	return pose
}

// enterCell moves the bodies to their images in the box, for the search for pairs, and bounds the skins.
func (sp *Space) enterCell() {
	c := &sp.cell
	if !c.periodic {
		return
	}
	sp.findTurns()
	c.walled = slices.ContainsFunc(sp.walls, func(w *wall) bool { return !sp.IsPlane(sp.Bodies.FirstPiece[w.body]) })
	c.home = grow(c.home, sp.Bodies.Len())
	widest := 0.0
	for i := range c.home {
		c.home[i] = sp.Shift(Image{}.Sub(c.turns[i]))
		if sp.Bodies.InvMass[i] != 0 {
			widest = max(widest, sp.Bodies.Radius[i])
		}
	}
	least := math.Inf(1)
	for _, l := range [3]float64{c.length.X, c.length.Y, c.length.Z} {
		if l > 0 {
			least = min(least, l)
		}
	}
	sp.broad.SetHome(c.home, max(0, float64((1-skinShare)*0.5)*(float64(0.5*least)-float64(2*widest)-sp.cfg.Laws.Reach())))
}

// skinShare is the share of the room between a body and the second image of another that no skin may use up. It covers
// rounding.
// Smaller: a contact with a second image could be missed in a box of two diameters.
const skinShare = 0x1p-10

// addImagePairs adds the pairs across the sides of the box to the candidate pairs of a search.
func (sp *Space) addImagePairs() {
	c := &sp.cell
	if !c.periodic || sp.tooManyPairs {
		return
	}
	sp.listNear()
	if c.finder == nil {
		c.finder = broad.NewFinder(multilevel.New())
	}
	in := broad.Input{Box: c.boxes, Domain: vec.Box{Min: c.from, Max: c.from.Add(c.length)}, MaxPairs: max(sp.maxPairs, 1), Pool: sp.pool}
	in.Periodic = [3]bool{c.length.X > 0, c.length.Y > 0, c.length.Z > 0}
	if err := c.finder.Find(&in, &c.found); err != nil {
		sp.tooManyPairs = true
		return
	}
	c.a, c.b, c.keys = c.a[:0], c.b[:0], c.keys[:0]
	for k, row := range c.found.A {
		a, b := c.near[row], c.near[c.found.B[k]]
		if sp.Pieces.Body[a] == sp.Pieces.Body[b] || broad.Overlap(&c.boxes[row], &c.boxes[c.found.B[k]]) {
			continue // The latter is a candidate pair already.
		}
		if sp.Pieces.Kind[a] > sp.Pieces.Kind[b] || sp.Pieces.Kind[a] == sp.Pieces.Kind[b] && a > b {
			a, b = b, a
		}
		c.keys = append(c.keys, KeyOf(a, b))
	}
	slices.Sort(c.keys)
	for _, key := range c.keys {
		a, b := PairOf(key)
		c.a, c.b = append(c.a, a), append(c.b, b)
	}
	if sp.tooManyPairs = sp.rebuild.fresh.Len()+len(c.a) > sp.maxPairs; !sp.tooManyPairs {
		sp.mergePairs(c.a, c.b)
	}
}

// listNear lists the pieces that a neighbour across a side may reach, and their cell extents.
func (sp *Space) listNear() {
	c := &sp.cell
	var beyond vec.Vec3 // how far boxes reach beyond the sides
	to := c.from.Add(c.length)
	for _, p := range sp.broad.Moving() {
		if box := sp.broad.CellExtent(p); sp.Bodies.InvMass[sp.Pieces.Body[p]] != 0 {
			beyond = beyond.Max(c.from.Sub(box.Min)).Max(box.Max.Sub(to))
		}
	}
	c.near, c.boxes = c.near[:0], c.boxes[:0]
	lo, hi := c.from.Add(beyond), to.Sub(beyond)
	for _, p := range sp.broad.Moving() {
		box := sp.broad.CellExtent(p)
		isNear := c.length.X > 0 && (box.Min.X <= lo.X || box.Max.X >= hi.X) || c.length.Y > 0 && (box.Min.Y <= lo.Y || box.Max.Y >= hi.Y) ||
			c.length.Z > 0 && (box.Min.Z <= lo.Z || box.Max.Z >= hi.Z)
		if isNear && sp.Bodies.InvMass[sp.Pieces.Body[p]] != 0 {
			c.near, c.boxes = append(c.near, p), append(c.boxes, box)
		}
	}
}

// layImages gives each pair its image, after all tiles were laid anew.
func (sp *Space) layImages() {
	if !sp.cell.periodic {
		return
	}
	sp.cell.images = grow(sp.cell.images, sp.tiles.rows())
	clear(sp.cell.images)
	for tile := range sp.tiles.costs {
		sp.imageRows(sp.tiles.bounds(tile))
	}
}

// imageRows gives the pairs lo to hi-1 their images.
func (sp *Space) imageRows(lo, hi int) {
	if sp.cell.periodic {
		for i := lo; i < hi; i++ {
			sp.cell.images[i] = sp.imageOf(sp.Pairs.A[i], sp.Pairs.B[i])
		}
	}
}

// layPlaces gives each pair with an image a place, where kernels find B.
func (sp *Space) layPlaces() {
	c := &sp.cell
	if !c.periodic {
		return
	}
	c.places = c.places[:0]
	for tile := range sp.tiles.costs {
		lo, hi := sp.tiles.bounds(tile)
		for i := lo; i < hi; i++ {
			if c.images[i] != (Image{}) {
				c.places = append(c.places, uint32(i))
			}
		}
	}
	sp.describePlaces()
}

// describePlaces makes kernels find B of each pair with an image at its place.
func (sp *Space) describePlaces() {
	for k, i := range sp.cell.places {
		sp.described[i].PoseB = soa.PoseRow(sp.Pieces.Len() + k)
	}
}

type placeStage stage

// Range computes the poses of places lo to hi.
func (c *placeStage) Range(lo, hi, _ int) {
	sp := c.sp
	for k := lo; k < hi; k++ {
		pose, row := sp.poseB(int(sp.cell.places[k])), sp.Pieces.Len()+k
		sp.ownPoses.Pos.Set(row, pose.Pos)
		sp.ownPoses.Rot.Set(row, pose.Rot)
	}
}
