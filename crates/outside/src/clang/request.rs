//! The first line to the process that loads libclang.

use nubbin_clang::{CheckRequest, Request};
use serde::{Deserialize, Serialize};

/// The first line to the process.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ClangRequest {
    /// Compute slices of a text.
    Slices(Request),
    /// Count the errors of texts. Each line after this one is a text, as a JSON string.
    Errors(CheckRequest),
}
