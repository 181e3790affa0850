//! A module.
#![allow(dead_code)]
use std::{collections::HashMap as Map, fmt::{self, *}};

/// Documented.
#[derive(Clone, Debug)]
pub struct Point<'a, T: Copy + 'a = u8> where T: Sized { pub x: T, y: &'a str }
pub(crate) enum Shape { Circle(f64), Square { side: f64 }, Unit = 3 }
trait Area { const N: usize = 3; type Out; fn area(&self) -> f64 { 0.0 } }
impl<'a, T: Copy> fmt::Display for Point<'a, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result { write!(f, "{} {{}} \n", self.y) }
}
macro_rules! twice { ($e:expr $(, $more:tt)*) => { $e; $e }; }
async unsafe fn run(mut v: Vec<u8>, (a, b): (i32, &mut [u8; 4])) -> Option<impl Fn(u8) -> u8> {
    let x = if let Some(y @ 1..=5) = Some(a) { y } else { -1 };
    let s = match x { 0 | 1 => "zero", n if n > 3 => r#"raw "text""#, _ => { return None } };
    'outer: for i in 0..v.len() { loop { break 'outer; } }
    while v.pop().is_some() { b[0] += s.as_bytes()[1] as u8; }
    let c = move |z: u8| -> u8 { z << 2 };
    let _ = Point::<u8> { x: 1, y: "a" }; let _q = v.iter().map(|&e| e?).collect::<Vec<_>>();
    /* block /* nested */ */
    Some(c)
}
const LIST: &[(char, f32)] = &[('a', 1.5e3), ('\u{1F600}', 2.0)];
