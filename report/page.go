package report

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	_ "embed" // the page
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/scree-dem/scree/fileio"
)

// page is built from web/ by npm run build. The data of a report stand at dataMark.
//
//go:embed page.html
var page []byte

var dataMark = []byte("<!--scree-data-->")

// The most bodies that a page can show: in a frame, and in all frames of a file.
const (
	mostBodies = 200_000
	mostRecord = 2_000_000
)

// manyForms and manyBodies are the numbers of forms and of bodies in a frame from which balls are drawn with fewer triangles.
const manyForms, manyBodies = 200, 2000

// Options of Write.
type Options struct {
	Frames    int   // most frames, at equal distances; 0: 60
	EveryBody int64 // show the bodies whose number it divides; 0: all
}

// Write writes the report of a run, or of a sweep, as one file. A folder that is none of a run, and one with more bodies
// than a browser can show, are InputErrors, and nothing is written. It returns what is absent or damaged, as the page says it.
func Write(ctx context.Context, path, dir string, o Options) (missing []string, err error) {
	if _, err := os.Stat(filepath.Join(dir, sweepName)); err == nil {
		return nil, writeSweep(path, dir)
	}
	f, err := Open(dir, o.EveryBody)
	if err != nil {
		return nil, err
	}
	all := f.frames
	f.frames = spread(f.frames, cmp.Or(o.Frames, 60))
	history, err := historyChunk(dir, f.titles, flate.DefaultCompression)
	if err != nil {
		f.note(err.Error())
	}
	err = writePage(path, func(put putter) error {
		if err := f.putFrames(ctx, put); err != nil {
			return err
		}
		h := f.head()
		h.FramesAll = len(all)
		return cmp.Or(put("history-0", history), put.head(h))
	})
	return f.missing, err
}

// spread returns at most n frames at equal distances, with the first and the last one.
func spread(frames []frameFiles, n int) []frameFiles {
	if len(frames) <= n {
		return frames
	}
	chosen := frames[len(frames)-1:]
	if n > 1 {
		chosen = nil
		for k := range n {
			chosen = append(chosen, frames[k*(len(frames)-1)/(n-1)])
		}
	}
	return chosen
}

// dropFrames removes the frames of a folder whose release wrote no poses.
func (f *Folder) dropFrames() {
	f.note(fmt.Sprintf("the frames: %v; only the history is shown", errOld))
	f.frames = nil
}

// putFrames puts the chunks of all frames and of their forms. Frames are read by several goroutines.
func (f *Folder) putFrames(ctx context.Context, put putter) error {
	shown, seen, rows := forms{fine: 2}, map[int64]bool{}, 0
	f.names = [2]map[int64]string{{}, {}}
	batch := max(min(runtime.GOMAXPROCS(0), 8), 1)
	for first := 0; first < len(f.frames); first += batch {
		list := f.frames[first:min(first+batch, len(f.frames))]
		frames, chunks := make([]*frame, len(list)), make([][]byte, len(list))
		var jobs errgroup.Group
		for i := range list {
			jobs.Go(func() (err error) {
				frames[i], chunks[i], err = f.frameChunk(first+i, flate.DefaultCompression, false)
				return err
			})
		}
		if err := jobs.Wait(); errors.Is(err, errOld) {
			f.dropFrames()
			break
		} else if err != nil {
			return err
		}
		for i, fr := range frames {
			if fr.Missing != "" {
				f.frames[first+i].Broken = true
				f.note(fmt.Sprintf("the frame of step %d: %s", fr.Step, fr.Missing))
			}
			maps.Copy(f.names[0], fr.BodyNames)
			maps.Copy(f.names[1], fr.WallNames)
			if fr.bodies != nil {
				if rows += len(fr.bodies.rows); rows > mostRecord {
					return tooMany(f.dir, fmt.Sprintf("more than %d bodies in %d frames", mostRecord, len(f.frames)),
						fmt.Sprintf("at most as many: --frames %d, or a larger --every-body", max(mostRecord/max(len(fr.bodies.rows), 1), 1)))
				}
			}
			shown.fine = min(shown.fine, fr.fine())
			if err := cmp.Or(ctx.Err(), fr.addForms(&shown, seen, 0), put(fmt.Sprintf("frame-%d", first+i), chunks[i])); err != nil {
				return err
			}
		}
	}
	chunk, err := shown.chunk(flate.DefaultCompression)
	return cmp.Or(err, put("forms", chunk))
}

