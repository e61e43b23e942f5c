package fileio

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
)

// Columns returns the names in the header of a table, which must have the required ones. An empty file, and one without
// them, are InputErrors; if there is no file, the error wraps fs.ErrNotExist.
func Columns(path string, required ...string) ([]string, error) {
	file, _, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // The file is only read.
	names, err := csv.NewReader(file).Read()
	if err != nil || slices.ContainsFunc(required, func(name string) bool { return !slices.Contains(names, name) }) {
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return nil, &InputError{File: path, Line: 1, Want: "a header line with time, as scree run writes it", Err: err}
	}
	return names, nil
}

// EachRow passes the numbers in the named columns of a table to a function, row by row. The function must not keep the slice. Other
// columns are ignored. Errors of content are
// InputErrors.
func EachRow(path string, columns []string, use func(row []float64)) error {
	file, _, err := openRegular(path)
	if err != nil {
		return err
	}
	defer file.Close() // The file is only read.
	table, err := NewBlocksOf(file, path, columns)
	if err != nil {
		return err
	}
	var block Block
	var row BlockRow
	values := make([]float64, len(columns))
	for table.Next(&block, 1024) {
		for i := range block.Len() {
			if err := row.Set(table, &block, i); err != nil {
				return err
			}
			if err := row.Floats(0, values); err != nil {
				return err
			}
			use(values)
		}
	}
	return table.Err()
}
