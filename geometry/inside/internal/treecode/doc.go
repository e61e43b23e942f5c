// Package treecode is the winding number of a surface about points, by dipoles of clusters of its
// triangles: an approximation that open and dirty surfaces have too.
package treecode
