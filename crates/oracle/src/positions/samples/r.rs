fn main() {
    let mut values = vec![1];
    let first = &mut values[0];
    let other = &mut values;
    *first = 2;
    other.push(3);
    let unused = 1;
}
