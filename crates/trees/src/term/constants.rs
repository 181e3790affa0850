//! The constants that may replace the terms of a script.

use super::sorts::Sorts;
use nubbin_engine::order::rank;
use rustc_hash::FxHashMap;

/// The constants of each sort, and those that an operator can do without.
pub(super) struct Constants {
    least: FxHashMap<u16, Vec<Vec<u8>>>,
    neutral: FxHashMap<usize, &'static str>,
}

impl Constants {
    /// Finds the constants for some terms, which are given with their sorts, in the order of the
    /// script.
    pub(super) fn of(sorts: &Sorts<'_>, terms: &[(usize, u16)]) -> Self {
        let mut least: FxHashMap<u16, Vec<Vec<u8>>> = FxHashMap::default();
        for &(_, sort) in terms {
            least.entry(sort).or_insert_with(|| sorts.least(sort));
        }
        Constants {
            least,
            neutral: neutral(sorts, terms),
        }
    }

    /// The greatest number of constants of a sort.
    pub(super) fn most(&self) -> usize {
        self.least.values().map(Vec::len).max().unwrap_or(0)
    }

    /// Returns a constant for a term, by its number; `None` if the term is at most as
    /// large.
    pub(super) fn get(
        &self,
        sorts: &Sorts<'_>,
        (form, sort): (usize, u16),
        number: usize,
    ) -> Option<&[u8]> {
        let least = self.least.get(&sort)?;
        let is_neutral = |by: &Vec<u8>| {
            let literal = self.neutral.get(&form);
            literal.is_some_and(|literal| by == literal.as_bytes())
        };
        // The neutral literal and the first literal are swapped.
        let number = match (least.iter().position(is_neutral), number) {
            (Some(place), 0) => place,
            (Some(place), number) if number == place => 0,
            (_, number) => number,
        };
        let by = least.get(number)?;
        is_less(by, sorts.text(form)).then_some(by)
    }
}

/// Returns whether a text is shorter than another, or as long and simpler.
fn is_less(by: &[u8], text: &[u8]) -> bool {
    let ranks = |text: &[u8]| text.iter().map(|&byte| rank(byte)).collect::<Vec<_>>();
    by.len() < text.len() || by.len() == text.len() && ranks(by) < ranks(text)
}

/// Returns the literals for the terms that an operator can do without, by the operator around them.
///
/// `false` in an `or` deletes one of its terms, where `true` has the meaning of `true` for the
/// whole `or`, which was refused before anything within it is tried.
fn neutral(sorts: &Sorts<'_>, terms: &[(usize, u16)]) -> FxHashMap<usize, &'static str> {
    let rules = sorts.rules;
    let (negation, yes, no) = rules.negation;
    let mut found: FxHashMap<usize, &'static str> = FxHashMap::default();
    // A list comes before its elements.
    for &(form, _) in terms.iter().filter(|(form, _)| sorts.is_list(*form)) {
        let head = sorts.head(form);
        let own = found.get(&form).copied().unwrap_or(yes);
        let connective = sorts.connective(head);
        let arguments = sorts.children(form).into_iter().skip(1);
        if let Some(literal) = connective.and_then(|it| it.neutral.first()) {
            found.extend(arguments.map(|argument| (argument, *literal)));
        } else if head == negation.as_bytes() {
            // If an argument of a negation is the opposite literal, the whole negation is the
            // neutral literal.
            found.extend(arguments.map(|argument| (argument, own)));
        } else if head == rules.implication.as_bytes() {
            found.extend(arguments.last().map(|conclusion| (conclusion, no)));
        }
    }
    found
}

/// Returns the replacements of terms by terms that are simple, but not the simplest of their sort.
pub(super) fn next_least(sorts: &Sorts<'_>, terms: &[(usize, u16)]) -> Vec<(usize, Vec<u8>)> {
    let least = terms.iter().filter_map(|&(form, sort)| {
        let by = sorts.next_least(sort)?;
        is_less(by, sorts.text(form)).then(|| (form, by.to_vec()))
    });
    least.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_languages::hints::SORTS;

    #[test]
    fn operators_can_do_without_the_first_constant() {
        let first = |term: &str, part: &str| {
            let text = format!("(declare-const xx Bool)(assert {term})");
            let sorts = Sorts::of(text.as_bytes(), SORTS).unwrap();
            let terms = sorts.terms();
            let constants = Constants::of(&sorts, &terms);
            let term = terms
                .iter()
                .find(|(form, _)| sorts.text(*form) == part.as_bytes());
            let by = constants.get(&sorts, *term.unwrap(), 0).unwrap();
            String::from_utf8(by.to_vec()).unwrap()
        };
        assert_eq!(first("(and xx (p xx))", "(p xx)"), "true");
        assert_eq!(first("(or xx (p xx))", "(p xx)"), "false");
        assert_eq!(first("(or xx (not (p xx)))", "(p xx)"), "false");
        assert_eq!(first("(not (and (p xx)))", "(and (p xx))"), "true");
        assert_eq!(first("(=> (p xx) xx)", "(p xx)"), "true");
        assert_eq!(first("(=> xx (p xx))", "(p xx)"), "false");
    }
}
