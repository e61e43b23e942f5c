package fileio

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/scree-dem/scree/internal/disk"
)

// SeriesName is the name of the file that lists the frames of a run.
const SeriesName = "series.pvd"

// Series maintains series.pvd, the list of frames that ParaView opens. One write replaces the
// closing tags by the lines of a frame and new closing tags. Therefore the list never names an
// incomplete frame, however a run ends. If the process is killed during this write, the list may
// lack its end. ReadSeries and ResumeSeries then use the complete lines.
type Series struct {
	dir   string
	parts []string // names of parts in order of first appearance, because ParaView needs numbers
	end   int64    // offset of the closing tags, bytes
}

const (
	seriesOpening = "<?xml version=\"1.0\"?>\n" +
		"<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<Collection>\n"
	seriesClosing = "</Collection>\n</VTKFile>\n"
)

// SeriesFrame is one line of series.pvd: one part of a frame.
type SeriesFrame struct {
	Time float64 `xml:"timestep,attr"` // s
	Part string  `xml:"name,attr"`     // bodies, contacts or walls
	File string  `xml:"file,attr"`     // relative to the folder
}

// ReadSeries returns the entries of the list in the folder dir, in order, up to the first
// incomplete line. If there is no list, the error wraps fs.ErrNotExist.
func ReadSeries(dir string) ([]SeriesFrame, error) {
	path := filepath.Join(dir, SeriesName)
	file, _, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // The file is only read.
	return decodePVD(path, file)
}

// NewSeries creates the folder if necessary, and writes an empty list, which replaces an existing
// one.
func NewSeries(dir string) (*Series, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("fileio: %w", err)
	}
	s := &Series{dir: dir}
	return s, s.write(nil)
}

// ResumeSeries continues the list in the folder, after a restart from a checkpoint. It keeps the
// frames before the given time. Without a list it is NewSeries.
func ResumeSeries(dir string, before float64) (*Series, error) {
	listed, err := ReadSeries(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return NewSeries(dir)
	}
	if err != nil {
		return nil, err
	}
	s := &Series{dir: dir}
	var lines []byte
	for _, frame := range listed {
		if frame.Time < before {
			lines = s.line(lines, frame.Time, frame.Part, frame.File)
		}
	}
	return s, s.write(lines)
}

// write writes the whole list.
func (s *Series) write(lines []byte) error {
	s.end = int64(len(seriesOpening) + len(lines))
	return writeAtomic(filepath.Join(s.dir, SeriesName), func(a *atomicFile) error {
		a.WriteString(seriesOpening) // bufio keeps the error.
		a.Write(lines)
		_, err := a.WriteString(seriesClosing)
		return err
	})
}

// decodePVD returns the frames in a .pvd file, up to its end or the first incomplete line.
func decodePVD(name string, from io.Reader) (frames []SeriesFrame, err error) {
	d := xml.NewDecoder(from)
	begun := false // after <Collection>
	for {
		token, err := d.Token()
		if err != nil && !begun {
			return nil, &InputError{File: name, Err: err, Want: "the XML of a ParaView collection"}
		}
		if err != nil {
			return frames, nil
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "VTKFile":
			if i := slices.IndexFunc(start.Attr, func(a xml.Attr) bool { return a.Name.Local == "type" }); i < 0 || start.Attr[i].Value != "Collection" {
				return nil, &InputError{File: name, Value: fmt.Sprint(start.Attr), Want: "a VTKFile of type Collection"}
			}
		case "Collection":
			begun = true
		case "DataSet":
			var frame SeriesFrame
			if !begun || d.DecodeElement(&frame, &start) != nil {
				return frames, nil
			}
			frames = append(frames, frame)
		}
	}
}

// Add lists the parts of one frame in a single write, so that the list has all of them or none.
// Their files must be complete. Names are relative to the folder, or absolute paths below the
// folder. The cost does not depend on the length of the list.
func (s *Series) Add(frames ...SeriesFrame) error {
	known := len(s.parts)
	var lines []byte
	for _, f := range frames {
		file, err := s.check(f)
		if err != nil {
			s.parts = s.parts[:known]
			return err
		}
		lines = s.line(lines, f.Time, f.Part, file)
	}
	if err := s.append(lines); err != nil {
		s.parts = s.parts[:known]
		return err
	}
	s.end += int64(len(lines))
	return nil
}

// append overwrites the closing tags with the lines and new closing tags. If this fails, it
// restores the list.
func (s *Series) append(lines []byte) (err error) {
	path := filepath.Join(s.dir, SeriesName)
	target := path
	if linked, err := filepath.EvalSymlinks(path); err == nil {
		target = linked // Write through a symbolic link, as NewSeries does.
	}
	file, err := disk.Open(target)
	if err != nil {
		return fmt.Errorf("fileio: listing a frame: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	size := s.end + int64(len(seriesClosing))
	stat, err := file.Stat()
	if err != nil {
		return fmt.Errorf("fileio: listing a frame: %w", err)
	}
	if stat.Size() != size {
		return &InputError{File: path, Value: fmt.Sprintf("%d bytes", stat.Size()), Want: fmt.Sprintf("%d, as it was left", size)}
	}
	if _, err = file.Seek(s.end, io.SeekStart); err == nil {
		if _, err = file.Write(append(lines, seriesClosing...)); err == nil {
			return file.Sync()
		}
	}
	// Overwriting existing bytes needs no new space, so it works even on a full disk.
	_, back := file.Seek(s.end, io.SeekStart)
	if back == nil {
		_, back = file.WriteString(seriesClosing)
	}
	if back == nil {
		back = file.Truncate(size)
	}
	if back != nil {
		back = errors.Join(back, file.Truncate(s.end))
		return fmt.Errorf("fileio: %w; and the list has lost its end, which ResumeSeries mends: %w", err, back)
	}
	return fmt.Errorf("fileio: %w (the list is as before)", err)
}

// check returns the file of a frame relative to the folder.
func (s *Series) check(p SeriesFrame) (string, error) {
	file := p.File
	if !isFinite(p.Time) {
		return "", fmt.Errorf("fileio: %s: frame %s at the time %g, expected a finite one", SeriesName, file, p.Time)
	}
	path := file
	if filepath.IsAbs(file) {
		root, err := filepath.Abs(s.dir)
		if err != nil {
			return "", fmt.Errorf("fileio: %w", err)
		}
		if file, err = filepath.Rel(root, file); err != nil {
			return "", fmt.Errorf("fileio: %s: %w", SeriesName, err)
		}
	} else {
		path = filepath.Join(s.dir, file)
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("fileio: %s: a frame is listed before it is written: %w", SeriesName, err)
	}
	return file, nil
}

// line appends the line of a frame to lines.
func (s *Series) line(lines []byte, time float64, part, file string) []byte {
	number := slices.Index(s.parts, part)
	if number < 0 {
		number = len(s.parts)
		s.parts = append(s.parts, part)
	}
	return append(lines, "<DataSet timestep=\""+timeText(time)+
		"\" group=\"\" part=\""+strconv.Itoa(number)+"\" name=\""+escapedXML(part)+
		"\" file=\""+escapedXML(filepath.ToSlash(file))+"\"/>\n"...)
}
