package engine

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// lateState is what a state has of shapes, bodies and walls that came after the first forces. Restore makes them
// anew, in the order in which they came, so that they get the same rows.
type lateState struct {
	First  nextNumbers    // at the first forces
	Shapes []soa.Template // all of them, so that their rows stay the same

	bodies []lateBody  // bodies and walls that are there now; their ids are in the column body.id
	pieces []latePiece // of all bodies
	names  []byte      // of all bodies
}

// lateBody is a body or a wall. Its pose and its velocities are in the columns of bodies.
type lateBody struct {
	First                      soa.Number // of its pieces
	NPieces, NameBytes, IsWall uint32
	Mass, InvMass              float64 // kg and 1/kg; of a wall 0
	Inertia, InvInertia        vec.Sym3
	Centre                     vec.Vec3
}

// latePiece is a piece of a body; Local is its pose in the frame of the body.
type latePiece struct {
	Shape    soa.Shape
	Material soa.Material
	Local    vec.Pose
}

// lateColumns are the columns of a lateState. The first is JSON, the others are little-endian.
var lateColumns = [...]string{"late.shapes", "late.bodies", "late.pieces", "late.names"}

// nextNumbers are the next id, number of a piece and row of a shape.
type nextNumbers struct {
	Body  soa.ID
	Piece soa.Number
	Shape soa.Shape
}

func (w *World) nextNumbers() nextNumbers {
	return nextNumbers{w.bodies.NextID(), w.space.Pieces.NextNumber(), soa.Shape(w.space.Shapes.Len())}
}

// late returns the columns of what came after the first forces. No body may be gone that still has a row.
func (w stateColumns) late() (cols []Column) {
	l, b, p := lateState{First: w.firsts}, &w.bodies, &w.space.Pieces
	for s := w.firsts.Shape; int(s) < w.space.Shapes.Len(); s++ {
		l.Shapes = append(l.Shapes, *w.space.Shapes.Template(s))
	}
	for i, id := range b.ID {
		if id < w.firsts.Body {
			continue
		}
		first, end := b.FirstPiece[i], b.FirstPiece[i+1]
		body := lateBody{
			First: p.Number[first], NPieces: uint32(end - first), NameBytes: uint32(len(b.Name[i])), Mass: b.Mass[i], InvMass: b.InvMass[i],
			Inertia: b.Inertia[i], InvInertia: b.InvInertia.At(i), Centre: b.Centre[i],
		}
		if w.isWall(soa.Body(i)) {
			body.IsWall = 1
		}
		l.bodies, l.names = append(l.bodies, body), append(l.names, b.Name[i]...)
		for k := first; k < end; k++ {
			l.pieces = append(l.pieces, latePiece{p.Shape[k], p.Material[k], p.Local[k]})
		}
	}
	shapes, _ := json.Marshal(&l) // Numbers of a shape are finite.
	bodies, _ := binary.Append([]byte{}, binary.LittleEndian, l.bodies)
	pieces, _ := binary.Append([]byte{}, binary.LittleEndian, l.pieces)
	for k, bytes := range [...][]byte{shapes, bodies, pieces, append([]byte{}, l.names...)} {
		cols = append(cols, Column{Name: lateColumns[k], U8: bytes})
	}
	return cols
}

// readLate reads what came after the first forces. A state without its columns has nothing.
func (w *stateCheck) readLate() (l lateState, err error) {
	var bytes [len(lateColumns)][]byte
	for k, name := range lateColumns {
		c := w.by[name]
		switch {
		case c == nil && w.by[lateColumns[0]] == nil:
			return lateState{First: w.firsts}, nil
		case c == nil || c.U8 == nil && len(c.F64)+len(c.U32)+len(c.U16) > 0:
			return l, mark.Errorf(ErrState, "engine: the state has no column %q of bytes", name)
		}
		bytes[k] = c.U8
	}
	from := json.NewDecoder(strings.NewReader(string(bytes[0])))
	from.DisallowUnknownFields()
	if err := from.Decode(&l); err != nil {
		return l, mark.Errorf(ErrState, "engine: column %q of the state: %w", lateColumns[0], err)
	}
	l.bodies = make([]lateBody, len(bytes[1])/binary.Size(lateBody{}))
	l.pieces = make([]latePiece, len(bytes[2])/binary.Size(latePiece{}))
	l.names = bytes[3]
	_, errBodies := binary.Decode(bytes[1], binary.LittleEndian, l.bodies)
	_, errPieces := binary.Decode(bytes[2], binary.LittleEndian, l.pieces)
	pieces, names, walls := 0, 0, false
	for i := range l.bodies {
		pieces, names, walls = pieces+int(l.bodies[i].NPieces), names+int(l.bodies[i].NameBytes), walls || l.bodies[i].IsWall != 0
	}
	if errBodies != nil || errPieces != nil || pieces != len(l.pieces) || names != len(l.names) || walls && w.by["course"] == nil {
		return l, mark.Errorf(ErrState, "engine: the columns %q of the state do not fit together, expected those of one state, and a column %q if walls came", lateColumns, "course")
	}
	return l, nil
}

