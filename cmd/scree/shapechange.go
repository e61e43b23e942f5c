package main

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// change is the output of the commands that change a shape.
type change struct {
	Name   string    `json:"name"`
	Cuts   []cut     `json:"cuts,omitempty"`
	Before *massInfo `json:"before,omitempty"` // absent for a body made of planes
	After  massInfo  `json:"after"`

	mesh *geometry.Polyhedron // to write
}

// cut has the volumes, m³, of the two parts that a plane makes.
type cut struct {
	Plane string  `json:"plane"`
	Kept  float64 `json:"kept"`
	Off   float64 `json:"cut_off"`
}

// changed returns the change to the shape p.
func changed(p *geometry.Polyhedron, err error) (*change, error) {
	if err != nil {
		return nil, err
	}
	return &change{After: massInfoOf(p.Mass), mesh: p}, nil
}

const changeText = ` MESH is a closed convex mesh or a
builtin. The command prints volume, centroid and inertia before and after, and writes the
new shape if -o is given. Lengths and the frame are those of the file.`

// changeCommand completes the command c. do changes the shape of the first argument by the others.
func (a *app) changeCommand(c *cobra.Command, do func(p *geometry.Polyhedron, args []string) (*change, error)) *cobra.Command {
	c.ValidArgsFunction = completeBuiltins
	c.Long += changeText
	to := meshFlags(c, "`stl`, obj, off or ply, of standard input and output")
	c.RunE = func(_ *cobra.Command, args []string) error {
		if err := a.checkChange(to, a.inputOf("the mesh that is read", args[0])); err != nil {
			return err
		}
		p, err := a.polyhedronOf(args[0], to.format)
		if err != nil {
			return err
		}
		made, err := do(p, args[1:])
		if err != nil {
			return nameless(args[0], p.Name, err)
		}
		before := massInfoOf(p.Mass)
		made.Name, made.Before = p.Name, &before
		return a.writeChange(to, made)
	}
	return c
}

// nameless returns an error of package geometry with the name of the input instead of the shape's.
func nameless(input, shape string, err error) error {
	return usage("%s: %s", input, strings.TrimPrefix(mark.Inner(err).Error(), shape+": "))
}

// checkChange checks the output before anything is read.
func (a *app) checkChange(to *meshFile, from input) error {
	switch {
	case to.out == "":
		return nil
	case to.out == "-" && a.json:
		return usage("-o is - and --json is given, expected a file: the values and the mesh cannot share standard output")
	}
	return checkOutput("-o", to.out, from)
}

// polyhedronOf returns the shape of a mesh file or of a builtin that has faces.
func (a *app) polyhedronOf(spec, format string) (*geometry.Polyhedron, error) {
	if isBuiltin(spec) {
		return facedBuiltin(spec)
	}
	mesh, err := a.readMesh(spec, format)
	if err != nil {
		return nil, err
	}
	p, err := geometry.FromMesh(mesh)
	if err != nil {
		return nil, usage("%s: %w", spec, mark.Inner(fileio.Numbered(meshName(spec, format), mesh, err)))
	}
	return p, nil
}

// meshName returns a name whose extension is the format of a mesh file or of standard input.
func meshName(path, format string) string {
	if path == "-" {
		return "." + format
	}
	return path
}

// writeChange writes the mesh, if there is an output, and then the values: to standard output, or to
// standard error if the mesh goes to standard output.
func (a *app) writeChange(to *meshFile, c *change) error {
	if to.out != "" {
		if err := a.writeMesh(*to, meshOfPolyhedron(c.mesh)); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(c)
	}
	b, line := lines(18)
	line("name", "%s", c.Name)
	for i, k := range c.Cuts {
		line(fmt.Sprintf("plane %d", i+1), "%s keeps the volume %.12g, cuts off %.12g", k.Plane, k.Kept, k.Off)
	}
	for i, after := range c.After.rows() {
		text := numbers(after)
		if c.Before != nil {
			text = numbers(c.Before.rows()[i]) + " before, " + text + " after"
		}
		line([]string{"volume", "centroid", "inertia xx yy zz", "inertia xy xz yz"}[i], "%s", text)
	}
	if to.out != "-" {
		return a.show(b.String())
	}
	if a.quiet {
		return nil
	}
	_, err := fmt.Fprint(a.stderr, mark.Visible(b.String()))
	return err
}

