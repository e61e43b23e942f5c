// Package treecode is the winding number of a surface about points, by dipoles of clusters of its
// triangles: an approximation that open and dirty surfaces have too (Barill et al. 2018).
//
// It owns moments to second order beside the area vector, and the walk that chooses between them
// and exact sums. It takes clusters and exact sums from package clusters, refuses no surface
// whose vertices are finite, and works in the frame of the surface. Read walk.go first.
package treecode
