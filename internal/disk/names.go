package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// Stem returns the last element of a path without its extension.
func Stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// SameFile reports whether two names denote the same file, even if the file does not exist yet.
func SameFile(a, b string) bool {
	atA, errA := os.Stat(a)
	atB, errB := os.Stat(b)
	if errA != nil || errB != nil {
		return errA != nil && errB != nil && poseRowOf(a) == poseRowOf(b)
	}
	return os.SameFile(atA, atB)
}

// poseRowOf returns the absolute path with all links in the folder resolved, as far as possible.
func poseRowOf(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	folder, name := filepath.Split(path)
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	return filepath.Join(folder, name)
}

// Unnamed removes the file name from a system error. A message names the file itself, and a temporary
// name means nothing to users.
func Unnamed(err error) error {
	if named := (*fs.PathError)(nil); errors.As(err, &named) {
		return named.Err
	}
	return err
}

// ForShell returns the name as one word for a shell: in quotes if the name has blanks or other
// characters that a shell interprets.
func ForShell(name string) string {
	special := func(c rune) bool {
		return c != filepath.Separator && !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("-_./:@%+=,", c)
	}
	if !strings.ContainsFunc(name, special) {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