// isWall reports whether a body is a wall.
func (w *World) isWall(row soa.Body) bool {
	return slices.ContainsFunc(w.walls, func(v wallState) bool { return v.body == row })
}

// remake adds the shapes, bodies and walls of a state. ids are those of the bodies.
func (l *lateState) remake(w bodyAdder, ids []soa.ID) error {
	for i := range l.Shapes {
		if _, err := w.AddShape(&l.Shapes[i]); err != nil {
			return err
		}
	}
	names, pieces := l.names, l.pieces
	for k, id := range ids {
		b := &l.bodies[k]
		if err := w.remake(id, string(names[:b.NameBytes]), b, pieces[:b.NPieces]); err != nil {
			return err
		}
		names, pieces = names[b.NameBytes:], pieces[b.NPieces:]
	}
	return nil
}

// remake adds a body or wall of a state. It has no pose yet.
func (w bodyAdder) remake(id soa.ID, name string, b *lateBody, pieces []latePiece) error {
	spec, number, moves := BodySpec{Name: name}, w.numberOf(id), b.IsWall == 0
	for _, p := range pieces {
		spec.Parts = append(spec.Parts, Part{Shape: p.Shape, Material: p.Material, Local: p.Local})
	}
	if err := w.checkBody(number, &spec); err != nil {
		return err
	}
	if err := w.checkKinds(number, &spec, moves); err != nil {
		return err
	}
	finite := diagonal(b.Inertia).Finite() && diagonal(b.InvInertia).Finite() && b.Centre.Finite()
	switch hollow := func(p latePiece) bool { return !w.space.Shapes.Kind[p.Shape].IsSolid() }; {
	case b.First < w.space.Pieces.NextNumber():
		return mark.Errorf(ErrBody, "engine: body %d %q has the piece %d, expected one from %d on", number, name, b.First, w.space.Pieces.NextNumber())
	case moves != (b.Mass > 0) || !(b.Mass >= 0 && b.Mass <= math.MaxFloat64 && b.InvMass >= 0 && b.InvMass <= math.MaxFloat64) || !finite:
		return mark.Errorf(ErrBody, "engine: body %d %q has mass %g kg, inverse %g, and inertia %v, expected finite, and of a wall 0", number, name, b.Mass, b.InvMass, b.Inertia)
	case moves && slices.ContainsFunc(pieces, hollow):
		return mark.Errorf(ErrBody, "engine: body %d %q has a piece that is neither a ball nor a block", number, name)
	}
	w.bodies.SkipTo(id)
	w.space.Pieces.SkipTo(b.First)
	row := w.addRow(name, vec.IdentityPose, vec.Vec3{})
	w.bodies.Mass[row], w.bodies.InvMass[row] = b.Mass, b.InvMass
	w.bodies.Inertia[row], w.bodies.Centre[row] = b.Inertia, b.Centre
	w.bodies.InvInertia.Set(row, b.InvInertia)
	for _, p := range pieces {
		w.addPiece(row, p.Shape, p.Material, p.Local)
	}
	w.bodies.FirstPiece[row+1] = soa.Piece(w.space.Pieces.Len())
	w.noteKinds(name, spec.Parts, moves, 1)
	if moves {
		return w.space.AddBody(soa.Body(row))
	}
	w.walls = append(w.walls, wallState{soa.Body(row), wallCourse{Pose: vec.IdentityPose}})
	return w.space.AddWall(soa.Body(row), nil)
}
