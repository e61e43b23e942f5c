// Package inside determines which points lie inside a closed surface of triangles, convex or not.
// It offers every method of Muth, Of, Eberhard and Steinbach (2006) and an exact one of its own.
//
// The package checks a mesh (closed, oriented outwards, consistent), selects a method, and loops
// over points in parallel. It does not read files. The shapes of the engine are convex and belong
// to package geometry.
//
// Points are in the frame of the mesh. The data that New prepares stay valid however the body
// moves. Lengths are in any one unit.
//
// A point on the surface is reported as such. The same mesh and points yield the same bits on any
// number of workers and on every machine.
//
// Read solid.go first, then methods.go. docs/inside.md compares the methods.
package inside
