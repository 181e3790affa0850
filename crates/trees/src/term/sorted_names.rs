use super::SortTables;
use super::sorts::{Sorts, zero_bits};
use nubbin_edit::{Edit, File, Span, Splice};
use nubbin_engine::work::{Chain, Context, OneByOne, Pass, PassInfo, Proposals, Work, optional};
use nubbin_grammar::sorts::{BoundTo, Vectors};
use rustc_hash::{FxHashMap, FxHashSet};

/// Removes names from a script of s-expressions such as SMT-LIB, each with its declaration and all
/// its uses in one test, where the [rules](nubbin_grammar::sorts::SortRules) of its sorts are
/// known.
///
/// A declaration cannot be deleted while its name is used, and a use cannot be replaced with a term
/// of another sort. So a script keeps its declarations and signatures until these changes are made
/// at once:
///
/// * Every use of a declared or defined name becomes the least term of its sort, and the
///   declaration is deleted; many names in one test while that works.
/// * A variable of a `let`, `forall` or `exists` becomes the term it is bound to, or the least of
///   its sort, and the binder is deleted where it binds nothing else.
/// * A defined name becomes its definition, which is deleted, where it takes no arguments.
/// * A parameter of a function is deleted with the argument at every call.
/// * A `push` is deleted with its `pop`.
/// * All bit vectors of one width become narrower: sorts, literals, and indexed numbers.
///
/// Names are distinguished by their text alone: a wrong guess costs a test. Other texts are not
/// changed.
///
/// Cost: a few tests per needed name.
///
/// Source: ddSMT (Kremer, Niemetz, Preiner: ddSMT 2.0, CAV 2021) inlines, eliminates variables and
/// reduces widths one at a time. Removing names altogether, many at a time, is our own.
///
/// ```
/// use nubbin_languages::hints::SORTS;
/// use nubbin_reduce::pass::{Facts, SortTables, SortedNames, preview_with};
///
/// let script = b"(declare-const b Bool)(declare-fun f (Int Int) Bool)(assert (or b (f 1 2)))";
/// let facts = Facts::default().with(SortTables(SORTS));
/// let all = preview_with(&SortedNames, &facts, script, 9);
/// assert!(all.contains(&"(declare-fun f (Int Int) Bool)(assert (or true (f 1 2)))".to_string()));
/// assert!(all.contains(&"(declare-const b Bool)(declare-fun f ( Int) Bool)(assert (or b (f 2)))".to_string()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SortedNames;

impl Pass for SortedNames {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "sorted-names",
            "removes SMT-LIB names with all their uses",
            "ddSMT (Kremer, Niemetz, Preiner 2021), changed",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let sorts = Sorts::of(file.text, SortTables::of(context))?;
        let script = Script::of(&sorts, file.span.start);
        let lists = [script.names(), script.parameters(), script.pairs()];
        let lists = lists
            .into_iter()
            .map(|edits| optional(Proposals::new(edits)));
        let one_by_one = [script.bound(), script.defined(), script.widths()];
        let one_by_one = one_by_one
            .into_iter()
            .filter(|edits| !edits.is_empty())
            .map(|edits| Work::Machine(Box::new(OneByOne::new(edits))));
        let works: Vec<Work> = lists.chain(one_by_one).collect();
        Chain::work(works, context.lists)
    }
}

/// A script and where its names occur.
struct Script<'s, 'a> {
    sorts: &'s Sorts<'a>,
    base: u32,
    /// Atoms, in order, by their text.
    atoms: FxHashMap<&'a [u8], Vec<usize>>,
}

impl<'s, 'a> Script<'s, 'a> {
    fn of(sorts: &'s Sorts<'a>, base: u32) -> Self {
        let mut atoms: FxHashMap<&[u8], Vec<usize>> = FxHashMap::default();
        for form in 0..sorts.sexprs.forms().len() {
            if !sorts.is_list(form) {
                atoms.entry(sorts.text(form)).or_default().push(form);
            }
        }
        Script { sorts, base, atoms }
    }

    fn span(&self, form: usize) -> Span {
        let span = self.sorts.span(form);
        Span::new(self.base + span.start, self.base + span.end)
    }

    fn delete(&self, form: usize) -> Splice {
        Splice::delete(self.span(form))
    }

    fn replace(&self, form: usize, by: &[u8]) -> Splice {
        Splice::replace(self.span(form), by)
    }

