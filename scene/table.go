package scene

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/scree-dem/scree/fileio"
)

// table is a CSV file that grows by whole rows: after each flush, and after any failure, the file ends
// with a complete row.
type table struct {
	*fileio.TableWriter
	file    *os.File
	pending bytes.Buffer
	end     int64 // bytes of the file that are complete
}

// openTable starts the file anew, or goes on after the rows before a step when there are any of the
// same columns. The first column has to be the step, or the one given by stepColumn.
func openTable(path string, columns []string, resume bool, step int64, stepColumn int) (*table, error) {
	t := &table{}
	kept := []byte(nil)
	header := &bytes.Buffer{}
	t.TableWriter = fileio.NewTableWriter(&t.pending, columns)
	if err := t.Flush(); err != nil {
		return nil, err
	}
	header.Write(t.pending.Bytes())
	t.pending.Reset()
	if resume {
		var err error
		if kept, err = rowsBefore(path, header.String(), step, stepColumn); err != nil {
			return nil, err
		}
	}
	if kept == nil {
		kept = header.Bytes()
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("scene: %w", err)
	}
	t.file = file
	t.pending.Write(kept)
	if err := t.flush(); err != nil {
		_ = file.Close() // The error of writing is the one to report.
		return nil, err
	}
	return t, nil
}

// rowsBefore returns the header and the rows of an earlier run up to the first of the step or later,
// or nil when there is no such file or its columns are others.
func rowsBefore(path, header string, step int64, column int) ([]byte, error) {
	file, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("scene: %w", err)
	}
	defer file.Close() //nolint:errcheck // Nothing was written.
	in := bufio.NewReader(file)
	var kept bytes.Buffer
	for first := true; ; first = false {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			break // A row without its end was never complete.
		}
		if err != nil {
			return nil, fmt.Errorf("scene: reading %s: %w", path, err)
		}
		if first {
			if line != header {
				return nil, nil
			}
			kept.WriteString(line)
			continue
		}
		fields := strings.SplitN(line, ",", column+2)
		if len(fields) <= column {
			break
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(fields[column]), 10, 64); err != nil || n >= step {
			break
		}
		kept.WriteString(line)
	}
	if kept.Len() == 0 {
		return nil, nil
	}
	return kept.Bytes(), nil
}

// sum appends a number with the 12 digits that do not depend on the order of a sum.
func (t *table) sum(x float64) {
	if x == 0 {
		x = 0 // −0 as 0
	}
	t.Text(strconv.FormatFloat(x, 'g', 12, 64))
}

// flush writes the rows that are pending. A file that cannot take them whole is cut back to the last
// complete row.
func (t *table) flush() error {
	if err := t.Flush(); err != nil {
		return err
	}
	n, err := t.file.Write(t.pending.Bytes())
	t.pending.Reset()
	if err != nil {
		if cutErr := t.file.Truncate(t.end); cutErr != nil {
			return fmt.Errorf("scene: %w; and its last row is incomplete: %w", err, cutErr)
		}
		return fmt.Errorf("scene: %w (the rows before are complete)", err)
	}
	t.end += int64(n)
	return nil
}

func (t *table) close() error { return t.file.Close() }
