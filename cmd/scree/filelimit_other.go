//go:build !unix

package main

// failOnFileLimit does nothing, because this system has no such signal.
func failOnFileLimit() {}
