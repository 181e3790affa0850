//! Which sort each term of an SMT-LIB script has, as far as that can be guessed.

use crate::span::Span;
use crate::view::sexprs::Sexprs;
use rustc_hash::FxHashMap;

/// A script, with a guess at the sort of each of its terms.
///
/// Read once, from left to right: what is declared or bound counts from there on, and a name that is
/// bound twice counts as it was bound last. Operators say what they give, or that it is what they are
/// given; what is not known has no sort.
pub(crate) struct Sorts<'a> {
    text: &'a [u8],
    pub(crate) sexprs: Sexprs,
    /// By form; an index into `names`, which is also what to compare sorts by.
    sorts: Vec<Option<u16>>,
    /// Sorts as they are written, with one blank where there are several.
    names: Vec<Vec<u8>>,
    /// Constants that are declared or defined for the whole script, the shortest of each sort.
    constants: FxHashMap<u16, &'a [u8]>,
}

/// Commands that only SMT-LIB has. A script has one, or there are no sorts to be known.
const COMMANDS: [&[u8]; 8] = [
    b"assert",
    b"declare-fun",
    b"declare-const",
    b"define-fun",
    b"define-fun-rec",
    b"define-const",
    b"check-sat",
    b"set-logic",
];

/// A script with more sorts than this is a strange one.
const MOST_SORTS: usize = 1_000;

impl<'a> Sorts<'a> {
    /// Reads a script; `None` where the text is none.
    pub(crate) fn of(text: &'a [u8]) -> Option<Self> {
        let sexprs = Sexprs::of(text)?;
        let head = |form: usize| sexprs.children(form).next();
        let is_command = |form: usize| {
            let name = head(form).and_then(|head| text.get(sexprs.forms()[head].span.range()));
            name.is_some_and(|name| COMMANDS.contains(&name))
        };
        if !sexprs.top().any(is_command) {
            return None;
        }
        let mut reading = Reading {
            names: FxHashMap::default(),
            functions: FxHashMap::default(),
            interned: FxHashMap::default(),
            found: Sorts {
                text,
                sorts: vec![None; sexprs.forms().len()],
                sexprs,
                names: vec![],
                constants: FxHashMap::default(),
            },
        };
        reading.all();
        Some(reading.found)
    }

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

    /// The forms directly in a list.
    pub(crate) fn children(&self, form: usize) -> Vec<usize> {
        self.sexprs.children(form).collect()
    }

    /// What a list begins with.
    pub(crate) fn head(&self, form: usize) -> &'a [u8] {
        let first = self.sexprs.children(form).next();
        first.map_or(b"", |first| self.text(first))
    }

    /// The sort of a term; `None` for what is no term.
    pub(crate) fn sort(&self, form: usize) -> Option<u16> {
        self.sorts.get(form).copied().flatten()
    }

    /// The sort that is written like this.
    pub(crate) fn known(&self, written: &[u8]) -> Option<u16> {
        let written = canonical(written);
        self.names
            .iter()
            .position(|name| *name == written)
            .map(|at| at as u16)
    }

    /// The least that is known of a sort, the best first: a literal, then a name of the script.
    pub(crate) fn least(&self, sort: u16) -> Vec<Vec<u8>> {
        let mut least: Vec<Vec<u8>> = match self.names.get(usize::from(sort)).map(Vec::as_slice) {
            Some(b"Bool") => vec![b"true".to_vec(), b"false".to_vec()],
            Some(b"Int") => vec![b"0".to_vec()],
            Some(b"Real") => vec![b"0.0".to_vec()],
            Some(b"String") => vec![b"\"\"".to_vec()],
            Some(name) => width(name).map(zero_bits).into_iter().collect(),
            None => vec![],
        };
        least.extend(self.constants.get(&sort).map(|name| name.to_vec()));
        least
    }
}

