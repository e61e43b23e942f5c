package scene

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/internal/mark"
)

// table is a CSV file that grows by whole rows: after each flush, and after any failure, the file ends
// with a complete row.
//
// A new one takes the place of what is there when the run begins to write: until then its header and first rows are
// in a file beside. One that a restart goes on with is cut then, where its rows are of later steps.
type table struct {
	*fileio.TableWriter
	path    string
	file    disk.File
	temp    string // where a new table is until it has its place
	pending bytes.Buffer
	end     int64 // bytes of the file that are complete
	due     bool  // rows of the first step of the run are to be written
}

// newTable begins a table, beside what has its name. due tells whether the first step has rows.
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

// resumeTable goes on with a table behind the rows that a run has written up to the step: each rows
// for every step of the schedule. One that does not have those before the step is refused, and so
// is one of other columns.
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
		_ = file.Close() // Nothing was written.
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
		_ = file.Close() // Nothing was written.
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
	if hole := c.hole(step); hole != "" {
		return closed(&fault{file: path, what: hole})
	}
	t.end, t.due = c.end, c.next == step
	return t, nil
}

// prepare writes the header and the first rows of a new table beside what has its name.
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

// copyBeside goes on with a copy of the rows that stay. The file has other names, as that of a
// folder copied by hard links: under these it stays as it is. Cost: one pass over those rows, in
// memory that does not grow with them.
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

// writerOnly hides what else a file can do, so that all that is copied to it goes through Write.
type writerOnly struct{ io.Writer }

// place puts a new table under its name, and cuts one that the run goes on with.
func (t *table) place() (err error) {
	if t.temp == "" {
		if err := t.file.Truncate(t.end); err != nil {
			return fmt.Errorf("scene: %w", err)
		}
	} else {
		// Some systems do not rename a file that is open.
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

// sums appends numbers with the 12 digits that do not depend on the order of a sum.
func (t *table) sums(numbers ...float64) {
	for _, x := range numbers {
		if x == 0 {
			x = 0 // −0 as 0
		}
		t.Text(strconv.FormatFloat(x, 'g', 12, 64))
	}
}

// write writes the rows that are pending. A file that cannot take them whole is cut back to the last
// complete row.
func (t *table) write() error {
	if err := t.Flush(); err != nil || t.pending.Len() == 0 {
		return err
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

func (t *table) sync() error {
	if err := t.file.Sync(); err != nil {
		if t.temp != "" {
			return unwritten(t.path, err)
		}
		return fmt.Errorf("scene: %w", err)
	}
	return nil
}

// close ends a table. Of one that never got its place nothing is left.
func (t *table) close() {
	// Every row was checked when it was written.
	_ = t.file.Close()
	if t.temp != "" {
		_ = disk.Remove(t.temp)
	}
}
