package fileio

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
)

// TestStuckReaders: every reader of a stream ends with io.ErrNoProgress if the stream returns neither
// data nor an error for ever, at its start or after some data.
func TestStuckReaders(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write([]byte("shapes 0\nstatic 0\nbodies 0\n")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	mesh := func(ext string) func(io.Reader) error {
		return func(r io.Reader) error { _, err := ReadMeshFrom("x."+ext, r); return err }
	}
	table := func(r io.Reader) error {
		b, err := NewBlocks(r, "t.csv", []string{"a"}, nil)
		if err != nil {
			return err
		}
		for block := (Block{}); b.Next(&block, 10); {
		}
		return b.Err()
	}
	settled := func(r io.Reader) error { _, err := DecodeSettled("s.txt", r); return err }
	for _, c := range []struct {
		name, start string
		read        func(io.Reader) error
	}{
		{"stl", "", mesh("stl")}, {"stl begun", "solid x\n", mesh("stl")}, {"obj", "v 0 0 0\n", mesh("obj")},
		{"off", "OFF\n", mesh("off")}, {"ply", "ply\n", mesh("ply")},
		{"table", "", table}, {"header", "a", table}, {"rows", "a\n1\n2", table},
		{"settled", "", settled}, {"settled begun", "shapes 0\nstatic", settled},
		{"gzip begun", zipped.String()[:20], settled}, {"gzip header", zipped.String()[:2], settled}, {"gzip", zipped.String(), settled},
		{"checkpoint", "", func(r io.Reader) error { _, _, err := decodePiped("c", r); return err }},
		{"checkpoint begun", checkpointMagic, func(r io.Reader) error { _, _, err := decodePiped("c", r); return err }},
		{"checkpoint of a size", checkpointMagic, func(r io.Reader) error { _, _, err := decodeCheckpoint("c", r, 1000); return err }},
	} {
		if err := c.read(io.MultiReader(strings.NewReader(c.start), stuck{})); !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("%s: %v, expected io.ErrNoProgress", c.name, err)
		}
	}
}
