//! nubbin's own files next to a result: the verdicts, and the receipt of the files of the result.

mod folder;
mod lock;
mod receipt;
mod records;

pub use folder::{FOLDER, StateFolder};
pub use lock::Lock;
pub use receipt::{
    Receipt, RunningPrint, foreign, print_of, print_of_file, print_of_link, print_of_open,
};
pub use records::{Format, Read, Records};
