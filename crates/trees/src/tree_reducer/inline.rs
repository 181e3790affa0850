use super::TreeReducer;
use super::program::fields::{has_field, iterations, part, rule_around};
use super::program::names::Names;
use super::program::parameters::{bracketed, is_of_parameter, parameter_name, within};
use super::search::{OneAtATime, Proposal, Source, leaves_enough, may_go};
use crate::tree::{Gone, NodeId, Outline, ROOT};
use nubbin_edit::Edit;
use nubbin_engine::work::{Lists, PassInfo, Work};
use nubbin_grammar::conventions::Conventions;
use nubbin_grammar::tree::NodeKind;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Replaces the uses of a name by its definition and removes the definition: variables, constants,
/// types, macros, functions.
///
/// Definitions are recognized by the [roles](nubbin_grammar::conventions::Fields) of the grammar's
/// fields: beside a name there is a value, or, in the definition of a type, a type; beside
/// parameters there is a body.
///
/// * The value of a variable or a type replaces all its uses, in brackets where it is more than a
///   word.
/// * The call of a function that only returns a value becomes that value, with its arguments in the
///   place of the parameters.
/// * A call that is a statement by itself becomes the body.
/// * A class, a structure, or a function whose only use is not a call replaces this use.
///
/// Names are compared as text, so a name with two definitions is left alone; a parameter of that
/// name is another one. Only shorter candidates are tested. Run it when deleting finds nothing
/// more: its results can often be deleted further.
///
/// Cost: one test for each definition that is used, two for a function.
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
            "replaces the uses of a name by its definition, and removes the definition",
            "nubbin; for C, C-Reduce (Regehr et al., PLDI 2012)",
        )
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        let by_text = outline.fact(Names::of).by_text(outline);
        let mut names: Vec<NodeId> = by_text.iter().flatten().copied().collect();
        names.sort_unstable();
        let steps: Vec<Step> = by_text
            .iter()
            .flat_map(|nodes| steps(outline, &names, nodes))
            .collect();
        (!steps.is_empty()).then(|| OneAtATime::work(Arc::clone(outline), Steps(steps)))
    }
}

struct Steps(Vec<Step>);

struct Step {
    definition: NodeId,
    uses: Edit,
}

impl Source for Steps {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn proposal(&self, at: usize, _outline: &Outline) -> Proposal {
        let step = &self.0[at];
        Proposal {
            remove: vec![step.definition],
            also: step.uses.clone(),
            ..Proposal::default()
        }
    }
}

/// A definition of a name.
struct Definition {
    /// The part that is removed when the name has no uses any more.
    whole: NodeId,
    /// The rule that has the name and the value side by side.
    rule: NodeId,
    means: Meaning,
}

enum Meaning {
    Value(NodeId),
    /// A type, which is never put in brackets.
    Type(NodeId),
    Function {
        parameters: NodeId,
        body: NodeId,
    },
    /// A definition that is a value or a type itself where its name is used.
    Itself,
}

/// Returns the edits to try for the occurrences of one name.
fn steps(outline: &Outline, names: &[NodeId], occurrences: &[NodeId]) -> Vec<Step> {
    let is_free = |&id: &NodeId| !is_of_parameter(outline, names, id);
    let occurrences: Vec<NodeId> = occurrences.iter().copied().filter(is_free).collect();
    let mut definitions = occurrences.iter().filter_map(|&id| definition(outline, id));
    let (Some(definition), None) = (definitions.next(), definitions.next()) else {
        return vec![];
    };
    let uses: Vec<NodeId> = occurrences
        .iter()
        .copied()
        .filter(|&id| !outline.covers(definition.rule, id))
        .collect();
    let is_within = |id: &NodeId| outline.covers(definition.whole, *id);
    if uses.is_empty() || uses.len() > MOST_USES || uses.iter().any(is_within) {
        return vec![];
    }
    let mut found = vec![];
    let mut step = |texts: Vec<(NodeId, Vec<u8>)>| {
        let grown: usize = texts.iter().map(|(_, text)| text.len()).sum();
        let before: u32 = texts
            .iter()
            .map(|&(id, _)| outline.node(id).span.len())
            .sum();
        let whole = outline.node(definition.whole).span.len();
        let mut edits = texts.iter().map(|(id, text)| outline.replace(*id, text));
        let uses = edits.try_fold(Edit::none(), |all, edit| all.combine(&edit).ok());
        if let Some(uses) = uses.filter(|_| grown < (before + whole) as usize) {
            found.push(Step {
                definition: definition.whole,
                uses,
            });
        }
    };
    match definition.means {
        Meaning::Value(value) => {
            let text = bracketed(outline.text_of(value).trim_ascii());
            step(uses.iter().map(|&id| (id, text.clone())).collect());
        }
        Meaning::Type(value) => {
            let text = outline.text_of(value).trim_ascii();
            step(uses.iter().map(|&id| (id, text.to_vec())).collect());
        }
        Meaning::Itself => {
            if let [id] = uses[..] {
                step(vec![itself(outline, definition.rule, id)]);
            }
        }
        Meaning::Function { parameters, body } => {
            let calls: Option<Vec<Call>> = uses.iter().map(|&id| call(outline, id)).collect();
            let Some(calls) = calls else {
                if let [id] = uses[..] {
                    step(vec![itself(outline, definition.rule, id)]);
                }
                return found;
            };
            let words = outline.grammar().conventions().words.returns;
            if let Some(value) = returned(outline.text_of(body), words) {
                let of = |call: &Call| {
                    let text = substituted(outline, names, body, parameters, &call.arguments);
                    let value = returned(&text, words).unwrap_or(value);
                    (call.node, bracketed(value))
                };
                step(calls.iter().map(of).collect());
            }
            let statements: Option<Vec<(NodeId, Vec<u8>)>> = calls
                .iter()
                .map(|call| {
                    let text = substituted(outline, names, body, parameters, &call.arguments);
                    let indented = reindented(outline, body, call.statement?, text);
                    Some((call.statement?, indented))
                })
                .collect();
            if let Some(statements) = statements {
                step(statements);
            }
        }
    }
    found
}

