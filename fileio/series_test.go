package fileio

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/scree-dem/scree/internal/disk"
)

// oneFrame makes a folder with the file of one frame.
func oneFrame(t *testing.T) (dir, file string) {
	t.Helper()
	dir, file = t.TempDir(), "bodies-0.vtp"
	if err := os.WriteFile(filepath.Join(dir, file), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	return dir, file
}

// TestSeriesGrowsByItsFrames: the bytes written for a frame do not depend on the length of the
// list.
func TestSeriesGrowsByItsFrames(t *testing.T) {
	dir, file := oneFrame(t)
	s, err := NewSeries(dir)
	if err != nil {
		t.Fatal(err)
	}
	bytes, most := 0, 0
	disk.Before = func(op disk.Op, _ string, n int) (int, error) {
		if op == disk.OpWrite {
			bytes += n
		}
		return n, nil
	}
	defer func() { disk.Before = nil }()
	const frames = 300
	for i := range frames {
		bytes = 0
		if err := s.Add(SeriesFrame{float64(i), "bodies", file}); err != nil {
			t.Fatal(err)
		}
		most = max(most, bytes)
	}
	if listed, err := ReadSeries(dir); err != nil || len(listed) != frames || listed[frames-1].Time != frames-1 {
		t.Errorf("%d frames are listed, %v, expected %d", len(listed), err, frames)
	}
	if most > 200 {
		t.Errorf("%d bytes written for a frame, expected a line and the closing tags", most)
	}
}

// TestSeriesCutAnywhere: if a list is cut anywhere, its complete lines are read, and a run
// continues after them.
func TestSeriesCutAnywhere(t *testing.T) {
	dir, file := oneFrame(t)
	s, err := NewSeries(dir)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, SeriesName)
	read := func() string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for i := range 3 {
		if err := s.Add(SeriesFrame{float64(i), "bodies", file}); err != nil {
			t.Fatal(err)
		}
	}
	was := read()
	if err := s.Add(SeriesFrame{3, "bodies", file}, SeriesFrame{3, "contacts", file}); err != nil {
		t.Fatal(err)
	}
	whole := read()
	disk.Before = func(_ disk.Op, _ string, n int) (int, error) { return n, nil } // skips syncs, for speed
	defer func() { disk.Before = nil }()
	from := len(was) - len(seriesClosing)
	for cut := from; cut < len(whole); cut++ {
		// The overwritten part, followed by the old contents.
		text := whole[:cut] + was[min(cut, len(was)):]
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		listed, err := ReadSeries(dir)
		if err != nil || len(listed) < 3 || len(listed) > 5 {
			t.Fatalf("cut at byte %d: %d frames, %v", cut, len(listed), err)
		}
		for i, l := range listed {
			if l.Time != float64(min(i, 3)) || l.File != file {
				t.Fatalf("cut at byte %d: frame %d is %+v", cut, i, l)
			}
		}
		again, err := ResumeSeries(dir, 3)
		if err != nil || read() != was {
			t.Fatalf("cut at byte %d: %v", cut, err)
		}
		if err := again.Add(SeriesFrame{3, "bodies", file}, SeriesFrame{3, "contacts", file}); err != nil || read() != whole {
			t.Fatalf("cut at byte %d: error %v", cut, err)
		}
	}
}

// TestSeriesThatWasChanged: a list that another process has changed stays untouched.
func TestSeriesThatWasChanged(t *testing.T) {
	dir, file := oneFrame(t)
	s, err := NewSeries(dir)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, SeriesName)
	if err := os.WriteFile(path, []byte("other"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := s.Add(SeriesFrame{0, "bodies", file}); err == nil {
		t.Error("no error")
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "other" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}

// TestVTPEnd: CheckVTPEnd rejects a frame that was cut anywhere.
func TestVTPEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.vtp")
	if err := WriteVTP(t.Context(), path, contactsFrame()); err != nil {
		t.Fatal(err)
	}
	if err := CheckVTPEnd(path); err != nil {
		t.Error(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, len(whole) / 2, len(whole) - 1} {
		if err := os.WriteFile(path, whole[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		if err := CheckVTPEnd(path); err == nil {
			t.Error(fmt.Sprintf("%d of %d bytes", n, len(whole)) + ": no error")
		}
	}
}
