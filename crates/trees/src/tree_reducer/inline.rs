use super::program::definition::{
    Definition, Meaning, alias, definition, is_declared, is_imported, qualified, whole,
};
use super::program::fields::{has_field, iterations, part, rule_around};
use super::program::names::{Place, in_order, together_and_alone};
use super::program::parameters::{bracketed, is_of_parameter, parameter_name, within};
use super::search::nested::outermost;
use super::search::{Across, Parts, Proposal};
use super::{Program, TreeReducer};
use crate::tree::{NodeId, Outline, ROOT};
use nubbin_edit::Edit;
use nubbin_engine::work::{Lists, PassInfo, Work};
use nubbin_grammar::tree::NodeKind;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Replaces the uses of a name with its definition and removes the definition: variables,
/// constants, types, macros, functions.
///
/// Definitions are recognized by the [roles](nubbin_grammar::conventions::Fields) of the grammar's
/// fields: next to a name there is a value, or, in the definition of a type, a type; next to
/// parameters there is a body.
///
/// * The value of a variable or a type replaces all its uses, in brackets where it is more than a
///   word.
/// * The call of a function that only returns a value becomes that value, with its arguments
///   instead of the parameters.
/// * A call that is a statement by itself becomes the body.
/// * A class, a structure, or a function whose only use is not a call replaces this use.
///
/// In several files of one language, a name is replaced in all of them. Declarations of a function
/// or of an `extern` variable, imports of the name, and exports of an imported name are removed
/// with the definition. The module before a name, as in `settings.limit`, is replaced with it, and
/// so is the other name that an import gives to it. Where a name has a definition in each file,
/// every file is tried by itself.
///
/// Names are compared as text, so a name with two definitions is left alone; a parameter of that
/// name is another one. Only shorter candidates are tested. Run it when deleting finds nothing
/// more: its results can often be deleted further.
///
/// Cost: one test per definition that is used, two for a function.
///
/// Source: nubbin; for C the passes simple-inliner, copy-propagation and replace-simple-typedef of
/// C-Reduce (Regehr et al., PLDI 2012), there by Clang, here by fields, for any language that has
/// them.
///
/// ```
/// use nubbin_languages::catalogue;
/// use nubbin_reduce::tree_reducer::{Inline, trace_with};
/// use nubbin_reduce::work::Lists;
///
/// let python = catalogue::named("python").ok_or("no Python")?.syntax()?;
/// let text = b"a = [.1]\nprint(sum(a))\n";
/// let fails = |text: &[u8]| text.windows(4).any(|four| four == b"sum(");
/// let run = trace_with(&Inline, &*python, text, &Lists::default(), fails);
/// assert_eq!(run.result.trim(), "print(sum([.1]))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Inline;

/// The number of uses beyond which a name is kept.
const MOST_USES: usize = 16;

impl TreeReducer for Inline {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "inline",
            "replaces the uses of a name with its definition, and removes the definition",
            "nubbin; for C, C-Reduce (Regehr et al., PLDI 2012)",
        )
        .joining_files()
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        over(vec![Arc::clone(outline)])
    }

    fn open_all(&self, program: &Program<'_>, _lists: &Lists) -> Option<Work> {
        over(program.outlines())
    }
}

fn over(trees: Vec<Arc<Outline>>) -> Option<Work> {
    let names = in_order(&trees);
    let files = Files {
        trees: &trees,
        names: &names,
    };
    let all = together_and_alone(&trees);
    let steps = all.iter().flat_map(|places| files.steps(places)).collect();
    Across::work(trees, steps)
}

/// The trees of all files, and the names in each of them.
struct Files<'a> {
    trees: &'a [Arc<Outline>],
    names: &'a [Vec<NodeId>],
}

/// The occurrences of a name, grouped by the change that the removal of its definition requires.
struct Uses {
    /// The number of the tree that contains the definition.
    home: usize,
    definition: Definition,
    /// The occurrences that are replaced.
    replaced: Vec<Place>,
    /// Declarations and imports in several files, which are removed with the definition.
    removed: Vec<Place>,
}

