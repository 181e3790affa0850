//! Files of nubbin's own beside a result: verdicts, and what was written as the result.

mod folder;
mod lock;
mod receipt;
mod records;

pub(crate) use folder::{FOLDER, StateFolder};
pub(crate) use lock::Lock;
pub(crate) use receipt::{
    Receipt, RunningPrint, foreign, print_of, print_of_file, print_of_link, print_of_open,
};
pub(crate) use records::{Format, Read, Records};
