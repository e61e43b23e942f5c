// The broad phases of Bullet: a dynamic tree of boxes (dbvt), and sweep and prune (sap). Call: bullet METHOD IN OUT.
#include "common.h"
#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <cstring>
#include <memory>

static btVector3 corner(const double *p) { return btVector3(btScalar(p[0]), btScalar(p[1]), btScalar(p[2])); }

struct World {
	std::unique_ptr<btBroadphaseInterface> phase;
	std::vector<btBroadphaseProxy *> proxy;

	// Sweep and prune must know the bounds of all boxes: margin is how far they may move.
	World(bool tree, const std::vector<Box> &boxes, double margin) {
		if (tree) {
			btDbvtBroadphase *dbvt = new btDbvtBroadphase();
			dbvt->m_deferedcollide = true; // Tests all against all once instead of each new box: faster.
			phase.reset(dbvt);
		} else {
			btVector3 lo(BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT), hi = -lo, by(margin, margin, margin);
			for (const Box &b : boxes)
				lo.setMin(corner(b.min)), hi.setMax(corner(b.max));
			phase.reset(new bt32BitAxisSweep3(lo - by, hi + by, unsigned(boxes.size()) + 2, nullptr, true));
		}
		proxy.reserve(boxes.size());
		for (size_t i = 0; i < boxes.size(); i++)
			proxy.push_back(phase->createProxy(corner(boxes[i].min), corner(boxes[i].max), BOX_SHAPE_PROXYTYPE,
				reinterpret_cast<void *>(i), 1, 1, nullptr));
		phase->calculateOverlappingPairs(nullptr);
	}

	void update(const std::vector<Box> &boxes) {
		for (size_t i = 0; i < boxes.size(); i++)
			phase->setAabb(proxy[i], corner(boxes[i].min), corner(boxes[i].max), nullptr);
		phase->calculateOverlappingPairs(nullptr);
	}

	void writeTo(FILE *out) {
		Pairs pairs;
		btOverlappingPairCache *cache = phase->getOverlappingPairCache();
		const btBroadphasePair *pair = cache->getOverlappingPairArrayPtr();
		for (int k = 0; k < cache->getNumOverlappingPairs(); k++)
			pairs.add(uint32_t(reinterpret_cast<size_t>(pair[k].m_pProxy0->m_clientObject)),
				uint32_t(reinterpret_cast<size_t>(pair[k].m_pProxy1->m_clientObject)));
		pairs.writeTo(out);
	}

	~World() {
		for (btBroadphaseProxy *p : proxy)
			phase->destroyProxy(p, nullptr);
	}
};

int main(int, char **argv) {
	bool tree = !strcmp(argv[1], "dbvt");
	Boxes in(argv[2]);
	FILE *out = openOrExit(argv[3], "wb");
	printf("version Bullet %d.%02d\n", btGetVersion() / 100, btGetVersion() % 100);
	for (uint64_t k = 0; k < in.scenes; k++) {
		double at = seconds();
		World w(tree, in.scene[k], 0);
		double took = seconds() - at;
		if (k == 0)
			w.writeTo(out); // The first scene allocates memory, and is not timed.
		else
			printf("scratch %.9g\n", took);
	}
	double most = 0;
	for (double v : in.motion)
		most = std::max(most, v < 0 ? -v : v);
	World w(tree, in.scene[0], most * double(in.rounds * in.steps));
	for (uint64_t r = 0; r < in.rounds; r++) {
		double took = 0;
		for (uint64_t s = 0; s < in.steps; s++) {
			in.move();
			double at = seconds();
			w.update(in.scene[0]);
			took += seconds() - at;
		}
		printf("update %.9g\n", took / double(in.steps));
	}
	w.writeTo(out);
	closeOrExit(out);
}
