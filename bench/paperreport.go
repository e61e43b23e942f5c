package bench

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/scree-dem/scree/fileio"
)

// scenes is the table of scenes.
func (r *PaperReport) scenes() *Report[PaperScene] {
	return &Report[PaperScene]{Machine: r.Machine, Rows: r.Scenes}
}

// JSON returns machine, rows and scenes as one object, numbers unrounded.
func (r *PaperReport) JSON() ([]byte, error) {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	return append(text, '\n'), nil
}

// WriteText writes the table of rows and below it that of the scenes; see Report.WriteText.
func (r *PaperReport) WriteText(w io.Writer, width int) error {
	if err := r.Report.WriteText(w, width); err != nil || len(r.Scenes) == 0 {
		return err
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	return r.scenes().WriteText(w, width)
}

// WriteScenesCSV writes the table of scenes, numbers unrounded.
func (r *PaperReport) WriteScenesCSV(w io.Writer) error { return r.scenes().WriteCSV(w) }

// WriteDisplacementCSV writes the rise of the top brick of each wall, m, a row a step and wall.
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
