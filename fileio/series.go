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

// Series keeps series.pvd, the list of frames that ParaView opens. A frame's lines are written over
// the closing tags, with these behind them, in one write: however a run ends, the list names no
// frame that is not complete. A process that is killed within that write leaves a list without its
// end; ReadSeries and ResumeSeries take the lines that are whole.
type Series struct {
	dir   string
	parts []string // names of parts in order of first appearance; ParaView wants numbers
	end   int64    // bytes before the closing tags
}

const (
	seriesOpening = "<?xml version=\"1.0\"?>\n" +
		"<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<Collection>\n"
	seriesClosing = "</Collection>\n</VTKFile>\n"
)

// SeriesFrame is one line of series.pvd: a part of a frame.
type SeriesFrame struct {
	Time float64 `xml:"timestep,attr"` // s
	Part string  `xml:"name,attr"`     // bodies, contacts or walls
	File string  `xml:"file,attr"`     // relative to the folder
}

// ReadSeries returns what the list in the folder names, in order, up to the first line that is not
// whole. Without a list the error wraps fs.ErrNotExist.
func ReadSeries(dir string) ([]SeriesFrame, error) {
	path := filepath.Join(dir, SeriesName)
	file, _, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // Nothing was written.
	return decodePVD(path, file)
}

// NewSeries makes the folder if needed and starts an empty list in it, in place of one that is there.
func NewSeries(dir string) (*Series, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("fileio: %w", err)
	}
	s := &Series{dir: dir}
	return s, s.write(nil)
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

// decodePVD returns the frames that a .pvd file lists, up to its end or the first line that is not
// whole.
func decodePVD(name string, from io.Reader) (frames []SeriesFrame, err error) {
	d := xml.NewDecoder(from)
	begun := false // the collection
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

// Add lists the parts of a frame, and writes once: the list has all of them or none. Their files have to be complete; names
// are relative to the folder or absolute paths to files below it. The cost does not grow with the list.
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

// append writes lines over the closing tags. Where that fails it puts the list back.
func (s *Series) append(lines []byte) (err error) {
	path := filepath.Join(s.dir, SeriesName)
	target := path
	if linked, err := filepath.EvalSymlinks(path); err == nil {
		target = linked // A link is written through, as NewSeries does.
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
	// What was overwritten has room, however full the disk is.
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

// line appends the line of a frame.
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
