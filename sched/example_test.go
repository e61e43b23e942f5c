package sched_test

import (
	"fmt"

	"github.com/scree-dem/scree/sched"
)

// squares is a loop body. It owns the data of the loop, and one sum per worker.
type squares struct {
	v   []int
	sum []int
}

func (s *squares) Range(lo, hi, worker int) {
	for i := lo; i < hi; i++ {
		s.v[i] = i * i
		s.sum[worker] += s.v[i]
	}
}

func Example() {
	pool := sched.New(0)
	defer pool.Close()

	body := &squares{v: make([]int, 1000), sum: make([]int, pool.Workers())}
	pool.For(len(body.v), 64, body)

	total := 0
	for _, s := range body.sum {
		total += s
	}
	fmt.Println(body.v[31], total)
	// Output: 961 332833500
}
