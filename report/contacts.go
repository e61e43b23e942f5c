package report

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// strongest is how many contacts of a frame the page shows at most: those with the largest forces.
const strongest = 5000

// roseBins is the number of directions of a rose, 10° each.
const roseBins = 36

// contactFields are the fields of contacts, and their numbers of components.
var contactFields = map[string]int{"force": 3, "normal": 3, "gap": 1, "bodies": 2, "sliding": 1}

// addContacts adds the strongest contacts, in their order, and counts all normals.
func (fr *frame) addContacts(k *chunk) error {
	v := fr.contacts
	if v == nil {
		return nil
	}
	fr.ContactsPresent, fr.Contacts = true, v.Points
	places, err := v.Floats("Points", "Points")
	fields := map[string][]float64{} // those that the frame has
	for _, f := range v.Fields(pointData) {
		if err == nil && f.Components == contactFields[f.Name] {
			fields[f.Name], err = numbers(v, pointData, f)
		}
	}
	if err != nil {
		return err
	}
	if fields["normal"] != nil {
		fr.countNormals(fields["normal"])
	}
	shown := make([]int, v.Points)
	for i := range shown {
		shown[i] = i
	}
	if forces := fields["force"]; forces != nil && len(shown) > strongest {
		size := func(i int) float64 { return vec.V(forces[3*i], forces[3*i+1], forces[3*i+2]).Norm() }
		slices.SortStableFunc(shown, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
	}
	shown = shown[:min(len(shown), strongest)]
	slices.Sort(shown)
	pick := func(of []float64, components int, use func(x float64)) {
		for _, i := range shown {
			for _, x := range of[components*i : components*(i+1)] {
				use(x)
			}
		}
	}
	quantize := func(name string, components int, of []float64) {
		values := make([]float64, 0, components*len(shown))
		pick(of, components, func(x float64) { values = append(values, x) })
		k.quantize(contactsPrefix+name, components, values)
	}
	quantize("location", 3, places)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch of := fields[name]; name {
		case "force":
			quantize(name, 3, of)
		case "gap":
			quantize(name, 1, of)
		case "normal":
			var n []int16
			pick(of, 3, func(x float64) { n = append(n, int16(math.Round(min(max(x, -1), 1)*math.MaxInt16))) })
			addColumn(k, column{Name: contactsPrefix + name, Components: 3, Scale: 1 / float64(math.MaxInt16)}, n)
		case "bodies":
			var two [2][]uint32
			pick(of, 2, func(x float64) {
				j := (len(two[0]) + len(two[1])) % 2
				two[j] = append(two[j], uint32(x))
			})
			k.whole(contactsPrefix+"a", two[0])
			k.whole(contactsPrefix+"b", two[1])
		case "sliding":
			var slides []uint8
			pick(of, 1, func(x float64) { slides = append(slides, uint8(x)) })
			addColumn(k, column{Name: contactsPrefix + name}, slides)
		}
	}
	return nil
}

// countNormals fills the roses: in each plane of two axes, the normals within 45° of the plane, and their opposites, by the
// direction of their projection.
func (fr *frame) countNormals(normals []float64) {
	fr.Rose = map[string]*[roseBins]int64{}
	for a, name := range []string{"xy", "yz", "zx"} {
		rose := &[roseBins]int64{}
		for i := 0; i+2 < len(normals); i += 3 {
			x, y, off := normals[i+a], normals[i+(a+1)%3], normals[i+(a+2)%3]
			if float64(x*x)+float64(y*y) <= float64(off*off) || notFinite(x) || notFinite(y) {
				continue
			}
			bin := int(math.Floor((math.Atan2(y, x)/(2*math.Pi) + 1) * roseBins))
			rose[bin%roseBins]++
			rose[(bin+roseBins/2)%roseBins]++
		}
		fr.Rose[name] = rose
	}
}
