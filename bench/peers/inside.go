package peers

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// InsideResult is the result of a peer on points and a mesh.
type InsideResult struct {
	Version  string
	Problem  string // why the peer has no results; empty if it has
	Accuracy string // of the arithmetic
	Setup    Times  // s, by round
	Query    Times  // s, for all points, by round
	Places   []byte // by point: 0 outside, 1 inside, 2 on the surface
}

var insidePeers = []struct {
	name     string
	program  *program
	accuracy string
}{
	{"embree", embree, "rays in float32, oblique and robust; says nothing of the surface"},
	{"cgal", cgalSide, "exact predicates"},
}

// Inside returns the names of the peers that locate points in a mesh.
func Inside() (names []string) {
	for i := range insidePeers {
		names = append(names, insidePeers[i].name)
	}
	return names
}

// Inside runs a peer on points and a closed mesh of triangles. name must be one of the function
// Inside. Setup and query are repeated rounds times.
func (b *Bench) Inside(ctx context.Context, name string, points []vec.Vec3, m *geometry.Mesh, rounds int) (*InsideResult, error) {
	k := slices.Index(Inside(), name)
	if k < 0 {
		return nil, fmt.Errorf("peers: point search %q, expected one of %s", name, strings.Join(Inside(), ", "))
	}
	peer := &insidePeers[k]
	triangles := make([][3]uint32, len(m.Faces))
	for i, f := range m.Faces {
		if len(f) != 3 {
			return nil, fmt.Errorf("peers: face %d has %d vertices, expected 3", i, len(f))
		}
		triangles[i] = [3]uint32{uint32(f[0]), uint32(f[1]), uint32(f[2])}
	}
	in := b.path("in")
	head := []uint64{uint64(len(points)), uint64(len(m.Verts)), uint64(len(triangles)), uint64(rounds)}
	if err := writeBlocks(in, [][]byte{bytesOf(head), bytesOf(points), bytesOf(m.Verts), bytesOf(triangles)}); err != nil {
		return nil, err
	}
	o, answers, err := b.run(ctx, peer.program, in)
	if err != nil {
		return nil, err
	}
	if o.problem == "" && len(answers) != len(points) {
		o.problem = endsEarly
	}
	return &InsideResult{
		Version: o.version, Problem: o.problem, Accuracy: peer.accuracy, Setup: o.times["setup"], Query: o.times["query"], Places: answers,
	}, nil
}
