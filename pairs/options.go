package pairs

import (
	"errors"
	"fmt"
	"strings"

	"github.com/scree-dem/scree/engine/narrow"
)

// Location says which point of a contact is given.
type Location uint8

const (
	Reduced Location = iota // the centroid of the common section
	None
	Full // the centroid of the common volume
)

var locationNames = []string{"reduced", "none", "full"}

// String returns the location's name on the command line.
func (l Location) String() string { return locationNames[l] }

// What Options and names can be wrong about.
var (
	ErrOption = errors.New("unknown")
	ErrAbsent = errors.New("not available in this release")
)

// ParseLocation returns the location of a name; ErrAbsent for one that this release does not have.
func ParseLocation(name string) (Location, error) {
	for l, known := range locationNames {
		if name != known {
			continue
		}
		if Location(l) == Full {
			return 0, fmt.Errorf("pairs: location %q is %w, expected reduced or none", name, ErrAbsent)
		}
		return Location(l), nil
	}
	return 0, fmt.Errorf("pairs: location %q is %w, expected one of reduced, none", name, ErrOption)
}

// ParseMethod returns the method of a name.
func ParseMethod(name string) (narrow.Method, error) {
	m, err := narrow.ParseMethod(name)
	if err == nil {
		return m, nil
	}
	var names []string
	for _, m := range narrow.Methods() {
		names = append(names, m.String())
	}
	return 0, fmt.Errorf("pairs: method %q is %w, expected one of %s", name, ErrOption, strings.Join(names, ", "))
}

// Options says how pairs are answered.
type Options struct {
	Method   narrow.Method // of the narrow phase
	Location Location      // which section places a contact
	// DTol, m: features within it of the contact plane count for the type. Negative: narrow.Dtol.
	DTol    float64
	Workers int  // 0: one for each processor
	Pin     bool // each to a logical processor
	// Progress is told now and then how many bytes have been read and rows answered; may be nil.
	Progress func(bytes, rows int64)
}