/// Returns the definition of the name at a node, if it is defined there.
fn definition(outline: &Outline, name: NodeId) -> Option<Definition> {
    let Conventions { fields, words, .. } = outline.grammar().conventions();
    let mut at = name;
    for _ in 0..4 {
        if !has_field(outline, at, fields.bound) {
            return None;
        }
        let rule = rule_around(outline, at);
        if rule == ROOT {
            return None;
        }
        let begins = |word: &&str| outline.text_of(rule).starts_with(word.as_bytes());
        let is_type = words.type_definitions.iter().any(begins);
        let types = || part(outline, rule, fields.type_value);
        let value = match is_type {
            true => types(),
            false => {
                part(outline, rule, fields.value).filter(|&value| is_assigned(outline, at, value))
            }
        };
        // With parameters, it is a function, or a macro with arguments.
        let parameters = part(outline, rule, fields.parameters)
            .or_else(|| part(outline, rule_around(outline, name), fields.parameters));
        let body = part(outline, rule, fields.body);
        let means = match (value, parameters, body) {
            (Some(value), None, _) if is_type => Some(Meaning::Type(value)),
            (Some(value), None, _) => Some(Meaning::Value(value)),
            (None, Some(parameters), Some(body)) => Some(Meaning::Function { parameters, body }),
            (None, None, Some(_)) => Some(Meaning::Itself),
            _ => None,
        };
        if let Some(means) = means {
            let whole = whole(outline, rule)?;
            return Some(Definition { whole, rule, means });
        }
        at = rule;
    }
    None
}

/// Whether a value stands after the name that it is assigned to. The operands of an operator have
/// the same roles on both sides.
fn is_assigned(outline: &Outline, to: NodeId, value: NodeId) -> bool {
    let (to, value) = (outline.node(to).span, outline.node(value).span);
    let around = outline.node(ROOT).span.start;
    let text = outline.text_of(ROOT);
    let between = text.get((to.end - around) as usize..value.start.saturating_sub(around) as usize);
    let between = between.map(|between| between.trim_ascii());
    between.is_some_and(|text| {
        let is_operator = |byte: &u8| b"+-*/%<>!&|^~?".contains(byte);
        !text.iter().any(is_operator) && text != b"=="
    })
}

/// Returns the innermost removable part around a node, or the node itself.
fn whole(outline: &Outline, rule: NodeId) -> Option<NodeId> {
    let mut at = rule;
    while at != ROOT {
        if may_go(outline, at) && leaves_enough(outline, &Gone::default(), &[at]) {
            return Some(at);
        }
        at = outline.node(at).parent;
    }
    None
}

/// Returns the place of a name's only use, and the definition for it. A use that is written like
/// the beginning of the definition (`struct a`) is replaced as a whole.
fn itself(outline: &Outline, rule: NodeId, id: NodeId) -> (NodeId, Vec<u8>) {
    let around = rule_around(outline, id);
    let is_alike = outline.node(around).symbol == outline.node(rule).symbol;
    let text = outline.text_of(rule).trim_ascii();
    let text = text.strip_suffix(b";").unwrap_or(text);
    (if is_alike { around } else { id }, text.to_vec())
}

struct Call {
    node: NodeId,
    /// The statement, where the call is all of it.
    statement: Option<NodeId>,
    arguments: Vec<NodeId>,
}

fn call(outline: &Outline, name: NodeId) -> Option<Call> {
    let known = &outline.grammar().conventions().fields;
    let mut callee = name;
    if has_field(outline, name, known.member) {
        // A method, whose object is left out.
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

/// Returns the value that a body returns, if it does nothing else. `words` stand before such a
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
    arguments: &[NodeId],
) -> Vec<u8> {
    let mut values: FxHashMap<&[u8], &[u8]> = FxHashMap::default();
    for (at, &parameter) in iterations(outline, parameters).iter().enumerate() {
        let name = parameter_name(outline, names, parameter);
        if let (Some(name), Some(&argument)) = (name, arguments.get(at)) {
            values.insert(
                outline.text_of(name),
                outline.text_of(argument).trim_ascii(),
            );
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

/// Returns the lines of a body with the indentation of the statement that they replace.
fn reindented(outline: &Outline, body: NodeId, statement: NodeId, text: Vec<u8>) -> Vec<u8> {
    let trimmed = text.trim_ascii();
    if trimmed.starts_with(b"{") {
        return trimmed.to_vec();
    }
    let depth = |id: NodeId| outline.indent(id);
    let (from, to) = (depth(body), depth(statement));
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
