package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// shapeInfo is the output of shape info for one shape. Lengths in m, density 1. For a mesh that
// cannot be a body, shapeInfo holds only the contents of the file and the reason.
type shapeInfo struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"` // ball, block, or mesh (neither)
	Vertices int    `json:"vertices"`
	Faces    int    `json:"faces"`
	Edges    int    `json:"edges"`

	Usable bool   `json:"usable"`           // can be a body
	Closed *bool  `json:"closed,omitempty"` // absent if not determined
	Convex *bool  `json:"convex,omitempty"`
	Error  string `json:"error,omitempty"`

	Body *bodyInfo `json:"body,omitempty"`

	err error
}

// bodyInfo is the part of shapeInfo that only usable shapes have.
type bodyInfo struct {
	massInfo
	Moments [3]float64 `json:"principal_moments"`
	Frame   [4]float64 `json:"principal_frame"` // w, x, y, z: rotation from the principal axes to the axes of the file
	// Radii about the centroid: of the ball that contains the shape, and of a ball inside the
	// shape.
	BoundingRadius float64    `json:"bounding_radius"`
	InnerRadius    float64    `json:"inner_radius"`
	Box            [6]float64 `json:"box"` // least corner, then the largest, in the frame of the file
	// Weld and Merge are the tolerances: vertices closer than Weld are merged, and facets within
	// Merge of a plane become one face. Moved is the largest distance by which a vertex moved, by
	// welding and to make faces planar. Spread is the largest distance of a vertex from the plane of its face.
	// Split counts faces that stay divided, because their vertices would have moved by more than
	// Merge.
	Weld   float64 `json:"weld_tolerance"`
	Merge  float64 `json:"merge_tolerance"`
	Moved  float64 `json:"moved"`
	Spread float64 `json:"spread"`
	Split  int     `json:"split_faces"`
}

// massInfo has the mass properties of a body of density 1.
type massInfo struct {
	Volume   float64    `json:"volume"`
	Centroid [3]float64 `json:"centroid"` // in the frame of the file
	// Inertia about the centroid, along the axes of the file: xx, yy, zz, xy, xz, yz.
	Inertia [6]float64 `json:"inertia"`
}

func massInfoOf(m geometry.MassProperties) massInfo {
	s := m.Inertia
	return massInfo{m.Volume, three(m.Centroid), [6]float64{s.XX, s.YY, s.ZZ, s.XY, s.XZ, s.YZ}}
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

// shapeInfo shows all shapes, also the unusable ones, and returns the joined errors.
func (a *app) shapeInfo(args []string, format string) error {
	var infos []shapeInfo
	var wrong []error
	for _, arg := range args {
		i, err := a.describe(arg, format)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		if i.err != nil {
			wrong = append(wrong, usage("%s: %w", arg, mark.Inner(i.err)))
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

// describe returns the information on a builtin or a file. It returns an error only if arg cannot be
// read.
func (a *app) describe(arg, format string) (shapeInfo, error) {
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
	err = fileio.Numbered(meshName(arg, format), mesh, err)
	edges := 0
	for _, f := range mesh.Faces {
		edges += len(f)
	}
	i := shapeInfo{
		Name: mesh.Name, Kind: "mesh", Vertices: len(mesh.Verts), Faces: len(mesh.Faces), Edges: edges / 2,
		Error: mark.Inner(err).Error(), err: err,
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
	return shapeInfo{
		Name: p.Name, Kind: "block", Vertices: len(p.Verts), Faces: p.NFaces(), Edges: p.NEdges(),
		Usable: true, Closed: new(true), Convex: new(true),
		Body: &bodyInfo{
			massInfo: massInfoOf(p.Mass),
			Moments:  three(moments), Frame: [4]float64{frame.W, frame.X, frame.Y, frame.Z},
			BoundingRadius: t.Radius, InnerRadius: t.Inner,
			Box:  [6]float64{box.Min.X, box.Min.Y, box.Min.Z, box.Max.X, box.Max.Y, box.Max.Z},
			Weld: p.WeldTol, Merge: p.MergeTol, Moved: p.Moved, Spread: p.Spread,
			Split: p.SplitFaces(),
		},
	}
}

func ballInfo(name string, t *soa.Template) shapeInfo {
	mass, r := massInfoOf(geometry.MassProperties{Volume: t.Volume, Inertia: t.Inertia}), t.Radius
	return shapeInfo{
		Name: name, Kind: "ball", Usable: true, Closed: new(true), Convex: new(true),
		Body: &bodyInfo{
			massInfo: mass, Moments: [3]float64(mass.Inertia[:3]),
			Frame: [4]float64{1}, BoundingRadius: r, InnerRadius: t.Inner, Box: [6]float64{-r, -r, -r, r, r, r},
		},
	}
}

func three(v vec.Vec3) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// write writes the information as text, after a blank line if blank is set.
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
			v = 0 // turns −0 into 0
		}
		words = append(words, fmt.Sprintf("%.12g", v))
	}
	return strings.Join(words, " ")
}
