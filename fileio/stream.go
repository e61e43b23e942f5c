package fileio

import "io"

// WriteFile writes the file at path as encode makes it, piece by piece: it appears under its name when
// encode is done, and an error of encode leaves what was there before. A name that exists and is no regular
// file, such as a pipe, is written to directly.
func WriteFile(path string, encode func(w io.Writer) error) error {
	return writeAtomic(path, func(a *atomicFile) error { return encode(a) })
}
