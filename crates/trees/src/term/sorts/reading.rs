//! The one reading of a script, in which each term gets its sort.

use super::guessed::Sorts;
use super::written::{canonical, is_one};
use crate::term::datatypes::{Forms, members};
use nubbin_grammar::sorts::{
    BoundTo, Gives, Indexed, Literal, LiteralSort, Operator, SortRules, Vectors,
};
use nubbin_view::sexprs::Sexprs;
use rustc_hash::FxHashMap;

/// The number of sorts beyond which further sorts are unknown.
const MOST_SORTS: usize = 1_000;

impl<'a> Sorts<'a> {
    /// Reads a script by the rules of its language; `None` if the text is in none of the given
    /// languages.
    pub(crate) fn of(text: &'a [u8], languages: &[&'static SortRules]) -> Option<Self> {
        if languages.is_empty() {
            return None;
        }
        let sexprs = Sexprs::of(text)?;
        let head = |form: usize| sexprs.children(form).next();
        let has_command = |rules: &SortRules| {
            let is_command = |form: usize| {
                let name = head(form).and_then(|head| text.get(sexprs.forms()[head].span.range()));
                name.is_some_and(|name| is_one(rules.commands, name))
            };
            sexprs.top().any(is_command)
        };
        let rules = languages.iter().copied().find(|rules| has_command(rules))?;
        let mut reading = Reading {
            names: FxHashMap::default(),
            functions: FxHashMap::default(),
            interned: FxHashMap::default(),
            found: Sorts {
                rules,
                text,
                sorts: vec![None; sexprs.forms().len()],
                sexprs,
                names: vec![],
                constants: FxHashMap::default(),
            },
        };
        reading.all();
        reading.by_place();
        Some(reading.found)
    }
}

struct Reading<'a> {
    /// The sorts of constants and variables.
    names: FxHashMap<&'a [u8], u16>,
    /// The sorts of the results of functions.
    functions: FxHashMap<&'a [u8], u16>,
    interned: FxHashMap<Vec<u8>, u16>,
    found: Sorts<'a>,
}

/// The meaning of a list, by its place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Command,
    /// A name with the term that it is bound to.
    Binding,
    /// A name with its sort, of a quantifier or definition.
    Variable,
    Other,
}

impl<'a> Reading<'a> {
    fn sort_of(&mut self, written: &[u8]) -> Option<u16> {
        let written = canonical(written);
        if let Some(&known) = self.interned.get(&written) {
            return Some(known);
        }
        if self.found.names.len() >= MOST_SORTS || written.is_empty() {
            return None;
        }
        let new = self.found.names.len() as u16;
        self.found.names.push(written.clone());
        self.interned.insert(written, new);
        Some(new)
    }

    /// Returns the sort of bit vectors of the given width.
    fn vector(&mut self, width: impl std::fmt::Display) -> Option<u16> {
        let Vectors {
            sort_before,
            sort_behind,
            ..
        } = self.found.rules.vectors;
        self.sort_of(format!("{sort_before}{width}{sort_behind}").as_bytes())
    }

    /// Finds the sort of every form, after that of all forms within it.
    fn all(&mut self) {
        let mut open: Vec<usize> = vec![];
        let count = self.found.sexprs.forms().len();
        for at in 0..=count {
            let is_over = |list: &mut usize| self.found.sexprs.forms()[*list].end as usize <= at;
            let mut over = vec![];
            while let Some(list) = open.pop_if(is_over) {
                over.push(list);
            }
            for list in over {
                self.list(list);
            }
            if at == count {
                break;
            }
            if self.found.is_list(at) {
                open.push(at);
            } else {
                self.atom(at);
            }
        }
    }

    /// Gives terms of unknown sort the sort that their place asks for: that of a condition where a
    /// connective or a command takes nothing else.
    fn by_place(&mut self) {
        let rules = self.found.rules;
        let Some(truth) = self.sort_of(rules.truth.as_bytes()) else {
            return;
        };
        let (negation, yes, _) = rules.negation;
        let of_truth: Vec<&str> = (rules.connectives.iter())
            .filter(|it| it.neutral.contains(&yes) || it.absorbing.contains(&yes))
            .flat_map(|it| it.operators.iter().copied())
            .chain([negation, rules.implication])
            .collect();
        for form in 0..self.found.sexprs.forms().len() {
            if self.found.sorts[form].is_some() || !self.may_be_term(form) {
                continue;
            }
            let Some((parent, at)) = self.around(form) else {
                continue;
            };
            let head = self.found.head(parent);
            let is_command = self.found.sexprs.forms()[parent].parent.is_none();
            let asks = match is_command {
                true => is_one(rules.asserts, head),
                false => is_one(&of_truth, head) || head == rules.conditional.as_bytes() && at == 1,
            };
            if asks {
                self.found.sorts[form] = Some(truth);
            }
        }
    }

