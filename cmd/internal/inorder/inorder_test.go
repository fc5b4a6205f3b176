package inorder

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

func TestResultsComeInOrder(t *testing.T) {
	work := func() func(context.Context, uint32) (uint32, error) {
		return func(_ context.Context, n uint32) (uint32, error) {
			time.Sleep(time.Duration(n*7919%13) * 100 * time.Microsecond)
			return 2 * n, nil
		}
	}
	for _, workers := range []int{1, 2, 7} {
		var got []uint32
		err := Run(context.Background(), workers, 5, 105, work, func(n, v uint32) error {
			if v != 2*n {
				t.Errorf("%d gave %d", n, v)
			}
			got = append(got, n)
			return nil
		})
		if err != nil || len(got) != 100 || !slices.IsSorted(got) || got[0] != 5 {
			t.Errorf("%d workers: %v, %v", workers, got, err)
		}
	}
}

func TestErrorsEndTheRun(t *testing.T) {
	broken := errors.New("broken")
	work := func() func(context.Context, uint32) (uint32, error) {
		return func(ctx context.Context, n uint32) (uint32, error) {
			if n == 20 {
				return 0, broken
			}
			return n, ctx.Err()
		}
	}
	count := func(first, end uint32, stopAt uint32, with error) (int, error) {
		n := 0
		err := Run(context.Background(), 3, first, end, work, func(i, _ uint32) error {
			n++
			if i == stopAt {
				return with
			}
			return nil
		})
		return n, err
	}
	if n, err := count(0, 100, 99, nil); err != broken || n > 20 {
		t.Errorf("a worker's error: %v after %d", err, n)
	}
	if n, err := count(40, 1<<31, 44, broken); err != broken || n != 5 {
		t.Errorf("an error of the taker: %v after %d", err, n)
	}
	if n, err := count(40, 1<<31, 44, ErrEnough); err != nil || n != 5 {
		t.Errorf("enough: %v after %d", err, n)
	}
	if n, err := count(7, 7, 0, nil); err != nil || n != 0 {
		t.Errorf("nothing to do: %v after %d", err, n)
	}
	ctx, cancel := context.WithCancel(context.Background())
	err := Run(ctx, 2, 40, 1<<31, work, func(n, _ uint32) error {
		if n == 50 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}
