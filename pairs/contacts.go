package pairs

import (
	"math"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// ContactColumns are the columns of the table of basic contacts.
var ContactColumns = []string{
	"row", "contact", "type", "feature_a", "feature_b", "ax", "ay", "az", "bx", "by", "bz", "nx", "ny", "nz", "distance", "mode",
}

// basic is a basic contact of a row, world frame.
type basic struct {
	narrow.BasicContact          // Point and Normal in the world
	on                  vec.Vec3 // m, the point of B
	number              int
	mode                string
}

// contactKey names a basic contact on a track.
type contactKey struct {
	kind narrow.Type
	a, b uint16
}

// closedContact is a contact of the row before. Its points, while it is closed, are those at which it
// began, in the frames of the bodies.
type closedContact struct {
	number   int
	closed   bool
	onA, onB vec.Vec3
}

// listed writes the contacts of a row to r, numbered from 1 in their order, or on a track as before if
// their features stay. The poses are those of the bodies in the world; list is in the frame at pa.
func (r *result) listed(list *narrow.ContactList, at vec.Vec3, swapped bool, pa, pb vec.Pose, k *track, friction float64) {
	r.contacts = r.contacts[:0]
	known := map[contactKey]closedContact{}
	for i := range list.Basic {
		c := basic{BasicContact: list.Basic[i], number: i + 1}
		c.Point = at.Add(c.Point)
		if c.on = c.Point.AddScaled(c.Distance, c.Normal); swapped {
			c.Type, c.A, c.B, c.Point, c.on, c.Normal = c.Type.Mirrored(), c.B, c.A, c.on, c.Point, c.Normal.Neg()
		}
		key := contactKey{c.Type, c.A, c.B}
		was, ok := closedContact{}, false
		if k != nil {
			if was, ok = k.kept().contacts[key]; !ok {
				k.kept().numbered++
				was.number = k.kept().numbered
			}
			c.number = was.number
		}
		if c.Distance <= 0 && !was.closed {
			was.onA, was.onB = pa.PointInv(c.Point), pb.PointInv(c.on)
		}
		was.closed = c.Distance <= 0
		way := pb.Point(was.onB).Sub(pa.Point(was.onA))
		way = way.AddScaled(-way.Dot(c.Normal), c.Normal)
		switch {
		case !was.closed:
			c.mode = "open"
		case math.IsNaN(friction):
			c.mode = "closed"
		case way.Norm() <= -friction*c.Distance:
			c.mode = "stick"
		default:
			c.mode = "slide"
		}
		known[key] = was
		r.contacts = append(r.contacts, c)
	}
	if k != nil {
		k.kept().contacts = known
	}
}

// writeContacts appends the rows of the basic contacts of a result.
func (r *result) writeContacts(to *fileio.RowText, row int) {
	for i := range r.contacts {
		c := &r.contacts[i]
		to.Int(int64(row))
		to.Int(int64(c.number))
		to.Text(c.Type.String())
		to.Int(int64(c.A))
		to.Int(int64(c.B))
		points(to, true, c.Point.X, c.Point.Y, c.Point.Z, c.on.X, c.on.Y, c.on.Z, c.Normal.X, c.Normal.Y, c.Normal.Z, c.Distance)
		to.Text(c.mode)
		to.EndRow()
	}
}

// autoDTol returns dtol for a row of a track: twice the longest way of a vertex of either body since
// the row before, as both bodies move, with a margin for rounding; at least narrow.Dtol. It is at most
// a tenth of the shortest edge. forget is true if the bodies moved farther, so that a contact of the
// row before may be another one.
func autoDTol(q *question, k *track) (dtol float64, forget bool) {
	dtol = narrow.Dtol(q.a.view, q.b.view)
	if k == nil || !k.posed {
		return dtol, false
	}
	far, edge := 0.0, math.Inf(1)
	for i, s := range [2]*shape{q.a, q.b} {
		was, now := [2]vec.Pose{k.pa, k.pb}[i], [2]vec.Pose{q.pa, q.pb}[i]
		for v := range s.view.NVerts {
			x := s.view.Vert(soa.Vertex(v)).Add(s.origin)
			far = max(far, now.Point(x).Sub(was.Point(x)).Norm())
		}
		for _, h := range s.view.Edge {
			edge = min(edge, s.view.Vert(s.view.Tail[h]).Sub(s.view.Vert(s.view.Head(h))).Norm())
		}
	}
	const share = 0.1
	return max(dtol, min(2*far*(1+0x1p-20), share*edge)), 2*far > share*edge
}
