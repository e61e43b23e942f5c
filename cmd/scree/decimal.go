package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/pflag"
)

// number is what the value of an option may be.
type number interface{ int | int64 | uint64 | float64 }

// decimal adds an option whose value is a finite decimal number. 0x10, 0b1, 1_000 and 010, which
// is 8, are Go's, and on a command line more likely a mistake.
func decimal[T number](flags *pflag.FlagSet, to *T, name string, value T, usage string) {
	*to = value
	flags.Var(&decimalValue[T]{to}, name, usage)
}

// decimalValue is a pflag.Value.
type decimalValue[T number] struct{ to *T }

func (d *decimalValue[T]) String() string {
	if d.to == nil {
		return "0" // Of the zero value, which pflag makes to know defaults.
	}
	return fmt.Sprint(*d.to)
}

// Type is what help and completion know the type by.
func (d *decimalValue[T]) Type() string { return fmt.Sprintf("%T", *d.to) }

// Set reads a number. Its errors are those of strconv, which flagFault turns into words.
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
