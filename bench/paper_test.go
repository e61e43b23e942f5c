package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/require"
)

func smallPaper() PaperOptions {
	return PaperOptions{
		Methods: []string{"auto", "fds", "fds-paper"}, Seed: 3, Repeat: 1, Seconds: 1e-6,
		Scenes: []string{"wall15"}, compared: require.Rounds(250, 250, 1000),
	}
}

// TestPaper: every method agrees with the direct search on contact and type, on both backends.
func TestPaper(t *testing.T) {
	was := cpu.Selected()
	o := smallPaper()
	rows, report, err := measure(t.Context(), &o, Env{})
	if err != nil {
		t.Fatal(err)
	}
	if cpu.Selected() != was {
		t.Errorf("backend %s, expected %s as before", cpu.Selected(), was)
	}
	sums := map[string]string{}
	seen := map[string]bool{}
	for _, r := range rows {
		seen[r.Test+" "+r.Type] = true
		if r.Wrong != 0 && r.Method != "fds-paper" {
			t.Errorf("%+v: %d differ from the direct search", r, r.Wrong)
		}
		if !(r.R > 0) || !(r.NsPair > 0) || r.Pairs == 0 || r.Touching == 0 || r.Method == "ds" && r.R != 1 {
			t.Errorf("%+v", r)
		}
		key := strings.Join([]string{r.Test, r.Type, r.Method, r.Phase}, " ")
		if sums[key] != "" && sums[key] != r.Checksum {
			t.Errorf("%s: checksum %s on %s, %s on the other", key, r.Checksum, r.Backend, sums[key])
		}
		sums[key] = r.Checksum
	}
	// Seven types and their mean for three tests, the cut blocks, the scene.
	if len(seen) != 3*8+1+1 {
		t.Errorf("%d kinds of rows: %v", len(seen), seen)
	}
	classes, scenes, rises := report.Tables[1].Rows.([]PaperClass), report.Tables[2].Rows.([]PaperScene), report.Tables[3].Rows.([]PaperRise)
	if len(scenes) != 1 {
		t.Fatalf("scenes %+v", scenes)
	}
	s := scenes[0]
	if s.Blocks != 15 || s.Steps != 1000 || s.Sampled != smallPaper().compared || s.Sink > 1e-3 || s.DtShare > 1.0/20 || s.Penetrates > 0.01 || s.Touching < 15 {
		t.Errorf("scene %+v", s)
	}
	// The top brick sinks by the compression of the springs below, and comes to rest.
	var rise []float64
	for _, r := range rises {
		rise = append(rise, r.Rise)
	}
	if len(rise) != s.Steps || rise[len(rise)-1] > -1e-5 || rise[len(rise)-1] < -0.01*s.Height {
		t.Errorf("the top brick rose by %g after %d steps", rise[len(rise)-1], len(rise))
	}
	if late := rise[len(rise)-100:]; slices.Max(late)-slices.Min(late) > 0.01*-slices.Min(rise) {
		t.Errorf("the top brick still moves between %g and %g", slices.Min(late), slices.Max(late))
	}
	figures := report.Figures
	if len(figures) < 4+1 {
		t.Fatalf("%d figures", len(figures))
	}
	checkSVG(t, figures)
	var bars bytes.Buffer
	if err := figures[0].WriteSVG(&bars); err != nil || !strings.Contains(bars.String(), "auto/detector updated") {
		t.Errorf("%s does not show the Detector: %v", figures[0].Name, err)
	}
	checkPaperClasses(t, rows, classes, s)
	checkPaperTables(t, report)
}

// checkPaperClasses: the classes sum up to the pairs that are wrong, every pair has a cause, and the
// initial detection differs in few. All rows of methods that check features count them.
func checkPaperClasses(t *testing.T, rows []PaperRow, classes []PaperClass, s PaperScene) {
	t.Helper()
	if len(classes) < 2 {
		t.Fatalf("classes %+v", classes)
	}
	for _, c := range classes {
		if c.Pairs != c.Kept+c.Border+c.Other || c.Other > 0 || c.Test != "wall15" || c.DS == c.Paper && c.DS != "all" {
			t.Errorf("%+v", c)
		}
		// Types differ while the wall settles, in the first steps. The bound is for the whole run.
		ofRun := c.Share * float64(s.Sampled) / float64(s.Steps)
		if c.Phase == "initial" && (c.Kept > 0 || ofRun > 0.01) {
			t.Errorf("initial detection: %+v", c)
		}
		if c.DS != "all" {
			continue
		}
		if !slices.ContainsFunc(rows, func(r PaperRow) bool {
			return r.Test == c.Test && r.Method == "fds-paper" && r.Phase == c.Phase && r.Wrong == c.Pairs
		}) {
			t.Errorf("%+v: no row of fds-paper with as many wrong", c)
		}
	}
	for _, r := range rows {
		whole := r.VertexFace + r.FaceVertex + r.EdgeEdge
		switch r.Method {
		case "ds":
			if whole != r.Formula || r.Entrance != r.EdgeEdge || !(r.Distance >= r.VertexFace+r.FaceVertex && r.Distance < r.Formula) {
				t.Errorf("ds counts %+v", r)
			}
		case "fds", "fds-paper":
			if !(whole > 0 && whole < 2*r.Formula && r.Entrance >= 0 && r.Distance >= 0) {
				t.Errorf("%s counts %+v", r.Method, r)
			}
		default:
			if !whole.missing() {
				t.Errorf("%s counts %+v", r.Method, r)
			}
		}
	}
}

