package fileio

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"strconv"
	"strings"
)

// WriteSettled writes the scene, compressed if path ends in .gz. ReadSettled returns the same scene
// to the last bit, except for signs of zeros, if all quaternions are unit quaternions. The file
// appears only when it is complete. A body with an invalid shape index is an error.
func WriteSettled(path string, scene *Settled) error {
	if scene == nil {
		return fmt.Errorf("fileio: cannot write %s: the scene is nil, expected shapes and bodies", path)
	}
	for i, body := range scene.Bodies {
		if body.Shape < 0 || body.Shape >= len(scene.Shapes) {
			return fmt.Errorf("fileio: cannot write %s: body %d is of shape %d, and there are %d", path, i, body.Shape, len(scene.Shapes))
		}
	}
	return writeAtomic(path, func(a *atomicFile) error {
		if !strings.HasSuffix(strings.ToLower(path), ".gz") {
			encodeSettled(a.Writer, scene)
			return nil
		}
		// The gzip header contains neither name nor time, so equal scenes produce equal files.
		zipped := gzip.NewWriter(a)
		text := bufio.NewWriter(zipped)
		encodeSettled(text, scene)
		if err := text.Flush(); err != nil {
			return err
		}
		return zipped.Close()
	})
}

// encodeSettled writes the scene as text. The writer keeps the first error.
func encodeSettled(w *bufio.Writer, scene *Settled) {
	fmt.Fprintf(w, "shapes %d\n", len(scene.Shapes))
	for i := range scene.Shapes {
		shape := &scene.Shapes[i]
		isBox := 0
		if shape.IsBox {
			isBox = 1
		}
		fmt.Fprintf(w, "%d %d", len(shape.Verts), isBox)
		w.Write(append(appendPoint(w.AvailableBuffer(), shape.Half), '\n'))
		for _, p := range shape.Verts {
			w.Write(append(appendPoint(w.AvailableBuffer(), p)[1:], '\n'))
		}
	}
	fmt.Fprintf(w, "static %d\n", len(scene.Static))
	for _, box := range scene.Static {
		b := appendPoint(appendPoint(w.AvailableBuffer(), box.Half), box.Center)
		w.Write(append(b[1:], '\n'))
	}
	fmt.Fprintf(w, "bodies %d\n", len(scene.Bodies))
	for _, body := range scene.Bodies {
		q := body.Pose.Rot
		b := strconv.AppendInt(w.AvailableBuffer(), int64(body.Shape), 10)
		b = appendPoint(b, body.Pose.Pos)
		for _, x := range [4]float64{q.W, q.X, q.Y, q.Z} {
			b = appendNumber(append(b, ' '), x)
		}
		w.Write(append(b, '\n'))
	}
}
