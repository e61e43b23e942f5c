package fileio

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
)

func TestTableHeader(t *testing.T) {
	text := "\xef\xbb\xbf \r\n z , id,x\r\n1.5, 7 ,-0\r\n\r\n\"2e-3\",-8,\"25e-2\"\r\n"
	table, err := NewBlocks(strings.NewReader(text), "p.csv", []string{"x", "z"}, []string{"note", "id"})
	if err != nil {
		t.Fatal(err)
	}
	const x, note, id = 0, 2, 3
	if !table.Has(x) || !table.Has(id) || table.Has(note) {
		t.Fatal("columns are mixed up")
	}
	var block Block
	var row BlockRow
	for i, want := range [][3]float64{{0, 1.5, 7}, {0.25, 2e-3, -8}} {
		var got [2]float64
		if !table.Next(&block, 1) {
			t.Fatal(table.Err())
		}
		if err := errors.Join(row.Set(table, &block, 0), row.Floats(x, got[:])); err != nil {
			t.Fatal(err)
		}
		n, err := row.Int(id)
		if err != nil || block.Row != i+1 || got[0] != want[0] || got[1] != want[1] || float64(n) != want[2] || len(row.Bytes(note)) > 0 {
			t.Fatalf("row %d: %v %d, want %v, %v", block.Row, got, n, want, err)
		}
	}
	if table.Next(&block, 1) || table.Err() != nil {
		t.Fatal(table.Err())
	}
}

func TestTableFaults(t *testing.T) {
	cases := []struct {
		name, text string
		want       []string
	}{
		{"empty", "", []string{"line 1", "truncated", "x,y"}},
		{"unknown column", "x,y,mass,colour\n", []string{"line 1", "unknown columns", `"mass, colour"`, "x, y, id"}},
		{"missing column", "id,x\n", []string{"line 1", "columns y"}},
		{"column twice", "x,y,x\n", []string{"line 1", `"x"`, "once"}},
		{"short row", "x,y\n1,2\n3\n", []string{"line 3", "2 values"}},
		{"long row", "x,y\n1,2,3\n", []string{"line 2", "2 values"}},
		{"no number", "x,y\n1,2\n\n3,4m\n", []string{"line 4", "column y", `"4m"`, "finite"}},
		{"a number of Go", "x,y\n1,2_0\n", []string{"line 2", "column y", `"2_0"`, "finite"}},
		{"hexadecimal", "x,y\n0x1p-2,2\n", []string{"line 2", "column x", `"0x1p-2"`, "finite"}},
		{"no value", "x,y\n,2\n", []string{"line 2", "column x", "found nothing"}},
		{"NaN", "x,y\n1,NaN\n", []string{"line 2", "column y", `"NaN"`, "finite"}},
		{"infinite", "x,y\n1,-Inf\n", []string{"line 2", "column y", `"-Inf"`}},
		{"too large", "x,y\n1,1e999\n", []string{"line 2", "column y", `"1e999"`}},
		{"no whole number", "x,y,id\n1,2,3.5\n", []string{"line 2", "column id", `"3.5"`, "whole"}},
		{"open quote", "x,y\n1,\"2\n", []string{"line 2", `"`}},
		{"bare quote", "x,y\n1,2\"\n", []string{"line 2", "quotes"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := readXY(strings.NewReader(c.text))
			var input *InputError
			if !errors.As(err, &input) {
				t.Fatalf("got %v", err)
			}
			for _, part := range append(c.want, "p.csv") {
				if !strings.Contains(err.Error(), part) {
					t.Fatalf("%q does not hold %q", err, part)
				}
			}
		})
	}
	broken := errors.New("cable pulled")
	for _, r := range []io.Reader{iotest.ErrReader(broken), io.MultiReader(strings.NewReader("x,y\n1,2\n"), iotest.ErrReader(broken))} {
		if err := readXY(r); !errors.Is(err, broken) || !strings.Contains(err.Error(), "p.csv") {
			t.Fatalf("got %v", err)
		}
	}
}

