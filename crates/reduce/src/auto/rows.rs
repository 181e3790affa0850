//! The rows of the default plans: the passes of each tier, and the files on which each pass runs.

use super::only::only_on;
use crate::pass::by_id;
use nubbin_edit::{File, Input};
use nubbin_engine::plan::Repeat;
use nubbin_engine::work::{OpenedBy, Pass, Views};
use nubbin_text::{BlankLines, Copies};
use std::sync::Arc;

/// The plan for a text.
pub(super) const TEXT: &[Row] = &[
    Row {
        name: "probes",
        repeat: Repeat::Opening,
        passes: &[on("deep-nesting")],
    },
    Row {
        name: "opening",
        repeat: Repeat::Turns,
        passes: &[
            on("files"),
            on("comments"),
            on("blank-lines").when(When::HasGaps),
            on("depth-0"),
            on("indented-blocks"),
            on("elements"),
            on("depth-1"),
            on("depth-2"),
        ],
    },
    Row {
        name: "coarse",
        repeat: Repeat::Fixpoint,
        passes: &[
            on("files"),
            on("regions"),
            on("trivial"),
            on("indented-blocks"),
            on("depth-0"),
            on("depth-1"),
            on("depth-2"),
            on("sorted-bindings"),
            on("sorted-terms"),
            on("folded-terms"),
            on("script-commands"),
            on("sorted-names"),
            on("elements"),
            on("deep-nesting"),
            on("groups"),
            on("hollow"),
            on("lines"),
            on("columns"),
            on("includes"),
            on("inline-files"),
        ],
    },
    Row {
        name: "fine",
        repeat: Repeat::Fixpoint,
        passes: &[
            on("line-pairs"),
            on("copies").when(When::IsCopies),
            on("statements"),
            on("bodies"),
            on("lift"),
            on("unwrap"),
            on("debracket"),
            on("strings"),
            on("integers"),
            on("operators"),
            on("merge-names"),
            on("tokens"),
        ],
    },
    Row {
        name: "last",
        repeat: Repeat::Fixpoint,
        passes: &[
            on("integer-values"),
            on("number-forms"),
            on("quoted-code"),
            on("peephole"),
            on("windows-tokens"),
            on("shared-words"),
            on("join-declarations"),
        ],
    },
    Row {
        name: "polish",
        repeat: Repeat::Polish,
        passes: &[
            on("floats"),
            on("names"),
            on("whitespace"),
            on("join-lines"),
            on("token-interiors"),
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
            on("files"),
            on("wasm-data"),
            on("wasm-bodies"),
            on("wasm-exports"),
            on("wasm-locals"),
            on("wasm-code"),
            on("regions"),
            on("trivial"),
            on("nested-regions"),
            on("bytes").when(When::HasView),
            on("ends").when(When::IsUnknown),
            on("checked-chunks"),
            on("length-fields").when(When::IsUnknown),
            on("bytes").when(When::IsUnknown),
        ],
    },
    Row {
        name: "fine",
        repeat: Repeat::Fixpoint,
        passes: &[on("short-cuts").when(When::IsUnknown)],
    },
    Row {
        name: "polish",
        repeat: Repeat::Polish,
        passes: &[
            on("zero-fill").when(When::HasView),
            on("zero-fill").when(When::IsUnknown),
            on("lower-bytes").when(When::IsUnknown),
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
    /// The pass runs on all files.
    Always,
    /// The pass runs on binary files of known formats. It sees the structure of the file and not
    /// its bytes.
    HasView,
    /// The pass runs on binary files of unknown formats.
    IsUnknown,
    /// The pass runs on inputs of which the copies of one stretch currently make up half.
    IsCopies,
    /// The pass runs on texts with many blank lines, which are common after larger deletions.
    HasGaps,
}

/// Returns a pass that runs on all files.
const fn on(id: &'static str) -> Entry {
    let when = When::Always;
    Entry { id, when }
}

/// The share of blank lines in the bytes of a text from which they are many.
const MANY_GAPS: f64 = 0.25;

impl Entry {
    const fn when(mut self, when: When) -> Self {
        self.when = when;
        self
    }

    /// Returns the pass, or `None` if a feature that it needs is disabled.
    pub(super) fn pass(&self) -> Option<Arc<dyn Pass>> {
        let pass = by_id(self.id)?;
        match self.when {
            When::Always => Some(pass),
            When::HasView => on_its_view(pass),
            When::IsUnknown => Some(only_on(pass, is_unknown)),
            When::IsCopies => Some(opened_if(pass, Copies::are_most)),
            When::HasGaps => {
                let has_gaps = |file: &File<'_>| BlankLines::share(file.text) >= MANY_GAPS;
                Some(only_on(pass, has_gaps))
            }
        }
    }
}

/// Returns the pass over copies, which is opened only if copies make up a quarter of the input.
#[cfg(feature = "trees")]
pub(super) fn copies_if_many() -> Option<Arc<dyn Pass>> {
    Some(opened_if(by_id("copies")?, Copies::are_many))
}

/// Returns a pass over the whole input that is opened only on some inputs.
fn opened_if(pass: Arc<dyn Pass>, fits: fn(&Input, &Views) -> bool) -> Arc<dyn Pass> {
    OpenedBy::wrap(pass, move |pass, files, context| {
        fits(context.input, context.views).then(|| pass.open(files.first()?, context))?
    })
}

/// Returns the passes with the given names.
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
