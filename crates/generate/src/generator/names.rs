use nubbin_grammar::grammar::{Grammar, NameId};

/// The names in scope while a text is written, by the kind of names.
#[derive(Debug, Default)]
pub(super) struct Names {
    kinds: Vec<NameSet>,
}

/// The names of one kind, as ranges of the text.
#[derive(Clone, Debug, Default)]
struct NameSet {
    usable: Vec<(usize, usize)>,
    pending: Vec<(usize, usize)>,
}

impl Names {
    pub(super) fn of(grammar: &Grammar) -> Self {
        Names {
            kinds: vec![NameSet::default(); grammar.name_count()],
        }
    }

    /// Adds the text from `start` to `end` as a name, which is pending until [`Names::commit`].
    pub(super) fn define(&mut self, name: NameId, start: usize, end: usize) {
        self.kinds[name.index()].pending.push((start, end));
    }

    /// Makes the pending names of a kind usable.
    pub(super) fn commit(&mut self, name: NameId) {
        let kind = &mut self.kinds[name.index()];
        kind.usable.append(&mut kind.pending);
    }

    /// Returns the ranges of the usable names of a kind.
    pub(super) fn usable(&self, name: NameId) -> &[(usize, usize)] {
        &self.kinds[name.index()].usable
    }
}
