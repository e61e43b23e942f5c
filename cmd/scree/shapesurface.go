package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/surfaces"
)

// surfaceForms is the help text on the surfaces of shape surface and inside.
const surfaceForms = `Surfaces: sphere:R,k is an octahedron refined k times, with 8·4ᵏ triangles.
torus:R,R,m,n has the larger radius first and 2mn triangles. foam:seed,n has the struts of 54
bubbles in the box from -1 to 1, by marching through n³ cubes. dyadic-foam:seed,n is the
same, with all vertices on a grid if n is a power of two. terrain:seed,n,SIZE is hilly ground,
which is open: n×n cells of two triangles on a square of SIZE m. tube:n,R,H has n sides about
the z axis, and is open at both ends; its facets face inwards.`

func (a *app) shapeSurfaceCommand() *cobra.Command {
	c := &cobra.Command{
		Use:               "surface SURFACE",
		Short:             "Write a surface of triangles as a mesh: a sphere, a torus, a foam or ground",
		Long:              "Write a surface of triangles as a mesh: a closed one, convex or not, or open ground.\n\n" + surfaceForms,
		Example:           "  scree shape surface torus:1,0.25,48,24 -o /tmp/torus.obj",
		Args:              exactly(1, "one surface"),
		ValidArgsFunction: completeSurfaces,
	}
	return a.meshCommand(c, meshFlags(c, "`stl`, obj or off, of standard output"), false, parseSurface)
}

// parseSurface makes the mesh of a surface. The second argument, a format, is not used.
func parseSurface(spec, _ string) (*geometry.Mesh, error) {
	mesh, err := surfaces.Parse(spec)
	if err != nil {
		return nil, &inputError{err}
	}
	return mesh, nil
}

func completeSurfaces(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, form := range surfaces.Forms() {
		kind, _, _ := strings.Cut(form, ":")
		names = append(names, kind+":")
	}
	return names, cobra.ShellCompDirectiveNoSpace
}

// surfaceOf returns the mesh of a file, of a surface, or of a builtin that has faces.
func (a *app) surfaceOf(spec string) (*geometry.Mesh, error) {
	switch {
	case surfaces.Is(spec):
		return parseSurface(spec, "")
	case isBuiltin(spec):
		b, err := parseBuiltin(spec)
		switch {
		case err != nil:
			return nil, &inputError{err}
		case b.Poly == nil:
			return nil, usage("%s has no faces, expected a polyhedron, or a surface such as sphere:%g,5", spec, max(b.Ball, b.Disc))
		}
		return meshOfPolyhedron(b.Poly), nil
	}
	return a.readMesh(spec, "")
}
