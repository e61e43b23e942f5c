package report

import (
	"testing"

	"github.com/scree-dem/scree/narrow"
)

// TestLevelsHaveTexts: the summary has one text for each level that answers pairs.
func TestLevelsHaveTexts(t *testing.T) {
	told := map[string]bool{"overlap": true}
	for l := range narrow.NAnsweredBy {
		told[l.String()] = true
	}
	for _, l := range levelTexts {
		if !told[l.level] {
			t.Errorf("there is no level %s, or it has two texts", l.level)
		}
		delete(told, l.level)
	}
	if len(told) != 0 {
		t.Errorf("levels %v have no text", told)
	}
}
