package scene

import (
	"cmp"
	"slices"
	"strings"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/curve"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// order is the table between the numbers of a scene's moving bodies, which count in the order of the file, and their
// ids in the world, which follow [order]. A nil table stands for equal numbers and ids. Walls have equal ones always.
// Pieces count with their bodies: those of a body follow each other.
type order struct {
	ids     []uint32 // by number
	numbers []uint32 // by id

	pieceIDs     []uint32 // numbers of pieces in the world, by number in the scene
	pieceNumbers []uint32
}

// orderOf returns the table for all bodies of the scene, by their centres of mass at the start.
func (s *Scene) orderOf(all []placed) (o order) {
	if s.order == curve.None {
		return o
	}
	x, y, z := make([]float64, len(all)), make([]float64, len(all)), make([]float64, len(all))
	for i := range all {
		at := all[i].pose.Point(s.shapes[all[i].shape].centre)
		x[i], y[i], z[i] = at.X, at.Y, at.Z
	}
	o.numbers, o.ids = curve.Order(s.order, x, y, z), make([]uint32, len(all))
	for id, number := range o.numbers {
		o.ids[number] = uint32(id)
	}
	o.pieceIDs, o.pieceNumbers = o.ids, o.numbers
	if s.hasClumps() {
		o.orderPieces(func(number int) int { return len(s.shapes[all[number].shape].parts) })
	}
	return o
}

// orderPieces sets the tables of pieces. of returns how many pieces the body with a number has.
func (o *order) orderPieces(of func(number int) int) {
	first := make([]int, len(o.ids)+1)
	for number := range o.ids {
		first[number+1] = first[number] + of(number)
	}
	all := first[len(o.ids)]
	o.pieceIDs, o.pieceNumbers = make([]uint32, all), make([]uint32, 0, all)
	for _, number := range o.numbers {
		for p := first[number]; p < first[number+1]; p++ {
			o.pieceIDs[p] = uint32(len(o.pieceNumbers))
			o.pieceNumbers = append(o.pieceNumbers, uint32(p))
		}
	}
}

// id returns the id of the body with a number.
func (o *order) id(number int) int { return through(o.ids, number) }

// number returns the number of the body with an id.
func (o *order) number(id int) int { return through(o.numbers, id) }

// through returns entry i of a table, or i beyond its ends.
func through(table []uint32, i int) int {
	if 0 <= i && i < len(table) {
		return int(table[i])
	}
	return i
}

// shown is number for messages of the world.
func (o *order) shown(id soa.ID) soa.ID { return soa.ID(o.number(int(id))) }

// ID returns the id in World of the body with a number: bodies, then walls, from 0 in the order of the file.
func (b *Built) ID(number int) soa.ID { return soa.ID(b.order.id(number)) }

// Number returns the number of the body or wall with an id in World. Bodies that a program adds keep their ids.
func (b *Built) Number(id soa.ID) int { return b.order.number(int(id)) }

// rows returns the rows of the bodies that move, or of the walls, in the order of their numbers.
func (b *Built) rows(walls bool) (rows []soa.Body) {
	bodies := b.World.Bodies()
	isWall := make([]bool, bodies.Len())
	for _, id := range b.World.Walls() {
		row, _ := bodies.Row(id)
		isWall[row] = true
	}
	for i, is := range isWall {
		if is == walls && !bodies.Gone[i] {
			rows = append(rows, soa.Body(i))
		}
	}
	if b.order.numbers != nil {
		slices.SortFunc(rows, func(i, k soa.Body) int { return cmp.Compare(b.Number(bodies.ID[i]), b.Number(bodies.ID[k])) })
	}
	return rows
}

// moving returns the number of bodies that are no walls.
func (b *Built) moving() int { return b.World.Bodies().Count() - len(b.World.Walls()) }

// contacts returns the active contacts with numbers in place of ids, in the order and with the bodies A and B that
// they have if ids and numbers are equal.
func (b *Built) contacts() []engine.ActiveContact {
	list := slices.Collect(b.World.ActiveContacts())
	if b.order.ids == nil {
		return list
	}
	pieces := b.World.Pieces()
	for i := range list {
		c := &list[i]
		rowA, _ := pieces.Row(c.PieceA)
		rowB, _ := pieces.Row(c.PieceB)
		same := pieces.Kind[rowA] == pieces.Kind[rowB]
		for _, id := range []*soa.ID{&c.A, &c.B} {
			*id = b.order.shown(*id)
		}
		for _, piece := range []*soa.Number{&c.PieceA, &c.PieceB} {
			*piece = soa.Number(through(b.order.pieceNumbers, int(*piece)))
		}
		if same && c.PieceB < c.PieceA {
			c.A, c.B, c.PieceA, c.PieceB = c.B, c.A, c.PieceB, c.PieceA
			c.Normal, c.Force = vec.Vec3{}.Sub(c.Normal), vec.Vec3{}.Sub(c.Force) // Neg would make −0 of 0.
		}
	}
	rows := make([]int, len(list))
	for k := range rows {
		rows[k] = k
	}
	slices.SortFunc(rows, func(i, k int) int {
		return cmp.Or(cmp.Compare(list[i].PieceA, list[k].PieceA), cmp.Compare(list[i].PieceB, list[k].PieceB))
	})
	sorted := make([]engine.ActiveContact, len(list))
	for k, row := range rows {
		sorted[k] = list[row]
	}
	return sorted
}

// toNumbers puts the columns of a state into the order of numbers. The list of contacts keeps its order, with numbers
// in place of ids.
func (b *Built) toNumbers(cols []engine.Column) {
	exchange(cols, b.order.numbers, b.order.pieceNumbers)
}

// toIDs undoes toNumbers. Columns that are not those of this world stay as they are; Restore rejects them.
func (b *Built) toIDs(cols []engine.Column) { exchange(cols, b.order.ids, b.order.pieceIDs) }

// exchange replaces each name k of a body by to[k], and each piece k of contacts by toPiece[k], and sorts the columns of bodies by
// the new names. The names are 0, 1, … unless the state has a column of ids.
func exchange(cols []engine.Column, to, toPiece []uint32) {
	if to == nil {
		return
	}
	var ids []uint32
	n := 0
	for _, c := range cols {
		if c.Name == "body.id" {
			ids = c.U32
		} else if c.Name == "odometer" {
			n = len(c.F64)
		}
	}
	if ids != nil && len(ids) != 2*(n+2) {
		return
	}
	names, rows := make([]int, n), make([]int, n)
	for i := range rows {
		if rows[i], names[i] = i, i; ids != nil {
			names[i] = int(uint64(ids[2*i]) | uint64(ids[2*i+1])<<32)
		}
		names[i] = through(to, names[i])
	}
	slices.SortFunc(rows, func(i, k int) int { return cmp.Compare(names[i], names[k]) })
	var was []float64
	for _, c := range cols {
		// Columns of bodies are those of an axis, and the odometer.
		bodies := strings.Contains(c.Name, ".") && !strings.HasPrefix(c.Name, "contact.") || c.Name == "odometer"
		if bodies && len(c.F64) == n {
			was = append(was[:0], c.F64...)
			for i, k := range rows {
				c.F64[i] = was[k]
			}
		}
		if c.Name == "contact.pieces" {
			for i, p := range c.U32 {
				c.U32[i] = uint32(through(toPiece, int(p)))
			}
		}
	}
	for i, k := range rows[:len(ids)/2-min(2, len(ids)/2)] {
		ids[2*i], ids[2*i+1] = uint32(names[k]), uint32(names[k]>>32)
	}
}
