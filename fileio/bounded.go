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

// openRegular opens a regular file and returns its size, which is known before it is read. Devices may never end, and
// opening a pipe waits for its writer: both are refused.
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
	if stat, err = file.Stat(); err != nil { // another file may have taken its place
		file.Close()
		return nil, 0, fmt.Errorf("fileio: %w", err)
	}
	return file, stat.Size(), nil
}

const (
	// maxTextBytes bounds the text of a stream that may never end, as the blank lines of a pipe: 4 GiB, four hundred bytes for each of
	// the bodies that a settled scene may have.
	maxTextBytes = 1 << 32
	// maxUnzipped is how many bytes one of gzip may become: poses of bodies become four, equal lines a thousand.
	maxUnzipped = 100
	// freeUnzipped is how much may be unzipped whatever the ratio, bytes.
	freeUnzipped = 1 << 20
)

// counted counts the bytes that are read.
type counted struct {
	from io.Reader
	n    int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.from.Read(b)
	c.n += int64(n)
	return n, err
}

// boundedText is a text, unzipped if it is gzip, that ends with an error where it passes a bound.
type boundedText struct {
	name   string
	text   io.Reader
	zipped *counted    // nil for plain text
	n      int64       // bytes of text so far
	passed *InputError // the bound that was passed; what was read before may end within a line
}

// newBoundedText returns the text of a stream. The name serves for messages.
func newBoundedText(name string, from io.Reader) (*boundedText, error) {
	count := &counted{from: from}
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

// errAfterGzip: what follows a whole gzip file is none.
var errAfterGzip = errors.New("bytes that are no gzip follow")

// gzips is one gzip file, or several, one after the other. Package gzip calls a few bytes behind a
// whole one an end too early.
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
	case len(start) == 0 && end == io.EOF:
		return n, io.EOF
	case len(start) < 2 || start[0] != 0x1f || start[1] != 0x8b:
		return n, errAfterGzip
	}
	err = g.Reader.Reset(g.from)
	g.Reader.Multistream(false)
	return n, err
}
