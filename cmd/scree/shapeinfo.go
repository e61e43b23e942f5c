package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// shapeInfo is what is known of one shape. Lengths in m, density 1. Of a mesh that cannot be a body only
// what its file holds is known, and why it cannot.
type shapeInfo struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"` // ball or block; mesh for one that is neither
	Vertices int    `json:"vertices"`
	Faces    int    `json:"faces"`
	Edges    int    `json:"edges"`

	Usable bool   `json:"usable"`           // as a body
	Closed *bool  `json:"closed,omitempty"` // absent where it was not found out
	Convex *bool  `json:"convex,omitempty"`
	Error  string `json:"error,omitempty"`

	Body *bodyInfo `json:"body,omitempty"`

	err error
}

// bodyInfo is the part of shapeInfo that only a shape that can be a body has.
type bodyInfo struct {
	Volume   float64    `json:"volume"`
	Centroid [3]float64 `json:"centroid"` // in the frame of the file
	// About the centroid, axes of the file: xx, yy, zz, xy, xz, yz.
	Inertia [6]float64 `json:"inertia"`
	Moments [3]float64 `json:"principal_moments"`
	Frame   [4]float64 `json:"principal_frame"` // w, x, y, z: principal axes to those of the file
	// Radii of the ball about the centroid that holds the shape, and of one that lies in it.
	BoundingRadius float64    `json:"bounding_radius"`
	InnerRadius    float64    `json:"inner_radius"`
	Box            [6]float64 `json:"box"` // least corner, then the largest, in the frame of the file
	// Tolerances used: vertices closer than Weld are one, facets within Merge of a plane are one face.
	// Moved is how far vertices moved to make these planar, at most, and Spread how far the vertices of
	// a face lie from its plane at worst. Split counts the faces that stayed several, for their vertices would have moved
	// by more than Merge.
	Weld   float64 `json:"weld_tolerance"`
	Merge  float64 `json:"merge_tolerance"`
	Moved  float64 `json:"moved"`
	Spread float64 `json:"spread"`
	Split  int     `json:"split_faces"`
}

func (a *app) shapeInfoCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "info FILE|BUILTIN…",
		Short: "Show volume, inertia, tolerances and verdict of shapes",
		Long: `Show what is known of shapes: vertices, faces, volume, centroid, inertia, radii,
tolerances used, and whether the shape is closed and convex, so that it can be a
body. The exit status is 2 if one of them is not.

` + builtinForms,
		Example: "  scree shape info box:1x2x3 rock:7,20,0.5",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("scree shape info: no shape, expected mesh files or builtins, as in: %s", firstExample(c))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.shapeInfo(args, format) },
	}
	c.Flags().StringVar(&format, "format", "", "`stl`, obj, off or ply, of standard input")
	return c
}

// shapeInfo shows all shapes, those that are wrong too, and returns what is wrong with them.
func (a *app) shapeInfo(args []string, format string) error {
	var infos []shapeInfo
	var wrong []error
	for _, arg := range args {
		i, err := a.lookAt(arg, format)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		if i.err != nil {
			wrong = append(wrong, usage("%s: %w", arg, inner(i.err)))
		}
		infos = append(infos, i)
	}
	var err error
	if a.json {
		err = a.printJSON(struct {
			Shapes []shapeInfo `json:"shapes"`
		}{append([]shapeInfo{}, infos...)})
	} else {
		for k := range infos {
			if err = infos[k].write(a.stdout, k > 0); err != nil {
				break
			}
		}
	}
	return errors.Join(append(wrong, err)...)
}

// lookAt returns what is known of a builtin or a file. The error is for those that cannot even be read.
func (a *app) lookAt(arg, format string) (shapeInfo, error) {
	if isBuiltin(arg) {
		b, err := parseBuiltin(arg)
		if err != nil {
			return shapeInfo{}, &inputError{err}
		}
		if b.Poly != nil {
			return infoOf(b.Poly), nil
		}
		t, err := b.Template()
		if err != nil {
			return shapeInfo{}, &inputError{err}
		}
		return ballInfo(arg, t), nil
	}
	mesh, err := a.readMesh(arg, format)
	if err != nil {
		return shapeInfo{}, err
	}
	p, err := geometry.FromMesh(mesh)
	if err == nil {
		return infoOf(p), nil
	}
	name := arg
	if arg == "-" {
		name = "." + format
	}
	err = fileio.Numbered(name, mesh, err)
	edges := 0
	for _, f := range mesh.Faces {
		edges += len(f)
	}
	i := shapeInfo{
		Name: mesh.Name, Kind: "mesh", Vertices: len(mesh.Verts), Faces: len(mesh.Faces), Edges: edges / 2,
		Error: inner(err).Error(), err: err,
	}
	switch {
	case errors.Is(err, geometry.ErrNotClosed):
		i.Closed = new(false)
	case errors.Is(err, geometry.ErrNotConvex), errors.Is(err, geometry.ErrSelfIntersecting), errors.Is(err, geometry.ErrNotConnected):
		i.Closed, i.Convex = new(true), new(false)
	}
	return i, nil
}

