//! The rows of the default plans: the names of the passes of each tier, with marks for conditions.

use super::only::only_on;
use crate::pass::by_id;
use nubbin_edit::File;
use nubbin_engine::plan::Repeat;
use nubbin_engine::work::Pass;
use nubbin_text::BlankLines;
use std::sync::Arc;

/// The plan for a text.
pub(super) const TEXT: &[Row] = &[
    ("probes", Repeat::Opening, &["deep-nesting"]),
    (
        "opening",
        Repeat::Turns,
        &[
            "files",
            "comments",
            "gaps:blank-lines",
            "depth-0",
            "indented-blocks",
            "elements",
            "depth-1",
            "depth-2",
        ],
    ),
    (
        "coarse",
        Repeat::Fixpoint,
        &[
            "files",
            "regions",
            "trivial",
            "indented-blocks",
            "depth-0",
            "depth-1",
            "depth-2",
            "sorted-bindings",
            "sorted-terms",
            "sorted-names",
            "elements",
            "deep-nesting",
            "groups",
            "hollow",
            "lines",
            "columns",
            "includes",
            "inline-files",
        ],
    ),
    (
        "fine",
        Repeat::Fixpoint,
        &[
            "line-pairs",
            "statements",
            "bodies",
            "lift",
            "unwrap",
            "debracket",
            "strings",
            "integers",
            "operators",
            "merge-names",
            "tokens",
        ],
    ),
    (
        "last",
        Repeat::Fixpoint,
        &[
            "integer-values",
            "number-forms",
            "quoted-code",
            "peephole",
            "windows-tokens",
            "shared-words",
            "join-declarations",
        ],
    ),
    (
        "polish",
        Repeat::Polish,
        &[
            "floats",
            "names",
            "whitespace",
            "join-lines",
            "token-interiors",
        ],
    ),
];

/// The plan for other data.
pub(super) const BYTES: &[Row] = &[
    ("probes", Repeat::Opening, &[]),
    (
        "coarse",
        Repeat::Fixpoint,
        &[
            "files",
            "wasm-bodies",
            "wasm-code",
            "regions",
            "trivial",
            "nested-regions",
            "view:bytes",
            "unknown:ends",
            "checked-chunks",
            "unknown:length-fields",
            "unknown:bytes",
        ],
    ),
    ("fine", Repeat::Fixpoint, &["unknown:short-cuts"]),
    (
        "polish",
        Repeat::Polish,
        &["view:zero-fill", "unknown:zero-fill", "unknown:lower-bytes"],
    ),
];

/// Marks a pass that works on the structure of binary files, and not on their bytes.
const VIEW: &str = "view:";

/// Marks a pass that works on binary files of unknown formats only.
const UNKNOWN: &str = "unknown:";

/// Marks a pass that works on texts with many blank lines only, as they are after larger deletions.
const GAPS: &str = "gaps:";

/// The share of blank lines in the bytes of a text from which they are many.
const MANY_GAPS: f64 = 0.25;

/// A tier by the names of its passes.
pub(super) type Row = (&'static str, Repeat, &'static [&'static str]);

/// Returns the passes of these names.
pub(super) fn by_ids(ids: &[&'static str]) -> Vec<Arc<dyn Pass>> {
    // A test below checks that every name in this file exists.
    ids.iter().filter_map(|id| by_name(id)).collect()
}

/// Returns the name of a pass without the marks of its name in a plan.
#[cfg(feature = "binary")]
pub(super) fn id_of(name: &str) -> &str {
    let mut marks = [VIEW, UNKNOWN, GAPS].into_iter();
    marks
        .find_map(|mark| name.strip_prefix(mark))
        .unwrap_or(name)
}

pub(super) fn by_name(name: &str) -> Option<Arc<dyn Pass>> {
    if let Some(id) = name.strip_prefix(VIEW) {
        return on_its_view(id);
    }
    if let Some(id) = name.strip_prefix(GAPS) {
        let has_gaps = |file: &File<'_>| BlankLines::share(file.text) >= MANY_GAPS;
        return by_id(id).map(|pass| only_on(pass, has_gaps));
    }
    let Some(id) = name.strip_prefix(UNKNOWN) else {
        return by_id(name);
    };
    by_id(id).map(|pass| only_on(pass, is_unknown))
}

#[cfg(feature = "binary")]
fn on_its_view(id: &str) -> Option<Arc<dyn Pass>> {
    by_id(id).map(nubbin_regions::on_its_view)
}

/// Without knowledge of formats, no file has a structure.
#[cfg(not(feature = "binary"))]
fn on_its_view(_: &str) -> Option<Arc<dyn Pass>> {
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
