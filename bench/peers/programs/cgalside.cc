// Side_of_triangle_mesh of CGAL: rays through a tree of boxes, with exact predicates. Call: cgalside IN OUT.
#include "common.h"
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Side_of_triangle_mesh.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/version.h>

int main(int, char **argv) {
	typedef CGAL::Exact_predicates_inexact_constructions_kernel Kernel;
	typedef CGAL::Surface_mesh<Kernel::Point_3> Mesh;
	Points in(argv[1]);
	FILE *out = openOrExit(argv[2], "wb");
	printf("version CGAL %s\n", CGAL_VERSION_STR);
	Mesh mesh;
	for (uint64_t i = 0; i < in.verts; i++)
		mesh.add_vertex(Kernel::Point_3(in.vert[3 * i], in.vert[3 * i + 1], in.vert[3 * i + 2]));
	for (uint64_t i = 0; i < in.triangles; i++)
		mesh.add_face(Mesh::Vertex_index(in.triangle[3 * i]), Mesh::Vertex_index(in.triangle[3 * i + 1]), Mesh::Vertex_index(in.triangle[3 * i + 2]));
	std::vector<uint8_t> inside(in.n);
	for (uint64_t r = 0; r < in.rounds; r++) {
		double at = seconds();
		CGAL::Side_of_triangle_mesh<Mesh, Kernel> side(mesh);
		// The first query within the box of the mesh makes the tree.
		side(Kernel::Point_3(in.vert[0], in.vert[1], in.vert[2]));
		printf("setup %.9g\n", seconds() - at);
		at = seconds();
		for (uint64_t i = 0; i < in.n; i++) {
			switch (side(Kernel::Point_3(in.at[3 * i], in.at[3 * i + 1], in.at[3 * i + 2]))) {
			case CGAL::ON_BOUNDED_SIDE: inside[i] = 1; break;
			case CGAL::ON_BOUNDARY: inside[i] = 2; break;
			default: inside[i] = 0;
			}
		}
		printf("query %.9g\n", seconds() - at);
	}
	write(out, inside);
	closeOrExit(out);
}
