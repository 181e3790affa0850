//! The rows of the default plans: the passes of each tier, and when each of them runs.

use super::only::only_on;
use crate::pass::by_id;
use nubbin_edit::File;
use nubbin_engine::plan::Repeat;
use nubbin_engine::work::Pass;
use nubbin_text::BlankLines;
use std::sync::Arc;

/// The plan for a text.
pub(super) const TEXT: &[Row] = &[
    Row {
        name: "probes",
        repeat: Repeat::Opening,
        passes: &[on("deep-nesting", When::Always)],
    },
    Row {
        name: "opening",
        repeat: Repeat::Turns,
        passes: &[
            on("files", When::Always),
            on("comments", When::Always),
            on("blank-lines", When::HasGaps),
            on("depth-0", When::Always),
            on("indented-blocks", When::Always),
            on("elements", When::Always),
            on("depth-1", When::Always),
            on("depth-2", When::Always),
        ],
    },
    Row {
        name: "coarse",
        repeat: Repeat::Fixpoint,
        passes: &[
            on("files", When::Always),
            on("regions", When::Always),
            on("trivial", When::Always),
            on("indented-blocks", When::Always),
            on("depth-0", When::Always),
            on("depth-1", When::Always),
            on("depth-2", When::Always),
            on("sorted-bindings", When::Always),
            on("sorted-terms", When::Always),
            on("sorted-names", When::Always),
            on("elements", When::Always),
            on("deep-nesting", When::Always),
            on("groups", When::Always),
            on("hollow", When::Always),
            on("lines", When::Always),
            on("columns", When::Always),
            on("includes", When::Always),
            on("inline-files", When::Always),
        ],
    },
    Row {
        name: "fine",
        repeat: Repeat::Fixpoint,
        passes: &[
            on("line-pairs", When::Always),
            on("statements", When::Always),
            on("bodies", When::Always),
            on("lift", When::Always),
            on("unwrap", When::Always),
            on("debracket", When::Always),
            on("strings", When::Always),
            on("integers", When::Always),
            on("operators", When::Always),
            on("merge-names", When::Always),
            on("tokens", When::Always),
        ],
    },
    Row {
        name: "last",
        repeat: Repeat::Fixpoint,
        passes: &[
            on("integer-values", When::Always),
            on("number-forms", When::Always),
            on("quoted-code", When::Always),
            on("peephole", When::Always),
            on("windows-tokens", When::Always),
            on("shared-words", When::Always),
            on("join-declarations", When::Always),
        ],
    },
    Row {
        name: "polish",
        repeat: Repeat::Polish,
        passes: &[
            on("floats", When::Always),
            on("names", When::Always),
            on("whitespace", When::Always),
            on("join-lines", When::Always),
            on("token-interiors", When::Always),
        ],
    },
];

/// The plan for other data.
pub(super) const BYTES: &[Row] = &[
    Row {
        name: "probes",
        repeat: Repeat::Opening,
        passes: &[],
    },
    Row {
        name: "coarse",
        repeat: Repeat::Fixpoint,
        passes: &[
            on("files", When::Always),
            on("wasm-bodies", When::Always),
            on("wasm-code", When::Always),
            on("regions", When::Always),
            on("trivial", When::Always),
            on("nested-regions", When::Always),
            on("bytes", When::HasView),
            on("ends", When::IsUnknown),
            on("checked-chunks", When::Always),
            on("length-fields", When::IsUnknown),
            on("bytes", When::IsUnknown),
        ],
    },
    Row {
        name: "fine",
        repeat: Repeat::Fixpoint,
        passes: &[on("short-cuts", When::IsUnknown)],
    },
    Row {
        name: "polish",
        repeat: Repeat::Polish,
        passes: &[
            on("zero-fill", When::HasView),
            on("zero-fill", When::IsUnknown),
            on("lower-bytes", When::IsUnknown),
        ],
    },
];

/// A tier of a default plan.
pub(super) struct Row {
    /// The name of the tier.
    pub(super) name: &'static str,
    /// The condition that ends the tier.
    pub(super) repeat: Repeat,
    /// The passes in their order.
    pub(super) passes: &'static [Entry],
}

/// A pass of a tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The name of the pass.
    pub(super) id: &'static str,
    /// The files on which it runs.
    pub(super) when: When,
}

/// The files on which a pass of a plan runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// All files.
    Always,
    /// Binary files of known formats, of which the pass sees the structure and not the bytes.
    HasView,
    /// Binary files of unknown formats.
    IsUnknown,
    /// Texts with many blank lines, as they are after larger deletions.
    HasGaps,
}

const fn on(id: &'static str, when: When) -> Entry {
    Entry { id, when }
}

/// The share of blank lines in the bytes of a text from which they are many.
const MANY_GAPS: f64 = 0.25;

impl Entry {
    /// Returns the pass; `None` where a feature that it needs is turned off.
    pub(super) fn pass(&self) -> Option<Arc<dyn Pass>> {
        let pass = by_id(self.id)?;
        match self.when {
            When::Always => Some(pass),
            When::HasView => on_its_view(pass),
            When::IsUnknown => Some(only_on(pass, is_unknown)),
            When::HasGaps => {
                let has_gaps = |file: &File<'_>| BlankLines::share(file.text) >= MANY_GAPS;
                Some(only_on(pass, has_gaps))
            }
        }
    }
}

/// Returns the passes of these names.
pub(super) fn by_ids(ids: &[&'static str]) -> Vec<Arc<dyn Pass>> {
    ids.iter().filter_map(|id| by_id(id)).collect()
}

#[cfg(feature = "binary")]
fn on_its_view(pass: Arc<dyn Pass>) -> Option<Arc<dyn Pass>> {
    Some(nubbin_regions::on_its_view(pass))
}

/// Without knowledge of formats, no file has a structure.
#[cfg(not(feature = "binary"))]
fn on_its_view(_: Arc<dyn Pass>) -> Option<Arc<dyn Pass>> {
    None
}

#[cfg(feature = "binary")]
fn is_unknown(file: &File<'_>) -> bool {
    nubbin_binary::read(file.text).is_none()
}

/// Without knowledge of formats, all files are of unknown ones.
#[cfg(not(feature = "binary"))]
fn is_unknown(_: &File<'_>) -> bool {
    true
}
