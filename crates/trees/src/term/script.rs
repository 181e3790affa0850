//! A script of s-expressions that is written again, without the bindings that nothing uses.

use super::sorts::Sorts;
use nubbin_edit::Span;
use nubbin_engine::work::Document;
use nubbin_grammar::sorts::BoundTo;
use nubbin_view::sexprs::Form;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// A script, with its bindings.
pub(super) struct Script {
    text: Vec<u8>,
    forms: Vec<Form>,
    pub(super) binders: Vec<BinderForm>,
    /// The binder of each list that is one.
    binder_at: FxHashMap<usize, usize>,
    /// The binding of each atom that is a bound name: its binder, and its number there.
    bound: FxHashMap<usize, (usize, usize)>,
    /// Commands that declare or define a name, each with the name.
    declarations: FxHashMap<usize, Vec<u8>>,
    /// Lists that annotate a term, each with the term.
    pub(super) annotations: Vec<(usize, usize)>,
}

/// A list that binds names.
pub(super) struct BinderForm {
    pub(super) form: usize,
    /// Whether the names are bound to terms, and not to sorts.
    pub(super) to_terms: bool,
    pub(super) body: usize,
    pub(super) bindings: Vec<Binding>,
}

/// The forms of bindings that nothing uses, in the order of the script. No candidate has them, so a
/// step in one of them changes nothing.
pub(super) struct Needless(Vec<Range<usize>>);

impl Needless {
    pub(super) fn contains(&self, form: usize) -> bool {
        let before = self.0.partition_point(|forms| forms.start <= form);
        let last = before.checked_sub(1).and_then(|at| self.0.get(at));
        last.is_some_and(|forms| forms.contains(&form))
    }
}

/// A name that is bound.
pub(super) struct Binding {
    pub(super) form: usize,
    /// The form of the name.
    atom: usize,
    name: Vec<u8>,
    /// The term or sort.
    pub(super) value: usize,
}

/// A part of a change of a script.
pub(super) enum Step {
    /// Deletes declarations that nothing uses.
    Declarations,
    /// Replaces forms, which may be whole commands, and deletes the declarations that nothing uses
    /// after that.
    Drop(Vec<usize>, Vec<u8>),
    /// Replaces a form.
    Replace(usize, Vec<u8>),
    /// Replaces a list with a form in it.
    Lift(usize, usize),
    /// Replaces several forms, which belong together.
    All(Vec<(usize, Vec<u8>)>),
    /// Replaces the uses of a binding, given by the number of its binder and its own.
    Substitute(usize, usize, Vec<u8>),
}

impl Script {
    /// Reads a script.
    pub(super) fn of(sorts: &Sorts<'_>, text: &[u8]) -> Self {
        let forms = sorts.sexprs.forms().to_vec();
        let mut script = Script {
            text: text.to_vec(),
            binders: vec![],
            binder_at: FxHashMap::default(),
            bound: FxHashMap::default(),
            declarations: FxHashMap::default(),
            annotations: vec![],
            forms,
        };
        for form in 0..script.forms.len() {
            if !sorts.is_list(form) {
                continue;
            }
            let children = sorts.children(form);
            let is_top = script.forms[form].parent.is_none();
            if is_top && sorts.declaration(form).is_some() {
                if let Some(&name) = children.get(1) {
                    script.declarations.insert(form, sorts.text(name).to_vec());
                }
                continue;
            }
            let mut marks = sorts.rules.annotations.iter();
            if marks.any(|mark| mark.as_bytes() == sorts.head(form))
                && let Some(&term) = children.get(1)
            {
                script.annotations.push((form, term));
            }
            let Some(binder) = sorts.binder(form).filter(|binder| binder.may_go) else {
                continue;
            };
            let (Some(&list), Some(&body)) = (children.get(binder.at), children.last()) else {
                continue;
            };
            let binding = |form: usize| match sorts.children(form).as_slice() {
                &[name, value] => Some(Binding {
                    form,
                    atom: name,
                    name: sorts.text(name).to_vec(),
                    value,
                }),
                _ => None,
            };
            let bindings = sorts.children(list).into_iter().map(binding);
            let Some(bindings) = bindings.collect::<Option<Vec<Binding>>>() else {
                continue;
            };
            if children.len() == binder.at + 2 {
                script.binder_at.insert(form, script.binders.len());
                script.binders.push(BinderForm {
                    form,
                    to_terms: binder.to == BoundTo::Term,
                    body,
                    bindings,
                });
            }
        }
        script.bound = script.resolved();
        script
    }