/// How many bits the vectors of a sort have.
pub(crate) fn width(sort: &[u8]) -> Option<u32> {
    let digits = sort.strip_prefix(b"(_ BitVec ")?.strip_suffix(b")")?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The shortest way to write a vector of zeros.
pub(crate) fn zero_bits(width: u32) -> Vec<u8> {
    let indexed = format!("(_ bv0 {width})");
    let short = match width {
        1..=7 => format!("#b{}", "0".repeat(width as usize)),
        _ if width.is_multiple_of(4) => format!("#x{}", "0".repeat(width as usize / 4)),
        _ => return indexed.into_bytes(),
    };
    if short.len() <= indexed.len() {
        short
    } else {
        indexed
    }
    .into_bytes()
}

/// With one blank between two tokens of which neither is a parenthesis on that side.
fn canonical(written: &[u8]) -> Vec<u8> {
    let words = written
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let mut out: Vec<u8> = vec![];
    for word in words {
        if !out.is_empty() && out.last() != Some(&b'(') && word.first() != Some(&b')') {
            out.push(b' ');
        }
        out.extend_from_slice(word);
    }
    out
}

struct Reading<'a> {
    /// Sorts of constants and variables.
    names: FxHashMap<&'a [u8], u16>,
    /// What functions give.
    functions: FxHashMap<&'a [u8], u16>,
    interned: FxHashMap<Vec<u8>, u16>,
    found: Sorts<'a>,
}

