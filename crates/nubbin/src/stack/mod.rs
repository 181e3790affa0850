//! `--same-stack`: the stack of the program at the signal that ends it.

mod condition;
#[cfg(unix)]
mod process;
mod tracer;

pub(crate) use condition::settle;
#[cfg(unix)]
pub(crate) use process::run;
pub(crate) use tracer::{PROCESS, tracer};