    /// Returns the binding of each atom that is a bound name, the innermost of its name.
    fn resolved(&self) -> FxHashMap<usize, (usize, usize)> {
        let bodies: FxHashMap<usize, usize> = (self.binders.iter().zip(0..))
            .map(|(binder, at)| (binder.body, at))
            .collect();
        let bindings = self.binders.iter().flat_map(|binder| &binder.bindings);
        let own: FxHashSet<usize> = bindings.map(|binding| binding.atom).collect();
        let mut bound = FxHashMap::default();
        let mut scopes: Vec<usize> = vec![];
        let mut names: FxHashMap<&[u8], Vec<(usize, usize)>> = FxHashMap::default();
        for (form, at) in self.forms.iter().zip(0..) {
            while let Some(&binder) = scopes.last()
                && self.forms[self.binders[binder].body].end as usize <= at
            {
                scopes.pop();
                for binding in &self.binders[binder].bindings {
                    names.get_mut(binding.name.as_slice()).and_then(Vec::pop);
                }
            }
            if let Some(&binder) = bodies.get(&at) {
                scopes.push(binder);
                for (binding, nth) in self.binders[binder].bindings.iter().zip(0..) {
                    let of = names.entry(&binding.name).or_default();
                    of.push((binder, nth));
                }
            }
            if !form.is_list
                && !own.contains(&at)
                && let Some(&binding) = names.get(self.of_span(form.span)).and_then(|of| of.last())
            {
                bound.insert(at, binding);
            }
        }
        bound
    }

    fn of_span(&self, span: Span) -> &[u8] {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Returns the children of a list.
    fn children(&self, list: usize) -> impl Iterator<Item = usize> + '_ {
        let (mut at, end) = (list + 1, self.forms[list].end as usize);
        std::iter::from_fn(move || {
            let child = (at < end).then_some(at)?;
            at = self.forms[child].end as usize;
            Some(child)
        })
    }

    /// Returns the names that are used after a change, from the commands down. Terms of bindings
    /// and declarations count only if their names are used.
    fn used(&self, change: &Change<'_>) -> FxHashSet<Vec<u8>> {
        let mut values: FxHashMap<&[u8], Vec<usize>> = FxHashMap::default();
        for binder in self.binders.iter().filter(|binder| binder.to_terms) {
            for binding in &binder.bindings {
                values.entry(&binding.name).or_default().push(binding.value);
            }
        }
        if change.drops_declarations {
            for (&form, name) in &self.declarations {
                values.entry(name).or_default().push(form);
            }
        }
        let mut used: FxHashSet<Vec<u8>> = FxHashSet::default();
        let is_top = |&form: &usize| self.forms[form].parent.is_none();
        let tops = (0..self.forms.len()).filter(is_top);
        let is_root =
            |form: &usize| !(change.drops_declarations && self.declarations.contains_key(form));
        let mut open: Vec<usize> = tops.filter(is_root).collect();
        let mut words: Vec<Vec<u8>> = vec![];
        while let Some(form) = open.pop() {
            match change.forms.get(&form) {
                Some(To::Text(text)) => words.extend(names(text)),
                Some(To::Form(inner)) => open.push(*inner),
                None if self.forms[form].is_list => match self.binder_at.get(&form) {
                    Some(&binder) if self.binders[binder].to_terms => {
                        open.push(self.binders[binder].body);
                    }
                    Some(&binder) => {
                        let binder = &self.binders[binder];
                        open.push(binder.body);
                        open.extend(binder.bindings.iter().map(|binding| binding.value));
                    }
                    None => open.extend(self.children(form)),
                },
                None => match change.name(self, form) {
                    Some(text) => words.extend(names(text)),
                    None => words.push(self.of_span(self.forms[form].span).to_vec()),
                },
            }
            for word in words.drain(..) {
                if let Some(of) = values.remove(word.as_slice()) {
                    // A declaration is read like any other list.
                    let declared = |form: &usize| self.declarations.contains_key(form);
                    let (commands, terms): (Vec<_>, Vec<_>) = of.into_iter().partition(declared);
                    open.extend(terms);
                    open.extend(commands.into_iter().flat_map(|form| self.children(form)));
                }
                used.insert(word);
            }
        }
        used
    }

    /// Returns the forms of the bindings that nothing uses.
    pub(super) fn needless(&self) -> Needless {
        let used = self.used(&Change::default());
        let binders = self.binders.iter().filter(|binder| binder.to_terms);
        let bindings = binders.flat_map(|binder| &binder.bindings);
        let unused = bindings.filter(|binding| !used.contains(&binding.name));
        let forms = unused.map(|it| it.form..self.forms[it.form].end as usize);
        let mut forms: Vec<Range<usize>> = forms.collect();
        forms.sort_unstable_by_key(|forms| forms.start);
        // A binding inside another unused binding is already covered.
        forms.dedup_by(|inner, outer| inner.end <= outer.end);
        Needless(forms)
    }

