// box_intersection_d of CGAL: a streamed segment tree, rebuilt in each search. Call: cgalboxes IN OUT.
#include "common.h"
#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

int main(int, char **argv) {
	typedef CGAL::Box_intersection_d::Box_with_info_d<double, 3, uint32_t> Entry;
	Boxes in(argv[1]);
	FILE *out = openOrExit(argv[2], "wb");
	printf("version CGAL %s\n", CGAL_VERSION_STR);
	std::vector<Entry> entries;
	std::vector<Entry *> order;
	Pairs pairs;
	for (uint64_t k = 0; k < in.scenes; k++) {
		double at = seconds();
		entries.clear(), order.clear(), pairs.rows.clear();
		entries.reserve(in.n);
		for (uint64_t i = 0; i < in.n; i++)
			entries.emplace_back(in.scene[k][i].min, in.scene[k][i].max, uint32_t(i));
		for (Entry &e : entries)
			order.push_back(&e);
		CGAL::box_self_intersection_d(order.begin(), order.end(),
			[&](const Entry *a, const Entry *b) { pairs.add(a->info(), b->info()); });
		double took = seconds() - at;
		if (k == 0)
			pairs.writeTo(out); // The first scene allocates memory, and is not timed.
		else
			printf("scratch %.9g\n", took);
	}
	closeOrExit(out);
}
