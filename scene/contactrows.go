package scene

import (
	"context"
)

// contactColumns are the columns of contacts.csv. The force acts on body a, and the normal leads from a to b.
var contactColumns = []string{"step", "time", "a", "b", "piece_a", "piece_b", "type", "gap", "thickness", "volume",
	"nx", "ny", "nz", "x", "y", "z", "fx", "fy", "fz", "sliding", "level"}

// contactRows adds a row for each active contact to the pending rows.
func (f *folder) contactRows(ctx context.Context, t *rowTable) error {
	w := f.r.w
	for _, c := range f.r.b.contacts() {
		if err := ctx.Err(); err != nil {
			return err
		}
		d := w.ContactDetail(c.Row)
		// Numbers of bodies may exchange A and B of the world.
		first := w.Pieces().Body[w.Pairs().A[w.Contacts().Pair[c.Row]]]
		if f.r.b.order.shown(w.Bodies().ID[first]) != c.A {
			d.Type = d.Type.Mirrored()
		}
		level, sliding := "", int64(0)
		if d.AnsweredBy > 0 { // else no step was made since the restart
			level = d.AnsweredBy.String()
		}
		if c.Sliding {
			sliding = 1
		}
		t.Int(w.Steps())
		t.Float(w.Time())
		for _, n := range []uint64{uint64(c.A), uint64(c.B), uint64(c.PieceA), uint64(c.PieceB)} {
			t.Int(int64(n))
		}
		t.Text(d.Type.String())
		t.Float(d.Gap)
		for _, x := range []float64{d.Thickness, d.Volume} {
			if x > 0 {
				t.Float(x)
			} else {
				t.Text("")
			}
		}
		for _, x := range []float64{c.Normal.X, c.Normal.Y, c.Normal.Z, c.Location.X, c.Location.Y, c.Location.Z, c.Force.X, c.Force.Y, c.Force.Z} {
			t.Float(x)
		}
		t.Int(sliding)
		t.Text(level)
		if err := t.EndRow(); err != nil {
			return err
		}
	}
	return nil
}