// rows returns volume, centroid, moments and products of inertia.
func (m *massInfo) rows() [4][]float64 {
	return [4][]float64{{m.Volume}, m.Centroid[:], m.Inertia[:3], m.Inertia[3:]}
}

// numberCommand makes a command whose second argument is a number.
func (a *app) numberCommand(name, argument, short, long, example string, do func(p *geometry.Polyhedron, x float64) (*change, error)) *cobra.Command {
	c := &cobra.Command{
		Use: name + " MESH " + argument, Short: short, Long: short + "." + long, Example: "  scree shape " + name + " box:1x2x3 " + example,
		Args: exactly(2, "a mesh or builtin, and "+argument),
	}
	return a.changeCommand(c, func(p *geometry.Polyhedron, args []string) (*change, error) {
		var x float64
		if (&decimalValue[float64]{&x}).Set(args[0]) != nil {
			return nil, fmt.Errorf("%s is %q, expected a finite number", argument, mark.Shorten(args[0], mark.Shown))
		}
		return do(p, x)
	})
}

// changeCommands returns the commands that change a shape.
func (a *app) changeCommands() []*cobra.Command {
	of := func(method func(*geometry.Polyhedron, float64) (*geometry.Polyhedron, error)) func(*geometry.Polyhedron, float64) (*change, error) {
		return func(p *geometry.Polyhedron, x float64) (*change, error) { return changed(method(p, x)) }
	}
	return []*cobra.Command{
		a.shapeCutCommand(),
		a.numberCommand("scale", "F", "Scale a shape about the origin of its frame by the factor F", "", "0.5", of((*geometry.Polyhedron).Scaled)),
		a.numberCommand("erode", "R", "Move all faces of a shape inwards by R", `

The result is the core of a rounded body within the shape: with round = R in a scene, its
faces are where those of the shape were. Faces may vanish.`, "0.1 -o /tmp/core.obj", of((*geometry.Polyhedron).Eroded)),
		a.numberCommand("expand", "R", "Move all faces of a shape outwards by R", `

Edges and corners stay sharp, so they move farther. This undoes erode if no face vanished.`, "0.1", of((*geometry.Polyhedron).Expanded)),
		a.numberCommand("dilate", "R", "Round a shape by R: add all points within R of it", `

Volume, centroid and inertia after it are those of the shape with its faces moved out by R,
as those of expand. The mesh is the bevelled body: its faces touch the rounded body, and it
stands out by at most R/6.`, "0.1 -o /tmp/round.obj", func(p *geometry.Polyhedron, r float64) (*change, error) {
			t, err := p.Dilated(r)
			if err != nil {
				return nil, err
			}
			made, err := changed(p.Bevelled(r))
			if err == nil {
				made.After = massInfoOf(geometry.MassProperties{Volume: t.Volume, Centroid: t.Origin, Inertia: t.Inertia})
			}
			return made, err
		}),
	}
}

func (a *app) shapeCutCommand() *cobra.Command {
	var planes []string
	c := &cobra.Command{
		Use:   "cut MESH --plane x,y,z,nx,ny,nz",
		Short: "Cut a shape by planes",
		Long: `Cut a shape by planes through the points x,y,z with the unit normals nx,ny,nz. The part
on the side that a normal points to is cut off.`,
		Example: "  scree shape cut box:1x1x1 --plane 0,0,0.25,0,0,1 -o /tmp/cut.obj",
		Args:    exactly(1, "a mesh or builtin"),
	}
	c.Flags().StringArrayVar(&planes, "plane", nil, "`PLANE` x,y,z,nx,ny,nz: a point on it, and its normal of length 1, towards the part to cut off; may be repeated")
	return a.changeCommand(c, func(p *geometry.Polyhedron, _ []string) (*change, error) {
		if len(planes) == 0 {
			return nil, fmt.Errorf("no --plane, expected one or more, as in: %s", firstExample(c))
		}
		var cuts []cut
		for _, text := range planes {
			kept, off, err := cutBy(p, text)
			if err != nil {
				return nil, fmt.Errorf("--plane %q: %w", mark.Shorten(text, mark.Shown), mark.Inner(err))
			}
			cuts = append(cuts, cut{text, kept.Mass.Volume, off.Mass.Volume})
			p = kept
		}
		return &change{Cuts: cuts, After: massInfoOf(p.Mass), mesh: p}, nil
	})
}

