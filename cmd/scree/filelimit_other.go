//go:build !unix

package main

// failOnFileLimit does nothing: there is no such signal.
func failOnFileLimit() {}
