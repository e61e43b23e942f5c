package fileio

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// repeated returns a text again and again, and counts the bytes that are read.
type repeated struct {
	text string
	n    int64
}

func (e *repeated) Read(b []byte) (int, error) {
	n := copy(b, e.text[e.n%int64(len(e.text)):])
	e.n += int64(n)
	return n, nil
}

// TestGzipBombs: a stream that expands too much ends with an error, after little of it is read.
func TestGzipBombs(t *testing.T) {
	const shapes = "shapes 1\n4 0 1 1 1\n0 0 0\n1 0 0\n0 1 0\n0 0 1\nstatic 0\n"
	for _, c := range []struct{ name, head, row string }{
		{"blank lines", "", "\n"},
		{"comments", "#", "#\n"},
		{"shapes", "shapes 9999999\n", "4 0 1 1 1\n0 0 0\n0 0 0\n0 0 0\n0 0 0\n"},
		{"bodies", shapes + "bodies 9999999\n", "0 0 0 0 1 0 0 0\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			read, write := io.Pipe()
			source := &repeated{text: c.row}
			go func() {
				zip := gzip.NewWriter(write)
				_, err := io.Copy(zip, io.MultiReader(strings.NewReader(c.head), source))
				_ = write.CloseWithError(err) // The reader has stopped.
			}()
			_, err := DecodeSettled("bomb.gz", read)
			_ = read.Close()
			var input *InputError
			if !errors.As(err, &input) || !strings.Contains(err.Error(), "a byte becomes at most 100") || input.Line == 0 {
				t.Errorf("error %v, expected one of the ratio with a line", err)
			}
			if most := int64(1 << 26); source.n > most {
				t.Errorf("%d bytes were unzipped, expected %d at most", source.n, most)
			}
		})
	}
}

// TestGzipOfAGrid: the most regular real scene is accepted.
func TestGzipOfAGrid(t *testing.T) {
	var scene Settled
	scene.Shapes = []SettledShape{{Verts: make([]vec.Vec3, 4), Half: vec.V(1, 1, 1)}}
	for i := range 100_000 {
		pose := vec.Pose{Pos: vec.V(float64(i%100), float64(i/100%100), float64(i/10_000)), Rot: vec.Identity}
		scene.Bodies = append(scene.Bodies, SettledBody{Pose: pose})
	}
	path := filepath.Join(t.TempDir(), "grid.gz")
	if err := WriteSettled(path, &scene); err != nil {
		t.Fatal(err)
	}
	read, err := ReadSettled(path)
	if err != nil || len(read.Bodies) != len(scene.Bodies) {
		t.Errorf("error %v", err)
	}
}

// TestFolderIsNoFile: files that are not regular are rejected by name.
func TestFolderIsNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.stl")
	if err := os.Mkdir(path, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, read := range []func() error{
		func() error { _, err := ReadMesh(path); return err },
		func() error { _, err := ReadSettled(path); return err },
	} {
		var input *InputError
		if err := read(); !errors.As(err, &input) || !strings.Contains(err.Error(), `found "a folder", expected a regular file`) {
			t.Errorf("error %v, expected one of a folder", err)
		}
	}
}