// cutBy cuts a shape by a plane given as x,y,z,nx,ny,nz. Both parts must have a volume.
func cutBy(p *geometry.Polyhedron, text string) (kept, off *geometry.Polyhedron, err error) {
	fields := strings.Split(text, ",")
	if len(fields) != 6 {
		return nil, nil, fmt.Errorf("%d values, expected six: x,y,z,nx,ny,nz", len(fields))
	}
	var x [6]float64
	for i, field := range fields {
		if (&decimalValue[float64]{&x[i]}).Set(strings.TrimSpace(field)) != nil {
			return nil, nil, fmt.Errorf("%q is not a finite number, expected six: x,y,z,nx,ny,nz", field)
		}
	}
	n := vec.V(x[3], x[4], x[5])
	plane, err := geometry.Plane{Normal: n, Offset: n.Dot(vec.V(x[0], x[1], x[2]))}.Unit()
	if err != nil {
		return nil, nil, err
	}
	kept, off, err = p.Cut(plane.Normal, plane.Offset)
	if err != nil {
		return nil, nil, err
	}
	distance := math.Inf(1) // of the vertex nearest to the plane
	for _, v := range p.Verts {
		distance = min(distance, math.Abs(plane.Normal.Dot(v)-plane.Offset))
	}
	switch {
	case kept == nil:
		return nil, nil, fmt.Errorf("the plane misses the body by %.6g: the whole body lies on the side that the normal points to and would be cut off, expected a plane through it", distance)
	case off == nil:
		return nil, nil, fmt.Errorf("the plane misses the body by %.6g: the whole body lies on the side that is kept, against the normal, and nothing is cut off, expected a plane through it", distance)
	}
	return kept, off, nil
}

var planeColumns = []string{"nx", "ny", "nz", "d"}

// maxPlanes limits the rows of a table of planes. It is four times the number of faces that
// a polyhedron can have. So many planes take ten seconds.
const maxPlanes = 1 << 16

// hullOfPlanes makes the body inside the planes of a table.
func (a *app) hullOfPlanes(path string, to *meshFile) error {
	if err := a.checkChange(to, a.inputOf("the table that --planes reads", path)); err != nil {
		return err
	}
	table, err := a.openTable("--planes", path, "")
	if err != nil {
		return err
	}
	defer table.Close() //nolint:errcheck // The table is only read.
	planes, err := readPlanes(table, table.name)
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(table.name), filepath.Ext(table.name))
	p, err := geometry.FromPlanes(name, planes)
	if err != nil {
		return nameless(table.name, name, err)
	}
	return a.writeChange(to, &change{Name: name, After: massInfoOf(p.Mass), mesh: p})
}

// readPlanes reads a table of planes. Errors name the line and the value.
func readPlanes(from io.Reader, name string) ([]geometry.Plane, error) {
	table, err := fileio.NewBlocks(from, name, planeColumns, nil)
	if err != nil {
		return nil, err
	}
	var planes []geometry.Plane
	var block fileio.Block
	var row fileio.BlockRow
	for table.Next(&block, 1<<12) {
		for i := range block.Len() {
			var x [4]float64
			if err := row.Set(table, &block, i); err != nil {
				return nil, err
			}
			if err := row.Floats(0, x[:]); err != nil {
				return nil, err
			}
			h, err := geometry.Plane{Normal: vec.V(x[0], x[1], x[2]), Offset: x[3]}.Unit()
			if err != nil {
				return nil, usage("%s, line %d: %w", name, row.Line(), err)
			}
			planes = append(planes, h)
		}
		if len(planes) > maxPlanes {
			return nil, usage("%s: more than %d planes, expected at most as many", name, maxPlanes)
		}
	}
	return planes, table.Err()
}