impl Files<'_> {
    /// Returns the definition of a name, and its uses. Returns `None` if the name has several
    /// definitions or none.
    fn uses(&self, occurrences: &[Place]) -> Option<Uses> {
        let tree = |place: &Place| &self.trees[place.0];
        let is_free = |place: &Place| !is_of_parameter(tree(place), &self.names[place.0], place.1);
        let free: Vec<Place> = occurrences.iter().copied().filter(is_free).collect();
        let defined = |place: &Place| Some((place.0, definition(tree(place), place.1)?));
        let mut definitions = free.iter().filter_map(defined);
        let (Some((home, definition)), None) = (definitions.next(), definitions.next()) else {
            return None;
        };
        let is_home = |place: &Place| place.0 == home;
        let is_in_several = free.iter().any(|place| place.0 != free[0].0);
        let mut uses = Uses {
            home,
            replaced: vec![],
            removed: vec![],
            definition,
        };
        for place in free.iter().copied() {
            let (outline, id) = (tree(&place), place.1);
            if is_home(&place) && outline.covers(uses.definition.rule, id) {
                continue;
            }
            let is_import = !is_home(&place) && is_imported(outline, id);
            if let Some(alias) = alias(outline, id).filter(|_| is_import) {
                uses.replaced.extend(self.of_text(place.0, alias));
            }
            match is_in_several && (is_import || is_declared(outline, id)) {
                true => uses.removed.push((place.0, whole(outline, id)?)),
                false => uses.replaced.push(place),
            }
        }
        let is_within =
            |place: &Place| is_home(place) && tree(place).covers(uses.definition.whole, place.1);
        let is_known =
            (1..=MOST_USES).contains(&uses.replaced.len()) && !uses.replaced.iter().any(is_within);
        is_known.then_some(uses)
    }

    /// Returns the uses of the other name that an import of this file gives to a name.
    fn of_text(&self, tree: usize, alias: NodeId) -> impl Iterator<Item = Place> {
        let (outline, names) = (&self.trees[tree], &self.names[tree]);
        let text = outline.text_of(alias);
        let is_use = move |id: &NodeId| {
            outline.text_of(*id) == text
                && !outline.covers(alias, *id)
                && !is_of_parameter(outline, names, *id)
        };
        let uses = names.iter().copied().filter(is_use);
        uses.map(move |id| (tree, id))
    }

    /// Returns the edits to try for the occurrences of one name.
    fn steps(&self, occurrences: &[Place]) -> Vec<Parts> {
        let Some(uses) = self.uses(occurrences) else {
            return vec![];
        };
        let home = &self.trees[uses.home];
        // The module before a name is replaced together with the name.
        let with_module = |&(tree, id): &Place| match tree == uses.home {
            true => (tree, id),
            false => (tree, qualified(&self.trees[tree], id)),
        };
        let itself = |at: &Place| {
            let (id, text) = itself(home, uses.definition.rule, &self.trees[at.0], at.1);
            self.step(&uses, vec![((at.0, id), text)])
        };
        let by = |text: &[u8]| {
            let replaced = uses.replaced.iter().map(with_module);
            self.step(&uses, replaced.map(|at| (at, text.to_vec())).collect())
        };
        let steps = match uses.definition.means {
            Meaning::Value(value) => vec![by(&bracketed(home.text_of(value).trim_ascii()))],
            Meaning::Type(value) => vec![by(home.text_of(value).trim_ascii())],
            Meaning::Itself => match &uses.replaced[..] {
                [at] => vec![itself(&with_module(at))],
                _ => vec![],
            },
            Meaning::Function { parameters, body } => {
                let call = |at: &Place| {
                    let (tree, id) = with_module(at);
                    Some((tree, call(&self.trees[tree], at.1, id)?))
                };
                let calls: Option<Vec<(usize, Call)>> = uses.replaced.iter().map(call).collect();
                match (calls, &uses.replaced[..]) {
                    (Some(calls), _) => self.calls(&uses, parameters, body, &calls),
                    (None, [at]) => vec![itself(&with_module(at))],
                    (None, _) => vec![],
                }
            }
        };
        steps.into_iter().flatten().collect()
    }

    /// Returns the edits that put the body of a function in the place of its calls: the value that
    /// it returns, or its statements.
    fn calls(
        &self,
        uses: &Uses,
        parameters: NodeId,
        body: NodeId,
        calls: &[(usize, Call)],
    ) -> Vec<Option<Parts>> {
        let home = &self.trees[uses.home];
        let names = &self.names[uses.home];
        let words = home.grammar().conventions().words.returns;
        let bodies = calls.iter().map(|(tree, call)| {
            let of = |&id: &NodeId| self.trees[*tree].text_of(id).trim_ascii();
            let arguments: Vec<&[u8]> = call.arguments.iter().map(of).collect();
            substituted(home, names, body, parameters, &arguments)
        });
        let bodies: Vec<Vec<u8>> = bodies.collect();
        let mut steps = vec![];
        if let Some(value) = returned(home.text_of(body), words) {
            let of = |((tree, call), text): (&(usize, Call), &Vec<u8>)| {
                let value = returned(text, words).unwrap_or(value);
                ((*tree, call.node), bracketed(value))
            };
            steps.push(self.step(uses, calls.iter().zip(&bodies).map(of).collect()));
        }
        let statements = calls.iter().zip(&bodies).map(|((tree, call), text)| {
            let statement = call.statement?;
            let to = self.trees[*tree].indent(statement);
            Some(((*tree, statement), reindented(home.indent(body), to, text)))
        });
        let statements: Option<Vec<(Place, Vec<u8>)>> = statements.collect();
        steps.extend(statements.map(|statements| self.step(uses, statements)));
        steps
    }

    /// Returns the edit that puts texts in the place of nodes and removes the definition, if that
    /// is shorter.
    fn step(&self, uses: &Uses, texts: Vec<(Place, Vec<u8>)>) -> Option<Parts> {
        let removed = [(uses.home, uses.definition.whole)];
        let removed = || removed.iter().chain(&uses.removed);
        let len = |&(tree, id): &Place| self.trees[tree].node(id).span.len() as usize;
        let grown: usize = texts.iter().map(|(_, text)| text.len()).sum();
        let before: usize = texts.iter().map(|(place, _)| len(place)).sum();
        if grown >= before + removed().map(len).sum::<usize>() {
            return None;
        }
        let mut parts: Parts = vec![];
        for (tree, outline) in self.trees.iter().enumerate() {
            let of_tree = |place: &&Place| place.0 == tree;
            let mut going: Vec<NodeId> = removed().filter(of_tree).map(|place| place.1).collect();
            going.sort_unstable();
            let own = texts.iter().filter(|(place, _)| place.0 == tree);
            let mut edits = own.map(|(place, text)| outline.replace(place.1, text));
            let proposal = Proposal {
                remove: outermost(outline, going).collect(),
                also: edits.try_fold(Edit::none(), |all, edit| all.combine(&edit).ok())?,
                ..Proposal::default()
            };
            if !(proposal.remove.is_empty() && proposal.also.is_none()) {
                parts.push((tree, proposal));
            }
        }
        Some(parts)
    }
}

