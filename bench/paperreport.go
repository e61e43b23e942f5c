package bench

import (
	"io"

	"github.com/scree-dem/scree/fileio"
)

// checksNote tells below the table what the columns of checks count.
const checksNote = `
Checks a pair, counted in the run (empty: the method has no such checks; formula: the published cost).
  ds         entrance: signs of two edges; distance: vertex and face, and two edges that are a valid entrance
  fds-paper  as published
  fds        v_f, f_v, e_e: faces and edges in front; entrance: the axis or feature pair of the last step, 0 without
             one; distance: searches for the nearest corners, 0 if the features decide
  fcp        v_f, f_v, e_e: candidates at the two nearest vertices; entrance: the vertices support a candidate;
             distance: gaps of planes over all vertices

`

// WriteText writes the table of rows with a note, and below it the tables of classes and of scenes; see
// Report.WriteText.
func (r *PaperReport) WriteText(w io.Writer, width int) error {
	if err := r.Report.WriteText(w, width); err != nil {
		return err
	}
	if _, err := io.WriteString(w, checksNote); err != nil {
		return err
	}
	if len(r.Classes) == 0 {
		return beside(&r.Report, r.Scenes).WriteText(w, width)
	}
	return writeBoth(w, width, beside(&r.Report, r.Classes), r.Scenes)
}

// WriteClassesCSV writes the table of classes with unrounded numbers.
func (r *PaperReport) WriteClassesCSV(w io.Writer) error {
	return beside(&r.Report, r.Classes).WriteCSV(w)
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
