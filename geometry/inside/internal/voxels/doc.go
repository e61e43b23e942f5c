// Package voxels determines exactly which points lie inside a closed surface. It divides the
// surface's box into cells. A cell that the surface does not enter lies inside or outside as a
// whole. In any other cell, the package considers a segment from the point to a reference point
// whose place is known. It counts the segment's crossings with the cell's triangles by exact
// predicates.
//
// The surface must be closed; package inside checks that.
//
// Read cells.go first, then range.go. build.go and lines.go set up the cells.
package voxels
