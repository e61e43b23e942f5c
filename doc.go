// Package scree is the root of Scree, an engine that finds the contacts of rigid convex polyhedra and
// simulates heaps of them. It holds no code; import what you need:
//
//	engine      World: bodies and walls that move by steps; start here
//	geometry    shapes: polyhedra from points, meshes or a short description
//	vec         vectors, quaternions, poses
//	scene       worlds described by TOML files, and the runner that writes their results
//	fileio      meshes, frames for ParaView, checkpoints, tables
//
// The laws of contact are in engine/force. One question at a time (how far apart are these two shapes?)
// is engine/narrow's, on shapes kept by soa; a table of them is answered by pairs. Every other package is
// there to be read, and may change.
//
// Units are any consistent set; the documentation says m, kg, s, rad. The same input gives the same
// bits on any number of workers and on every machine.
package scree
