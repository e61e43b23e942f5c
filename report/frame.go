package report

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/vec"
)

// part is the bodies or the walls of a frame, a row for each.
type part struct {
	file     *fileio.VTP
	pose     []float64 // 7 each: centre of mass, m; rotation of the body's frame, w x y z
	number   []int64
	form     []int64 // equal: the same geometry
	polygons []int64 // first polygon of each row, and the number of all polygons
	rows     []int   // rows that are shown
	drawn    *geometryOf
}

// frameMeta is the head of the chunk of a frame.
type frameMeta struct {
	Step            int64                       `json:"step"`
	Time            float64                     `json:"time"`
	Box             []float64                   `json:"box,omitempty"`    // lower and upper corner of the bodies and meshes
	Domain          []float64                   `json:"domain,omitempty"` // lower and upper corner
	Forms           []string                    `json:"forms"`            // that the columns "form" count
	Contacts        int                         `json:"contacts"`         // before the weakest were left out
	ContactsPresent bool                        `json:"contacts_present"`
	Rose            map[string]*[roseBins]int64 `json:"rose,omitempty"` // contacts by the direction of the normal in a plane
	Missing         string                      `json:"missing,omitempty"`
	EveryBody       int64                       `json:"every_body,omitempty"`
	BodyNames       map[int64]string            `json:"body_names,omitempty"`
	WallNames       map[int64]string            `json:"wall_names,omitempty"`
}

// errOld reports a frame of a release that did not write poses.
var errOld = errors.New("has no poses of bodies: an earlier version of scree has written it")

const fieldData, cellData, pointData = "FieldData", "CellData", "PointData"

// readPart reads the rows of a part of a frame. Of bodies, only those whose number every divides are shown.
func readPart(path string, every int64) (p *part, err error) {
	p = &part{}
	if p.file, err = fileio.OpenVTP(path); err != nil {
		return nil, err
	}
	if !hasField(p.file, fieldData, "pose") {
		return nil, fmt.Errorf("%s %w", path, errOld)
	}
	var errs [4]error
	p.pose, errs[0] = p.file.Floats(fieldData, "pose")
	p.number, errs[1] = p.file.Ints(fieldData, "number")
	p.form, errs[2] = p.file.Ints(fieldData, "form")
	polygons, err := p.file.Ints(fieldData, "polygons")
	errs[3] = err
	if err := cmp.Or(errs[:]...); err != nil {
		return nil, err
	}
	n, sum := len(p.number), int64(0)
	bad := len(p.pose) != 7*n || len(p.form) != n || len(polygons) != n
	for i, of := range polygons {
		p.polygons = append(p.polygons, sum)
		if sum += of; of < 0 || sum > int64(p.file.Polys) {
			bad = true
			break
		}
		if !bad && p.number[i]%every == 0 {
			p.rows = append(p.rows, i)
		}
	}
	if p.polygons = append(p.polygons, sum); bad || sum != int64(p.file.Polys) || slices.ContainsFunc(p.pose, notFinite) {
		return nil, &fileio.InputError{File: path, Want: fmt.Sprintf("finite poses, forms and polygons of %d bodies", n)}
	}
	return p, nil
}

func notFinite(x float64) bool { return x-x != 0 }

func hasField(v *fileio.VTP, section, name string) bool {
	return slices.ContainsFunc(v.Fields(section), func(f fileio.Field) bool { return f.Name == name })
}

// at returns the pose of row i.
func (p *part) at(i int) vec.Pose {
	x := p.pose[7*i : 7*i+7]
	return vec.Pose{Pos: vec.V(x[0], x[1], x[2]), Rot: vec.Quat{W: x[3], X: x[4], Y: x[5], Z: x[6]}}
}

// names returns the names of the rows that have one, by number.
func (p *part) names() map[int64]string {
	names := map[int64]string{}
	for i, name := range p.file.Names {
		if name != "" && i < len(p.number) {
			names[p.number[i]] = name
		}
	}
	return names
}

