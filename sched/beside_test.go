package sched

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestAwait(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	if v, err := Await(ctx, "while it slept", func() (int, error) { return 7, nil }); v != 7 || err != nil {
		t.Errorf("%d, %v", v, err)
	}
	never := make(chan int)
	stop()
	_, err := Await(ctx, "while it slept", func() (int, error) { return <-never, nil })
	if !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "while it slept: ") {
		t.Errorf("%v", err)
	}
}