/// Returns the place of a name's only use, and the definition for it. A use that is written like
/// the beginning of the definition (`struct a`) is replaced as a whole.
fn itself(home: &Outline, rule: NodeId, outline: &Outline, id: NodeId) -> (NodeId, Vec<u8>) {
    let around = rule_around(outline, id);
    let is_alike = outline.node(around).symbol == home.node(rule).symbol;
    let text = home.text_of(rule).trim_ascii();
    let text = text.strip_suffix(b";").unwrap_or(text);
    (if is_alike { around } else { id }, text.to_vec())
}

struct Call {
    node: NodeId,
    /// The statement, if it consists only of the call.
    statement: Option<NodeId>,
    arguments: Vec<NodeId>,
}

/// Returns the call of a name, or of `qualified`, the name with the module before it.
fn call(outline: &Outline, name: NodeId, qualified: NodeId) -> Option<Call> {
    let known = &outline.grammar().conventions().fields;
    let mut callee = qualified;
    if has_field(outline, name, known.member) {
        // The name is a method of an object, which is omitted.
        callee = rule_around(outline, name);
    }
    if !has_field(outline, callee, known.callee) {
        return None;
    }
    let node = rule_around(outline, callee);
    let arguments = part(outline, node, known.arguments)?;
    let mut at = node;
    let mut statement = None;
    while at != ROOT {
        let text = outline.text_of(at).trim_ascii();
        let text = text.strip_suffix(b";").unwrap_or(text);
        if text != outline.text_of(node) {
            break;
        }
        if outline.node(at).kind == NodeKind::Iteration {
            statement = Some(at);
        }
        at = outline.node(at).parent;
    }
    let arguments = iterations(outline, arguments);
    Some(Call {
        node,
        statement,
        arguments,
    })
}

/// Returns the value that a body returns, if it does nothing else. `words` come before such a
/// value.
fn returned<'b>(body: &'b [u8], words: &[&str]) -> Option<&'b [u8]> {
    let inner = body.trim_ascii();
    let inner = inner.strip_prefix(b"{").unwrap_or(inner);
    let inner = inner.strip_suffix(b"}").unwrap_or(inner).trim_ascii();
    let behind = words
        .iter()
        .find_map(|word| inner.strip_prefix(word.as_bytes()));
    let value = behind.unwrap_or(inner);
    let value = value.strip_suffix(b";").unwrap_or(value).trim_ascii();
    let is_one = !value.is_empty() && !value.contains(&b';') && !value.contains(&b'\n');
    is_one.then_some(value)
}

