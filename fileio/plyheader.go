package fileio

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// plyType is a number type in PLY files.
type plyType struct {
	bytes  int
	float  bool
	signed bool
}

// plyTypes are the type names of the original format description and those in use today.
var plyTypes = map[string]plyType{
	"char": {1, false, true}, "int8": {1, false, true},
	"uchar": {1, false, false}, "uint8": {1, false, false},
	"short": {2, false, true}, "int16": {2, false, true},
	"ushort": {2, false, false}, "uint16": {2, false, false},
	"int": {4, false, true}, "int32": {4, false, true},
	"uint": {4, false, false}, "uint32": {4, false, false},
	"float": {4, true, true}, "float32": {4, true, true},
	"double": {8, true, true}, "float64": {8, true, true},
}

// plyProperty is a number, or a list of numbers preceded by its length.
type plyProperty struct {
	name   string
	list   bool
	length plyType // type of the length of a list
	value  plyType
}

// plyElement is a table in the file. Its rows are consecutive.
type plyElement struct {
	name       string
	count      int
	properties []plyProperty
	places     map[string]int // index in properties, by name
}

// magic reads the first line.
func (p *plyReader) magic() error {
	if !p.next() || string(p.text) != "ply" {
		p.fault("", p.text[:min(len(p.text), sniffBytes)], `a first line "ply"`)
	}
	return p.err
}

// header reads the header up to and including end_header.
func (p *plyReader) header() error {
	format, ended := false, p.magic() != nil
	for p.named = map[string]bool{}; !ended && p.err == nil; {
		if !p.next() {
			p.truncated("header", fmt.Sprintf("end_header in the first %d bytes", maxPLYHeader))
		}
		switch word := p.field(); string(word) {
		case "comment", "obj_info", "":
		case "format":
			format = true
			p.setFormat(p.firstFields())
		case "element":
			p.addElement(p.firstFields())
		case "property":
			p.addProperty(p.firstFields())
		case "end_header":
			if ended = true; !format {
				p.fault("header", nil, "a line that starts with format")
			}
		default:
			p.fault("header", word, "format, element, property, comment, obj_info or end_header")
		}
	}
	p.left = nil
	return p.err
}

// firstFields returns up to five remaining fields of the current line. That is one more than any
// valid header line has after its first word.
func (p *plyReader) firstFields() (fields []string) {
	for range 5 {
		if field := p.field(); len(field) > 0 {
			fields = append(fields, string(field))
		}
	}
	return fields
}

func (p *plyReader) setFormat(fields []string) {
	switch strings.Join(fields, " ") {
	case "ascii 1.0":
		p.ascii = true
	case "binary_little_endian 1.0":
		p.order = binary.LittleEndian
	case "binary_big_endian 1.0":
		p.order = binary.BigEndian
	default:
		p.fault("header", p.text, "format ascii 1.0, format binary_little_endian 1.0 or format binary_big_endian 1.0")
	}
}

func (p *plyReader) addElement(fields []string) {
	if len(fields) != 2 {
		p.fault("header", p.text, "element, its name and its number of rows")
		return
	}
	count := p.count("header, element "+fields[0], []byte(fields[1]))
	if p.named[fields[0]] {
		p.fault("header", p.text, "each element once")
	}
	p.named[fields[0]] = true
	p.elements = append(p.elements, plyElement{name: fields[0], count: count})
}

func (p *plyReader) addProperty(fields []string) {
	const want = "property TYPE NAME or property list TYPE TYPE NAME, after an element"
	if len(p.elements) == 0 {
		p.fault("header", p.text, want)
		return
	}
	var q plyProperty
	var known, knownLength bool
	switch {
	case len(fields) == 2:
		q.name = fields[1]
		q.value, known = plyTypes[fields[0]]
		knownLength = true
	case len(fields) == 4 && fields[0] == "list":
		q.name, q.list = fields[3], true
		q.length, knownLength = plyTypes[fields[1]]
		q.value, known = plyTypes[fields[2]]
	}
	e := &p.elements[len(p.elements)-1]
	switch {
	case !known || !knownLength:
		p.fault("header", p.text, want+", of a type among char, uchar, short, ushort, int, uint, float, double")
	case q.list && q.length.float:
		p.fault("header", p.text, "the length of a list as a whole number")
	case e.property(q.name) >= 0:
		p.fault("header", p.text, "each property once")
	}
	if e.places == nil {
		e.places = map[string]int{}
	}
	e.places[q.name] = len(e.properties)
	e.properties = append(e.properties, q)
}

// property returns the index of a property in the element, or -1.
func (e *plyElement) property(name string) int {
	if i, ok := e.places[name]; ok {
		return i
	}
	return -1
}