    /// Returns the list around a form, and the position of the form in it.
    fn around(&self, form: usize) -> Option<(usize, usize)> {
        let parent = self.found.sexprs.forms().get(form)?.parent? as usize;
        let at = self
            .found
            .sexprs
            .children(parent)
            .take(6)
            .position(|child| child == form);
        Some((parent, at.unwrap_or(6)))
    }

    /// Returns whether a term may take the place of the given form.
    fn may_be_term(&self, form: usize) -> bool {
        let Some((parent, at)) = self.around(form) else {
            return false;
        };
        let head = self.found.head(parent);
        let rules = self.found.rules;
        if self.found.sexprs.forms()[parent].parent.is_none() {
            let mut terms = rules.terms.iter();
            return terms.any(|&(command, place)| command.as_bytes() == head && at == place);
        }
        !is_one(rules.no_terms, head) && at > 0
    }

    fn place(&self, form: usize) -> Place {
        let Some((parent, _)) = self.around(form) else {
            return Place::Command;
        };
        let Some((outer, at)) = self.around(parent) else {
            return Place::Other;
        };
        match self.found.binder(outer) {
            Some(binder) if at == binder.at => match binder.to {
                BoundTo::Term => Place::Binding,
                BoundTo::Sort => Place::Variable,
            },
            _ => Place::Other,
        }
    }

    fn atom(&mut self, at: usize) {
        if !self.may_be_term(at) {
            return;
        }
        let text = self.found.text(at);
        let is_number = text.first().is_some_and(u8::is_ascii_digit);
        let fits = |literal: &Literal| match *literal {
            Literal::Is(words) => is_one(words, text),
            Literal::Begins(beginning) => text.starts_with(beginning.as_bytes()),
            Literal::Decimal => is_number && text.contains(&b'.'),
            Literal::Numeral => is_number,
        };
        let mut literals = self.found.rules.literals.iter();
        let sort = match literals.find(|(literal, _)| fits(literal)) {
            Some((_, LiteralSort::Sort(sort))) => self.sort_of(sort.as_bytes()),
            Some((literal, LiteralSort::Bits(each))) => {
                let beginning = match literal {
                    Literal::Begins(beginning) => beginning.len(),
                    _ => 0,
                };
                self.vector(each * (text.len() - beginning))
            }
            None => self.names.get(text).copied(),
        };
        self.found.sorts[at] = sort;
    }

    fn list(&mut self, at: usize) {
        let children = self.found.children(at);
        let text = |number: usize| {
            children
                .get(number)
                .map_or(&b""[..], |&child| self.found.text(child))
        };
        let name = text(0);
        match self.place(at) {
            Place::Command => self.command(&children),
            Place::Binding => {
                if let Some(sort) = children.get(1).and_then(|&value| self.found.sort(value)) {
                    self.names.insert(name, sort);
                } else {
                    self.names.remove(name);
                }
            }
            Place::Variable => {
                let written = text(1);
                if let Some(sort) = self.sort_of(written) {
                    self.names.insert(name, sort);
                }
            }
            Place::Other if self.may_be_term(at) => {
                self.found.sorts[at] = self.application(&children);
            }
            Place::Other => {}
        }
    }

    fn command(&mut self, children: &[usize]) {
        let text = |number: usize| {
            children
                .get(number)
                .map_or(&b""[..], |&child| self.found.text(child))
        };
        let (name, last) = (text(1), children.len().saturating_sub(1));
        if is_one(self.found.rules.datatypes, text(0)) {
            self.datatypes(children);
            return;
        }
        let mut known = self.found.rules.declarations.iter();
        let Some(declaration) = known.find(|known| known.command.as_bytes() == text(0)) else {
            return;
        };
        let Some(written) = declaration.sort.map(text) else {
            return;
        };
        let is_constant = declaration.parameters.is_none_or(|place| {
            children
                .get(place)
                .is_some_and(|&of| self.found.children(of).is_empty())
        });
        if last < 2 {
            return;
        }
        let Some(sort) = self.sort_of(written) else {
            return;
        };
        self.declare(name, sort, is_constant);
    }

