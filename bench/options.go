package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/scree-dem/scree/internal/keys"
	"github.com/scree-dem/scree/internal/mark"
)

// ErrOption marks unusable options of a study.
var ErrOption = errors.New("option not usable")

// Option is an option of a study: a field of its struct of options. Tags describe the field:
//
//	flag     name on the command line
//	default  value of an option that is not given, for numbers and their lists as in JSON
//	bounds   of a number, or of each number of a list, as in package keys
//	unit     unit of the number
//	help     meaning, with the value's placeholder in angle brackets
//	file     extension of the files that the option names; the option may be repeated
//	writes   any text: the option names a file that the study writes
//	need     any text: the option must be given
//
// If a list of names has no default, all names are the default. Of a list without the tag file, each item must be
// different.
type Option struct {
	Name  string
	Value any      // pointer to the field
	Names []string // values that the option takes; nil: any
	Tag   reflect.StructTag
}

// OptionsOf returns the options of a struct, with their defaults set. names has the values that options take, by option.
func OptionsOf(of any, names map[string][]string) (list []*Option) {
	v := reflect.ValueOf(of).Elem()
	for i := range v.NumField() {
		if name, ok := v.Type().Field(i).Tag.Lookup("flag"); ok {
			p := &Option{Name: name, Value: v.Field(i).Addr().Interface(), Names: names[name], Tag: v.Type().Field(i).Tag}
			if v.Field(i).IsZero() {
				p.reset()
			}
			list = append(list, p)
		}
	}
	return list
}

// Default returns the default as text for people, "all" for all names.
func (p *Option) Default() string {
	text := strings.Trim(p.Tag.Get("default"), "[]")
	_, list := p.Value.(*[]string)
	switch {
	case text == "" && list && p.Names != nil:
		return "all"
	case p.separator() == ' ':
		return strings.ReplaceAll(text, " ", " and ")
	}
	return strings.ReplaceAll(text, ",", ", ")
}

func (p *Option) field() reflect.Value { return reflect.ValueOf(p.Value).Elem() }

// reset sets the default.
func (p *Option) reset() {
	text, err := p.Tag.Get("default"), error(nil)
	switch to := p.Value.(type) {
	case *string:
		*to = text
	case *[]string:
		if *to = slices.Clone(p.Names); text != "" {
			*to = strings.FieldsFunc(text, func(c rune) bool { return c == p.separator() })
		}
	default:
		if text != "" {
			err = json.Unmarshal([]byte(text), to)
		}
	}
	if err != nil {
		panic(fmt.Sprintf("bench: default %q of --%s: %v", text, p.Name, err))
	}
}

// separator returns the character between the items of a default. Names of files and shapes have commas.
func (p *Option) separator() rune {
	if _, files := p.Tag.Lookup("file"); files {
		return ' '
	}
	return ','
}

// items returns the items of a list, or the value.
func (p *Option) items() (all []reflect.Value) {
	if p.field().Kind() != reflect.Slice {
		return []reflect.Value{p.field()}
	}
	for i := range p.field().Len() {
		all = append(all, p.field().Index(i))
	}
	return all
}

// Check returns an error that wraps ErrOption if a given value is out of bounds, is none of the names, or appears twice.
func (p *Option) Check() error {
	var shown []string
	bounds := p.Tag.Get("bounds")
	for _, item := range p.items() {
		text := fmt.Sprint(item)
		switch {
		case p.Names != nil && !slices.Contains(p.Names, text):
			return p.Fault("one of " + strings.Join(p.Names, ", "))
		case slices.Contains(shown, text) && p.separator() == ',':
			return mark.Errorf(ErrOption, "--%s has %s twice, expected each value once", p.Name, text)
		case (item.CanInt() || item.CanFloat()) && !keys.Within(bounds, item.Convert(reflect.TypeFor[float64]()).Float()):
			return p.Fault(strings.TrimSpace(bounds + " " + p.Tag.Get("unit")))
		}
		shown = append(shown, text)
	}
	return nil
}

// Fault returns an error that wraps ErrOption, with the value of the option and what was expected.
func (p *Option) Fault(want string) error {
	var shown []string
	for _, item := range p.items() {
		shown = append(shown, fmt.Sprint(item))
	}
	text := strings.Join(shown, ",")
	if p.Names != nil || p.field().Kind() == reflect.String {
		text = fmt.Sprintf("%q", text)
	}
	return mark.Errorf(ErrOption, "--%s is %s, expected %s", p.Name, text, want)
}
