// Package disk provides the operations that write results to a folder (create, write, sync,
// truncate, rename, remove), and a lock that keeps two runs out of one folder.
//
// It owns temporary names, the rejection of symbolic links, and Before. Tests use Before to make
// any operation fail, as on a full disk, or all operations from one on, as after a killed process.
// Formats belong to fileio, and the order of operations to scene.
//
// Read disk.go first.
package disk
