package fileio

import (
	"encoding/binary"
)

// plyType is a type of numbers in PLY files.
type plyType struct {
	bytes  int
	float  bool
	signed bool
}

// plyTypes are the names of types: those of the format's description and those in use today.
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

// plyProperty is a number, or a list of numbers that starts with its length.
type plyProperty struct {
	name   string
	list   bool
	length plyType // of a list
	value  plyType
}

// plyElement is a table of the file; its rows stand one after the other.
type plyElement struct {
	name       string
	count      int
	properties []plyProperty
	places     map[string]int // of properties, by name
}

// magic reads the first line.
func (p *plyReader) magic() error {
	if !p.next() || string(p.text) != "ply" {
		return p.fault("", p.text[:min(len(p.text), sniffBytes)], `a first line "ply"`)
	}
	return nil
}

// header reads all up to and with end_header.
func (p *plyReader) header() error {
	if err := p.magic(); err != nil {
		return err
	}
	format := false
	p.named = map[string]bool{}
	for {
		if !p.next() {
			return p.truncated("header", "end_header")
		}
		word, rest := cutField(p.text)
		fields := firstWords(rest)
		var err error
		switch string(word) {
		case "comment", "obj_info", "":
		case "format":
			format = true
			err = p.setFormat(fields)
		case "element":
			err = p.addElement(fields)
		case "property":
			err = p.addProperty(fields)
		case "end_header":
			if !format {
				return p.fault("header", nil, "a line that starts with format")
			}
			return nil
		default:
			err = p.fault("header", word, "format, element, property, comment, obj_info or end_header")
		}
		if err != nil {
			return err
		}
	}
}

// headerWords is one more than the longest line of a header has after its first word.
const headerWords = 5

// firstWords returns up to headerWords words of a line, which may be a comment of any length.
func firstWords(text []byte) (words []string) {
	for len(words) < headerWords {
		var word []byte
		if word, text = cutField(text); len(word) == 0 {
			break
		}
		words = append(words, string(word))
	}
	return words
}

func (p *plyReader) setFormat(fields []string) error {
	if len(fields) == 2 && fields[1] == "1.0" {
		switch fields[0] {
		case "ascii":
			p.ascii = true
			return nil
		case "binary_little_endian":
			p.order = binary.LittleEndian
			return nil
		case "binary_big_endian":
			p.order = binary.BigEndian
			return nil
		}
	}
	return p.fault("header", p.text, "format ascii 1.0, format binary_little_endian 1.0 or format binary_big_endian 1.0")
}

func (p *plyReader) addElement(fields []string) error {
	if len(fields) != 2 {
		return p.fault("header", p.text, "element, its name and its number of rows")
	}
	count, ok := parseCount([]byte(fields[1]))
	if !ok {
		return p.fault("header, element "+fields[0], []byte(fields[1]), "a whole number ≥ 0")
	}
	if p.named[fields[0]] {
		return p.fault("header", p.text, "each element once")
	}
	p.named[fields[0]] = true
	p.elements = append(p.elements, plyElement{name: fields[0], count: count})
	return nil
}

func (p *plyReader) addProperty(fields []string) error {
	const want = "property TYPE NAME or property list TYPE TYPE NAME, after an element"
	if len(p.elements) == 0 {
		return p.fault("header", p.text, want)
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
	if !known || !knownLength {
		return p.fault("header", p.text, want+", of a type among char, uchar, short, ushort, int, uint, float, double")
	}
	if q.list && q.length.float {
		return p.fault("header", p.text, "the length of a list as a whole number")
	}
	e := &p.elements[len(p.elements)-1]
	if e.property(q.name) >= 0 {
		return p.fault("header", p.text, "each property once")
	}
	if e.places == nil {
		e.places = map[string]int{}
	}
	e.places[q.name] = len(e.properties)
	e.properties = append(e.properties, q)
	return nil
}

// property returns the place of a property in the element, or -1.
func (e *plyElement) property(name string) int {
	if i, ok := e.places[name]; ok {
		return i
	}
	return -1
}
