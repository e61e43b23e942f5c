package tri

// Place is where a point lies.
type Place uint8

const (
	Outside Place = iota
	Inside
	On // the surface
)

// String returns the text used in tables: 0, 1 or on.
func (p Place) String() string {
	switch p {
	case Outside:
		return "0"
	case Inside:
		return "1"
	}
	return "on"
}

// ByValue returns On if on is set. Otherwise it returns Inside if the winding number differs from 0
// by more than one half, and Outside if not.
func ByValue(winding float64, on bool) Place {
	switch {
	case on:
		return On
	case winding > 0.5 || winding < -0.5:
		return Inside
	}
	return Outside
}