    /// Returns what a change leaves out or replaces.
    fn splices(&self, change: &Change<'_>) -> Vec<(Span, Vec<u8>)> {
        let used = self.used(change);
        let mut splices = vec![];
        let lift = |splices: &mut Vec<(Span, Vec<u8>)>, form: usize, inner: usize| {
            let (outer, inner) = (self.forms[form].span, self.forms[inner].span);
            splices.push((Span::new(outer.start, inner.start), vec![]));
            splices.push((Span::new(inner.end, outer.end), vec![]));
        };
        for (&form, to) in &change.forms {
            match to {
                To::Text(text) => {
                    let span = self.forms[form].span;
                    let is_command = self.forms[form].parent.is_none();
                    let span = match text.is_empty() && is_command {
                        true => self.with_space(span),
                        false => span,
                    };
                    splices.push((span, text.to_vec()));
                }
                To::Form(inner) => lift(&mut splices, form, *inner),
            }
        }
        for binder in &self.binders {
            if change.keeps_variables && !binder.to_terms {
                continue;
            }
            let is_unused = |binding: &&Binding| !used.contains(&binding.name);
            let unused: Vec<_> = binder.bindings.iter().filter(is_unused).collect();
            if unused.len() == binder.bindings.len() {
                if !change.forms.contains_key(&binder.form) {
                    lift(&mut splices, binder.form, binder.body);
                }
                continue;
            }
            // The space between two removed bindings belongs to one of them.
            let kept = binder.bindings.iter().find(|binding| !is_unused(binding));
            let kept = kept.map_or(0, |binding| binding.form);
            splices.extend(unused.into_iter().map(|binding| {
                let span = self.forms[binding.form].span;
                let span = match binding.form > kept {
                    true => self.with_space_before(span),
                    false => self.with_space(span),
                };
                (span, vec![])
            }));
        }
        if change.drops_declarations {
            let unused = self
                .declarations
                .iter()
                .filter(|(_, name)| !used.contains(*name));
            let spans = unused.map(|(&form, _)| self.forms[form].span);
            splices.extend(spans.map(|span| (self.with_space(span), vec![])));
        }
        if !change.names.is_empty() {
            let replaced = self.bound.iter().filter_map(|(form, binding)| {
                let text = change.names.get(binding)?;
                Some((self.forms[*form].span, text.to_vec()))
            });
            splices.extend(replaced);
        }
        splices.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
        splices
    }

    /// Returns a span with the white space after it.
    fn with_space(&self, span: Span) -> Span {
        let rest = self.text.get(span.end as usize..).unwrap_or_default();
        let space = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
        Span::new(span.start, span.end + space.count() as u32)
    }

    /// Returns a span with the white space before it.
    fn with_space_before(&self, span: Span) -> Span {
        let before = self.of_span(Span::new(0, span.start)).iter().rev();
        let space = before.take_while(|byte| byte.is_ascii_whitespace()).count();
        Span::new(span.start - space as u32, span.end)
    }
}

/// Returns the names in the text of a term.
fn names(text: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'(' | b')');
    let words = text.split(is_end).filter(|word| !word.is_empty());
    words.map(<[u8]>::to_vec)
}

/// The replacement of a form.
enum To<'a> {
    Text(&'a [u8]),
    Form(usize),
}

/// Steps by the forms that they change.
#[derive(Default)]
struct Change<'a> {
    forms: FxHashMap<usize, To<'a>>,
    /// The replacements of the uses of a binding, by its binder and its number in it.
    names: FxHashMap<(usize, usize), &'a [u8]>,
    drops_declarations: bool,
    /// Whether a quantifier keeps the variables that nothing uses: it may be what is needed.
    keeps_variables: bool,
}

impl<'a> Change<'a> {
    /// Returns what takes the place of an atom that is a bound name.
    fn name(&self, script: &Script, form: usize) -> Option<&'a [u8]> {
        self.names.get(script.bound.get(&form)?).copied()
    }
}

impl Document for Script {
    type Step = Step;

    fn weight(&self, step: &Step) -> u32 {
        match step {
            Step::Drop(forms, text) => {
                let removed = forms.iter().map(|&form| {
                    let len = self.forms[form].span.len();
                    len.saturating_sub(text.len() as u32)
                });
                removed.sum()
            }
            _ => 1,
        }
    }

    fn write(&self, steps: &[&Step]) -> Vec<u8> {
        let is_drop = |step: &&Step| matches!(step, Step::Drop(..));
        let mut change = Change {
            keeps_variables: steps.iter().all(is_drop),
            ..Change::default()
        };
        for step in steps {
            match step {
                Step::Declarations => change.drops_declarations = true,
                Step::Drop(forms, text) => {
                    change.drops_declarations = true;
                    for form in forms {
                        change.forms.entry(*form).or_insert(To::Text(text));
                    }
                }
                Step::Replace(form, text) => {
                    change.forms.entry(*form).or_insert(To::Text(text));
                }
                Step::All(forms) => {
                    for (form, text) in forms {
                        change.forms.entry(*form).or_insert(To::Text(text));
                    }
                }
                Step::Lift(form, inner) => {
                    change.forms.entry(*form).or_insert(To::Form(*inner));
                }
                Step::Substitute(binder, nth, text) => {
                    change.names.insert((*binder, *nth), text);
                }
            }
        }
        let mut text = Vec::with_capacity(self.text.len());
        let mut at = 0;
        for (span, by) in self.splices(&change) {
            // The parts of a removed or replaced form are not written.
            if span.start < at {
                continue;
            }
            text.extend_from_slice(self.of_span(Span::new(at, span.start)));
            text.extend_from_slice(&by);
            at = span.end;
        }
        text.extend_from_slice(self.of_span(Span::new(at, self.text.len() as u32)));
        text
    }
}
