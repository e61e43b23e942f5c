package bench

import (
	"context"
	"slices"

	"github.com/scree-dem/scree/bench/peers"
	"github.com/scree-dem/scree/geometry/inside"
)

// openPeers returns a bench of other libraries and their names, or nil if none are wanted.
func openPeers(asked bool, all []string) (b *peers.Bench, names []string, err error) {
	if !asked {
		return nil, nil, nil
	}
	b, err = peers.New()
	return b, all, err
}

// peer returns the row of another library, on one worker. If the library is missing or has failed,
// the note has the reason.
func (s *insideScene) peer(ctx context.Context, o *InsideOptions, b *peers.Bench, name string) (InsideRow, error) {
	row := s.newRow(name)
	if slices.ContainsFunc(s.mesh.Faces, func(f []int) bool { return len(f) != 3 }) {
		row.Note = "not run: the mesh has faces that are not triangles"
		return row, nil
	}
	if err := s.know(ctx, o, string(inside.Auto)); err != nil {
		return row, err
	}
	r, err := b.Inside(ctx, name, s.points, s.mesh, o.Repeat)
	if err != nil {
		return row, err
	}
	if row.Note = r.Problem; r.Problem != "" {
		return row, nil
	}
	row.Note = r.Version + ": " + r.Accuracy
	row.Tried = len(s.points)
	row.Setup, row.NsPoint = 1e3*r.Setup.Least(), 1e9*r.Query.Least()/float64(len(s.points))
	row.comparePlaces(r.Places, s.truth)
	return row, nil
}

// comparePlaces counts the wrong places of another library. A library that does not detect the
// surface may report inside or outside for points on it.
func (r *InsideRow) comparePlaces(places []byte, truth []inside.Place) {
	knows := slices.Contains(places, byte(inside.On))
	for i, place := range places {
		if truth[i] == inside.On {
			r.On++
			if !knows {
				continue
			}
		}
		if place != byte(truth[i]) {
			r.Wrong++
		}
	}
}
