package narrow

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Method names a method that answers a pair of blocks. Only Auto uses certificates of package proof. The
// other methods use nothing but the poses, or the contacts that they store in a ContactList.
type Method uint8

const (
	Auto     Method = iota // certificates, and the fastest search for the size of the shapes
	GJKEPA                 // GJK for the distance, EPA for the depth
	SAT                    // separating axis test, edge pairs pruned on the Gauss map
	DS                     // direct search: all vertex, edge and face pairs
	FDS                    // our fast direct search, which keeps identities of features
	FDSPaper               // the fast direct search as published, updated by the number of vertices near the contact plane
	CP                     // Cundall's common plane
	FCP                    // fast common plane
	SLM                    // shortest link
	NMethods
)

var methodNames = [NMethods]string{"auto", "gjk-epa", "sat", "ds", "fds", "fds-paper", "cp", "fcp", "slm"}

// MethodNames returns the names of all methods of this release, in the order of Methods.
func MethodNames() []string { return slices.Clone(methodNames[:]) }

// ErrMethod marks the error for an unknown method name.
var ErrMethod = errors.New("no such method")

// String returns the method's name, as used on the command line and in scene files.
func (m Method) String() string {
	if m >= NMethods {
		return fmt.Sprintf("method %d", uint8(m))
	}
	return methodNames[m]
}

// ParseMethod returns the method with the given name. The error wraps ErrMethod.
func ParseMethod(name string) (Method, error) {
	for m, known := range methodNames {
		if name == known {
			return Method(m), nil
		}
	}
	return 0, fmt.Errorf("narrow: %w: %q, expected one of %s", ErrMethod, name, strings.Join(methodNames[:], ", "))
}
