package main

func broken() int { var unused int; return "text" }

func main() { broken() }
