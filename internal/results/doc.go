// Package results reads the folder of a run as tests compare it: without what belongs to the
// process that wrote it, its timings and counts.
//
// It owns the list of these, which docs/output.md repeats, and the comparison. It refuses to judge
// what is in the files, and writes none. It has no frame and no units. Only tests import it.
//
// Read results.go, the only file.
package results
