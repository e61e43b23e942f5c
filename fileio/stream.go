package fileio

import "io"

// WriteFile calls encode to write the file at path. The file appears under its name when encode
// returns. If encode returns an error, an earlier file of this name stays unchanged. If path exists
// and is not a regular file, such as a pipe, data is written to it directly.
func WriteFile(path string, encode func(w io.Writer) error) error {
	return writeAtomic(path, func(a *atomicFile) error { return encode(a) })
}