    fn parent(&self, form: usize) -> Option<usize> {
        self.sorts
            .sexprs
            .forms()
            .get(form)?
            .parent
            .map(|parent| parent as usize)
    }

    /// Returns the places of a name within a form; for all of the script, give none.
    fn uses(&self, name: &[u8], within: Option<usize>) -> &[usize] {
        let all = self.atoms.get(name).map_or(&[][..], Vec::as_slice);
        let Some(around) = within else {
            return all;
        };
        let end = self
            .sorts
            .sexprs
            .forms()
            .get(around)
            .map_or(0, |form| form.end as usize);
        let from = all.partition_point(|&at| at <= around);
        let to = all.partition_point(|&at| at < end);
        all.get(from..to).unwrap_or_default()
    }

    /// Declarations and definitions: the command, the name, and the list of parameters.
    fn declarations(&self) -> impl Iterator<Item = (usize, usize, Option<usize>)> + '_ {
        self.sorts.sexprs.top().filter_map(|command| {
            let children = self.sorts.children(command);
            let name = *children.get(1)?;
            let parameters = match self.sorts.declaration(command)?.parameters {
                None => None,
                Some(place) => Some(*children.get(place)?),
            };
            (!self.sorts.is_list(name)).then_some((command, name, parameters))
        })
    }

    /// Every use of a name to the least of its sort, without the declaration.
    fn names(&self) -> Vec<Edit> {
        let edit = |(command, name, _): (usize, usize, _)| {
            let text = self.sorts.text(name);
            let mut splices = vec![self.delete(command)];
            for &at in self.uses(text, None) {
                if self.is_within(at, command) {
                    continue;
                }
                // A call is deleted as a whole.
                let parent = self.parent(at)?;
                let is_head = self.sorts.children(parent).first() == Some(&at);
                let term = if is_head { parent } else { at };
                let least = self.sorts.least(self.sorts.sort(term)?);
                splices.push(self.replace(term, least.iter().find(|least| *least != text)?));
            }
            Edit::new(splices).ok()
        };
        self.declarations().filter_map(edit).collect()
    }

    fn is_within(&self, form: usize, around: usize) -> bool {
        let forms = self.sorts.sexprs.forms();
        around <= form
            && forms
                .get(around)
                .is_some_and(|around| form < around.end as usize)
    }

    /// A parameter with the argument at every call.
    fn parameters(&self) -> Vec<Edit> {
        let mut edits = vec![];
        for (command, name, parameters) in self.declarations() {
            let Some(parameters) = parameters else {
                continue;
            };
            let list = self.sorts.children(parameters);
            for (number, &parameter) in list.iter().enumerate() {
                let mut splices = vec![self.delete(parameter)];
                for &at in self.uses(self.sorts.text(name), None) {
                    let Some(call) = self.parent(at).filter(|_| !self.is_within(at, command))
                    else {
                        continue;
                    };
                    let children = self.sorts.children(call);
                    if children.first() != Some(&at) || children.len() != list.len() + 1 {
                        continue;
                    }
                    if list.len() == 1 {
                        splices.push(self.replace(call, self.sorts.text(name)));
                    } else if let Some(&argument) = children.get(number + 1) {
                        splices.push(self.delete_with_blank(argument));
                    }
                }
                // These are the uses of the parameter in the body.
                if let &[variable, _] = self.sorts.children(parameter).as_slice() {
                    let variable = self.sorts.text(variable);
                    for &at in self.uses(variable, Some(command)) {
                        let least = self.sorts.sort(at).map(|sort| self.sorts.least(sort));
                        if let Some(least) = least.as_ref().and_then(|least| least.first()) {
                            splices.push(self.replace(at, least));
                        }
                    }
                }
                edits.extend(Edit::new(splices).ok());
            }
        }
        edits
    }

    fn delete_with_blank(&self, form: usize) -> Splice {
        let span = self.span(form);
        let before = (span.start - self.base).checked_sub(1);
        let byte = before.and_then(|at| self.sorts.byte(at));
        let is_blank = byte.is_some_and(|byte| byte.is_ascii_whitespace());
        Splice::delete(Span::new(span.start - u32::from(is_blank), span.end))
    }

    /// Each command that opens a scope with the one that closes it.
    fn pairs(&self) -> Vec<Edit> {
        let pairs = self.sorts.scopes().into_iter();
        let edit = |(opens, closes)| Edit::new([self.delete(opens), self.delete(closes)]).ok();
        pairs.filter_map(edit).collect()
    }

    /// Variables of binders.
    fn bound(&self) -> Vec<Edit> {
        let mut edits = vec![];
        let forms = self.sorts.sexprs.forms();
        for list in (0..forms.len()).filter(|&form| forms[form].is_list) {
            let Some(binder) = self.sorts.binder(list).filter(|binder| binder.may_go) else {
                continue;
            };
            let is_let = binder.to == BoundTo::Term;
            let &[_, bindings, body] = self.sorts.children(list).as_slice() else {
                continue;
            };
            let all = self.sorts.children(bindings);
            for &binding in &all {
                let &[name, value] = self.sorts.children(binding).as_slice() else {
                    continue;
                };
                let uses = self.uses(self.sorts.text(name), Some(list));
                let in_body = || uses.iter().copied().filter(|&at| self.is_within(at, body));
                let sort = if is_let {
                    self.sorts.sort(value)
                } else {
                    self.sorts.known(self.sorts.text(value))
                };
                let mut by: Vec<Vec<u8>> = sort.map_or(vec![], |sort| self.sorts.least(sort));
                by.truncate(2);
                if is_let {
                    by.push(self.sorts.text(value).to_vec());
                }
                for by in by {
                    let mut splices: Vec<Splice> =
                        in_body().map(|at| self.replace(at, &by)).collect();
                    if all.len() == 1 {
                        let (whole, body) = (self.span(list), self.span(body));
                        splices.push(Splice::delete(Span::new(whole.start, body.start)));
                        splices.push(Splice::delete(Span::new(body.end, whole.end)));
                    } else {
                        splices.push(self.delete(binding));
                    }
                    edits.extend(Edit::new(splices).ok());
                }
            }
        }
        edits
    }

    /// Replaces names without arguments with their definitions.
    fn defined(&self) -> Vec<Edit> {
        let edit = |(command, name, parameters): (usize, usize, Option<usize>)| {
            let has_body = self.sorts.declaration(command)?.has_body;
            let is_constant = parameters.is_none_or(|list| self.sorts.children(list).is_empty());
            let body = *self.sorts.children(command).last()?;
            if !has_body || !is_constant {
                return None;
            }
            let uses = self.uses(self.sorts.text(name), None).iter();
            let uses = uses.filter(|&&at| !self.is_within(at, command));
            let splices = uses.map(|&at| self.replace(at, self.sorts.text(body)));
            Edit::new(splices.chain([self.delete(command)])).ok()
        };
        self.declarations().filter_map(edit).collect()
    }

    /// Returns the edits that change all vectors of one width to a narrower width.
    fn widths(&self) -> Vec<Edit> {
        // For each width, the atoms with this width in sorts and in indexed numbers, and the
        // literals with this width.
        let mut found: FxHashMap<u32, (Vec<usize>, Vec<usize>)> = FxHashMap::default();
        let forms = self.sorts.sexprs.forms();
        let vectors = &self.sorts.rules.vectors;
        let mut widths: Vec<u32> = vec![];
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        for form in 0..forms.len() {
            let text = self.sorts.text(form);
            let digits = text.len().saturating_sub(vectors.binary.len()) as u32;
            let (of, is_literal) = match text {
                _ if text.starts_with(vectors.binary.as_bytes()) => (Some(digits), true),
                _ if text.starts_with(vectors.hexadecimal.as_bytes()) => (Some(4 * digits), true),
                [b'(', ..] if self.sorts.head(form) == vectors.index.as_bytes() => {
                    let width = self.sorts.width(text);
                    (width.or_else(|| self.indexed_number(form)), false)
                }
                _ => continue,
            };
            let Some(of) = of else { continue };
            if seen.insert(of) {
                widths.push(of);
            }
            let (said, literals) = found.entry(of).or_default();
            if is_literal {
                literals.push(form);
            } else {
                said.extend(self.sorts.children(form).get(2));
            }
        }
        let mut edits = vec![];
        for of in widths {
            let Some((said, literals)) = found.get(&of) else {
                continue;
            };
            for to in [1, 2, 4, 8, 16].into_iter().filter(|to| *to < of) {
                let said = said
                    .iter()
                    .map(|&form| self.replace(form, to.to_string().as_bytes()));
                let literals = literals
                    .iter()
                    .map(|&form| self.replace(form, &narrowed(vectors, self.sorts.text(form), to)));
                edits.extend(Edit::new(said.chain(literals)).ok());
            }
        }
        edits
    }

    /// The width of an indexed literal.
    fn indexed_number(&self, form: usize) -> Option<u32> {
        let &[_, number, width] = self.sorts.children(form).as_slice() else {
            return None;
        };
        let digits = self
            .sorts
            .text(number)
            .strip_prefix(self.sorts.rules.vectors.number.as_bytes())?;
        let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        let width = std::str::from_utf8(self.sorts.text(width)).ok()?;
        is_number.then(|| width.parse().ok())?
    }
}

