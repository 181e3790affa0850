package main

func inner(values []int) int { return values[3] }

func main() {
	println(inner(nil))
}
