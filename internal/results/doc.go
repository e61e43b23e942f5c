// Package results reads the folder of a run for comparison in tests. It omits data that depends on
// the process that wrote the folder, such as timings and counts.
//
// It owns the list of the omitted data, which docs/output.md repeats, and the comparison. It does
// not interpret the files, and writes none. It has no frame and no units. Only tests import it.
//
// Read results.go, the only file.
package results
