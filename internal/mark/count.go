package mark

import "fmt"

// Counted returns a number with the word for one or for several.
func Counted[N int | int64](n N, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}
