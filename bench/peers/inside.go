package peers

import (
	"context"
	"fmt"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// InsideResult is the result of a peer on points and a mesh.
type InsideResult struct {
	Told
	Setup  Times  // s, by round
	Query  Times  // s, for all points, by round
	Places []byte // by point: 0 outside, 1 inside, 2 on the surface
}

var insidePeers = []peer{
	{name: "embree", program: embree, accuracy: "rays in float32, oblique and robust; says nothing of the surface"},
	{name: "cgal", program: cgalSide, accuracy: "exact predicates"},
}

// Inside returns the names of the peers that locate points in a mesh.
func Inside() []string { return namesOf(insidePeers) }

// Inside runs a peer on points and a closed mesh of triangles. name must be one of the function
// Inside. Setup and query are repeated rounds times.
func (b *Bench) Inside(ctx context.Context, name string, points []vec.Vec3, m *geometry.Mesh, rounds int) (*InsideResult, error) {
	peer, err := find(insidePeers, name)
	if err != nil {
		return nil, err
	}
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
	return &InsideResult{Told{o.version, o.problem, peer.accuracy}, o.times["setup"], o.times["query"], answers}, nil
}
