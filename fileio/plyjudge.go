package fileio

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// maxPLYHeader is the size of the largest header of a file or stream, bytes. Comments are most of a
// long one.
const maxPLYHeader = 1 << 18

// judgePLY reads the header of a PLY mesh of at most size bytes, line by line. It rejects a mesh that
// these bytes or the memory cannot hold, before the rest is read.
func (m *meshBuilder) judgePLY(from io.Reader, size int64) error {
	p := &plyReader{lineReader: lineReader{file: m.name, end: '\n'}}
	lines := bufio.NewReader(io.LimitReader(from, maxPLYHeader))
	for ended := false; !ended; {
		line, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("fileio: reading %s: %w", m.name, err)
		}
		word, _ := cutField(line)
		if ended = err != nil || string(word) == "end_header"; err == nil || len(p.rest)+len(line) < maxPLYHeader {
			p.rest = append(p.rest, line...) // A line that the limit cuts has no meaning.
		}
	}
	if p.total = len(p.rest); p.header() == nil {
		m.holds(p, size)
	}
	return p.err
}

// holds rejects numbers of rows that a file of size bytes or the memory cannot hold. The header has
// been read; memory for the rows is allocated later.
func (m *meshBuilder) holds(p *plyReader, size int64) {
	rows := map[string]int{}
	left := size - int64(p.total-len(p.rest)) + 1 // The last number of an ASCII file needs no blank after it.
	for _, e := range p.elements {
		row := int64(0)
		for _, q := range e.properties {
			switch {
			case p.ascii:
				row += 2 // a digit and a blank
			case q.list:
				row += int64(q.length.bytes)
			default:
				row += int64(q.value.bytes)
			}
		}
		if row == 0 {
			continue // Any count is allowed.
		}
		if int64(e.count) > left/row {
			p.faultAt("element "+e.name, strconv.Itoa(e.count)+" rows", fmt.Sprintf("no more than the %d that the file can hold", left/row), ErrTruncated)
			return
		}
		rows[e.name], left = e.count, left-int64(e.count)*row
	}
	p.fail(m.announced(rows["vertex"], 3*rows["face"]))
}
