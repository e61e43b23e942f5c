// Package treecode computes the winding number of a surface about points from dipoles of clusters
// of its triangles. This approximation also exists for open and dirty surfaces (Barill et al.
// 2018).
//
// The package has the moments up to second order beside the area vector, and the walk that chooses
// between moments and exact sums. Package clusters provides clusters and exact sums. The package
// accepts any surface with finite vertices, and works in the frame of the surface. Read walk.go
// first.
package treecode