func tooMany(dir, value, want string) error {
	return &fileio.InputError{File: dir, Value: value, Want: want}
}

// fine returns how finely the balls of the frame are drawn.
func (fr *frame) fine() int {
	if len(fr.Forms) > manyForms || fr.bodies != nil && len(fr.bodies.rows) > manyBodies {
		return 1
	}
	return 2
}

// addForms adds the forms of the frame from one on that are not yet seen.
func (fr *frame) addForms(to *forms, seen map[int64]bool, from int) error {
	for _, s := range fr.samples[min(max(from, 0), len(fr.samples)):] {
		if form := s.form[s.row]; !seen[form] {
			seen[form] = true
			if err := to.add(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// putter writes an element with data into the page.
type putter func(id string, chunk []byte) error

// head puts the head, as JSON.
func (put putter) head(h *head) error {
	text, err := json.Marshal(h) // which has no < in texts
	return cmp.Or(err, put(headID, text))
}

const headID = "head"

// writePage writes the page with the elements that fill puts.
func writePage(path string, fill func(put putter) error) error {
	before, after, ok := bytes.Cut(page, dataMark)
	if !ok {
		panic("report: page.html has no place for data")
	}
	return fileio.WriteFile(path, func(to io.Writer) error {
		w := bufio.NewWriter(to)
		_, _ = w.Write(before) // Flush returns the first error.
		err := fill(func(id string, chunk []byte) error {
			if id == headID {
				_, err := fmt.Fprintf(w, "<script type=\"application/json\" id=\"scree-head\">%s</script>\n", chunk)
				return err
			}
			fmt.Fprintf(w, "<script type=\"text/plain\" id=\"scree-%s\">", id)
			text := base64.NewEncoder(base64.StdEncoding, w)
			_, _ = text.Write(chunk)
			_ = text.Close()
			_, err := w.WriteString("</script>\n")
			return err
		})
		_, _ = w.Write(after)
		return cmp.Or(err, w.Flush())
	})
}

const sweepName = "sweep.csv"

// writeSweep writes the report of a sweep: the histories of its runs.
func writeSweep(path, dir string) error {
	table := filepath.Join(dir, sweepName)
	file, err := os.Open(table)
	if err != nil {
		return err
	}
	defer file.Close() // The file is only read.
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) == 0 || rows[0][0] != "folder" {
		return &fileio.InputError{File: table, Line: 1, Want: "the table of a sweep, as scree sweep writes it", Err: err}
	}
	f := &Folder{dir: dir}
	h := f.head()
	h.Kind, h.Done, h.Command = "sweep", true, ""
	return writePage(path, func(put putter) error {
		for i, row := range rows[1:] {
			of := filepath.Join(dir, filepath.Base(row[0]))
			run := sweepRun{Label: row[0], Dir: of}
			titles, err := historyTitles(of)
			chunk, err2 := historyChunk(of, titles, flate.DefaultCompression)
			if err = cmp.Or(err, err2); err != nil || titles == nil {
				run.Missing = "history.csv: it is not there"
				if err != nil {
					run.Missing = err.Error()
				}
				chunk, _ = historyChunk(of, nil, flate.DefaultCompression) // without rows there are no errors
			}
			for _, title := range titles {
				if c := describeColumn(title); !slices.Contains(h.Columns, c) {
					h.Columns = append(h.Columns, c)
				}
			}
			h.Runs = append(h.Runs, run)
			if err := put(fmt.Sprintf("history-%d", i), chunk); err != nil {
				return err
			}
		}
		h.Summary, h.Table = [][2]string{{"runs", strconv.Itoa(len(rows) - 1)}}, rows
		return put.head(h)
	})
}
