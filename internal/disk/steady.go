package disk

import (
	"cmp"
	"io"
	"strings"
)

// Steady returns a reader of from that ends with io.ErrNoProgress if from returns neither data nor an
// error emptyReads times in a row. Loops such as io.ReadAll and io.ReadFull would never end. A nil
// reader is empty.
func Steady(from io.Reader) io.Reader { return steady{cmp.Or(from, io.Reader(strings.NewReader("")))} }

// emptyReads is as many as package bufio allows.
const emptyReads = 100

type steady struct{ from io.Reader }

func (s steady) Read(b []byte) (n int, err error) {
	for range emptyReads {
		if n, err = s.from.Read(b); n > 0 || err != nil || len(b) == 0 {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}
