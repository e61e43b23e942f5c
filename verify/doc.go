// Package verify runs cases with known answers, and compares what a run computes with them.
//
// It owns the list of cases, their inputs (scenes, tables of pairs and of points, embedded), the judges
// that compare, and the report. It computes no contacts and no motion: scene, pairs, geometry and
// geometry/inside do, from the files that a user would give to the command. A judge reads the files of
// results alone, and computes the expected values from the formula of its source.
//
// Lengths are in m, masses in kg, times in s. The numbers are for people and never affect state.
//
// Read case.go first, then run.go; the files cases*.go are the list.
package verify
