package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// number is the set of types that the value of an option may have.
type number interface{ int | int64 | uint64 | float64 }

// decimal adds an option whose value is a finite decimal number. The forms 0x10, 0b1, 1_000 and 010
// (octal 8 in Go) are not read as Go does, because on a command line they are probably mistakes.
func decimal[T number](flags *pflag.FlagSet, to *T, name string, value T, usage string) {
	*to = value
	flags.Var(&decimalValue[T]{to}, name, usage)
}

// decimalValue implements pflag.Value.
type decimalValue[T number] struct{ to *T }

func (d *decimalValue[T]) String() string {
	if d.to == nil {
		return "0" // pflag calls String on a zero value to find out the default.
	}
	return fmt.Sprint(*d.to)
}

// Type returns the type name that help and completion show.
func (d *decimalValue[T]) Type() string { return fmt.Sprintf("%T", *d.to) }

// Set parses text. Its errors are those of strconv; flagFault translates them for users.
func (d *decimalValue[T]) Set(text string) (err error) {
	switch to := any(d.to).(type) {
	case *int:
		*to, err = strconv.Atoi(text)
	case *int64:
		*to, err = strconv.ParseInt(text, 10, 64)
	case *uint64:
		*to, err = strconv.ParseUint(text, 10, 64)
	case *float64:
		for _, c := range text {
			if c == '_' || c == 'x' || c == 'X' {
				return &strconv.NumError{Func: "ParseFloat", Num: text, Err: strconv.ErrSyntax}
			}
		}
		if *to, err = strconv.ParseFloat(text, 64); err == nil && !finite(*to) {
			return &strconv.NumError{Func: "ParseFloat", Num: text, Err: strconv.ErrRange}
		}
	}
	return err
}

func finite(x float64) bool { return x-x == 0 }

// demand is a condition on an option. The text want states the condition in the error.
type demand struct {
	option string
	ok     bool
	want   string
}

// check returns an error for the first demand that is not met.
func check(c *cobra.Command, demands ...demand) error {
	for _, d := range demands {
		if d.ok {
			continue
		}
		given := c.Flag(d.option).Value
		text := strings.Trim(given.String(), "[]") // lists have brackets
		if given.Type() == "string" {
			text = strconv.Quote(text)
		}
		return usage("--%s is %s, expected %s", d.option, text, d.want)
	}
	return nil
}
