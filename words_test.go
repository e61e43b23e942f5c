package scree_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// retired matches words that this project once coined. docs/architecture.md lists the field's
// words.
var retired = regexp.MustCompile(`\b(?i:crowns?|spokes?|slits?|crew|rouse|lets go|of no account|says whether|says false)\b|[Kk]iss(?:es|ing)|Flush[A-Z]|Flushes|\bParted\b|soa\.(?:Claim|Hold)\b|force\.Touch\b|narrow\.Level`)

// TestDocsWords reports retired words in code and pages.
func TestDocsWords(t *testing.T) {
	walk(t, func(path string) {
		name := filepath.Base(path)
		if ext := filepath.Ext(name); ext != ".go" && ext != ".md" || name == "CHANGELOG.md" || name == "words_test.go" {
			return
		}
		text, err := os.ReadFile(filepath.FromSlash(path))
		if err != nil {
			t.Fatal(err)
		}
		for k, line := range strings.Split(string(text), "\n") {
			if word := retired.FindString(line); word != "" {
				t.Errorf("%s:%d: %q is a retired word", path, k+1, word)
			}
		}
	})
}
