package tri

// Place says where a point lies.
type Place uint8

const (
	Outside Place = iota
	Inside
	On // the surface
)

// String returns the word of tables: 0, 1 or on.
func (p Place) String() string {
	switch p {
	case Outside:
		return "0"
	case Inside:
		return "1"
	}
	return "on"
}

// ByValue returns the place of a point by whether it lies on the surface, and elsewhere by its winding
// number: Inside if it is off 0 by more than one half.
func ByValue(winding float64, on bool) Place {
	switch {
	case on:
		return On
	case winding > 0.5 || winding < -0.5:
		return Inside
	}
	return Outside
}
