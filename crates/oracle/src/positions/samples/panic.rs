fn inner(values: &[u32], at: usize) -> u32 {
    values[at]
}
fn main() {
    println!("{}", inner(&[1], 3));
}
