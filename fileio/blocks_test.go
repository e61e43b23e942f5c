package fileio

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// rowsOf reads all rows of a table, in blocks of the given number of rows. For a bad row it lists
// the error.
func rowsOf(t testing.TB, from io.Reader, rows int, required, optional []string) (list []string, err error) {
	t.Helper()
	b, err := NewBlocks(from, "t.csv", required, optional)
	if err != nil {
		return nil, err
	}
	var block Block
	var r BlockRow
	for b.Next(&block, rows) {
		if block.Row != len(list)+1 || block.Len() > rows {
			t.Fatalf("a block of %d rows from row %d, after %d", block.Len(), block.Row, len(list))
		}
		for i := range block.Len() {
			if err := r.Set(b, &block, i); err != nil {
				list = append(list, err.Error())
				continue
			}
			var values []string
			for c := range len(required) + len(optional) {
				values = append(values, string(r.Bytes(c)))
			}
			list = append(list, strings.Join(values, "|"))
		}
	}
	return list, b.Err()
}

// TestBlocks: the rows do not depend on the blocks, or on the pieces in which the text arrives.
func TestBlocks(t *testing.T) {
	const table = "b,a\n1,2\n\n \"3, 4\" , 5 \r\n6\n\"7\"\"\",\n,\"8\n9,10,11\n\"12\"x,13\n14\",15\n16,17"
	want := []string{
		"2|1|", "5|3, 4|",
		"t.csv, line 5: expected the 2 values of the header, found 1",
		`|7"|`,
		`t.csv, line 7: found "\"8", expected a value with , or " in it in quotes, and each " inside doubled, and no end of a line inside quotes`,
		"t.csv, line 8: expected the 2 values of the header, found 3",
		`t.csv, line 9: found "\"12\"x,13", expected a value with , or " in it in quotes, and each " inside doubled, and no end of a line inside quotes`,
		`t.csv, line 10: found "14\"", expected a value with , or " in it in quotes, and each " inside doubled, and no end of a line inside quotes`,
		"17|16|",
	}
	for _, rows := range []int{1, 2, 100} {
		for name, from := range map[string]io.Reader{
			"whole": strings.NewReader(table), "bytes": iotest.OneByteReader(strings.NewReader(table)),
			"with the end": iotest.DataErrReader(strings.NewReader(table)),
		} {
			got, err := rowsOf(t, from, rows, []string{"a", "b"}, []string{"c"})
			if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%d rows a block, %s: %v\n%s", rows, name, err, strings.Join(got, "\n"))
			}
		}
	}
}

// TestBlockValues tests valid and invalid numbers.
func TestBlockValues(t *testing.T) {
	b, err := NewBlocks(strings.NewReader("\ufeffx,n\n1.5e-3,-7\nnan,1.5\n,\n"), "t.csv", []string{"x", "n"}, []string{"y"})
	if err != nil {
		t.Fatal(err)
	}
	var block Block
	var r BlockRow
	if !b.Next(&block, 10) || block.Len() != 3 || !b.Has(0) || b.Has(2) || b.Read() != 24 {
		t.Fatalf("%d rows, %d bytes", block.Len(), b.Read())
	}
	if err := r.Set(b, &block, 0); err != nil {
		t.Fatal(err)
	}
	x, err1 := r.Float(0)
	n, err2 := r.Int(1)
	if x != 1.5e-3 || n != -7 || err1 != nil || err2 != nil || r.Bytes(2) != nil || r.Line() != 2 {
		t.Errorf("%v %v %v %v", x, n, err1, err2)
	}
	for i, want := range []string{
		`t.csv, line 3, column x: found "nan", expected a finite number; t.csv, line 3, column n: found "1.5", expected a whole number of 64 bits`,
		`t.csv, line 4, column x: expected a finite number, found nothing; t.csv, line 4, column n: expected a whole number of 64 bits, found nothing`,
	} {
		if err := r.Set(b, &block, i+1); err != nil {
			t.Fatal(err)
		}
		err1, err2 := r.Floats(0, make([]float64, 2)), error(nil)
		_, err2 = r.Int(1)
		if got := fmt.Sprintf("%v; %v", err1, err2); got != want {
			t.Errorf("%s\nexpected\n%s", got, want)
		}
		if text := InRow(err1); strings.Contains(text, "t.csv") || !strings.HasPrefix(text, "column x: ") {
			t.Errorf("in the row: %q", text)
		}
	}
	if other := errors.New("t.csv, line 3, other"); InRow(other) != other.Error() {
		t.Errorf("%q", InRow(other))
	}
}