/// The low bits of a literal.
fn narrowed(vectors: &Vectors, literal: &[u8], to: u32) -> Vec<u8> {
    let is_hex = literal.starts_with(vectors.hexadecimal.as_bytes());
    let kind = match is_hex {
        true => vectors.hexadecimal,
        false => vectors.binary,
    };
    let (kind, digits) = literal.split_at(kind.len().min(literal.len()));
    if is_hex && to.is_multiple_of(4) {
        let keep = (to as usize / 4).min(digits.len());
        return [kind, &digits[digits.len() - keep..]].concat();
    }
    let radix = if is_hex { 16 } else { 2 };
    let low = digits
        .get(digits.len().saturating_sub(8)..)
        .unwrap_or(digits);
    let value = std::str::from_utf8(low)
        .ok()
        .and_then(|low| u32::from_str_radix(low, radix).ok());
    let Some(value) = value.filter(|_| to <= 8) else {
        return zero_bits(vectors, to);
    };
    let bits = value & ((1u32 << to) - 1);
    format!("{}{bits:0width$b}", vectors.binary, width = to as usize).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::super::testing::with_sorts;
    use super::*;
    use nubbin_engine::testing::proposals;
    use nubbin_languages::hints::SMT_LIB;

    fn texts(script: &str) -> Vec<String> {
        let all = proposals(&*with_sorts(SortedNames), script.as_bytes());
        all.into_iter()
            .map(|text| String::from_utf8(text).unwrap())
            .collect()
    }

    fn proposes(script: &str, wanted: &str) {
        let all = texts(script);
        assert!(all.iter().any(|text| text == wanted), "{all:#?}");
    }

    #[test]
    fn a_name_is_removed_with_its_declaration_and_its_uses() {
        proposes(
            "(declare-fun f (Int) Bool)(assert (or (f 1) p (not (f 2))))",
            "(assert (or true p (not true)))",
        );
    }

    #[test]
    fn parameters_are_removed_with_their_arguments() {
        proposes(
            "(define-fun f ((x Int) (y Int)) Bool (< x y))(assert (f 1 (+ 1 2)))",
            "(define-fun f ( (y Int)) Bool (< 0 y))(assert (f (+ 1 2)))",
        );
        proposes(
            "(declare-fun f (Int) Bool)(assert (f 1))",
            "(declare-fun f () Bool)(assert f)",
        );
    }

    #[test]
    fn binders_and_definitions_are_opened() {
        proposes(
            "(assert (let ((x (p 1))) (or x x)))",
            "(assert (or (p 1) (p 1)))",
        );
        proposes(
            "(declare-const y Int)(assert (forall ((x Int)) (< x y)))",
            "(declare-const y Int)(assert (< 0 y))",
        );
        proposes("(define-fun f () Bool (p 1))(assert f)", "(assert (p 1))");
        proposes("(push 1)(assert true)(pop 1)", "(assert true)");
    }

    #[test]
    fn vectors_are_narrowed_in_all_places() {
        proposes(
            "(declare-const x (_ BitVec 32))(assert (= x #x0000000f (_ bv3 32)))",
            "(declare-const x (_ BitVec 8))(assert (= x #x0f (_ bv3 8)))",
        );
        assert_eq!(narrowed(&SMT_LIB.vectors, b"#x0f", 2), b"#b11");
        assert_eq!(narrowed(&SMT_LIB.vectors, b"#b0101", 1), b"#b1");
        assert_eq!(narrowed(&SMT_LIB.vectors, b"#x0012", 16), b"#x0012");
    }

    #[test]
    fn other_texts_are_left_alone() {
        assert!(texts("(define (f x) (+ x 1))").is_empty());
    }
}
