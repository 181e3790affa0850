use nubbin_grammar::grammar::{Grammar, NameId};

/// Names in scope while a text is written.
#[derive(Debug, Default)]
pub(super) struct Names {
    kinds: Vec<Kind>,
}

/// Names of one kind, as places in the text.
#[derive(Clone, Debug, Default)]
struct Kind {
    usable: Vec<(usize, usize)>,
    pending: Vec<(usize, usize)>,
}

impl Names {
    pub(super) fn of(grammar: &Grammar) -> Self {
        Names {
            kinds: vec![Kind::default(); grammar.name_count()],
        }
    }

    /// What was written from `start` to `end` is a name, not to be used yet.
    pub(super) fn define(&mut self, name: NameId, start: usize, end: usize) {
        self.kinds[name.index()].pending.push((start, end));
    }

    pub(super) fn commit(&mut self, name: NameId) {
        let kind = &mut self.kinds[name.index()];
        kind.usable.append(&mut kind.pending);
    }

    /// Where the names that can be used stand.
    pub(super) fn usable(&self, name: NameId) -> &[(usize, usize)] {
        &self.kinds[name.index()].usable
    }
}
