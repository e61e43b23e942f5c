// Package peers runs other libraries on the inputs of our studies: neighbour searches of Bullet,
// CGAL and LAMMPS, and points in a mesh by Embree and CGAL.
//
// It owns small C++ programs (folder programs), which it compiles into a temporary folder against
// what is installed, and the files in between. It refuses to install anything, and to judge: a
// Result has times and answers, which the caller compares with its own. A peer that is missing,
// or fails, has a Problem and no error.
//
// Times are processor time of one thread, s. Read peers.go first.
package peers
