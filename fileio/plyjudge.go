package fileio

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// maxPLYHeader is the size of the largest header, bytes. Comments are most of a long one.
const maxPLYHeader = 1 << 20

// judgePLY reads the header of a PLY mesh of at most size bytes, and rejects a mesh that these bytes
// or the memory cannot hold, before more is read. It returns what it has read.
func (m *meshBuilder) judgePLY(from *bufio.Reader, size int64) (start []byte, err error) {
	for ended := false; !ended && err == nil && len(start) <= maxPLYHeader; {
		var line []byte
		line, err = from.ReadSlice('\n')
		start = append(start, line...)
		word, _ := cutField(line)
		ended = string(word) == "end_header"
	}
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, fmt.Errorf("fileio: reading %s: %w", m.name, err)
	}
	p := &plyReader{lineReader: lineReader{file: m.name, rest: start, end: '\n'}, total: len(start)}
	if err := p.header(); errors.Is(err, ErrTruncated) && len(start) > maxPLYHeader {
		return nil, &InputError{File: m.name, Want: fmt.Sprintf("end_header in the first %d bytes", maxPLYHeader)}
	}
	m.holds(p, size)
	return start, p.err
}

// holds rejects numbers of rows, as the header has them, that a file of size bytes or the memory
// cannot hold. Memory for the rows is allocated later.
func (m *meshBuilder) holds(p *plyReader, size int64) {
	left := size - int64(p.total-len(p.rest))
	if p.ascii {
		left++ // The last number needs no blank after it.
	}
	rows := map[string]int{}
	for i := range p.elements {
		e := &p.elements[i]
		row := e.leastBytes(p.ascii)
		if p.err != nil || row == 0 {
			continue
		}
		if int64(e.count) > left/row {
			p.faultAt("element "+e.name, strconv.Itoa(e.count)+" rows", fmt.Sprintf("no more than the %d that the file can hold", left/row), ErrTruncated)
			return
		}
		left -= int64(e.count) * row
		rows[e.name] = e.count
	}
	p.fail(m.announced(rows["vertex"], 3*rows["face"]))
}

// leastBytes returns the least number of bytes of a row.
func (e *plyElement) leastBytes(ascii bool) (n int64) {
	for _, q := range e.properties {
		switch {
		case ascii:
			n += 2 // a digit and a blank
		case q.list:
			n += int64(q.length.bytes)
		default:
			n += int64(q.value.bytes)
		}
	}
	return n
}
