// Package scree is the root of Scree, an engine that finds the contacts of rigid convex polyhedra
// and simulates heaps of them. It holds no code; import what you need:
//
//	engine      World: bodies and walls that move in time steps; start here
//	geometry    shapes: polyhedra from points, meshes or a short description
//	vec         vectors, quaternions, poses
//	scene       worlds described by TOML files, and the runner that writes their results
//	fileio      meshes, frames for ParaView, checkpoints, tables
//
// The contact laws are in force. Package narrow answers single queries, such as the
// distance of two shapes; package soa holds the shapes. Package pairs answers tables of such
// queries. You may read all other packages, but they may change.
//
// Units are any consistent set; the documentation says m, kg, s, rad. The same input yields the
// same bits on any number of workers and on every machine.
package scree
