// Package fileio reads and writes files: meshes (STL, OBJ, OFF, PLY), frames for ParaView (VTP, and
// the series that lists them), checkpoints, tables (CSV) and settled scenes.
//
// It owns file formats, size limits, error messages, and the completion of files. Every writer uses
// atomicFile, so after a crash, a full disk or Ctrl-C the earlier file is still there. It does not
// judge geometry: package geometry decides whether a mesh is closed, convex and usable. The engine
// defines the meaning of the columns of a checkpoint.
//
// Numbers pass through unchanged, without conversion of units or frames. NaN and infinities in an
// input are errors. An error in an input is an InputError with the file, the line or byte, the
// item, the value and what was expected. Any other error comes from the system. The memory of a
// reader is bounded by a small multiple of the bytes read, whatever the file claims to hold. No
// input makes a reader panic; each reader has a fuzz target.
//
// Users may rely on this package. Read mesh.go first, then atomic.go.
package fileio
