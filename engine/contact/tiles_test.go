package contact

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
)

// TestPairBytesAreThoseOfTheRows gives a space with client columns one row of every table, and compares the bytes of the
// rows that exist with pairBytes.
func TestPairBytesAreThoseOfTheRows(t *testing.T) {
	for _, law := range []force.Parameters{force.Linear{Kn: 1}, force.Thickness{Stiffness: 1, Restitution: 1}} {
		laws, err := force.NewTable(1, law)
		if err != nil {
			t.Fatal(err)
		}
		pool := sched.New(1)
		defer pool.Close()
		var bodies soa.Bodies
		sp := New(Config{Laws: laws}, &bodies, pool, nil)
		forces := soa.Forces{History: make([][]float64, laws.History())}
		sp.Register(forces.Remembered(), forces.Results())
		bodies.FirstPiece = []soa.Piece{0}
		if _, err := sp.Prepare(); err != nil {
			t.Fatal(err)
		}
		sp.Pairs.Resize(1)
		sp.Contacts.Resize(1)
		forces.Resize(1)
		of := func(tables ...any) (bytes int) {
			for _, table := range tables {
				bytes += lengthBytes(reflect.ValueOf(table).Elem())
			}
			return bytes
		}
		bodies.Resize(1)
		body := of(&bodies.PoseColumns, &bodies.Vel, &bodies.Spin, &bodies.InvMass, &bodies.InvInertia) + 8
		contact := of(&sp.Contacts, &forces)
		if laws.Overlaps() {
			contact += int(unsafe.Sizeof(skeletonPlace{}) + unsafe.Sizeof(keptSkeleton{})/4)
			body += 64
		}
		if want := of(&sp.Pairs) + int(unsafe.Sizeof(tilePair{})) + 4 + contact/2 + 2*body/3; sp.pairBytes() != want {
			t.Errorf("law %T: a pair takes %d bytes of a tile, expected %d", law, sp.pairBytes(), want)
		}
		if got := sp.tilePairs(); got < leastPairs {
			t.Errorf("law %T: tiles of %d pairs", law, got)
		}
	}
}

// lengthBytes adds up the bytes of the rows of all slices in a value.
func lengthBytes(v reflect.Value) (bytes int) {
	switch v.Kind() {
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Slice {
			return v.Len() * int(v.Type().Elem().Size())
		}
		for i := range v.Len() {
			bytes += lengthBytes(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			bytes += lengthBytes(v.Field(i))
		}
	}
	return bytes
}
