package fileio

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/scree-dem/scree/internal/disk"
)

// openRegular opens a regular file and returns its size. It rejects devices, which may never end,
// and pipes, because opening a pipe waits for its writer.
func openRegular(path string) (file *os.File, size int64, err error) {
	stat, err := os.Stat(path)
	if err != nil {
		return nil, 0, fmt.Errorf("fileio: %w", err)
	}
	if !stat.Mode().IsRegular() {
		return nil, 0, &InputError{File: path, Value: disk.KindOf(stat.Mode()), Want: "a regular file"}
	}
	if file, err = os.Open(path); err != nil {
		return nil, 0, fmt.Errorf("fileio: %w", err)
	}
	if stat, err = file.Stat(); err != nil { // another file may have replaced it
		file.Close()
		return nil, 0, fmt.Errorf("fileio: %w", err)
	}
	return file, stat.Size(), nil
}

const (
	// maxTextBytes limits the text of a stream, which may be endless. 4 GiB are four hundred bytes
	// for each body that a settled scene may have.
	maxTextBytes = 1 << 32
	// maxUnzipped limits how many bytes one byte of gzip may expand to. Poses of bodies expand to
	// four, equal lines to a thousand.
	maxUnzipped = 100
	// freeUnzipped is the number of unzipped bytes that are allowed at any ratio.
	freeUnzipped = 1 << 20
)

// counted counts the bytes read.
type counted struct {
	from io.Reader
	n    int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.from.Read(b)
	c.n += int64(n)
	return n, err
}

// boundedText reads a text, unzipped if it is gzip. Reading fails when the text exceeds a limit.
type boundedText struct {
	name   string
	text   io.Reader
	zipped *counted    // counts the compressed bytes; nil for plain text
	n      int64       // bytes of text so far
	passed *InputError // the exceeded limit; the text read before may end within a line
}

// newBoundedText returns the text of a stream. name appears in error messages.
func newBoundedText(name string, from io.Reader) (*boundedText, error) {
	count := &counted{from: disk.Steady(from)}
	buffered := bufio.NewReaderSize(count, 1<<16)
	t := &boundedText{name: name, text: buffered}
	if start, _ := buffered.Peek(2); len(start) == 2 && start[0] == 0x1f && start[1] == 0x8b {
		unzipped, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, &InputError{File: name, Want: "a gzip file that is whole", Err: err}
		}
		unzipped.Multistream(false)
		t.text, t.zipped = &gzips{unzipped, buffered}, count
	}
	return t, nil
}

func (t *boundedText) Read(b []byte) (int, error) {
	if t.passed != nil {
		return 0, t.passed
	}
	n, err := t.text.Read(b)
	t.n += int64(n)
	if t.n > maxTextBytes {
		t.passed = &InputError{File: t.name, Want: fmt.Sprintf("a text of at most %d bytes", int64(maxTextBytes))}
	}
	if t.zipped != nil && t.n > freeUnzipped && t.n > maxUnzipped*t.zipped.n {
		t.passed = &InputError{File: t.name, Want: fmt.Sprintf("gzip of which a byte becomes at most %d: %d became more than %d",
			maxUnzipped, t.zipped.n, maxUnzipped*t.zipped.n)}
	}
	if t.passed != nil {
		return 0, t.passed
	}
	return n, err
}

// errAfterGzip reports other bytes after a complete gzip file.
var errAfterGzip = errors.New("bytes that are no gzip follow")

// gzips reads one or several concatenated gzip files. Package gzip alone would report a few bytes
// after a complete file as an early end of the file.
type gzips struct {
	*gzip.Reader
	from *bufio.Reader
}

func (g *gzips) Read(b []byte) (int, error) {
	n, err := g.Reader.Read(b)
	if err != io.EOF {
		return n, err
	}
	start, end := g.from.Peek(2)
	switch {
	case len(start) == 0 && end != nil: // io.EOF, or an error of reading
		return n, end
	case len(start) < 2 || start[0] != 0x1f || start[1] != 0x8b:
		return n, errAfterGzip
	}
	err = g.Reader.Reset(g.from)
	g.Reader.Multistream(false)
	return n, err
}
