package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/internal/mark"
)

func (a *app) shapeCommand() *cobra.Command {
	c := a.group("shape", "Look at, repair, make and change shapes", "  scree shape info box:1x1x1")
	c.AddCommand(a.shapeInfoCommand(), a.shapeHullCommand(), a.shapeMakeCommand(), a.shapeSurfaceCommand())
	c.AddCommand(a.changeCommands()...)
	return c
}

// builtinForms is the help text on the builtins of shape info and shape make.
const builtinForms = `Builtins: box:AxBxC, tetra:EDGE, octa:EDGE, dodeca:EDGE, icosa:EDGE, ball:R,
rock:SEED,NVERTS,RADIUS, prism:N,R,H, superquadric:A,B,C,E1,E2,NPOINTS (half axes,
exponents from 0.1, nearly a box, over 1, an ellipsoid, to 2, an octahedron).`

// meshCommand completes the command c, which writes a mesh as to says. build makes the mesh from the argument.
// If reads is set, the argument is a file, which the output must not replace. Otherwise it is the
// description of a shape.
func (a *app) meshCommand(c *cobra.Command, to *meshFile, reads bool, build func(arg, format string) (*geometry.Mesh, error)) *cobra.Command {
	c.RunE = func(c *cobra.Command, args []string) error {
		if to.out == "" {
			return usage("%s needs -o OUT.stl, .obj or .off", c.CommandPath())
		}
		var inputs []input
		if reads {
			inputs = append(inputs, a.inputOf("the mesh that is read", args[0]))
		}
		if err := checkOutput("-o", to.out, inputs...); err != nil {
			return err
		}
		mesh, err := build(args[0], to.format)
		if err != nil {
			return err
		}
		return a.writeMesh(*to, mesh)
	}
	return c
}

// meshFlags adds the options for the mesh that a command writes.
func meshFlags(c *cobra.Command, formats string) *meshFile {
	to := &meshFile{}
	c.Flags().StringVarP(&to.out, "output", "o", "", "`FILE` to write: .stl, .obj or .off; - is standard output")
	c.Flags().StringVar(&to.format, "format", "", formats)
	return to
}

func (a *app) shapeHullCommand() *cobra.Command {
	var planes string
	c := &cobra.Command{
		Use:   "hull IN | --planes P.csv",
		Short: "Write the convex hull of a mesh or of a set of points, or the body inside planes",
		Long: `Write the convex hull of all points of a mesh file, with or without faces. The hull of
any shape can be a body.

With --planes, write the body of all points x with n·x ≤ d for each row nx,ny,nz,d of a
table, and print its volume, centroid and inertia. Normals have length 1 and point out.`,
		Example: "  scree shape hull examples/hourglass.obj -o /tmp/hull.obj",
		Args: func(c *cobra.Command, args []string) error {
			if planes != "" {
				return exactly(0, "no mesh beside --planes")(c, args)
			}
			return exactly(1, "one mesh file")(c, args)
		},
	}
	c.Flags().StringVar(&planes, "planes", "", "table `P.csv` of planes, with columns nx,ny,nz,d; - is standard input")
	to := meshFlags(c, "`stl`, obj, off or ply, of standard input and output")
	hull := a.meshCommand(c, to, true, func(path, format string) (*geometry.Mesh, error) {
		mesh, err := a.readMesh(path, format)
		if err != nil {
			return nil, err
		}
		p, err := geometry.FromPoints(mesh.Name, mesh.Verts)
		if err != nil {
			return nil, usage("%s: %w", path, mark.Inner(err))
		}
		return meshOfPolyhedron(p), nil
	}).RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if planes != "" {
			return a.hullOfPlanes(planes, to)
		}
		return hull(c, args)
	}
	return c
}

func (a *app) shapeMakeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:               "make BUILTIN",
		Short:             "Write a builtin shape or a surface as a mesh",
		Long:              "Write a builtin shape or a surface as a mesh.\n\n" + builtinForms + "\n\n" + surfaceForms,
		Example:           "  scree shape make rock:7,20,0.5 -o /tmp/rock.obj\n  scree shape make terrain:1,200,500 -o /tmp/hills.stl",
		Args:              exactly(1, "one builtin or surface"),
		ValidArgsFunction: completeBuiltins,
	}
	return a.meshCommand(c, meshFlags(c, "`stl`, obj or off, of standard output"), false, func(spec, format string) (*geometry.Mesh, error) {
		if surfaces.Is(spec) {
			return parseSurface(spec, format)
		}
		p, err := facedBuiltin(spec)
		if err != nil {
			return nil, err
		}
		return meshOfPolyhedron(p), nil
	})
}

