// Package require decides what a test does if a required tool is missing, and whether a test does
// all of its work or a short part.
//
// A test without its tool is skipped with the reason, or fails if everything is required to run.
// The package neither searches for tools nor starts them. It has no frame and no units. Only tests
// import it.
//
// Read require.go and quick.go.
package require
