// Package inside answers which points lie inside a closed surface of triangles, convex or not, by
// every method of Muth, Of, Eberhard and Steinbach (2006) and by an exact one of its own.
//
// It owns the check of a mesh (closed, turned outwards, consistent), the choice of a method and the
// parallel loop over points. It refuses files, and shapes of the engine, which are convex: package
// geometry has those.
//
// Frame: points are in the frame of the mesh. What New sets up stays valid however the body moves.
// Lengths are in any one unit.
//
// A point of the surface is reported as such. The same mesh and points give the same bits on any
// number of workers and on every machine.
//
// Read solid.go first, then methods.go. docs/inside.md compares the methods.
package inside
