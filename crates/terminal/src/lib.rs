//! Messages of nubbin for people: problems with their hints, exit codes, numbers in words, and the
//! screen.
//!
//! Everything that the program prints comes through [`shown`] or [`mod@print`], so that no text of
//! an input reaches the terminal unescaped. This crate is a part of the program `nubbin`, and
//! changes with it. The crate knows neither flags nor settings nor files. Only [`advice`],
//! [`fixed_flags`], and [`with_flags`] have names of flags.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of any kind")
)]

pub mod advice;
pub mod command_line;
pub mod cores;
pub mod exit;
pub mod expression;
pub mod fixed_flags;
pub mod hex;
pub mod print;
pub mod problem;
pub mod repeat;
pub mod screen;
pub mod shown;
pub mod view;
pub mod with_flags;
