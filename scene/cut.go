package scene

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/scree-dem/scree/internal/disk"
)

// cut is the place in the table of an earlier run where a restart continues.
type cut struct {
	end   int64 // offset after the last row that stays
	last  int64 // step of the last row that stays; −1 if none
	next  int64 // first step of the schedule whose rows are missing
	found int64 // step of the row found instead; −1 if there is none, or if a killed run left it incomplete
}

// anyRows is the number of rows of a step in a table whose steps may have any number of rows, also none.
const anyRows = -1

// cutBuffer is the number of bytes of a table in memory at a time.
const cutBuffer = 1 << 16

// findCut compares a table with the schedule s up to a step. For every step of the schedule the
// table must have each rows, in order, and no other rows. findCut returns the place of the first
// difference. With anyRows, steps without rows and incomplete steps cannot be seen: only rows off the schedule, or
// out of order, are differences. in is read from the offset from, where the header ends. column is the index of the
// step column. Cost: one pass over the rows before the cut, in constant memory.
func findCut(in io.Reader, from int64, column int, each int64, s schedule, step int64) (cut, error) {
	in = disk.Steady(in)
	c := cut{end: from, last: -1, next: s.next(-1), found: -1}
	b := make([]byte, cutBuffer)
	at, field, quoted := from, 0, false
	rows := int64(0)         // number of rows of step c.next so far
	n, digits := int64(0), 0 // value of the step column and its number of digits; −1 digits: not a number
	for {
		size, err := in.Read(b)
		for _, x := range b[:size] {
			at++
			switch {
			case x == '"':
				quoted = !quoted // An escaped quote toggles twice.
			case quoted:
			case x == ',':
				field++
			case x == '\n' && each == anyRows:
				if digits <= 0 || n > step || n < c.last || !s.has(n) {
					if digits > 0 && n <= step {
						c.found = n
					}
					return c, nil
				}
				c.end, c.last, c.next = at, n, s.next(n)
				field, n, digits = 0, 0, 0
			case x == '\n':
				if c.next > step || digits <= 0 {
					return c, nil
				}
				if n != c.next {
					c.found = n
					return c, nil
				}
				if rows++; rows == each {
					c.end, c.last, c.next, rows = at, n, s.next(n), 0
				}
				field, n, digits = 0, 0, 0
			case field != column || digits < 0:
			case x < '0' || x > '9' || digits == len("999999999999999999"):
				digits = -1
			default:
				n, digits = 10*n+int64(x-'0'), digits+1
			}
		}
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err != nil {
			return c, err
		}
	}
}

// hole returns a message about the missing rows before a step, or "" if none is missing.
func (c *cut) hole(step int64) string {
	const advice = "go on from an earlier checkpoint, or in another folder"
	switch {
	case c.next >= step:
		return ""
	case c.found >= 0:
		return fmt.Sprintf("has a row of step %d where the rows of step %d belong, before the checkpoint's step %d; %s", c.found, c.next, step, advice)
	case c.last < 0:
		return fmt.Sprintf("has no rows, expected those of step %d and on to the checkpoint's step %d; %s", c.next, step, advice)
	}
	return fmt.Sprintf("ends with step %d, expected the rows of step %d and on to the checkpoint's step %d; %s", c.last, c.next, step, advice)
}

// readHeader reads the first line of a table, at most most bytes. whole is false if the file ends
// before the line does.
func readHeader(in io.Reader, most int64) (line string, whole bool, err error) {
	line, err = bufio.NewReaderSize(io.LimitReader(in, most), 1<<12).ReadString('\n')
	if errors.Is(err, io.EOF) {
		return line, int64(len(line)) == most, nil
	}
	return line, true, err
}

// otherColumns returns an error that describes how the header differs from the columns of this run.
func otherColumns(path, line string, columns []string) error {
	was, err := csv.NewReader(strings.NewReader(line)).Read()
	what := fmt.Sprintf("the header is written otherwise than this run writes it, from %.40q on", line)
	firstWithout := func(other, all []string) int {
		return slices.IndexFunc(all, func(c string) bool { return !slices.Contains(other, c) })
	}
	absent, added := firstWithout(was, columns), firstWithout(columns, was)
	switch {
	case err != nil:
	case absent >= 0:
		what = fmt.Sprintf("has no column %q, which this run writes", columns[absent])
	case added >= 0:
		what = fmt.Sprintf("has the column %q, which this run does not write", was[added])
	default:
		for i := range min(len(was), len(columns)) {
			if was[i] != columns[i] {
				what = fmt.Sprintf("has the column %q where this run writes %q", was[i], columns[i])
				break
			}
		}
	}
	return &fault{file: path, line: 1, what: what + "; put the header back as the run wrote it, or go on in another folder with -o"}
}
