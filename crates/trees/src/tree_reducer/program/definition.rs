//! The definition of a name, and its value.

use super::fields::{has_field, part, rule_around};
use crate::tree::{Gone, NodeId, Outline, ROOT};
use crate::tree_reducer::search::{leaves_enough, may_go};
use nubbin_grammar::conventions::Conventions;
use nubbin_grammar::tree::NodeKind;
use nubbin_view::tokens::is_word_byte;

/// A definition of a name.
pub(in crate::tree_reducer) struct Definition {
    /// The part that is removed when the name has no uses any more.
    pub(in crate::tree_reducer) whole: NodeId,
    /// The rule that has the name and the value side by side.
    pub(in crate::tree_reducer) rule: NodeId,
    pub(in crate::tree_reducer) means: Meaning,
}

pub(in crate::tree_reducer) enum Meaning {
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

/// Returns the definition of the name at a node, if it is defined there.
pub(in crate::tree_reducer) fn definition(outline: &Outline, name: NodeId) -> Option<Definition> {
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
        // A definition with parameters is a function, or a macro with arguments.
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

/// Returns whether a value comes after the name that it is assigned to. The operands of an
/// operator have the same roles on both sides.
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
pub(in crate::tree_reducer) fn whole(outline: &Outline, rule: NodeId) -> Option<NodeId> {
    let mut at = rule;
    while at != ROOT {
        if may_go(outline, at) && leaves_enough(outline, &Gone::default(), &[at]) {
            return Some(at);
        }
        at = outline.node(at).parent;
    }
    None
}

/// Returns whether the name of a function, or of a variable of another file, is declared at a node,
/// and neither defined nor used.
pub(in crate::tree_reducer) fn is_declared(outline: &Outline, name: NodeId) -> bool {
    let Conventions { fields, words, .. } = outline.grammar().conventions();
    let mut at = name;
    let mut has_parameters = false;
    for _ in 0..4 {
        let rule = rule_around(outline, at);
        if rule == ROOT || !has_field(outline, at, fields.named) {
            break;
        }
        if part(outline, rule, fields.body).is_some() || part(outline, rule, fields.value).is_some()
        {
            return false;
        }
        has_parameters |= part(outline, rule, fields.parameters).is_some();
        at = rule;
    }
    has_parameters || at != name && statement(outline, at, words.declares).is_some()
}

/// Returns whether a node is within a statement that imports names from other files, or exports
/// such names.
pub(in crate::tree_reducer) fn is_imported(outline: &Outline, id: NodeId) -> bool {
    let Conventions { fields, words, .. } = outline.grammar().conventions();
    let mut around = rule_around(outline, id);
    while around != ROOT {
        if part(outline, around, fields.module).is_some() {
            return true;
        }
        around = rule_around(outline, around);
    }
    statement(outline, id, words.imports).is_some()
}

/// Returns the innermost statement around a node that begins with one of the given words.
fn statement(outline: &Outline, id: NodeId, words: &[&str]) -> Option<NodeId> {
    let mut at = id;
    while at != ROOT {
        let begins = |word: &&str| {
            let rest = outline.text_of(at).strip_prefix(word.as_bytes());
            rest.is_some_and(|rest| rest.first().is_some_and(|byte| !is_word_byte(*byte)))
        };
        if outline.node(at).kind == NodeKind::Iteration && words.iter().any(begins) {
            return Some(at);
        }
        at = outline.node(at).parent;
    }
    None
}

/// Returns the other name that an import gives to a name.
pub(in crate::tree_reducer) fn alias(outline: &Outline, name: NodeId) -> Option<NodeId> {
    let known = outline.grammar().conventions().fields.alias;
    let mut at = name;
    // The name may be preceded by the name of its module.
    for _ in 0..3 {
        let rule = rule_around(outline, at);
        if rule == ROOT {
            return None;
        }
        if let Some(alias) = part(outline, rule, known) {
            return (!outline.covers(alias, name)).then_some(alias);
        }
        at = rule;
    }
    None
}

/// Returns the node of a name with the module before it, such as `store::add` or `store.add`, or
/// the node of the name where none is before it.
pub(in crate::tree_reducer) fn qualified(outline: &Outline, name: NodeId) -> NodeId {
    let fields = &outline.grammar().conventions().fields;
    let around = rule_around(outline, name);
    let ends = outline.node(around).span.end == outline.node(name).span.end;
    let module = part(outline, around, fields.qualifier);
    match ends && module.is_some_and(|module| outline.node(module).end <= name) {
        true => around,
        false => name,
    }
}
