package main

import (
	"fmt"
	. "os"
	_ "x"
)

const (
	A = iota
	B
)

type Num interface{ ~int | ~float64 }
type Point[T Num] struct {
	X, Y T `json:"x"`
	*Base
}

func (p *Point[T]) Add(a, b int, more ...string) (sum int, err error) {
	defer func() { recover() }()
	go p.run(more...)
	for i := 0; i < 3; i++ {
		if x, ok := m[i]; ok && x > 1 {
			continue
		} else if !ok {
			goto done
		}
	}
	for k, v := range map[string][]int{"a": {1, 2}, "b": nil} {
		fmt.Println(k, v[1:2], 'c', 0x1p-2, `raw`)
	}
	switch v := x.(type) {
	case int, *Point[int]:
		fallthrough
	default:
		var ch chan<- int = make(chan int, 1)
		ch <- 1
	}
	select {
	case y, ok := <-ch:
		_, _ = y, ok
	case <-done:
	}
done:
	return new(Point[int]).X, nil
}

func main() {}
