//! `nubbin capture`: the files that a failing command reads, in a folder of their own with a test.

#[cfg(unix)]
mod access;
#[cfg(unix)]
mod captured;
#[cfg(unix)]
mod check;
#[cfg(unix)]
mod command;
#[cfg(unix)]
mod compilers;
#[cfg(unix)]
mod copies;
#[cfg(unix)]
mod draft;
#[cfg(unix)]
mod place;
#[cfg(unix)]
mod preprocess;
#[cfg(unix)]
mod record;
#[cfg(unix)]
mod resolve;
#[cfg(unix)]
mod run;
#[cfg(unix)]
mod seen;
#[cfg(unix)]
mod sight;
#[cfg(unix)]
mod strace;
#[cfg(unix)]
mod tell;
#[cfg(not(unix))]
mod unsupported;
#[cfg(unix)]
mod words;

#[cfg(unix)]
pub(crate) use run::run;
#[cfg(not(unix))]
pub(crate) use unsupported::run;