/// Returns a body with arguments in the place of parameters.
fn substituted(
    outline: &Outline,
    names: &[NodeId],
    body: NodeId,
    parameters: NodeId,
    arguments: &[&[u8]],
) -> Vec<u8> {
    let mut values: FxHashMap<&[u8], &[u8]> = FxHashMap::default();
    for (at, &parameter) in iterations(outline, parameters).iter().enumerate() {
        let name = parameter_name(outline, names, parameter);
        if let (Some(name), Some(&argument)) = (name, arguments.get(at)) {
            values.insert(outline.text_of(name), argument);
        }
    }
    let start = outline.node(body).span.start;
    let text = outline.text_of(body);
    let mut out = vec![];
    let mut done = 0;
    for &id in within(outline, names, body) {
        if let Some(value) = values.get(outline.text_of(id)) {
            let span = outline.node(id).span;
            out.extend_from_slice(&text[done..(span.start - start) as usize]);
            out.extend(bracketed(value));
            done = (span.end - start) as usize;
        }
    }
    out.extend_from_slice(&text[done..]);
    out
}

/// Returns the lines of a body, indented by `to` and not by `from`.
fn reindented(from: &[u8], to: &[u8], text: &[u8]) -> Vec<u8> {
    let trimmed = text.trim_ascii();
    if trimmed.starts_with(b"{") {
        return trimmed.to_vec();
    }
    let mut out = vec![];
    for (at, line) in trimmed.split(|&byte| byte == b'\n').enumerate() {
        if at > 0 {
            let line = line.strip_prefix(from).unwrap_or(line);
            out.extend_from_slice(b"\n");
            out.extend_from_slice(to);
            out.extend_from_slice(line);
        } else {
            out.extend_from_slice(line);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::cases::stays_in_the_grammar;
    use super::super::trace_with;
    use super::*;
    use nubbin_languages::catalogue;

    fn inlined(language: &str, text: &str, fails: impl Fn(&str) -> bool) -> String {
        let syntax = catalogue::named(language).unwrap().syntax().unwrap();
        let fails = |text: &[u8]| fails(std::str::from_utf8(text).unwrap());
        trace_with(&Inline, &*syntax, text.as_bytes(), &Lists::default(), fails).result
    }

    #[test]
    fn a_definition_is_moved_to_its_only_use() {
        let text = "class a { f() {} }\n(new a).f();\nfunction g() {}\nh(g);\n";
        assert_eq!(
            inlined("javascript", text, |text| text.contains("f()")).replace('\n', ""),
            "(new class a { f() {} }).f();h(function g() {});"
        );
        let left = inlined("c", "struct a { int b; };\nstruct a c;\n", |_| true);
        assert_eq!(left.trim(), "struct a { int b; } c;");
    }

    #[test]
    fn a_call_of_a_method_becomes_its_body() {
        let text = "class a { static f(f) { g(f); } }\na.f(-1);\na;\n";
        assert_eq!(
            inlined("javascript", text, |text| text.contains("class a")).replace('\n', ""),
            "class a {  }(g((-1)));a;"
        );
    }

    #[test]
    fn nothing_is_proposed_without_fields() {
        stays_in_the_grammar(&Inline);
    }

    #[test]
    fn types_are_inlined() {
        let left = inlined("c", "typedef unsigned T; T x;", |text| text.contains('x'));
        assert_eq!(left.trim(), "unsigned x;");
    }

    #[test]
    fn values_are_put_in_brackets_where_needed() {
        let text = "let a = 1 + 2;\nf(a * 3);\n";
        let left = inlined("javascript", text, |text| text.contains("* 3"));
        assert_eq!(left.trim(), "f((1 + 2) * 3);");
    }

    #[test]
    fn a_function_that_only_returns_a_value_becomes_that_value() {
        let text = "int f(int a) { return a + 1; } int x = f(7);";
        let left = inlined("c", text, |text| text.contains('7') && text.contains('+'));
        assert_eq!(left.trim(), "int x = (7 + 1);");
    }

    #[test]
    fn a_call_becomes_the_body() {
        let text = "def f(a):\n  print(a)\n  print(2)\nif x:\n    f(7)\n";
        let left = inlined("python", text, |text| {
            text.contains('7') && text.contains('2')
        });
        assert_eq!(left.trim(), "if x:\n    print(7)\n    print(2)");
    }

    #[test]
    fn a_name_with_two_definitions_is_kept() {
        let text = "a = 1\na = 2\nprint(a)\n";
        assert_eq!(inlined("python", text, |_| true), text);
    }
}
