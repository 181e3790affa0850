//! The declarations of a text in C or C++ and the declarations that each of them needs, found by
//! libclang.
//!
//! [`read`] parses a text with a libclang that it loads at run time. It divides the text into
//! [`Item`]s: functions and their bodies, classes and their members, variables, types, the parts of
//! namespaces, line markers. Then it computes [`Slice`]s: sets of items that hold given parts of
//! the text and everything that these need.
//!
//! libclang resolves names, overloads included, but a name in a template has no meaning before its
//! instantiation. Such a name counts as every member with that name in each needed class. The slice
//! is then parsed by itself. Each new clang error names lacking items, which are added until there
//! are no new errors.
//!
//! A program that has to run is followed from call to call, through the instances of templates. Its
//! slices contain the items that the program reaches, and have to reach the same items.
//!
//! A [`Checker`] counts the errors of texts, one after the other.
//!
//! The crate knows nothing of reduction. It is meant for a process of its own: a library that
//! crashes kills the process that has loaded it.
//!
//! ```no_run
//! use nubbin_clang::{Request, read};
//!
//! let text = "int a(); int b(); int c() { return a(); }";
//! let at = text.find("return").unwrap() as u32;
//! let request = Request {
//!     text: text.into(),
//!     arguments: vec!["-xc++".into()],
//!     root_sets: vec![vec![at..at + 1]],
//!     ..Request::default()
//! };
//! let facts = read(&request, &mut |_, _| true)?;
//! // The declaration of `b` is in none of the slices.
//! let b = facts.items.iter().position(|item| item.name == "b").unwrap() as u32;
//! assert!(facts.slices.iter().all(|slice| !slice.kept.contains(&b)));
//! # Ok::<(), nubbin_clang::ClangError>(())
//! ```

#![allow(
    non_upper_case_globals,
    reason = "libclang's kinds of cursors are constants"
)]

mod arguments;
mod checker;
mod closure;
mod cursor;
mod deadline;
mod dialect;
mod draft;
mod facts;
mod failure;
mod graph;
mod items;
mod lex;
mod message;
mod named;
mod names;
mod nested;
mod parts;
mod probes;
mod reached;
mod reasons;
mod references;
mod repair;
mod request;
mod roots;
mod run;
mod shrink;
mod sort;
mod statements;
mod unit;

pub use arguments::{arguments, makes_code, runs};
pub use checker::{CheckRequest, Checker};
pub use facts::{Facts, Item, ItemKind, Slice};
pub use request::{ClangError, Request, read};