// facedBuiltin returns a builtin that has faces.
func facedBuiltin(spec string) (*geometry.Polyhedron, error) {
	b, err := parseBuiltin(spec)
	switch {
	case err != nil:
		return nil, &inputError{err}
	case b.Disc != 0:
		return nil, usage("%s has no faces, expected a polyhedron such as prism:64,%[2]g,1", spec, b.Disc)
	case b.Poly == nil:
		return nil, usage("%s is a ball and has no faces, expected a polyhedron such as superquadric:%[2]g,%[2]g,%[2]g,1,1,200", spec, b.Ball)
	}
	return b.Poly, nil
}

func completeBuiltins(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"box:", "tetra:", "octa:", "dodeca:", "icosa:", "ball:", "disc:", "rock:", "prism:", "superquadric:"},
		cobra.ShellCompDirectiveNoSpace
}

const superquadric = "superquadric:"

func isBuiltin(spec string) bool {
	return geometry.IsBuiltin(spec) || strings.HasPrefix(spec, superquadric)
}

// parseBuiltin is geometry.ParseBuiltin extended by superquadrics.
func parseBuiltin(spec string) (geometry.Builtin, error) {
	rest, ok := strings.CutPrefix(spec, superquadric)
	if !ok {
		return geometry.ParseBuiltin(spec)
	}
	const want = superquadric + "A,B,C,E1,E2,NPOINTS"
	fields := strings.Split(rest, ",")
	if len(fields) != 6 {
		return geometry.Builtin{}, fmt.Errorf("shape %q: expected %s", spec, want)
	}
	var v [5]float64
	for i := range v {
		x, err := strconv.ParseFloat(strings.TrimSpace(fields[i]), 64)
		if err != nil || !finite(x) {
			return geometry.Builtin{}, fmt.Errorf("shape %q: %q is not a finite number, expected %s", spec, fields[i], want)
		}
		v[i] = x
	}
	n, err := strconv.Atoi(strings.TrimSpace(fields[5]))
	if err != nil {
		return geometry.Builtin{}, fmt.Errorf("shape %q: number of points %q is not a whole number, expected %s", spec, fields[5], want)
	}
	p, err := geometry.Superquadric(v[0], v[1], v[2], v[3], v[4], n)
	if err != nil {
		return geometry.Builtin{}, fmt.Errorf("shape %q: expected %s: %w", spec, want, mark.Inner(err))
	}
	p.Name = spec
	return geometry.Builtin{Poly: p}, nil
}

// readMesh reads the mesh file path. If path is "-", it reads standard input in the given format.
func (a *app) readMesh(path, format string) (*geometry.Mesh, error) {
	if path != "-" {
		mesh, err := fileio.ReadMesh(path)
		if err != nil {
			return nil, &inputError{err}
		}
		return mesh, nil
	}
	name, err := stream("standard input", format, meshFormats(false)...)
	if err != nil {
		return nil, err
	}
	mesh, err := fileio.ReadMeshFrom(name, a.stdin)
	if err != nil {
		return nil, &inputError{err}
	}
	return mesh, nil
}

// meshFormats returns the formats of meshes that can be read or, with written, also written.
func meshFormats(written bool) (formats []string) {
	for _, ending := range fileio.MeshEndings(written) {
		formats = append(formats, strings.TrimPrefix(ending, "."))
	}
	return formats
}

// stream returns a file name for a stream, whose extension is the format.
func stream(what, format string, known ...string) (string, error) {
	if slices.Contains(known, format) {
		return what + "." + format, nil
	}
	return "", usage("--format is %q, expected one of %s for %s", format, strings.Join(known, ", "), what)
}

// meshFile is the destination of a mesh.
type meshFile struct{ out, format string }

func meshOfPolyhedron(p *geometry.Polyhedron) *geometry.Mesh {
	mesh := &geometry.Mesh{Name: p.Name, Verts: p.Verts}
	for f := range p.NFaces() {
		var face []int
		for _, k := range p.Loop(f) {
			face = append(face, int(k))
		}
		mesh.Faces = append(mesh.Faces, face)
	}
	return mesh
}

// writeMesh writes a mesh to a file, or to standard output if to.out is "-".
func (a *app) writeMesh(to meshFile, mesh *geometry.Mesh) error {
	if to.out != "-" {
		if err := fileio.WriteMesh(to.out, mesh); err != nil {
			return err
		}
		if !a.quiet {
			a.message("%s: %d vertices, %d faces", to.out, len(mesh.Verts), len(mesh.Faces))
		}
		return nil
	}
	if _, err := stream("standard output", to.format, meshFormats(true)...); err != nil {
		return err
	}
	if to.format == "stl" && isTerminal(a.stdout) {
		return usage("standard output is a terminal, expected a file or a pipe for binary STL")
	}
	dir, err := os.MkdirTemp("", "scree-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // A leftover temporary folder does no harm.
	path := filepath.Join(dir, "mesh."+to.format)
	if err := fileio.WriteMesh(path, mesh); err != nil {
		return err
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	_, err = a.stdout.Write(content)
	return err
}
