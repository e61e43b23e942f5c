package scene

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/mark"
)

// table is a CSV file that grows by whole rows. After each flush, and after any failure, the file
// ends with a complete row.
//
// A new table replaces the file of its name when the run begins to write. Until then the header and
// the first rows are in a temporary file. The table of a restart is cut at the same time, after the
// rows that stay.
type table struct {
	*fileio.TableWriter
	path    string
	file    disk.File
	temp    string // temporary name of a new table; "" once it has its final name
	pending bytes.Buffer
	end     int64 // length of the complete part of the file, bytes
	due     bool  // rows of the first step must be written
}

// newTable starts a table in a temporary file. due reports whether the first step has rows.
func newTable(path string, columns []string, due bool) (*table, error) {
	t := &table{path: path, due: due}
	t.TableWriter = fileio.NewTableWriter(&t.pending, columns)
	var err error
	if t.file, err = disk.CreateTemp(path); err != nil {
		return nil, unwritten(path, err)
	}
	t.temp = t.file.Name()
	return t, nil
}

// resumeTable opens a table to continue it after the rows up to step. The table must have each rows
// for every step of the schedule s, or with anyRows none off the schedule. resumeTable rejects a table without the rows before step, and a
// table with other columns.
func resumeTable(path string, columns []string, stepColumn int, step, each int64, s schedule) (*table, error) {
	nothing := &cut{last: -1, next: s.next(-1), found: -1}
	anew := func(what string) (*table, error) {
		if hole := nothing.hole(step); hole != "" {
			return nil, &fault{file: path, what: what + hole}
		}
		return newTable(path, columns, nothing.next == step)
	}
	file, err := disk.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return anew("does not exist, so it ")
	}
	if err != nil {
		return nil, mark.Errorf(ErrInput, "%w", err)
	}
	t := &table{path: path, file: file}
	closed := func(err error) (*table, error) {
		_ = file.Close() // The file was only read.
		return nil, err
	}
	t.TableWriter = fileio.NewTableWriter(&t.pending, columns)
	if err := t.Flush(); err != nil {
		return closed(err)
	}
	header := t.pending.String()
	t.pending.Reset()
	line, whole, err := readHeader(file, int64(len(header))+cutBuffer)
	switch {
	case err != nil:
		return closed(fmt.Errorf("scene: %w", err))
	case !whole:
		_ = file.Close() // The file was only read.
		return anew("")
	case line != header:
		return closed(otherColumns(path, line, columns))
	}
	if _, err := file.Seek(int64(len(header)), io.SeekStart); err != nil {
		return closed(fmt.Errorf("scene: %w", err))
	}
	c, err := findCut(file, int64(len(header)), stepColumn, each, s, step)
	if err != nil {
		return closed(fmt.Errorf("scene: %w", err))
	}
	foreign := c.found >= 0 && c.found < step
	if hole := c.hole(step); hole != "" && (each != anyRows || foreign) {
		return closed(&fault{file: path, what: hole})
	}
	t.end, t.due = c.end, c.next == step // A checkpoint follows the rows of its step.
	return t, nil
}

// prepare writes the header and the first rows of a new table to its temporary file.
func (t *table) prepare() error {
	if t.temp == "" {
		linked, err := t.file.Linked()
		if err != nil {
			return fmt.Errorf("scene: %w", err)
		}
		if !linked {
			return nil
		}
		if err := t.copyBeside(); err != nil {
			return unwritten(t.path, err)
		}
	}
	if err := t.write(); err != nil {
		return err
	}
	return t.sync()
}

// copyBeside replaces the open file by a copy of the rows that stay. It is used if the file has
// other hard links, for example from a copied folder, because the file must not change under those
// names. Cost: one pass over the rows, in constant memory.
func (t *table) copyBeside() error {
	from := t.file
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	to, err := disk.CreateTemp(t.path)
	if err != nil {
		return err
	}
	t.file, t.temp = to, to.Name()
	_, err = io.CopyN(writerOnly{to}, from, t.end)
	return errors.Join(err, from.Close())
}

// writerOnly hides all methods but Write, so that io.CopyN copies through Write.
type writerOnly struct{ io.Writer }

// place gives a new table its final name, and cuts the table of a restart.
func (t *table) place() (err error) {
	if t.temp == "" {
		if err := t.file.Truncate(t.end); err != nil {
			return fmt.Errorf("scene: %w", err)
		}
	} else {
		// Some systems cannot rename an open file.
		if err := t.file.Close(); err != nil {
			return fmt.Errorf("scene: %w", err)
		}
		if err := disk.Rename(t.temp, t.path); err != nil {
			return fmt.Errorf("scene: %w", err)
		}
		t.temp = ""
		if t.file, err = disk.Open(t.path); err != nil {
			return fmt.Errorf("scene: %w", err)
		}
	}
	if _, err := t.file.Seek(t.end, io.SeekStart); err != nil {
		return fmt.Errorf("scene: %w", err)
	}
	return nil
}

// sums appends numbers with 12 digits. Further digits may depend on the order of a sum.
func (t *table) sums(numbers ...float64) {
	for _, x := range numbers {
		if x == 0 {
			x = 0 // turns −0 into 0
		}
		t.Text(strconv.FormatFloat(x, 'g', 12, 64))
	}
}

// write writes the pending rows. If the file cannot take all of them, write cuts it back to the
// last complete row.
func (t *table) write() error {
	if err := t.Flush(); err != nil || t.pending.Len() == 0 {
		return err
	}
	if err := t.there(); err != nil {
		return err // A write would leave a hole in a file that was cut.
	}
	n, err := t.file.Write(t.pending.Bytes())
	t.pending.Reset()
	switch {
	case err == nil:
		t.end += int64(n)
		return nil
	case t.temp != "":
		return unwritten(t.path, err)
	}
	if cutErr := t.file.Truncate(t.end); cutErr != nil {
		return fmt.Errorf("scene: %w; and its last row is incomplete: %w", err, cutErr)
	}
	return fmt.Errorf("scene: %w (the rows before are complete)", err)
}

// there returns an error if the file is no longer what the run has written: removed, replaced by
// another file, cut, or written to by others.
func (t *table) there() error {
	mine, err := t.file.Stat()
	named, gone := os.Lstat(t.path)
	if t.temp == "" && (err != nil || gone != nil || !os.SameFile(mine, named) || mine.Size() != t.end) {
		return fmt.Errorf("scene: %s was removed, replaced or changed while the run wrote it, expected nobody to touch it until the run ends", t.path)
	}
	return nil
}

func (t *table) sync() error {
	if err := t.file.Sync(); err != nil {
		if t.temp != "" {
			return unwritten(t.path, err)
		}
		return fmt.Errorf("scene: %w", err)
	}
	return nil
}

// close closes the file. A table without its final name leaves no file.
func (t *table) close() {
	// Every row was checked when it was written, so the error of Close is ignored.
	_ = t.file.Close()
	if t.temp != "" {
		_ = disk.Remove(t.temp)
	}
}
