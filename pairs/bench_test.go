package pairs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scree-dem/scree/narrow"
)

// BenchmarkTable times whole rows, with reading, answering and writing. ns/pair is the time per
// row, and answer-ns/pair the time for its answer.
func BenchmarkTable(b *testing.B) {
	r := rand.New(rand.NewPCG(19, 20))
	alone, _, _, _, _ := wild(r, 20000)
	shapes := shapesOf(b)
	for _, c := range []struct {
		name, table string
		rows        int64
	}{{"alone", alone, 20000}, {"tracks", motion(r, 200, 100), 20000}} {
		for _, m := range narrow.Methods() {
			b.Run(fmt.Sprintf("rows=%s/method=%v", c.name, m), func(b *testing.B) {
				o := defaults()
				o.Method, o.Workers = m, 1
				answering := 0.0
				b.SetBytes(int64(len(c.table)))
				for b.Loop() {
					stats, err := Run(context.Background(), strings.NewReader(c.table), "pairs.csv", shapes, &full{room: 1 << 30}, o)
					if err != nil || stats.Pairs != c.rows {
						b.Fatal(err)
					}
					answering += stats.Answering
				}
				n := float64(b.N) * float64(c.rows)
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/n, "ns/pair")
				b.ReportMetric(1e9*answering/n, "answer-ns/pair")
			})
		}
	}
}
