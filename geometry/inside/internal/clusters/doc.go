// Package clusters has an octree of the triangles of a surface, and computes the exact solid angle
// of any of its nodes about points. If a point lies outside a node, the node is replaced by
// triangles that fill its rim (the border of its triangles). The solid angles of both are equal at
// every point outside the node's box. So a node of n triangles costs about √n. Methods multipole
// and treecode use this package for the triangles near a point.
//
// Coordinates are those of the surface times a power of two, Tree.Scale, so that squares and cubes
// of lengths stay in range. Read tree.go first.
package clusters