// TestBlocksEnd tests the ways in which a table can end early.
func TestBlocksEnd(t *testing.T) {
	long := strings.Repeat("1", maxLine+2)
	cause := errors.New("gone")
	for name, c := range map[string]struct {
		from io.Reader
		want string
		rows int
	}{
		"empty":       {strings.NewReader(""), "truncated", 0},
		"blank":       {strings.NewReader("\n \n"), "t.csv, line 2", 0},
		"header only": {strings.NewReader("a"), "", 0},
		"unknown":     {strings.NewReader("a,z\n"), "unknown columns", 0},
		"long":        {strings.NewReader("a\n1\n" + long + "\n2\n"), "t.csv, line 3", 1},
		"longer":      {io.MultiReader(strings.NewReader("a\n1\n"), endless('1')), "t.csv, line 3", 1},
		"long header": {endless('a'), "t.csv, line 1", 0},
		"fault":       {io.MultiReader(strings.NewReader("a\n1\n2"), iotest.ErrReader(cause)), "reading t.csv: gone", 1},
		"stuck":       {io.MultiReader(strings.NewReader("a\n1\n"), stuck{}), "multiple Read calls", 1},
	} {
		got, err := rowsOf(t, c.from, 10, []string{"a"}, nil)
		if len(got) != c.rows || (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %d rows, %v", name, len(got), err)
		}
	}
}

// endless is an endless file of one letter.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// stuck is a reader that returns neither data nor an error.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// TestBlocksAllocateNothing: blocks allocate nothing once they have grown.
func TestBlocksAllocateNothing(t *testing.T) {
	b, err := NewBlocks(strings.NewReader("a,b\n"+strings.Repeat("1.25,\"x, y\"\n", 10000)), "t.csv", []string{"a", "b"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var block Block
	var r BlockRow
	var out RowText
	read := func() {
		if !b.Next(&block, 500) {
			t.Fatal("no rows are left")
		}
		out.Reset()
		for i := range block.Len() {
			if err := r.Set(b, &block, i); err != nil {
				t.Fatal(err)
			}
			x, err := r.Float(0)
			if err != nil {
				t.Fatal(err)
			}
			out.Float(x)
			out.EndRow()
		}
	}
	read()
	if n := testing.AllocsPerRun(10, read); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// FuzzBlocks compares each line with the CSV reader of the standard library.
func FuzzBlocks(f *testing.F) {
	f.Add([]byte("1,2\n\"3\",4\n\"a,\"\"b\", c \n"))
	f.Add([]byte("1\n,\n\"\r\n\"\"\",1\r\n"))
	f.Add([]byte(" \"x\" ,\"y\"z\nq\"r,s\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := rowsOf(t, io.MultiReader(strings.NewReader("a,b\n"), bytes.NewReader(text)), 3, []string{"a", "b"}, nil)
		if err != nil {
			if len(text) <= maxLine {
				t.Fatal(err)
			}
			return
		}
		of, ofErr := NewBlocksOf(io.MultiReader(strings.NewReader("b,c,c,a\n"), bytes.NewReader(text)), "t.csv", []string{"a", "b"})
		if ofErr != nil {
			t.Fatal(ofErr)
		}
		var block Block
		var row BlockRow
		for of.Next(&block, 3) {
			for i := range block.Len() {
				if row.Set(of, &block, i) == nil && (len(row.values) != 4 || !bytes.Equal(row.Bytes(0), row.values[3]) || !bytes.Equal(row.Bytes(1), row.values[0])) {
					t.Fatalf("row %d: %q, columns %q and %q", block.Row+i, row.values, row.Bytes(0), row.Bytes(1))
				}
			}
		}
		rows := 0
		for _, line := range bytes.Split(text, []byte("\n")) {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			rows++
			if rows > len(got) {
				break
			}
			std := csv.NewReader(bytes.NewReader(append(bytes.TrimSpace(line), '\n')))
			std.TrimLeadingSpace = true
			want, err := std.Read()
			// The library rejects blanks after a quoted value, and treats a lone \r in quotes
			// differently.
			if err != nil || len(want) != 2 || bytes.ContainsAny(line, "\r\v\f\u0085\u00a0") || !ascii(line) {
				continue
			}
			if row := strings.TrimSpace(want[0]) + "|" + strings.TrimSpace(want[1]); got[rows-1] != row {
				t.Fatalf("line %q is %q, expected %q", line, got[rows-1], row)
			}
		}
		if rows != len(got) {
			t.Fatalf("%d rows for %d lines", len(got), rows)
		}
	})
}

func ascii(line []byte) bool {
	for _, c := range line {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// TestBlocksEager: with Eager, the available rows are returned before the next rows arrive.
func TestBlocksEager(t *testing.T) {
	from, to := io.Pipe()
	go func() { _, _ = io.WriteString(to, "x\n1\n2\n3") }()
	b, err := NewBlocks(from, "pipe", []string{"x"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.Eager = true
	var block Block
	if !b.Next(&block, 100) || block.Len() != 2 || block.Row != 1 {
		t.Errorf("%d rows from row %d, expected 2 from 1", block.Len(), block.Row)
	}
	go func() { _, _ = io.WriteString(to, "4\n5\n"); _ = to.Close() }()
	rows := 0
	for b.Next(&block, 100) {
		rows += block.Len()
	}
	if rows != 2 || b.Err() != nil {
		t.Errorf("%d more rows, error %v, expected 2 and none", rows, b.Err())
	}
}
