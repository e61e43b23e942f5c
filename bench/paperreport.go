package bench

import (
	"io"

	"github.com/scree-dem/scree/fileio"
)

// WriteText writes the table of rows, and below it the table of scenes; see Report.WriteText.
func (r *PaperReport) WriteText(w io.Writer, width int) error {
	return writeBoth(w, width, &r.Report, r.Scenes)
}

// WriteScenesCSV writes the table of scenes with unrounded numbers.
func (r *PaperReport) WriteScenesCSV(w io.Writer) error {
	return beside(&r.Report, r.Scenes).WriteCSV(w)
}

// WriteDisplacementCSV writes the rise of the highest block of each scene, m, with a row for each
// step and scene.
func (r *PaperReport) WriteDisplacementCSV(w io.Writer) error {
	t := fileio.NewTableWriter(w, []string{"scene", "step", "time_s", "displacement_m"})
	for _, s := range r.Scenes {
		for i, z := range r.Displacement[s.Scene] {
			t.Text(s.Scene)
			t.Int(int64(i + 1))
			t.Float(float64(i+1) * s.Dt)
			t.Float(z)
			if err := t.EndRow(); err != nil {
				return err
			}
		}
	}
	return t.Flush()
}
