//! A script with its sorts, and questions about both.

use super::written::{canonical, is_one, zero_bits};
use crate::term::datatypes::{Forms, datatypes, members, parts};
use nubbin_edit::Span;
use nubbin_grammar::sorts::{Binder, Connective, Declaration, SortRules};
use nubbin_view::sexprs::Sexprs;
use rustc_hash::FxHashMap;

/// A script, with a guess at the sort of each of its terms.
///
/// The script is read once, from left to right. A declared or bound name counts from its
/// declaration on, and a name that is bound twice has its last sort. The [rules](SortRules) of the
/// language give the sorts of operators; a term of unknown sort has none.
pub(crate) struct Sorts<'a> {
    pub(crate) rules: &'static SortRules,
    pub(super) text: &'a [u8],
    pub(crate) sexprs: Sexprs,
    /// The sort of each form, as an index into `names`; equal sorts have equal indices.
    pub(super) sorts: Vec<Option<u16>>,
    /// The sorts in written form, with one space where there are several.
    pub(super) names: Vec<Vec<u8>>,
    /// The constants that are declared or defined for the whole script, the shortest of each sort.
    pub(super) constants: FxHashMap<u16, &'a [u8]>,
}

impl<'a> Sorts<'a> {
    pub(crate) fn text(&self, form: usize) -> &'a [u8] {
        let span = self.sexprs.forms().get(form).map(|form| form.span);
        span.and_then(|span| self.text.get(span.range()))
            .unwrap_or_default()
    }

    pub(crate) fn byte(&self, at: u32) -> Option<u8> {
        self.text.get(at as usize).copied()
    }

    pub(crate) fn span(&self, form: usize) -> Span {
        self.sexprs
            .forms()
            .get(form)
            .map_or_else(Span::default, |form| form.span)
    }

    pub(crate) fn is_list(&self, form: usize) -> bool {
        self.sexprs
            .forms()
            .get(form)
            .is_some_and(|form| form.is_list)
    }

    /// Returns the forms directly in a list.
    pub(crate) fn children(&self, form: usize) -> Vec<usize> {
        self.sexprs.children(form).collect()
    }

    /// The first word of a list.
    pub(crate) fn head(&self, form: usize) -> &'a [u8] {
        let first = self.sexprs.children(form).next();
        first.map_or(b"", |first| self.text(first))
    }

    /// The sort of a term; `None` for a form that is not a term.
    pub(crate) fn sort(&self, form: usize) -> Option<u16> {
        self.sorts.get(form).copied().flatten()
    }

    /// Returns the sort with the given written form.
    pub(crate) fn known(&self, written: &[u8]) -> Option<u16> {
        let written = canonical(written);
        self.names
            .iter()
            .position(|name| *name == written)
            .map(|at| at as u16)
    }

    /// Returns the terms with their sorts, in the order of the script.
    pub(crate) fn terms(&self) -> Vec<(usize, u16)> {
        let sorts = self.sorts.iter().zip(0..);
        sorts
            .filter_map(|(sort, form)| Some((form, (*sort)?)))
            .collect()
    }

    /// Returns the connective of an operator.
    pub(crate) fn connective(&self, operator: &[u8]) -> Option<&'static Connective> {
        let mut known = self.rules.connectives.iter();
        known.find(|known| is_one(known.operators, operator))
    }

    /// Returns the commands that open a scope, each with the one that closes it.
    pub(crate) fn scopes(&self) -> Vec<(usize, usize)> {
        let (mut pairs, mut open) = (vec![], vec![]);
        for command in self.sexprs.top() {
            let head = self.head(command);
            let mut known = self.rules.scopes.iter();
            let of = known.position(|(opens, closes)| is_one(&[opens, closes], head));
            let Some(of) = of else { continue };
            if head == self.rules.scopes[of].0.as_bytes() {
                open.push((command, of));
            } else if let Some((from, _)) = open.pop_if(|(_, opened)| *opened == of) {
                pairs.push((from, command));
            }
        }
        pairs
    }

    /// Returns whether a form is a command of the script.
    pub(crate) fn is_top(&self, form: usize) -> bool {
        let form = self.sexprs.forms().get(form);
        form.is_some_and(|form| form.parent.is_none())
    }

    /// Returns the names of the datatypes that a command declares and of their parameters, and
    /// those of their constructors and selectors.
    pub(crate) fn datatypes(&self, command: usize) -> (Vec<&'a [u8]>, Vec<&'a [u8]>) {
        if !is_one(self.rules.datatypes, self.head(command)) {
            return (vec![], vec![]);
        }
        let forms = Forms {
            sexprs: &self.sexprs,
            text: self.text,
        };
        let mut of_sorts = vec![];
        for datatype in datatypes(forms, command) {
            of_sorts.push(datatype.name);
            of_sorts.extend(datatype.parameters);
        }
        let members = members(forms, command).into_iter();
        (of_sorts, members.map(|it| it.name).collect())
    }

    /// Returns the parts of the datatypes that a command declares: the form of each, with the forms
    /// that are deleted with it.
    pub(crate) fn datatype_parts(&self, command: usize) -> Vec<(usize, Vec<usize>)> {
        if !is_one(self.rules.datatypes, self.head(command)) {
            return vec![];
        }
        let forms = Forms {
            sexprs: &self.sexprs,
            text: self.text,
        };
        parts(forms, command)
    }

    /// The declaration or definition of a command.
    pub(crate) fn declaration(&self, command: usize) -> Option<&'static Declaration> {
        let head = self.head(command);
        let mut known = self.rules.declarations.iter();
        known.find(|known| known.command.as_bytes() == head)
    }

    /// The binder of a list.
    pub(crate) fn binder(&self, list: usize) -> Option<&'static Binder> {
        let head = self.head(list);
        let mut known = self.rules.binders.iter();
        known.find(|known| known.head.as_bytes() == head)
    }

    /// Returns the number of bits in the vectors of a sort.
    pub(crate) fn width(&self, sort: &[u8]) -> Option<u32> {
        let vectors = &self.rules.vectors;
        let digits = sort.strip_prefix(vectors.sort_before.as_bytes())?;
        let digits = digits.strip_suffix(vectors.sort_behind.as_bytes())?;
        std::str::from_utf8(digits).ok()?.parse().ok()
    }

    /// Returns the shortest way to write a vector of zeros.
    pub(crate) fn zero_bits(&self, width: u32) -> Vec<u8> {
        zero_bits(&self.rules.vectors, width)
    }

    /// Returns a simple term of a sort that is worse than the [simplest](Sorts::least).
    pub(crate) fn next_least(&self, sort: u16) -> Option<&'static [u8]> {
        let name = self.names.get(usize::from(sort))?;
        let mut known = self.rules.next_least.iter();
        let (_, term) = known.find(|(sort, _)| sort.as_bytes() == name)?;
        Some(term.as_bytes())
    }

    /// The simplest terms of a sort, best first: a literal, then a name of the script.
    pub(crate) fn least(&self, sort: u16) -> Vec<Vec<u8>> {
        let of_name = |name: &Vec<u8>| -> Vec<Vec<u8>> {
            let mut known = self.rules.least.iter();
            match known.find(|(sort, _)| sort.as_bytes() == name) {
                Some((_, terms)) => terms.iter().map(|term| term.as_bytes().to_vec()).collect(),
                None => {
                    let zeros = self.width(name).map(|width| self.zero_bits(width));
                    zeros.into_iter().collect()
                }
            }
        };
        let name = self.names.get(usize::from(sort));
        let mut least = name.map_or(vec![], of_name);
        least.extend(self.constants.get(&sort).map(|name| name.to_vec()));
        least
    }
}
