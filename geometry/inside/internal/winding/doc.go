// Package winding is the winding number of a surface about points, by the signed solid angles of its
// triangles (van Oosterom and Strackee 1983): exact up to rounding, one triangle at a time.
//
// It owns the solid angles of triangles: over all of them for package inside, over ranges for the
// near fields of other methods. It refuses clusters and bounds of their errors.
//
// A closed surface has winding number 1 about a point inside, 0 outside, and about a point of the
// surface the fraction of a small sphere that lies inside: 1/2 on a face, less or more on edges and
// vertices. An open surface has a number between.
//
// Read angles.go first, then near.go.
package winding