/// What a list is, by where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Command,
    /// `(x t)` in a `let`.
    Binding,
    /// `(x S)` of a quantifier or definition.
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

    /// Every form, when all within it has been read.
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

    /// What is in a list, and where a form stands in what it is in.
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

    /// Whether a term may stand here.
    fn may_be_term(&self, form: usize) -> bool {
        let Some((parent, at)) = self.around(form) else {
            return false;
        };
        let head = self.found.head(parent);
        let is_command = self.found.sexprs.forms()[parent].parent.is_none();
        match head {
            b"assert" | b"minimize" | b"maximize" | b"simplify" if is_command => at == 1,
            b"define-fun" | b"define-fun-rec" if is_command => at == 4,
            b"define-const" if is_command => at == 3,
            _ if is_command => false,
            b"_" | b"as" => false,
            _ => at > 0,
        }
    }

    fn place(&self, form: usize) -> Place {
        let Some((parent, _)) = self.around(form) else {
            return Place::Command;
        };
        let Some((outer, at)) = self.around(parent) else {
            return Place::Other;
        };
        match self.found.head(outer) {
            b"let" if at == 1 => Place::Binding,
            b"forall" | b"exists" | b"lambda" | b"choice" if at == 1 => Place::Variable,
            b"define-fun" | b"define-fun-rec" if at == 2 => Place::Variable,
            _ => Place::Other,
        }
    }

    fn atom(&mut self, at: usize) {
        if !self.may_be_term(at) {
            return;
        }
        let text = self.found.text(at);
        let digits = text.len().saturating_sub(2);
        let sort = match text {
            b"true" | b"false" => self.sort_of(b"Bool"),
            [b'"', ..] => self.sort_of(b"String"),
            [b'#', b'b', ..] => self.sort_of(format!("(_ BitVec {digits})").as_bytes()),
            [b'#', b'x', ..] => self.sort_of(format!("(_ BitVec {})", 4 * digits).as_bytes()),
            [b'0'..=b'9', ..] if text.contains(&b'.') => self.sort_of(b"Real"),
            [b'0'..=b'9', ..] => self.sort_of(b"Int"),
            name => self.names.get(name).copied(),
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
        let (written, is_constant) = match text(0) {
            b"declare-const" => (text(2), true),
            b"define-const" => (text(2), true),
            b"declare-fun" | b"define-fun" | b"define-fun-rec" => (
                text(3),
                children
                    .get(2)
                    .is_some_and(|&of| self.found.children(of).is_empty()),
            ),
            _ => return,
        };
        if last < 2 {
            return;
        }
        let Some(sort) = self.sort_of(written) else {
            return;
        };
        if is_constant {
            self.names.insert(name, sort);
            let shortest = self.found.constants.entry(sort).or_insert(name);
            if (name.len(), name) < (shortest.len(), *shortest) {
                *shortest = name;
            }
        } else {
            self.functions.insert(name, sort);
        }
    }

    /// The sort of an operator or function on arguments.
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
        match name {
            b"let" => of(1),
            b"!" => of(0),
            b"ite" => of(1).or_else(|| of(2)),
            b"_" => {
                let number = arguments.first().map(|&term| self.found.text(term))?;
                let width = arguments.get(1).map(|&term| self.found.text(term))?;
                let is_vector = number.strip_prefix(b"bv")?.iter().all(u8::is_ascii_digit);
                let width = String::from_utf8_lossy(width);
                is_vector.then(|| self.sort_of(format!("(_ BitVec {width})").as_bytes()))?
            }
            b"+" | b"-" | b"*" | b"store" => first_known(),
            b"select" => {
                let array = self.found.names.get(usize::from(of(0)?))?;
                let element = Sexprs::of(array)?;
                let element = element
                    .children(0)
                    .nth(2)
                    .map(|at| element.forms()[at].span)?;
                let element = array.get(element.range())?.to_vec();
                self.sort_of(&element)
            }
            b"not" | b"and" | b"or" | b"xor" | b"=>" | b"=" | b"distinct" | b"<" | b"<=" | b">"
            | b">=" | b"forall" | b"exists" | b"is_int" | b"str.prefixof" | b"str.suffixof"
            | b"str.contains" | b"str.<" | b"str.<=" | b"str.in_re" | b"str.in.re"
            | b"str.is_digit" | b"fp.lt" | b"fp.leq" | b"fp.gt" | b"fp.geq" | b"fp.eq"
            | b"set.member" | b"set.subset" => self.sort_of(b"Bool"),
            b"div" | b"mod" | b"abs" | b"to_int" | b"str.len" | b"str.indexof" | b"str.to_int"
            | b"str.to_code" | b"bv2nat" | b"seq.len" | b"str.to.int" => self.sort_of(b"Int"),
            b"/" | b"to_real" | b"fp.to_real" => self.sort_of(b"Real"),
            b"str.to_re" | b"str.to.re" => self.sort_of(b"RegLan"),
            b"concat" => {
                let mut widths = arguments
                    .iter()
                    .map(|&term| width(self.found.names.get(usize::from(self.found.sort(term)?))?));
                let whole = widths.try_fold(0u32, |sum, width| sum.checked_add(width?))?;
                self.sort_of(format!("(_ BitVec {whole})").as_bytes())
            }
            b"bvcomp" => self.sort_of(b"(_ BitVec 1)"),
            _ if name.starts_with(b"fp.is") => self.sort_of(b"Bool"),
            _ if name.starts_with(b"fp.") => of(1).or_else(|| of(0)),
            _ if name.starts_with(b"re.") => self.sort_of(b"RegLan"),
            _ if name.starts_with(b"str.") => self.sort_of(b"String"),
            [b'b', b'v', b'u' | b's', kind @ (b'l' | b'g'), ..] if *kind != b'd' => {
                self.sort_of(b"Bool")
            }
            _ if name.starts_with(b"bv") => first_known(),
            _ => None,
        }
    }

    /// The sort of `((_ f …) x)` and `((as f S) x)`.
    fn indexed(&mut self, head: usize, argument: Option<u16>) -> Option<u16> {
        let parts = self.found.children(head);
        let text = |number: usize| {
            parts
                .get(number)
                .map_or(&b""[..], |&part| self.found.text(part))
        };
        let number = |at: usize| std::str::from_utf8(text(at)).ok()?.parse::<u32>().ok();
        let bits = || width(self.found.names.get(usize::from(argument?))?);
        if text(0) == b"as" {
            let written = text(2);
            return self.sort_of(written);
        }
        let whole = match text(1) {
            b"is" => return self.sort_of(b"Bool"),
            b"rotate_left" | b"rotate_right" => return argument,
            b"extract" => number(2)?.checked_sub(number(3)?)?.checked_add(1)?,
            b"zero_extend" | b"sign_extend" => bits()?.checked_add(number(2)?)?,
            b"repeat" => bits()?.checked_mul(number(2)?)?,
            b"int2bv" | b"int_to_bv" | b"fp.to_ubv" | b"fp.to_sbv" => number(2)?,
            b"to_fp" | b"to_fp_unsigned" => {
                let written = format!("(_ FloatingPoint {} {})", number(2)?, number(3)?);
                return self.sort_of(written.as_bytes());
            }
            _ => return None,
        };
        self.sort_of(format!("(_ BitVec {whole})").as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorts(text: &str) -> Vec<(&str, String)> {
        let sorts = Sorts::of(text.as_bytes()).unwrap();
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
        assert_eq!(zero_bits(1), b"#b0");
        assert_eq!(zero_bits(64), b"(_ bv0 64)");
    }

    #[test]
    fn other_texts_have_no_sorts() {
        for text in ["", "(define (f x) x)", "{}", "int f(void) { return 0; }"] {
            assert!(Sorts::of(text.as_bytes()).is_none(), "{text}");
        }
    }
}
