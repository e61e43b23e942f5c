// The programs share their clock, and the functions that read input and write results. Files have the byte order of
// this machine.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>

// seconds returns the processor time of this process, s.
inline double seconds() {
	timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

inline FILE *openOrExit(const char *path, const char *mode) {
	FILE *file = fopen(path, mode);
	if (!file) {
		fprintf(stderr, "%s cannot be opened\n", path);
		exit(1);
	}
	return file;
}

template <class T> std::vector<T> read(FILE *file, size_t n) {
	std::vector<T> all(n);
	if (fread(all.data(), sizeof(T), n, file) != n) {
		fprintf(stderr, "the input ends early\n");
		exit(1);
	}
	return all;
}

template <class T> void write(FILE *file, const std::vector<T> &all) {
	if (fwrite(all.data(), sizeof(T), all.size(), file) != all.size()) {
		fprintf(stderr, "the answers cannot be written\n");
		exit(1);
	}
}

// closeOrExit closes a file of answers. The last of them are written only now.
inline void closeOrExit(FILE *file) {
	if (fclose(file)) {
		fprintf(stderr, "the answers cannot be written\n");
		exit(1);
	}
}

struct Box {
	double min[3], max[3];
};

// Boxes are scenes of boxes, and the motion of the boxes of the first scene in a step.
struct Boxes {
	uint64_t n, scenes, rounds, steps;
	std::vector<std::vector<Box>> scene;
	std::vector<double> motion; // three numbers for each box

	explicit Boxes(const char *path) {
		FILE *file = openOrExit(path, "rb");
		std::vector<uint64_t> head = read<uint64_t>(file, 4);
		n = head[0], scenes = head[1], rounds = head[2], steps = head[3];
		for (uint64_t k = 0; k < scenes; k++)
			scene.push_back(read<Box>(file, n));
		motion = read<double>(file, 3 * n);
		fclose(file);
	}

	// move moves the boxes of the first scene by a step.
	void move() {
		for (uint64_t i = 0; i < n; i++)
			for (int axis = 0; axis < 3; axis++) {
				scene[0][i].min[axis] += motion[3 * i + axis];
				scene[0][i].max[axis] += motion[3 * i + axis];
			}
	}
};

// Pairs are pairs of rows.
struct Pairs {
	std::vector<uint32_t> rows; // two for each pair

	void add(uint32_t a, uint32_t b) {
		rows.push_back(a);
		rows.push_back(b);
	}

	void writeTo(FILE *file) const {
		write(file, std::vector<uint64_t>{rows.size() / 2});
		write(file, rows);
	}
};

// Points are points and a mesh of triangles.
struct Points {
	uint64_t n, verts, triangles, rounds;
	std::vector<double> at, vert;   // three numbers each
	std::vector<uint32_t> triangle; // three vertices each

	explicit Points(const char *path) {
		FILE *file = openOrExit(path, "rb");
		std::vector<uint64_t> head = read<uint64_t>(file, 4);
		n = head[0], verts = head[1], triangles = head[2], rounds = head[3];
		at = read<double>(file, 3 * n);
		vert = read<double>(file, 3 * verts);
		triangle = read<uint32_t>(file, 3 * triangles);
		fclose(file);
	}
};
