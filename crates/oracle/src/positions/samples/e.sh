f() {
  if true; then
}
