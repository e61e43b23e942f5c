package fileio_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// Example writes a mesh, reads it in another format, and lists a frame of it for ParaView.
func Example() {
	dir, err := os.MkdirTemp("", "scree")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	block := &geometry.Mesh{
		Verts: []vec.Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}},
		Faces: [][]int{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
	}
	if err := fileio.WriteMesh(filepath.Join(dir, "block.stl"), block); err != nil {
		fmt.Println(err)
		return
	}
	read, err := fileio.ReadMesh(filepath.Join(dir, "block.stl"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(read.Name, len(read.Verts), "vertices", len(read.Faces), "faces")

	series, err := fileio.NewSeries(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	frame := &fileio.PolyData{}
	for _, v := range read.Verts {
		frame.Points = append(frame.Points, v.X, v.Y, v.Z)
	}
	for _, face := range read.Faces {
		for _, v := range face {
			frame.Polys.Connectivity = append(frame.Polys.Connectivity, int64(v))
		}
		frame.Polys.Offsets = append(frame.Polys.Offsets, int64(len(frame.Polys.Connectivity)))
	}
	if err := fileio.WriteVTP(context.Background(), filepath.Join(dir, "bodies-0.vtp"), frame); err != nil {
		fmt.Println(err)
		return
	}
	if err := series.Add(fileio.SeriesFrame{Time: 0, Part: "bodies", File: "bodies-0.vtp"}); err != nil {
		fmt.Println(err)
		return
	}
	frames, err := fileio.ReadSeries(dir)
	fmt.Println("frames:", len(frames), err)
	// Output:
	// block 4 vertices 4 faces
	// frames: 1 <nil>
}

// Errors state what was found, where, and what was expected.
func ExampleInputError() {
	_, err := fileio.DecodeMesh("cube.off", []byte("OFF\n3 1 0\n0 0 0\n1 zero 0\n0 1 0\n3 0 1 2\n"))
	fmt.Println(err)
	table, err := fileio.NewBlocks(strings.NewReader("x,y,z,mass\n"), "points.csv", []string{"x", "y", "z"}, nil)
	fmt.Println(table != nil, err)
	// Output:
	// cube.off, line 4, vertex 1: found "zero", expected a finite number for y
	// false points.csv, line 1, header, unknown columns: found "mass", expected columns among x, y, z
}
