//! Decides about proposals without a test.

use super::failure_memo::{FailureMemo, Proposed};
use super::syntax_filter::{FilterState, SyntaxFilter};
use crate::edit::{Edit, Fingerprint};
use crate::input::Input;
use crate::order::Order;
use crate::work::{Machine, Taken};
use rustc_hash::FxHashMap;

/// A proposal and the text that it is for.
pub(super) struct Proposal<'q> {
    /// The base, or a text that may become the base.
    pub(super) text: &'q Input,
    /// The edit as its machine made it.
    pub(super) edit: &'q Edit,
    pub(super) taken: Option<Taken<'q>>,
    /// The key of a proposal that is a whole input, see [`Machine::known_by`].
    pub(super) known_by: Option<Fingerprint>,
    /// Carries an edit of its machine's over to the text.
    pub(super) rebase: &'q dyn Fn(&Edit) -> Option<Edit>,
    /// What would have been adopted beyond the text.
    pub(super) assumed: Option<&'q Edit>,
    /// Whether known failures are tried again.
    pub(super) thorough: bool,
}

impl<'q> Proposal<'q> {
    /// The present proposal of a machine.
    pub(super) fn of(
        machine: &'q dyn Machine,
        edit: &'q Edit,
        text: &'q Input,
        rebase: &'q dyn Fn(&Edit) -> Option<Edit>,
    ) -> Self {
        Proposal {
            text,
            edit,
            taken: machine.taken(),
            known_by: machine.known_by(),
            rebase,
            assumed: None,
            thorough: false,
        }
    }

    fn candidate<I>(&self, edit: Edit, input: I, content: Fingerprint) -> Candidate<I> {
        Candidate {
            edit,
            input,
            content,
            print: self.known_by.unwrap_or(content),
            is_whole: self.known_by.is_some(),
        }
    }
}

/// A proposal that is worth a test, if its verdict is not known.
pub(super) struct Candidate<I = Input> {
    /// As an edit of the text.
    pub(super) edit: Edit,
    pub(super) input: I,
    /// The fingerprint of its content.
    pub(super) content: Fingerprint,
    /// The key of its verdict: its content, unless it is a whole input.
    pub(super) print: Fingerprint,
    /// Whether it is a whole input and not a change to the text.
    pub(super) is_whole: bool,
}

/// Why a proposal is not worth a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dropped {
    /// It changes nothing, or contradicts what was adopted.
    Void,
    /// It failed before, and nothing near it has changed.
    KnownFailure,
    /// The candidate is no better than the text.
    NoBetter,
    /// The candidate does not parse as well as the text.
    Malformed,
}

/// Fingerprints of candidates by their text and edit; nothing for a candidate that is no
/// better than the text. A future that is looked at again and again need not be rendered each time.
#[derive(Default)]
pub(super) struct Fingerprints {
    by_text: FxHashMap<Fingerprint, FxHashMap<Edit, Option<Fingerprint>>>,
}

/// Fingerprints that are remembered; most are of the last few steps.
const MOST: usize = 1 << 14;

impl Fingerprints {
    pub(super) fn clear(&mut self) {
        self.by_text.clear();
    }

    /// Forgets all where there are too many.
    pub(super) fn trim(&mut self) {
        if self.by_text.values().map(FxHashMap::len).sum::<usize>() > MOST {
            self.clear();
        }
    }
}

/// What is known of proposals beyond the verdicts.
pub(super) struct Triage<'a> {
    order: Order,
    memo: FailureMemo,
    filter: FilterState<'a>,
}

impl<'a> Triage<'a> {
    pub(super) fn new(order: Order, filter: SyntaxFilter<'a>) -> Self {
        Triage {
            order,
            memo: FailureMemo::default(),
            filter: FilterState::new(filter),
        }
    }

    /// A pass is opened.
    pub(super) fn begin_pass(&mut self, tries_everything: bool) {
        self.filter.begin(tries_everything);
    }

    /// Forgets which edits failed.
    pub(super) fn forget(&mut self) {
        self.memo = FailureMemo::default();
    }

    /// Makes a candidate of a proposal, or says why it is not worth a test.
    pub(super) fn decide(&mut self, proposal: &Proposal<'_>) -> Result<Candidate, Dropped> {
        let edit = self.edit(proposal)?;
        let input = self.render(proposal, &edit)?;
        let content = input.fingerprint();
        Ok(proposal.candidate(edit, input, content))
    }

    /// As [`decide`](Self::decide), but a candidate whose fingerprint is known is not rendered.
    pub(super) fn decide_ahead(
        &mut self,
        proposal: &Proposal<'_>,
        known: &mut Fingerprints,
    ) -> Result<Candidate<Option<Input>>, Dropped> {
        let edit = self.edit(proposal)?;
        let known = known
            .by_text
            .entry(proposal.text.fingerprint())
            .or_default();
        if let Some(&print) = known.get(&edit) {
            let content = print.ok_or(Dropped::NoBetter)?;
            return Ok(proposal.candidate(edit, None, content));
        }
        let rendered = self.render(proposal, &edit);
        // The filter may let a malformed candidate through later.
        if !matches!(rendered, Err(Dropped::Malformed)) {
            let content = rendered.as_ref().ok().map(Input::fingerprint);
            known.insert(edit.clone(), content);
        }
        let input = rendered?;
        let content = input.fingerprint();
        Ok(proposal.candidate(edit, Some(input), content))
    }

    /// The proposal as an edit of its text, unless it is void or known to fail.
    fn edit(&self, proposal: &Proposal<'_>) -> Result<Edit, Dropped> {
        let text = proposal.text.bytes();
        if proposal.known_by.is_some() {
            let edit = proposal.edit.of_all(text.len());
            let is_void = edit.is_none() || proposal.assumed == Some(&edit);
            return if is_void {
                Err(Dropped::Void)
            } else {
                Ok(edit)
            };
        }
        let edit = (proposal.rebase)(proposal.edit).filter(|edit| !edit.is_none());
        let edit = edit.ok_or(Dropped::Void)?;
        let proposed = proposal.taken.map(|taken| Proposed {
            taken,
            rebase: proposal.rebase,
        });
        if !proposal.thorough && self.memo.knows(text, &edit, proposed) {
            return Err(Dropped::KnownFailure);
        }
        let Some(assumed) = proposal.assumed else {
            return Ok(edit);
        };
        let all = assumed.combine(&edit).ok();
        all.filter(|all| all != assumed).ok_or(Dropped::Void)
    }

    /// Renders a candidate, unless it is no better than the text or malformed.
    fn render(&mut self, proposal: &Proposal<'_>, edit: &Edit) -> Result<Input, Dropped> {
        let (text, is_whole) = (proposal.text, proposal.known_by.is_some());
        let input = text.apply(edit);
        // All before the cache: a verdict from ahead of the sequential path must not decide.
        if input.fingerprint() == text.fingerprint() || !self.order.is_below(&input, text) {
            return Err(Dropped::NoBetter);
        }
        if !is_whole && self.filter.refuses(text, &input) {
            return Err(Dropped::Malformed);
        }
        Ok(input)
    }

    /// Learns from the verdict on a candidate that the sequential path asked about.
    pub(super) fn record(&mut self, base: &Input, candidate: &Candidate, fails: bool) {
        if candidate.is_whole {
            return;
        }
        self.filter.learn(base, &candidate.input, fails);
        let bytes = base.bytes();
        match fails {
            true => self.memo.adopted(bytes, &candidate.edit),
            false => self.memo.failed(bytes, &candidate.edit),
        }
    }
}
