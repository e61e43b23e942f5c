// Package disk is the operations by which results reach a folder: create, write, sync, cut, rename, remove; and the
// lock that keeps two runs out of one folder.
//
// It owns temporary names, the refusal of symbolic links, and Before, by which a test lets any operation fail as on
// a full disk, or everything from one operation on as in a process that was killed. It refuses formats (fileio) and
// the order of operations (scene).
//
// Read disk.go first.
package disk
