// Package winding computes the winding number of a surface about points from the signed solid
// angles of its triangles (van Oosterom and Strackee 1983). The result is exact up to rounding;
// triangles are summed one by one.
//
// The package sums over all triangles for package inside, and over single triangles for the near
// fields of other methods. It has no clusters and no error bounds for them.
//
// A closed surface has winding number 1 about a point inside and 0 about a point outside. About a
// point of the surface it is the fraction of a small sphere that lies inside: 1/2 on a face,
// another fraction on edges and vertices. The winding number of an open surface may be any number.
//
// Read angles.go first, then near.go.
package winding
