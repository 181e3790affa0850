//! Files of nubbin's own beside a result: verdicts, and what was written as the result.

mod folder;
mod lock;
mod records;

pub(crate) use folder::StateFolder;
pub(crate) use lock::Lock;
pub(crate) use records::{Format, Read, Records};
