package geometry

import (
	"errors"
	"testing"
)

// TestNilMeshes: functions of this package refuse a nil mesh with ErrEmpty.
func TestNilMeshes(t *testing.T) {
	for name, f := range map[string]func(*Mesh) error{
		"FromMesh":    func(m *Mesh) error { _, err := FromMesh(m); return err },
		"MergeFacets": func(m *Mesh) error { _, _, err := mergeFacets(m); return err },
	} {
		if err := f(nil); !errors.Is(err, ErrEmpty) {
			t.Errorf("%s: %v, expected ErrEmpty", name, err)
		}
	}
}