func infoOf(p *geometry.Polyhedron) shapeInfo {
	t := p.Template()
	box := p.Box()
	moments, frame := p.Mass.Principal()
	s := p.Mass.Inertia
	return shapeInfo{
		Name: p.Name, Kind: "block", Vertices: len(p.Verts), Faces: p.NFaces(), Edges: p.NEdges(),
		Usable: true, Closed: new(true), Convex: new(true),
		Body: &bodyInfo{
			Volume: p.Mass.Volume, Centroid: three(p.Mass.Centroid),
			Inertia: [6]float64{s.XX, s.YY, s.ZZ, s.XY, s.XZ, s.YZ},
			Moments: three(moments), Frame: [4]float64{frame.W, frame.X, frame.Y, frame.Z},
			BoundingRadius: t.Radius, InnerRadius: t.Inner,
			Box:  [6]float64{box.Min.X, box.Min.Y, box.Min.Z, box.Max.X, box.Max.Y, box.Max.Z},
			Weld: p.WeldTol, Merge: p.MergeTol, Moved: p.Moved, Spread: p.Spread,
			Split: p.SplitFaces(),
		},
	}
}

func ballInfo(name string, t *soa.Template) shapeInfo {
	i, r := t.Inertia, t.Radius
	return shapeInfo{
		Name: name, Kind: "ball", Usable: true, Closed: new(true), Convex: new(true),
		Body: &bodyInfo{
			Volume: t.Volume, Inertia: [6]float64{i.XX, i.YY, i.ZZ}, Moments: [3]float64{i.XX, i.YY, i.ZZ},
			Frame: [4]float64{1}, BoundingRadius: r, InnerRadius: t.Inner, Box: [6]float64{-r, -r, -r, r, r, r},
		},
	}
}

func three(v vec.Vec3) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// write shows one shape to people.
func (i *shapeInfo) write(w io.Writer, blank bool) error {
	b, line := lines(18)
	if blank {
		b.WriteByte('\n')
	}
	line("name", "%s", i.Name)
	line("kind", "%s", i.Kind)
	if i.Kind != "ball" {
		line("vertices", "%d, faces %d, edges %d", i.Vertices, i.Faces, i.Edges)
	}
	if d := i.Body; d != nil {
		line("volume", "%.12g", d.Volume)
		line("centroid", "%s", numbers(d.Centroid[:]))
		line("inertia xx yy zz", "%s (density 1, about the centroid)", numbers(d.Inertia[:3]))
		line("inertia xy xz yz", "%s", numbers(d.Inertia[3:]))
		line("principal moments", "%s", numbers(d.Moments[:]))
		line("principal frame", "%s (w x y z)", numbers(d.Frame[:]))
		line("bounding radius", "%.12g", d.BoundingRadius)
		line("inner radius", "%.12g", d.InnerRadius)
		line("box", "%s to %s", numbers(d.Box[:3]), numbers(d.Box[3:]))
		if i.Kind != "ball" {
			line("tolerances", "weld %.3g, merge %.3g", d.Weld, d.Merge)
			line("vertices moved", "by %.3g at most; faces bend by %.3g", d.Moved, d.Spread)
			if d.Split > 0 {
				line("split faces", "%d, which would need more than the merge tolerance to be planar", d.Split)
			}
		}
		line("verdict", "closed and convex: can be a body")
	} else {
		line("verdict", "cannot be a body: %s", i.Error)
	}
	_, err := b.WriteTo(w)
	return err
}

func numbers(x []float64) string {
	var words []string
	for _, v := range x {
		if v == 0 {
			v = 0 // −0 as 0
		}
		words = append(words, fmt.Sprintf("%.12g", v))
	}
	return strings.Join(words, " ")
}
