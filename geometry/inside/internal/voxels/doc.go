// Package voxels answers exactly which points lie inside a closed surface: cells that the surface
// does not enter carry one answer each. In the others a segment to a place with a known answer is
// crossed with the triangles of the cell, by exact predicates.
//
// It owns the cells of one surface. It refuses surfaces that are not closed: package inside
// checks them.
//
// Read cells.go first, then range.go; build.go and lines.go set the cells up.
package voxels
