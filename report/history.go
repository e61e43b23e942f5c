package report

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"regexp"

	"github.com/scree-dem/scree/fileio"
)

const historyName = "history.csv"

// mostRows is how many rows of history.csv a page has at most; of more, it has every second, third, … one.
const mostRows = 5000

// historyColumn describes a column of history.csv. The columns of a group have one plot.
type historyColumn struct {
	Name  string `json:"name"`
	Unit  string `json:"unit"`
	Group string `json:"group"` // "": plotted on request
}

// kinds is the table of units and groups of the columns of history.csv. The first form that matches counts; $1 in a group
// stands for the text in parentheses.
var kinds = []struct {
	form        *regexp.Regexp
	unit, group string
}{
	{regexp.MustCompile(`^(step|time)$`), "", ""},
	{regexp.MustCompile(`^(kinetic|potential|elastic|shear|damping|friction|walls|applied|inserted|changed|law_excess)$`), "J", "energies"},
	{regexp.MustCompile(`^left_over$`), "J", "energy left over"},
	{regexp.MustCompile(`^kinetic_rotation$`), "J", ""},
	{regexp.MustCompile(`^(active|contacts)$`), "", "contacts"},
	{regexp.MustCompile(`^worst_penetration$`), "m", "penetration"},
	{regexp.MustCompile(`^max_speed$`), "m/s", "speed"},
	{regexp.MustCompile(`^(bodies|counts_.*)$`), "", "bodies"},
	{regexp.MustCompile(`^unbalanced$`), "", "unbalanced force ratio"},
	{regexp.MustCompile(`^((?:wall|body)_.*)_f[xyz]$`), "N", "force on $1"},
	{regexp.MustCompile(`^((?:wall|body)_.*)_t[xyz]$`), "N·m", ""},
	{regexp.MustCompile(`^wall_.*_peak$`), "N", ""},
	{regexp.MustCompile(`^wall_.*_impulse_[xyz]$`), "N·s", ""},
	{regexp.MustCompile(`^(wall_.*)_position$`), "m", "position of $1"},
	{regexp.MustCompile(`^(wall_.*)_speed$`), "m/s", "speed of $1"},
	{regexp.MustCompile(`^(body_.*)_[xyz]$`), "m", "position of $1"},
	{regexp.MustCompile(`^(stress_.*)_[xyz][xyz]$`), "Pa", "$1"},
	{regexp.MustCompile(`^(fabric_.*)_[xyz][xyz]$`), "", "$1"},
	{regexp.MustCompile(`^kinetic_.*$`), "J", ""},
	{regexp.MustCompile(`^(coordination|solid|sliding)_.*$`), "", "$1"},
	{regexp.MustCompile(`^domain_[xyz]$`), "m", "domain"},
	{regexp.MustCompile(`^stage_.*$`), "s", ""},
	{regexp.MustCompile(`^(level_.*|rebuilds|fallbacks|left_over_relative)$`), "", ""},
	{regexp.MustCompile(``), "", "other"},
}

// describeColumn returns the unit and the group of a column.
func describeColumn(name string) historyColumn {
	for _, k := range kinds {
		if at := k.form.FindStringSubmatchIndex(name); at != nil {
			return historyColumn{name, k.unit, string(k.form.ExpandString(nil, k.group, name, at))}
		}
	}
	panic("report: the last form matches all names")
}

// fieldUnits are the units of the fields of frames.
var fieldUnits = map[string]string{"speed": "m/s", "velocity": "m/s", "spin": "rad/s", "mass": "kg", "force": "N", "gap": "m"}

// historyTitles returns the columns of history.csv in a folder; none if there is no such file.
func historyTitles(dir string) ([]string, error) {
	titles, err := fileio.Columns(filepath.Join(dir, historyName), "step", "time")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return titles, err
}

// historyChunk returns the columns of history.csv in a folder: f64 for step and time, f32 for the others. It always returns a
// chunk, with the rows before an error.
func historyChunk(dir string, titles []string, level int) ([]byte, error) {
	k, rows := &chunk{}, 0
	values := make([][]float64, len(titles))
	var damaged error
	if len(titles) > 0 {
		damaged = fileio.EachRow(filepath.Join(dir, historyName), titles, func(row []float64) {
			for i, x := range row {
				values[i] = append(values[i], x)
			}
			rows++
		})
	}
	every := (rows + mostRows - 1) / mostRows
	for i, title := range titles {
		if every > 1 {
			var thin []float64
			for j, x := range values[i] {
				if j%every == 0 || j == rows-1 {
					thin = append(thin, x)
				}
			}
			values[i] = thin
		}
		if title == "step" || title == "time" {
			addColumn(k, column{Name: title}, values[i])
			continue
		}
		narrow := make([]float32, len(values[i]))
		for j, x := range values[i] {
			narrow[j] = float32(x)
		}
		addColumn(k, column{Name: title}, narrow)
	}
	data, err := k.write(map[string]int{"rows": rows}, level)
	return data, cmp.Or(err, damaged)
}
