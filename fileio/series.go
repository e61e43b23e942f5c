package fileio

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// SeriesName is the name of the file that lists the frames of a run.
const SeriesName = "series.pvd"

// Series keeps series.pvd, the list of frames that ParaView opens. The list is written anew, and
// atomically, after each frame: however a run ends, it names every frame that is complete and none
// that is not.
type Series struct {
	dir    string
	parts  []string // names of parts in order of first appearance; ParaView wants numbers
	frames []byte   // the DataSet lines so far
	count  int
}

// pvdFile is what of a .pvd file is read back.
type pvdFile struct {
	XMLName xml.Name     `xml:"VTKFile"`
	Type    string       `xml:"type,attr"`
	Frames  []pvdDataSet `xml:"Collection>DataSet"`
}

type pvdDataSet struct {
	Time float64 `xml:"timestep,attr"`
	Name string  `xml:"name,attr"`
	File string  `xml:"file,attr"`
}

// SeriesFrame is one line of series.pvd: a part of a frame.
type SeriesFrame struct {
	Time float64 // s
	Part string
	File string // relative to the folder
}

// ReadSeries returns what the list in the folder names, in order. Without a list the error wraps fs.ErrNotExist.
func ReadSeries(dir string) ([]SeriesFrame, error) {
	path := filepath.Join(dir, SeriesName)
	file, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // Nothing was written.
	listed, err := decodePVD(path, file)
	if err != nil {
		return nil, err
	}
	var frames []SeriesFrame
	for _, l := range listed {
		frames = append(frames, SeriesFrame{l.Time, l.Name, l.File})
	}
	return frames, nil
}

// NewSeries makes the folder if needed and starts an empty list in it, in place of one that is there.
func NewSeries(dir string) (*Series, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("fileio: %w", err)
	}
	s := &Series{dir: dir}
	return s, s.write()
}

// ResumeSeries goes on with the list in the folder and keeps its frames before the given time: those
// of a run that a restart from a checkpoint continues. Without a list it is NewSeries.
func ResumeSeries(dir string, before float64) (*Series, error) {
	listed, err := ReadSeries(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return NewSeries(dir)
	}
	if err != nil {
		return nil, err
	}
	s := &Series{dir: dir}
	for _, frame := range listed {
		if frame.Time < before {
			s.list(frame.Time, frame.Part, frame.File)
		}
	}
	return s, s.write()
}

// decodePVD returns the frames that a .pvd file lists.
func decodePVD(name string, from io.Reader) ([]pvdDataSet, error) {
	var file pvdFile
	if err := xml.NewDecoder(from).Decode(&file); err != nil {
		return nil, &InputError{File: name, Err: err, Want: "the XML of a ParaView collection"}
	}
	if file.Type != "Collection" {
		return nil, &InputError{File: name, Value: file.Type, Want: "a VTKFile of type Collection"}
	}
	return file.Frames, nil
}

// Len returns the number of frames listed, each part counted.
func (s *Series) Len() int { return s.count }

// Add lists a frame of a part ("bodies", "contacts") at a time, s, and writes the list. The file has
// to be complete; its name is relative to the folder or an absolute path to a file below it.
func (s *Series) Add(time float64, part string, file string) error {
	return s.AddAll(SeriesFrame{time, part, file})
}

// AddAll is Add for several parts, and writes the list once: it has all of them or none.
func (s *Series) AddAll(parts ...SeriesFrame) error {
	before, count, known := len(s.frames), s.count, len(s.parts)
	err := error(nil)
	for _, p := range parts {
		if err = s.add(p); err != nil {
			break
		}
	}
	if err == nil {
		err = s.write()
	}
	if err != nil {
		// The list on the disk is the one before, and the one here stays the same as it.
		s.frames, s.count, s.parts = s.frames[:before], count, s.parts[:known]
	}
	return err
}

// add checks and lists one part.
func (s *Series) add(p SeriesFrame) error {
	file := p.File
	if !isFinite(p.Time) {
		return fmt.Errorf("fileio: %s: frame %s at the time %g, expected a finite one", SeriesName, file, p.Time)
	}
	path := file
	if filepath.IsAbs(file) {
		root, err := filepath.Abs(s.dir)
		if err != nil {
			return fmt.Errorf("fileio: %w", err)
		}
		if file, err = filepath.Rel(root, file); err != nil {
			return fmt.Errorf("fileio: %s: %w", SeriesName, err)
		}
	} else {
		path = filepath.Join(s.dir, file)
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("fileio: %s: a frame is listed before it is written: %w", SeriesName, err)
	}
	s.list(p.Time, p.Part, file)
	return nil
}

// list appends the line of a frame.
func (s *Series) list(time float64, part, file string) {
	number := -1
	for i, name := range s.parts {
		if name == part {
			number = i
		}
	}
	if number < 0 {
		number = len(s.parts)
		s.parts = append(s.parts, part)
	}
	s.frames = append(s.frames, "<DataSet timestep=\""+timeText(time)+
		"\" group=\"\" part=\""+strconv.Itoa(number)+"\" name=\""+escapedXML(part)+
		"\" file=\""+escapedXML(filepath.ToSlash(file))+"\"/>\n"...)
	s.count++
}

func (s *Series) write() error {
	return writeAtomic(filepath.Join(s.dir, SeriesName), func(a *atomicFile) error {
		a.WriteString("<?xml version=\"1.0\"?>\n" + // bufio keeps the error.
			"<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<Collection>\n")
		a.Write(s.frames)
		_, err := a.WriteString("</Collection>\n</VTKFile>\n")
		return err
	})
}
