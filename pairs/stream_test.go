package pairs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"
)

// endless generates a table row by row, without storing it.
type endless struct {
	rows, at int
	line     func(i int) string
	rest     []byte
}

func (e *endless) Read(p []byte) (int, error) {
	for len(e.rest) < len(p) && e.at < e.rows {
		e.rest = append(e.rest, e.line(e.at)...)
		e.at++
	}
	if len(e.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, e.rest)
	e.rest = e.rest[:copy(e.rest, e.rest[n:])]
	return n, nil
}

// peak measures the heap while rows are written.
type peak struct {
	rows, bytes int
	heap        uint64
	next        int
}

func (p *peak) Write(b []byte) (int, error) {
	p.bytes += len(b)
	p.rows += bytes.Count(b, []byte("\n"))
	if p.rows >= p.next {
		p.next += 10000
		// Other goroutines go on while this one waits. What they allocate during the collection counts
		// as alive, therefore take the least of several measurements. What they allocate after it does
		// not count.
		least := uint64(math.MaxUint64)
		for range 5 {
			least = min(least, alive())
		}
		p.heap = max(p.heap, least)
	}
	return len(b), nil
}

// alive returns the bytes that a collection finds in use.
func alive() uint64 {
	runtime.GC()
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return live[0].Value.Uint64()
}

// TestMemoryIsBounded answers a hundred thousand rows. The live memory must be far below the 25 MB
// of input and the 20 MB of output. With a different builtin in each row, the stored builtins and
// those of one batch add to it: 6144 of 11 KB, 68 MB, whereas all would take 220 MB.
func TestMemoryIsBounded(t *testing.T) {
	for _, c := range []struct {
		name  string
		rows  int
		limit uint64
		line  func(i int) string
	}{
		{"rows", 100000, 24 << 20, func(i int) string {
			if i == 0 {
				return trackHead
			}
			return row("box:1x1x1", "octa:1", at(1e-3*float64(i), 0.123456789, 0), at(1e-3*float64(i)+1.1, 0.3, 0.987654321), i%1000)
		}},
		{"shapes", 20000, 92 << 20, func(i int) string {
			if i == 0 {
				return trackHead
			}
			return row("box:1x1x1", fmt.Sprintf("tetra:%g", 1+1e-6*float64(i)), at(0, 0, 0), at(2, 0, 0), i)
		}},
		{"names", 100000, 48 << 20, func(i int) string {
			if i == 0 {
				return trackHead
			}
			return row("box:1x1x1", fmt.Sprintf("unknown%0200d", i), at(0, 0, 0), at(2, 0, 0), i)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := alive()
			p := &peak{}
			stats, err := Run(context.Background(), &endless{rows: c.rows + 1, line: c.line}, "endless", shapesOf(t), p, defaults())
			if err != nil && !errors.Is(err, ErrRows) {
				t.Fatal(err)
			}
			if p.rows != c.rows+1 || stats.Pairs != int64(c.rows) {
				t.Errorf("%d lines for %d rows", p.rows, stats.Pairs)
			}
			used := p.heap - min(p.heap, before)
			t.Logf("%d rows: %.1f MB alive", c.rows, float64(used)/(1<<20))
			if used > c.limit {
				t.Errorf("expected at most %.1f MB", float64(c.limit)/(1<<20))
			}
		})
	}
}

// TestInterrupted: after an interruption the complete rows are written, from the first on. The run
// does not wait for an input that sends nothing.
func TestInterrupted(t *testing.T) {
	table := motion(rand.New(rand.NewPCG(13, 14)), 100, 100)
	whole, _, err := text(t, table, defaults(), shapesOf(t))
	if err != nil {
		t.Fatal(err)
	}
	in, feed := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := defaults()
	o.Progress = func(_, rows int64) {
		if rows >= batchRows {
			cancel()
		}
	}
	go func() {
		_, _ = io.WriteString(feed, table) // and then neither data nor an end
	}()
	defer feed.Close() //nolint:errcheck // a pipe in memory
	var out bytes.Buffer
	began := time.Now()
	stats, err := Run(ctx, in, "pipe", shapesOf(t), &out, o)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), fmt.Sprintf("after row %d", stats.Pairs)) {
		t.Fatalf("error %v", err)
	}
	if time.Since(began) > 20*time.Second {
		t.Error("it waited for its input")
	}
	if n := bytes.Count(out.Bytes(), []byte("\n")); int64(n) != stats.Pairs+1 || n < batchRows+1 || !strings.HasPrefix(whole, out.String()) {
		t.Errorf("%d lines for %d rows, or other ones than without an interruption", n, stats.Pairs)
	}

	cancelled, stop := context.WithCancel(context.Background())
	stop()
	if s, err := Run(cancelled, &silent{}, "silent", shapesOf(t), &out, defaults()); s != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("before the first row: %v", err)
	}
}

