// Command release builds the archives of a release: the command for each platform, with completions for
// shells, and the licences of all that is linked. The bytes of an archive depend on the sources, the
// version and the release of Go alone. It needs Go, and git in a clone.
//
//	go run ./internal/release VERSION
//
// It works in the root of the module, and writes to release/VERSION. It refuses a tree with changes, and a
// VERSION whose tag is at another commit. An archive has the command, completions for bash, zsh, fish and
// PowerShell, LICENSE, README.md, CITATION.cff with the version, and the licences of Go and of each module.
package main