    /// Takes the constructors and selectors of a command.
    fn datatypes(&mut self, children: &[usize]) {
        let Some((command, _)) = children.first().and_then(|&head| self.around(head)) else {
            return;
        };
        let forms = Forms {
            sexprs: &self.found.sexprs,
            text: self.found.text,
        };
        for member in members(forms, command) {
            if let Some(sort) = member.sort.and_then(|sort| self.sort_of(sort)) {
                self.declare(member.name, sort, member.is_constant);
            }
        }
    }

    fn declare(&mut self, name: &'a [u8], sort: u16, is_constant: bool) {
        if !is_constant {
            self.functions.insert(name, sort);
            return;
        }
        self.names.insert(name, sort);
        let shortest = self.found.constants.entry(sort).or_insert(name);
        if (name.len(), name) < (shortest.len(), *shortest) {
            *shortest = name;
        }
    }

    /// Returns the sort of an operator or function applied to arguments.
    fn application(&mut self, children: &[usize]) -> Option<u16> {
        let (&head, arguments) = children.split_first()?;
        let of = |number: usize| {
            arguments
                .get(number)
                .and_then(|&term| self.found.sort(term))
        };
        let first_known = || arguments.iter().find_map(|&term| self.found.sort(term));
        if self.found.is_list(head) {
            return self.indexed(head, of(0));
        }
        let name = self.found.text(head);
        if let Some(&sort) = self.functions.get(name) {
            return Some(sort);
        }
        let fits = |operator: &Operator| match *operator {
            Operator::Is(names) => is_one(names, name),
            Operator::Begins(beginnings) => {
                let begins = |beginning: &&str| name.starts_with(beginning.as_bytes());
                beginnings.iter().any(begins)
            }
        };
        let mut operators = self.found.rules.operators.iter();
        let (_, gives) = operators.find(|(operator, _)| fits(operator))?;
        match gives {
            Gives::Sort(sort) => self.sort_of(sort.as_bytes()),
            Gives::Argument(numbers) => numbers.iter().find_map(|&number| of(number)),
            Gives::AnyArgument => first_known(),
            Gives::PartOfSort(place) => {
                let sort = self.found.names.get(usize::from(of(0)?))?;
                let parts = Sexprs::of(sort)?;
                let part = parts
                    .children(0)
                    .nth(*place)
                    .map(|at| parts.forms()[at].span)?;
                let part = sort.get(part.range())?.to_vec();
                self.sort_of(&part)
            }
            Gives::WidthsTogether => {
                let mut widths = arguments.iter().map(|&term| {
                    let sort = usize::from(self.found.sort(term)?);
                    self.found.width(self.found.names.get(sort)?)
                });
                let whole = widths.try_fold(0u32, |sum, width| sum.checked_add(width?))?;
                self.vector(whole)
            }
            Gives::VectorLiteral => {
                let number = arguments.first().map(|&term| self.found.text(term))?;
                let width = arguments.get(1).map(|&term| self.found.text(term))?;
                let before = self.found.rules.vectors.number.as_bytes();
                let is_vector = number.strip_prefix(before)?.iter().all(u8::is_ascii_digit);
                let width = String::from_utf8_lossy(width);
                is_vector.then(|| self.vector(width))?
            }
        }
    }

