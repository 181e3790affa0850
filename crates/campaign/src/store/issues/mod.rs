//! The issues of a campaign in its database.

mod found;
mod list;
mod record;
mod report;
mod row;

pub use found::Change;
pub(super) use found::{find, met};
pub use list::IssueFilter;
pub use row::IssueRow;
