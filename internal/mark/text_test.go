package mark

import (
	"errors"
	"strings"
	"testing"
)

// TestTexts: texts in messages are cut between characters, show invisible characters, and contain
// no package prefix.
func TestTexts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Shorten("abc", 3), "abc"},
		{Shorten("abcd", 3), "abc…"},
		{Shorten("aéb", 2), "a…"}, // é has two bytes
		{Shorten(strings.Repeat("\x81", 9), 6), strings.Repeat("\x81", 6) + "…"}, // not UTF-8
		{OneLine("a\n\u202eb\x00"), `a\n\u202eb\x00`},
		{Visible("é\n\u202eb\x00\x7f\u009b\U000e0001\xff"), "é\n" + `\u202eb\u0000\u007f\u009b\udb40\udc01` + "\ufffd"},
		{WithoutPackage("scene: engine: scene"), "scene"},
		{Inner(errors.New("geometry: flat")).Error(), "flat"},
	} {
		if c.got != c.want {
			t.Errorf("%q, expected %q", c.got, c.want)
		}
	}
}
