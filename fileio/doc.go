// Package fileio reads and writes files: meshes (STL, OBJ, OFF, PLY), frames for ParaView (VTP and
// the series that lists them), checkpoints, tables (CSV) and settled scenes.
//
// It owns formats, limits, error messages and the way a file comes to be complete: every writer goes
// through atomicFile, so that a crash, a full disk or Ctrl-C leaves the file that was there before.
// It refuses geometry: whether a mesh is closed, convex or worth simulating is for package geometry
// to say, and the meaning of a checkpoint's columns is the engine's.
//
// Numbers pass through unchanged: no unit is assumed and no frame is moved. NaN and infinities in an
// input are errors. What is wrong with an input is told by an InputError, which names the file, the
// line or byte, the item, the value and what was expected; anything else is a fault of the system.
// Memory taken by a reader is bounded by a small multiple of the bytes read, whatever the file
// claims to hold. No input makes a reader panic: each has a fuzz target.
//
// Users may rely on this package. Read mesh.go first, then atomic.go.
package fileio
