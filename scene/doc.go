// Package scene reads a scene file, builds the world that the file describes, runs it, and writes
// the folder of results.
//
// It owns the keys of scene files and their checks, the generators of bodies (grid, random, wall),
// and all files of the results: series.pvd with its frames, states.csv, history.csv, checkpoints
// and summary.json. Physics belongs to engine, shapes to geometry, and file formats to fileio. The
// package rejects features of other releases by their names.
//
// Load reads and checks a scene file and its meshes. Build makes the world. Run makes the steps.
// Every error about an input wraps ErrInput and names the file, line, key, value and what was
// expected. An interrupted run writes all complete results and returns ErrInterrupted. A program may act
// between the steps by Options.Each. A Writer writes the folder of a world that a program steps itself.
//
// Frame: world, z up by the default gravity (0, 0, -9.81). Units: any consistent set; m, kg, s in
// the documentation, angles in rad. Quaternions w, x, y, z rotate from the body frame to the world
// frame. Poses in scene files and in states.csv refer to the frame of the shape's file. Generators
// place centres of mass.
//
// The same scene yields the same bits on any number of workers and on every machine. Generators
// draw random numbers from geometry.Rand only. Bodies are numbered in the order of the file, and are in
// the world in that of [order]: see Built.ID. Materials and shapes are in the order of their names.
//
// Users may rely on this package. Read document.go first for the keys, then run.go.
package scene
