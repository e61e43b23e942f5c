package section

// moments are the moments of a polygon, in its units: centroid, area, and the second moments about
// the centroid over the area.
type moments struct{ x, y, area, xx, xy, yy float64 }

// polygonSum accumulates sums over the sides of a polygon, in any order. They are twice the area, six
// times the first moments and twelve times the second moments about the origin.
type polygonSum struct{ twice, mx, my, xx, yy, xy float64 }

// add adds the side from a to b.
func (s *polygonSum) add(ax, ay, bx, by float64) {
	t := float64(ax*by) - float64(ay*bx)
	sx, sy := ax+bx, ay+by
	s.twice += t
	s.mx += float64(t * sx)
	s.my += float64(t * sy)
	// The triangle of the origin and the side has the second moment t/12·(ax² + ax·bx + bx²), and
	// the bracket equals sx² - ax·bx.
	s.xx += float64(t * (float64(sx*sx) - float64(ax*bx)))
	s.yy += float64(t * (float64(sy*sy) - float64(ay*by)))
	s.xy += float64(t * (float64(sx*sy) - float64(0.5*(float64(ax*by)+float64(ay*bx)))))
}

// moments returns the moments of the polygon whose sides were added.
func (s *polygonSum) moments() moments {
	third := 1 / (3 * s.twice)
	x, y := float64(s.mx*third), float64(s.my*third)
	half := 0.5 * third
	return moments{
		x, y, 0.5 * s.twice,
		float64(s.xx*half) - float64(x*x), float64(s.xy*half) - float64(x*y), float64(s.yy*half) - float64(y*y),
	}
}
