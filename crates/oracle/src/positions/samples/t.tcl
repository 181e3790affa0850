proc inner {x} {
    error lost
}
inner 1