// silent is an input that never returns data.
type silent struct{}

func (*silent) Read([]byte) (int, error) { select {} }

// TestFaultyStreams: errors of the input and of the output end the run with their cause, and
// nothing hangs.
func TestFaultyStreams(t *testing.T) {
	table := motion(rand.New(rand.NewPCG(15, 16)), 100, 150)
	cause := errors.New("the disk is gone")
	in := io.MultiReader(strings.NewReader(table[:len(table)/2]), &faulty{cause})
	var out bytes.Buffer
	stats, err := Run(context.Background(), in, "pairs.csv", shapesOf(t), &out, defaults())
	if !errors.Is(err, cause) || !strings.Contains(err.Error(), "pairs.csv") {
		t.Errorf("error %v", err)
	}
	if n := bytes.Count(out.Bytes(), []byte("\n")); int64(n) != stats.Pairs+1 || n < batchRows {
		t.Errorf("%d lines for %d rows that could be read", n, stats.Pairs)
	}
	for _, room := range []int{0, 1, 2} {
		_, err = Run(context.Background(), strings.NewReader(table), "pairs.csv", shapesOf(t), &full{room, cause}, defaults())
		if !errors.Is(err, cause) || !errors.Is(err, ErrOutput) {
			t.Errorf("after %d writes: error %v", room, err)
		}
	}
	quiet, err := Run(context.Background(), strings.NewReader(table), "pairs.csv", shapesOf(t), nil, defaults())
	if err != nil || quiet.Pairs != 15000 || quiet.NsPerPair <= 0 || quiet.Seconds < quiet.Answering {
		t.Errorf("without an output: %v, %+v", err, quiet)
	}
	levels := int64(0)
	for _, n := range quiet.AnsweredBy {
		levels += n
	}
	if levels != 15000 || quiet.Status[apart]+quiet.Status[touching] != 15000 {
		t.Errorf("%+v", quiet)
	}
}

type faulty struct{ err error }

func (f *faulty) Read([]byte) (int, error) { return 0, f.err }

// full is an output that fails after some writes.
type full struct {
	room int
	err  error
}

func (f *full) Write(p []byte) (int, error) {
	if f.room--; f.room < 0 {
		return 0, f.err
	}
	return len(p), nil
}

// FuzzTable: for any input there is a row for each line that is not blank, or an error that names
// the position.
func FuzzTable(f *testing.F) {
	f.Add([]byte(head + "\n" + good + "\n"))
	f.Add([]byte(trackHead + good + ",1\n" + good + ",1\r\n\n\"" + good + ",9\n"))
	f.Add([]byte(roundsHead + "\"rock:7,20,0.5\",ball:1,1,2,3,0,1,0,0,0x1p-3,1e-400,-0,0,0,0,1,.5,\n"))
	f.Add([]byte("\xef\xbb\xbf" + head + "\n\x00,\"\"\"\",,,,,\n"))
	f.Add([]byte(head + "\nbox:1e40x1x1e-40,tetra:1e-50,1e308,0,0,1,0,0,0,-1e308,0,0,1,0,0,0"))
	shapes := shapesOf(f)
	f.Fuzz(func(t *testing.T, table []byte) {
		if bytes.Contains(table, []byte("rock:")) && len(table) > 400 || bytes.Contains(table, []byte("prism:")) {
			return // Large shapes are tested in package geometry.
		}
		o := defaults()
		o.Workers = 1
		var out bytes.Buffer
		stats, err := Run(context.Background(), bytes.NewReader(table), "fuzz.csv", shapes, &out, o)
		if stats == nil {
			if !strings.Contains(err.Error(), "fuzz.csv") {
				t.Fatalf("error %v", err)
			}
			return
		}
		lines := 0
		for _, line := range bytes.Split(table, []byte("\n")) {
			if len(bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")))) > 0 {
				lines++
			}
		}
		if err == nil || errors.Is(err, ErrRows) {
			if list := parsed(t, out.String()); len(list) != lines-1 || (err != nil) != (stats.Status[failed] > 0) {
				t.Fatalf("%d rows for %d lines, %v", len(list), lines, err)
			}
		}
	})
}
