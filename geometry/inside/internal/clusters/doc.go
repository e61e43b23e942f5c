// Package clusters is an octree of the triangles of a surface, and the exact solid angle of any
// of its nodes about points. A node that a point lies outside of is summed by its rim: triangles
// fill the rim as those of the surface do, and no place outside the node's box can tell the two
// apart. So a node of n triangles costs about √n. Methods multipole and treecode take from here
// what is near a point.
//
// Coordinates are those of the surface times a power of two, Tree.Scale, so that squares and
// cubes of lengths stay in range. Read tree.go first.
package clusters
