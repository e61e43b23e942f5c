package narrow

import (
	"errors"
	"fmt"
	"strings"
)

// Method names a way to answer a pair of blocks. All methods but Auto answer from nothing, or from what they keep in
// a ContactList, and know no certificates.
type Method uint8

const (
	Auto     Method = iota // certificates, and the best search for the size
	GJKEPA                 // GJK for the distance, EPA for the depth
	SAT                    // separating axes with the edge pairs pruned on the Gauss map
	DS                     // direct search: all vertex, edge and face pairs
	FDS                    // fast direct search, updated by the identity of the features near the contact plane
	FDSPaper               // the same, updated by their number, as published
	CP                     // Cundall's common plane
	FCP                    // fast common plane
	SLM                    // shortest link
	NMethods
)

var methodNames = [NMethods]string{"auto", "gjk-epa", "sat", "ds", "fds", "fds-paper", "cp", "fcp", "slm"}

// ErrMethod marks a method that does not exist.
var ErrMethod = errors.New("no such method")

// String returns the method's name on the command line and in scenes.
func (m Method) String() string {
	if m >= NMethods {
		return fmt.Sprintf("method %d", uint8(m))
	}
	return methodNames[m]
}

// ParseMethod returns the method of a name.
func ParseMethod(name string) (Method, error) {
	for m, known := range methodNames {
		if name == known {
			return Method(m), nil
		}
	}
	return 0, fmt.Errorf("narrow: %w: %q, expected one of %s", ErrMethod, name, strings.Join(methodNames[:], ", "))
}
