// Package require decides what a test does when a tool it needs is not there: it skips with the
// reason, or fails where everything is demanded to run.
//
// It owns that one choice, and refuses everything else: it looks for no tools and starts none. It has
// no frame and no units. Only tests import it.
//
// Read require.go, the only file.
package require