// addTo adds the columns of the part to the chunk. forms has the index of each form.
func (p *part) addTo(k *chunk, prefix string, forms map[int64]uint32) error {
	numbers, form := make([]uint32, 0, len(p.rows)), make([]uint32, 0, len(p.rows))
	places, rotations := make([]float64, 0, 3*len(p.rows)), make([]int16, 0, 4*len(p.rows))
	for _, i := range p.rows {
		pose := p.at(i)
		q, unit := [...]float64{pose.Rot.W, pose.Rot.X, pose.Rot.Y, pose.Rot.Z}, float64(math.MaxInt16)
		if q[0] < 0 {
			unit = -unit // The same rotation. Numbers that do not jump become smaller.
		}
		for _, x := range q {
			rotations = append(rotations, int16(math.Round(min(max(x, -1), 1)*unit)))
		}
		places = append(places, pose.Pos.X, pose.Pos.Y, pose.Pos.Z)
		numbers, form = append(numbers, uint32(p.number[i])), append(form, forms[p.form[i]])
	}
	if prefix == wallsPrefix || p.hasOutliers() {
		addColumn(k, column{Name: prefix + "position", Components: 3}, places)
	} else {
		k.quantize(prefix+"position", 3, places)
	}
	addColumn(k, column{Name: prefix + "rotation", Components: 4, Scale: 1 / float64(math.MaxInt16)}, rotations)
	k.whole(prefix+"number", numbers)
	k.whole(prefix+"form", form)
	for _, f := range p.file.Fields(cellData) {
		if f.Name == "id" || f.Name == "round" { // the number; a part of the geometry
			continue
		}
		values, err := p.field(f)
		if err != nil {
			return err
		}
		k.quantize(prefix+"field."+f.Name, f.Components, values)
	}
	return nil
}

// field returns the values of a field of the rows that are shown: those of their first polygons.
func (p *part) field(f fileio.Field) ([]float64, error) {
	all, err := numbers(p.file, cellData, f)
	if err != nil {
		return nil, err
	}
	values := make([]float64, 0, f.Components*len(p.rows))
	for _, i := range p.rows {
		if first := int(p.polygons[i]); p.polygons[i+1] > p.polygons[i] {
			values = append(values, all[first*f.Components:(first+1)*f.Components]...)
		} else {
			values = append(values, make([]float64, f.Components)...)
		}
	}
	return values, nil
}

// numbers returns the values of an array, whole ones too.
func numbers(v *fileio.VTP, section string, f fileio.Field) ([]float64, error) {
	if f.Floats != nil {
		return v.Floats(section, f.Name)
	}
	ints, err := v.Ints(section, f.Name)
	values := make([]float64, len(ints))
	for i, x := range ints {
		values[i] = float64(x)
	}
	return values, err
}

// The prefixes of columns of a frame.
const (
	bodiesPrefix   = "bodies."
	wallsPrefix    = "walls."
	contactsPrefix = "contacts."
)

// frame is a frame as it is read.
type frame struct {
	frameMeta
	bodies, walls *part // nil: none
	contacts      *fileio.VTP
	index         map[int64]uint32 // of forms, in the order of Forms
	samples       []sample         // a row with each form
}

// sample is a row of a part.
type sample struct {
	*part
	row int
}

// readFrame reads a frame of the folder. What cannot be read is named in Missing; an error that wraps errOld says that no
// frame of the folder can be shown.
func (f *Folder) readFrame(k int) (*frame, error) {
	of := f.frames[k]
	fr := &frame{frameMeta: frameMeta{Step: of.Step, Time: of.Time, Forms: []string{}}, index: map[int64]uint32{}}
	if f.every > 1 {
		fr.EveryBody = f.every
	}
	var err error
	note := func(what string, err error) {
		if fr.Missing != "" {
			fr.Missing += "; "
		}
		fr.Missing += what + ": " + err.Error()
	}
	if fr.bodies, err = readPart(filepath.Join(f.dir, of.bodies), f.every); errors.Is(err, errOld) {
		return nil, err
	} else if err != nil {
		note("the bodies", err)
	} else if n := len(fr.bodies.rows); n > mostBodies {
		return nil, tooMany(f.dir, fmt.Sprintf("%d bodies in the frame of step %d", n, of.Step),
			fmt.Sprintf("at most %d: --every-body %d", mostBodies, (len(fr.bodies.number)+mostBodies-1)/mostBodies))
	} else {
		fr.BodyNames = fr.bodies.names()
		if fr.Domain, err = fr.bodies.file.Floats(fieldData, "domain"); err != nil || len(fr.Domain) != 6 || slices.ContainsFunc(fr.Domain, notFinite) {
			fr.Domain = nil
		}
	}
	if of.walls != "" {
		if fr.walls, err = readPart(filepath.Join(f.dir, of.walls), 1); err != nil {
			note("the walls", err)
		} else {
			fr.WallNames = fr.walls.names()
		}
	}
	if of.contacts != "" {
		if fr.contacts, err = fileio.OpenVTP(filepath.Join(f.dir, of.contacts)); err != nil {
			note("the contacts", err)
		}
	}
	for _, p := range []*part{fr.bodies, fr.walls} {
		if p == nil {
			continue
		}
		for _, i := range p.rows {
			if _, known := fr.index[p.form[i]]; !known {
				fr.index[p.form[i]] = uint32(len(fr.Forms))
				fr.Forms = append(fr.Forms, formName(p.form[i]))
				fr.samples = append(fr.samples, sample{p, i})
			}
		}
	}
	return fr, nil
}

