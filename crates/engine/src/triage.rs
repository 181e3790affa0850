//! Triage: decisions about proposals without a test.

use super::failure_memo::{FailureMemo, Proposed};
use super::syntax_filter::{FilterState, SyntaxFilter};
use crate::order::Order;
use crate::work::{Machine, Taken};
use nubbin_edit::{Edit, Fingerprint, Input};
use rustc_hash::FxHashMap;

/// A proposal and the text that it changes.
pub(super) struct Proposal<'q> {
    /// The base, or a text that may become the base.
    pub(super) text: &'q Input,
    /// The edit as the machine proposed it.
    pub(super) edit: &'q Edit,
    pub(super) taken: Option<Taken<'q>>,
    /// The key of a proposal that is a whole input. See [`Machine::known_by`].
    pub(super) known_by: Option<Fingerprint>,
    /// A function that rebases an edit of the machine to the text.
    pub(super) rebase: &'q dyn Fn(&Edit) -> Option<Edit>,
    /// An edit of the text that is assumed to have been adopted.
    pub(super) assumed: Option<&'q Edit>,
    /// Whether known failures are tried again.
    pub(super) thorough: bool,
}

impl<'q> Proposal<'q> {
    /// Creates a proposal from the current edit of a machine.
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

/// A proposal that needs a test, unless its verdict is known.
pub(super) struct Candidate<I = Input> {
    /// The candidate, as an edit of the text.
    pub(super) edit: Edit,
    pub(super) input: I,
    /// The fingerprint of the content.
    pub(super) content: Fingerprint,
    /// The key of the verdict: `content`, unless the candidate is a whole input.
    pub(super) print: Fingerprint,
    /// Whether the candidate is a whole input and not a change of the text.
    pub(super) is_whole: bool,
}

/// The reason why a proposal needs no test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dropped {
    /// The proposal changes nothing, or conflicts with adopted edits.
    Void,
    /// The proposal was tried before, and the text near it has not changed.
    KnownFailure,
    /// The candidate is not better than the text.
    NoBetter,
    /// The candidate does not parse as well as the text.
    Malformed,
}

/// The fingerprints of candidates by text and edit; `None` for a candidate that is not better than
/// the text. A future that the search visits again is therefore not rendered again.
#[derive(Default)]
pub(super) struct Fingerprints {
    by_text: FxHashMap<Fingerprint, FxHashMap<Edit, Option<Fingerprint>>>,
}

/// The maximum number of fingerprints to keep. Most of them belong to the last few steps.
const MAX_FINGERPRINTS: usize = 1 << 14;

impl Fingerprints {
    pub(super) fn clear(&mut self) {
        self.by_text.clear();
    }

    /// Forgets all fingerprints if there are too many.
    pub(super) fn trim(&mut self) {
        if self.by_text.values().map(FxHashMap::len).sum::<usize>() > MAX_FINGERPRINTS {
            self.clear();
        }
    }
}

/// The state of triage: the knowledge about proposals other than verdicts.
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

    /// Prepares for the proposals of a pass.
    pub(super) fn begin_pass(&mut self, tries_everything: bool) {
        self.filter.begin(tries_everything);
    }

    /// Forgets which edits failed.
    pub(super) fn forget(&mut self) {
        self.memo = FailureMemo::default();
    }

    /// Creates a candidate from a proposal, or returns the reason why the proposal needs no test.
    pub(super) fn decide(&mut self, proposal: &Proposal<'_>) -> Result<Candidate, Dropped> {
        let edit = self.edit(proposal)?;
        let input = self.render(proposal, &edit)?;
        let content = input.fingerprint();
        Ok(proposal.candidate(edit, input, content))
    }

    /// Decides about a proposal as [`decide`](Self::decide) does, but does not render candidates
    /// with known fingerprints.
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
        // The filter may accept a malformed candidate later.
        if !matches!(rendered, Err(Dropped::Malformed)) {
            let content = rendered.as_ref().ok().map(Input::fingerprint);
            known.insert(edit.clone(), content);
        }
        let input = rendered?;
        let content = input.fingerprint();
        Ok(proposal.candidate(edit, Some(input), content))
    }

    /// Returns the proposal as an edit of the text, unless it is void or a known failure.
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

    /// Renders a candidate, unless it is malformed or not better than the text.
    fn render(&mut self, proposal: &Proposal<'_>, edit: &Edit) -> Result<Input, Dropped> {
        let (text, is_whole) = (proposal.text, proposal.known_by.is_some());
        let input = text.apply(edit);
        // Triage comes before the cache, so that prefetched verdicts do not change the path.
        if input.fingerprint() == text.fingerprint() || !self.order.is_below(&input, text) {
            return Err(Dropped::NoBetter);
        }
        if !is_whole && self.filter.refuses(text, &input) {
            return Err(Dropped::Malformed);
        }
        Ok(input)
    }

    /// Records the verdict on a candidate for which the sequential path asked.
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
