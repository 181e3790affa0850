//! The second stage of an explanation: it owns the page that it writes.

use super::prepared::Prepared;
use crate::output::{Access, Destination};
use crate::paths::{self, Use};
use crate::problem::Problem;
use crate::report;
use crate::settings::ExplainSettings;
use crate::test::TestSetup;

/// An explanation that owns its page, if it writes one.
pub(super) struct Claimed {
    pub(super) prepared: Prepared,
    pub(super) page: Option<Destination>,
}

impl Claimed {
    pub(super) fn of(prepared: Prepared) -> Result<Self, Problem> {
        let args = &prepared.args;
        keep_apart(args)?;
        let access = Access::of(&args.input);
        let page = args.report.as_deref();
        let page = page.map(|path| report::claim(path, "page", access, args.force));
        Ok(Claimed {
            page: page.transpose()?,
            prepared,
        })
    }
}

/// Refuses a page that is also a file that is read.
fn keep_apart(args: &ExplainSettings) -> Result<(), Problem> {
    let of = |path, what| Use { path, what };
    let (input, choices) = (&args.input, &args.choices.choices);
    let read = (input.iter().map(|path| of(path, "the input")))
        .chain(choices.iter().map(|path| of(path, "the recorded choices")))
        .chain(args.search.grammar.iter().map(|path| of(path, "a grammar")))
        .chain(
            args.search
                .from
                .iter()
                .map(|path| of(path, "a text given by `--from`")),
        )
        .chain(TestSetup::from(args).read());
    let read: Vec<Use<'_>> = read.collect();
    let written = args.report.iter().map(|path| of(path, "the page"));
    paths::keep_apart(&read, &written.collect::<Vec<_>>())
}
