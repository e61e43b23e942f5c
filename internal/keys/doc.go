// Package keys reads tables of keys from the tags of structs. A tagged field is the only place where a key stands:
// its name, unit, default, bounds and meaning follow from it wherever they are needed.
//
// It owns the tags and the checks that they describe. It reads no files. Package scene decodes scene files by these
// tables, and package force checks the parameters of its laws by them. A malformed tag panics when its table is made.
//
// Read keys.go first.
package keys
