// Package voxels answers exactly which points lie inside a closed surface: cells that the surface does
// not enter carry one answer each, and in the others a segment to a place with a known answer is
// crossed with the triangles of the cell, by exact predicates.
package voxels
