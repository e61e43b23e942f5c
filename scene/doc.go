// Package scene is named, seeded set-ups: it reads a scene file, builds the world it describes, runs it
// and writes the folder of results.
//
// It owns the keys of scene files and their checks, the generators of bodies (grid, random, wall), and
// everything in the folder: series.pvd with its frames, states.csv, history.csv, checkpoints and
// summary.json. It refuses physics (engine), shapes (geometry) and formats (fileio), and it refuses by
// name what a scene asks for and this release does not have.
//
// Load reads and checks a file, meshes included; Build makes the world; Run makes the steps. Whatever is
// wrong with an input is an error that wraps ErrInput and names file, line, key, value and what was
// expected. A run that is interrupted writes what is complete and returns ErrInterrupted.
//
// Frame: world, z up by the default gravity (0, 0, -9.81). Units: any consistent set; m, kg, s in the
// documentation, angles in rad, quaternions w, x, y, z from the body to the world frame. Poses in a scene
// file and in states.csv are those of the frame of the shape's file; generators place centres of mass.
//
// The same scene gives the same bits on any number of workers and on every machine: generators draw from
// geometry.Rand alone, bodies have the order of the file, materials and shapes that of their names.
//
// Users may rely on this package. Read document.go first, for the keys, then run.go.
package scene
