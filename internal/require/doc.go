// Package require decides what a test demands: what it does when a tool it needs is not there, which is to skip with the
// reason, or to fail where everything is demanded to run; and whether it does its whole work or a short share.
//
// It owns these two choices, and refuses everything else: it looks for no tools and starts none. It has
// no frame and no units. Only tests import it.
//
// Read require.go and quick.go.
package require
