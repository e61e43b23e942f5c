// Package winding is the winding number of a surface about points, by the signed solid angles of all
// its triangles: exact up to rounding, one triangle at a time.
package winding
