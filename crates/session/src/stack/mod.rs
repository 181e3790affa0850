//! `--same-stack`: the stack of the program at the signal that kills it.

mod condition;
#[cfg(unix)]
mod process;
mod tracer;

pub use condition::settle;
#[cfg(unix)]
pub use process::run;
pub use tracer::{PROCESS, tracer};