func formName(form int64) string { return strconv.FormatInt(form, 10) }

// frameChunk reads frame k, and returns its chunk, with the names of bodies if they are asked for. A frame with damaged
// arrays has no rows, and says so.
func (f *Folder) frameChunk(k, level int, names bool) (*frame, []byte, error) {
	fr, err := f.readFrame(k)
	if err != nil {
		return nil, nil, err
	}
	data, err := fr.chunk(level, names)
	if damaged := (*fileio.InputError)(nil); errors.As(err, &damaged) {
		fr = &frame{frameMeta: frameMeta{Step: fr.Step, Time: fr.Time, Forms: []string{}, Missing: err.Error()}}
		data, err = fr.chunk(level, names)
	}
	return fr, data, err
}

// Fits rejects a run whose last frame has more bodies than a browser can show.
func (f *Folder) Fits() error {
	if len(f.frames) == 0 {
		return nil
	}
	if _, err := f.readFrame(len(f.frames) - 1); !errors.Is(err, errOld) {
		return err
	}
	return nil
}

// chunk returns the chunk of the frame.
func (fr *frame) chunk(level int, names bool) ([]byte, error) {
	k := &chunk{}
	box := vec.EmptyBox()
	for _, p := range []struct {
		*part
		prefix string
	}{{fr.bodies, bodiesPrefix}, {fr.walls, wallsPrefix}} {
		if p.part == nil {
			continue
		}
		if err := p.addTo(k, p.prefix, fr.index); err != nil {
			return nil, err
		}
		if err := p.extend(&box); err != nil {
			return nil, err
		}
	}
	if err := fr.addContacts(k); err != nil {
		return nil, err
	}
	if box.Min.X <= box.Max.X {
		fr.Box = []float64{box.Min.X, box.Min.Y, box.Min.Z, box.Max.X, box.Max.Y, box.Max.Z}
	}
	meta := fr.frameMeta
	if !names {
		meta.BodyNames, meta.WallNames = nil, nil
	}
	return k.write(&meta, level)
}

// outlying is how far beyond nine tenths of the bodies a body is an outlier, in lengths of the box that holds them.
const outlying = 4

// inner returns the box beyond which bodies are outliers: it would waste the picture, and the bits of positions, on few bodies.
// Of few bodies none is an outlier.
func (p *part) inner() vec.Box {
	box := vec.Box{Min: vec.V(-math.MaxFloat64, -math.MaxFloat64, -math.MaxFloat64), Max: vec.V(math.MaxFloat64, math.MaxFloat64, math.MaxFloat64)}
	n := len(p.rows)
	if n < 20 {
		return box
	}
	var low, high [3]float64
	length := 0.0
	for k := range 3 {
		x := make([]float64, 0, n)
		for _, i := range p.rows {
			x = append(x, p.pose[7*i+k])
		}
		slices.Sort(x)
		low[k], high[k] = x[n/20], x[n-1-n/20]
		length = max(length, high[k]-low[k])
	}
	if far := float64(outlying * length); length > 0 {
		box.Min, box.Max = vec.V(low[0]-far, low[1]-far, low[2]-far), vec.V(high[0]+far, high[1]+far, high[2]+far)
	}
	return box
}

func (p *part) hasOutliers() bool {
	box := p.inner()
	return slices.ContainsFunc(p.rows, func(i int) bool { return !box.Holds(p.at(i).Pos) })
}

// extend extends a box by the points of the rows that are shown. Planes, which have one polygon, and outliers do not count.
func (p *part) extend(box *vec.Box) error {
	g, err := p.geometry()
	if err != nil {
		return err
	}
	inner := p.inner()
	for _, i := range p.rows {
		if p.polygons[i+1]-p.polygons[i] > 1 && inner.Holds(p.at(i).Pos) {
			for _, v := range g.corners[g.start(p.polygons[i]):g.start(p.polygons[i+1])] {
				if at := vec.V(g.points[3*v], g.points[3*v+1], g.points[3*v+2]); at.Finite() {
					*box = box.With(at)
				}
			}
		}
	}
	return nil
}
