// Package peers runs other libraries on the inputs of our studies: neighbour searches of Bullet,
// CGAL and LAMMPS, and points in a mesh by Embree and CGAL.
//
// The package owns small C++ programs (folder programs) and the files that they read and write. It
// compiles the programs into a temporary folder, against the installed libraries. It installs
// nothing, and it does not judge: results have times and answers, which the caller compares with
// its own. If a peer is missing or fails, its result has a Problem, and there is no error.
//
// Times are processor time of one thread, s. Read peers.go first.
package peers