    /// Returns the sort of an application whose head is a list: of an operator with numbers or with
    /// its sort.
    fn indexed(&mut self, head: usize, argument: Option<u16>) -> Option<u16> {
        let parts = self.found.children(head);
        let text = |number: usize| {
            parts
                .get(number)
                .map_or(&b""[..], |&part| self.found.text(part))
        };
        let number = |at: usize| std::str::from_utf8(text(at)).ok()?.parse::<u32>().ok();
        let rules = self.found.rules;
        let bits = || {
            let sort = self.found.names.get(usize::from(argument?))?;
            self.found.width(sort)
        };
        if text(0) == rules.ascription.as_bytes() {
            let written = text(2);
            return self.sort_of(written);
        }
        let mut known = rules.indexed.iter();
        let (_, gives) = known.find(|(names, _)| is_one(names, text(1)))?;
        let whole = match gives {
            Indexed::Sort(sort) => return self.sort_of(sort.as_bytes()),
            Indexed::Argument => return argument,
            Indexed::Range => number(2)?.checked_sub(number(3)?)?.checked_add(1)?,
            Indexed::Wider => bits()?.checked_add(number(2)?)?,
            Indexed::Times => bits()?.checked_mul(number(2)?)?,
            Indexed::Width => number(2)?,
            Indexed::Numbers(before, behind) => {
                let written = format!("{before}{} {}{behind}", number(2)?, number(3)?);
                return self.sort_of(written.as_bytes());
            }
        };
        self.vector(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::super::written::zero_bits;
    use super::*;

    use nubbin_languages::hints::{SMT_LIB, SORTS};

    fn sorts(text: &str) -> Vec<(&str, String)> {
        let sorts = Sorts::of(text.as_bytes(), SORTS).unwrap();
        let forms = 0..sorts.sexprs.forms().len();
        forms
            .filter_map(|form| {
                let sort = String::from_utf8(sorts.names[usize::from(sorts.sort(form)?)].clone());
                Some((&text[sorts.span(form).range()], sort.unwrap()))
            })
            .collect()
    }

    #[test]
    fn sorts_come_from_declarations_operators_and_literals() {
        let text = "(declare-fun a () (Array Int  (_ BitVec 8)))(define-fun f ((x Int)) Bool (< x 1.5))\
                    (assert (let ((v (select a 2))) (f (str.len (ite (bvult v #x0f) \"a\" s)))))";
        let found = sorts(text);
        let sort = |term: &str| {
            found
                .iter()
                .find(|(text, _)| *text == term)
                .map(|found| found.1.as_str())
        };
        assert_eq!(sort("(< x 1.5)"), Some("Bool"));
        assert_eq!(sort("x"), Some("Int"));
        assert_eq!(sort("(select a 2)"), Some("(_ BitVec 8)"));
        assert_eq!(sort("a"), Some("(Array Int (_ BitVec 8))"));
        assert_eq!(sort("v"), Some("(_ BitVec 8)"));
        assert_eq!(sort("#x0f"), Some("(_ BitVec 8)"));
        assert_eq!(sort("(ite (bvult v #x0f) \"a\" s)"), Some("String"));
        assert_eq!(sort("s"), None);
        assert_eq!(sort("f"), None);
    }

    #[test]
    fn widths_follow_indexed_operators() {
        let found =
            sorts("(assert (= (concat ((_ extract 7 4) #x00) ((_ zero_extend 3) #b1)) (_ bv5 8)))");
        let sort = |term: &str| {
            found
                .iter()
                .find(|(text, _)| *text == term)
                .map(|found| found.1.as_str())
        };
        assert_eq!(sort("((_ extract 7 4) #x00)"), Some("(_ BitVec 4)"));
        assert_eq!(
            sort("(concat ((_ extract 7 4) #x00) ((_ zero_extend 3) #b1))"),
            Some("(_ BitVec 8)")
        );
        assert_eq!(sort("(_ bv5 8)"), Some("(_ BitVec 8)"));
        assert_eq!(zero_bits(&SMT_LIB.vectors, 1), b"#b0");
        assert_eq!(zero_bits(&SMT_LIB.vectors, 64), b"(_ bv0 64)");
    }

    #[test]
    fn members_of_datatypes_and_places_of_conditions_have_sorts() {
        let found = sorts(
            "(declare-datatypes () ((T a (b (c Int)))))(declare-const t T)\
             (assert (or (is-b t) (= (c t) 1) (= (b 2) a)))(assert (p t))",
        );
        let sort = |term: &str| {
            let term = found.iter().find(|(text, _)| *text == term);
            term.map(|found| found.1.as_str())
        };
        assert_eq!(sort("(c t)"), Some("Int"));
        assert_eq!(sort("(b 2)"), Some("T"));
        assert_eq!(sort("a"), Some("T"));
        assert_eq!(sort("(is-b t)"), Some("Bool"));
        assert_eq!(sort("(p t)"), Some("Bool"));
        assert_eq!(sort("p"), None);
    }

    #[test]
    fn other_texts_have_no_sorts() {
        for text in ["", "(define (f x) x)", "{}", "int f(void) { return 0; }"] {
            assert!(Sorts::of(text.as_bytes(), SORTS).is_none(), "{text}");
        }
    }
}