// readXY reads a table with x, y and an optional id to its end.
func readXY(r io.Reader) error {
	table, err := NewBlocks(r, "p.csv", []string{"x", "y"}, []string{"id"})
	if err != nil {
		return err
	}
	var block Block
	var row BlockRow
	for table.Next(&block, 100) {
		for i := range block.Len() {
			var p [2]float64
			if err := row.Set(table, &block, i); err != nil {
				return err
			}
			if err := row.Floats(0, p[:]); err != nil {
				return err
			}
			if table.Has(2) {
				if _, err := row.Int(2); err != nil {
					return err
				}
			}
		}
	}
	return table.Err()
}

func TestTableWriter(t *testing.T) {
	var out bytes.Buffer
	w := NewTableWriter(&out, []string{"a", "b", "c"})
	w.Float(math.Copysign(0, -1))
	w.Int(-5)
	w.Text(`said "a, b"`)
	if err := w.EndRow(); err != nil {
		t.Fatal(err)
	}
	w.Float(0.1)
	w.Text("")
	w.Text("")
	if err := w.EndRow(); err != nil {
		t.Fatal(err)
	}
	w.Float(math.NaN())
	w.Float(math.Inf(-1))
	w.Float(1e21)
	if err := w.EndRow(); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "a,b,c\n0,-5,\"said \"\"a, b\"\"\"\n0.1,,\nNaN,-Inf,1e+21\n"; out.String() != want {
		t.Fatalf("got %q, want %q", out.String(), want)
	}
	w.Int(1)
	if err := w.EndRow(); err == nil {
		t.Fatal("a short row was taken")
	}
	if err := w.Flush(); err == nil {
		t.Fatal("the error is forgotten")
	}
}

func TestTableAllocations(t *testing.T) {
	w := NewTableWriter(io.Discard, []string{"a", "b", "c"})
	if n := testing.AllocsPerRun(1000, func() {
		w.Float(1.0 / 3)
		w.Int(1 << 40)
		w.Text("touching")
		if w.EndRow() != nil {
			t.Fatal("a row was refused")
		}
	}); n != 0 {
		t.Fatalf("%g allocations a row written", n)
	}
}

func FuzzTable(f *testing.F) {
	f.Add([]byte("x,y\n1,2\n"), 1.5, int64(-3), `a "b"`)
	f.Add([]byte("\xef\xbb\xbfid,y,x\n1,2,\"3\"\n"), math.Inf(1), int64(0), " \n,")
	f.Add([]byte("x,y\n\"1\n"), math.Copysign(0, -1), int64(1)<<62, "")
	f.Fuzz(func(t *testing.T, content []byte, x float64, n int64, text string) {
		err := readXY(bytes.NewReader(content))
		if input := (*InputError)(nil); err != nil && !errors.As(err, &input) {
			t.Fatalf("%v is no InputError", err)
		}
		// What is written reads back. Package csv changes \r\n in quotes to one line end.
		var out bytes.Buffer
		w := NewTableWriter(&out, []string{"text", "n", "x"})
		w.Text(text)
		w.Int(n)
		w.Float(x)
		if err := errors.Join(w.EndRow(), w.Flush()); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&out).ReadAll()
		if err != nil || len(rows) != 2 {
			t.Fatalf("%v %q", err, rows)
		}
		if want := strings.ReplaceAll(text, "\r\n", "\n"); rows[1][0] != want {
			t.Fatalf("%q came back as %q", want, rows[1][0])
		}
		if rows[1][1] != strconv.FormatInt(n, 10) {
			t.Fatalf("%d came back as %s", n, rows[1][1])
		}
		if got, err := strconv.ParseFloat(rows[1][2], 64); err != nil || got != x && x == x {
			t.Fatalf("%g came back as %s, %v", x, rows[1][2], err)
		}
	})
}

func BenchmarkTable(b *testing.B) {
	const rows = 1000
	text := "x,y\n" + strings.Repeat("0.3333333333333333,-1e-9\n", rows)
	b.Run("op=read", func(b *testing.B) {
		for b.Loop() {
			if err := readXY(strings.NewReader(text)); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
	})
}