func checkPaperTables(t *testing.T, report *Report) {
	t.Helper()
	text, err := json.Marshal(report.Object())
	if err != nil {
		t.Fatal(err)
	}
	var back struct {
		Machine *Machine
		Rows    []PaperRow
		Scenes  []PaperScene
	}
	if err := json.Unmarshal(text, &back); err != nil || back.Machine == nil || fmt.Sprint(back.Rows) != fmt.Sprint(report.Tables[0].Rows) || !slices.Equal(back.Scenes, report.Tables[2].Rows.([]PaperScene)) {
		t.Errorf("JSON %.300s: %v", text, err)
	}
	var b bytes.Buffer
	if err := report.Tables[3].WriteCSV(&b); err != nil || strings.Count(b.String(), "\n") != 1001 {
		t.Errorf("%d lines of displacement: %v", strings.Count(b.String(), "\n"), err)
	}
	b.Reset()
	if err := report.WriteText(&b, 200); err != nil || !strings.Contains(b.String(), "published_stiffness") {
		t.Errorf("text %.300s: %v", b.String(), err)
	}
	b.Reset()
	if err := report.Tables[2].WriteCSV(&b); err != nil || !strings.Contains(b.String(), "wall15,15,1000,") {
		t.Errorf("CSV %s: %v", b.String(), err)
	}
}

// UnmarshalJSON reads the output of MarshalJSON.
func (m *Measured) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*m = notMeasured()
		return nil
	}
	return json.Unmarshal(text, (*float64)(m))
}

// TestPaperScenes tests the number of blocks and which block stands on which.
func TestPaperScenes(t *testing.T) {
	for _, name := range paperScenes {
		var w *engine.World
		var s PaperScene
		var top int
		if err := inPart(t, func(e *Env) { w, s, top = paperWorld(e, name, 1) }); err != nil {
			t.Fatal(err)
		}
		if n := w.Bodies().Len(); n != s.Blocks+1 || top != s.Blocks-1 {
			t.Errorf("%s: %d bodies, expected %d and a floor", name, n, s.Blocks)
		}
		w.Measure()
		touching := 0
		for i, active := range w.Contacts().Active {
			if active && w.Contacts().Gap[i] < 1e-12 {
				touching++
			}
		}
		if isWall := strings.HasPrefix(name, "wall"); isWall != (touching >= s.Blocks) || !isWall && touching > 0 {
			t.Errorf("%s: %d contacts at the start", name, touching)
		}
		for i, z := range w.Bodies().Pos.Z[:s.Blocks] {
			if z > w.Bodies().Pos.Z[top] {
				t.Errorf("%s: body %d is above the top", name, i)
			}
		}
		w.Close()
	}
}

// TestPaperInterrupted: a study that is interrupted at once has no rows.
func TestPaperInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := smallPaper()
	if rows, _, err := measure(ctx, &o, Env{}); !errors.Is(err, context.Canceled) || len(rows) > 0 {
		t.Errorf("interrupted: %v", err)
	}
}

// TestPaperFiguresInterrupted draws the rows of a test that was interrupted before its second
// backend.
func TestPaperFiguresInterrupted(t *testing.T) {
	row := func(test, backend string) PaperRow {
		return PaperRow{Test: test, Type: "v-v", Method: "auto", Phase: "initial", Backend: backend, R: 2}
	}
	if figures := (&paperStudy{}).figures([]PaperRow{row("one", "generic"), row("one", "best"), row("two", "generic")}); len(figures) != 3 {
		t.Errorf("%d figures, expected 3", len(figures))
	}
}
