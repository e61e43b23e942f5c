package engine

import (
	"slices"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// lateState is what a state has of shapes, bodies and walls that came after the first forces. Restore makes them
// anew, in the order in which they came, so that they get the same rows.
type lateState struct {
	First  nextNumbers    // at the first forces
	Shapes []soa.Template // all of them, so that their rows stay the same
	Bodies []lateBody     // bodies and walls that are there now; their ids are in the column body.id
}

// lateBody is a body or a wall. Its pose and its velocities are in the columns of bodies.
type lateBody struct {
	Name                string
	Mass, InvMass       float64 // kg and 1/kg; of a wall 0
	Inertia, InvInertia vec.Sym3
	Centre              vec.Vec3
	FirstPiece          soa.Number
	Pieces              []Part // without a density; Local maps the frame of the piece to that of the body
}

// nextNumbers are the next id, number of a piece and row of a shape.
type nextNumbers struct {
	Body  soa.ID
	Piece soa.Number
	Shape soa.Shape
}

func (w *World) nextNumbers() nextNumbers {
	return nextNumbers{w.bodies.NextID(), w.space.Pieces.NextNumber(), soa.Shape(w.space.Shapes.Len())}
}

// late returns what came after the first forces. No body may be gone that still has a row.
func (w stateColumns) late() *lateState {
	l, b, p := &lateState{First: w.firsts}, &w.bodies, &w.space.Pieces
	for s := w.firsts.Shape; int(s) < w.space.Shapes.Len(); s++ {
		l.Shapes = append(l.Shapes, *w.space.Shapes.Template(s))
	}
	for i, id := range b.ID {
		if id < w.firsts.Body {
			continue
		}
		first, end := b.FirstPiece[i], b.FirstPiece[i+1]
		body := lateBody{
			Name: b.Name[i], Mass: b.Mass[i], InvMass: b.InvMass[i],
			Inertia: b.Inertia[i], InvInertia: b.InvInertia.At(i), Centre: b.Centre[i], FirstPiece: p.Number[first],
		}
		for k := first; k < end; k++ {
			body.Pieces = append(body.Pieces, Part{Shape: p.Shape[k], Material: p.Material[k], Local: p.Local[k]})
		}
		l.Bodies = append(l.Bodies, body)
	}
	return l
}

// readLate reads what came after the first forces. A state without its column has nothing.
func (w *stateCheck) readLate() (l lateState, err error) {
	if w.by[lateColumn] == nil {
		return lateState{First: w.firsts}, nil
	}
	if err = w.readObject(lateColumn, &l); err == nil && w.by[courseColumn] == nil && slices.ContainsFunc(l.Bodies, func(b lateBody) bool { return b.Mass == 0 }) {
		err = mark.Errorf(ErrState, "engine: walls came in the run of the state, expected a column %q", courseColumn)
	}
	return l, err
}

// remake adds the shapes, bodies and walls of a state. ids are those of the bodies.
func (l *lateState) remake(w bodyAdder, ids []soa.ID) error {
	for i := range l.Shapes {
		if _, err := w.AddShape(&l.Shapes[i]); err != nil {
			return err
		}
	}
	for k, id := range ids {
		if err := w.remake(id, &l.Bodies[k]); err != nil {
			return err
		}
	}
	return nil
}

// remake adds a body or wall of a state. It has no pose yet.
func (w bodyAdder) remake(id soa.ID, b *lateBody) error {
	spec, number, name, moves := BodySpec{Name: b.Name, Parts: b.Pieces}, w.numberOf(id), b.Name, b.Mass != 0
	if err := w.checkBody(number, &spec); err != nil {
		return err
	}
	if err := w.checkKinds(number, &spec, moves); err != nil {
		return err
	}
	switch hollow := func(p Part) bool { return !w.space.Shapes.Kind[p.Shape].IsSolid() }; {
	case b.FirstPiece < w.space.Pieces.NextNumber():
		return mark.Errorf(ErrBody, "engine: body %d %q has the piece %d, expected one from %d on", number, name, b.FirstPiece, w.space.Pieces.NextNumber())
	case moves != (b.InvMass > 0) || b.Mass < 0 || b.InvMass < 0: // JSON has finite numbers alone.
		return mark.Errorf(ErrBody, "engine: body %d %q has mass %g kg and inverse %g, expected > 0, and of a wall 0", number, name, b.Mass, b.InvMass)
	case moves && slices.ContainsFunc(b.Pieces, hollow):
		return mark.Errorf(ErrBody, "engine: body %d %q has a piece that is neither a ball nor a block", number, name)
	}
	w.bodies.SkipTo(id)
	w.space.Pieces.SkipTo(b.FirstPiece)
	row := w.addRow(name, vec.IdentityPose, vec.Vec3{})
	w.bodies.Mass[row], w.bodies.InvMass[row] = b.Mass, b.InvMass
	w.bodies.Inertia[row], w.bodies.Centre[row] = b.Inertia, b.Centre
	w.bodies.InvInertia.Set(row, b.InvInertia)
	for _, p := range b.Pieces {
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
