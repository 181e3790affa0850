//! The parameters of a definition, their uses, and their replacements.

use super::fields::{has_field, part, rule_around};
use crate::tree::{NodeId, Outline, ROOT};
use nubbin_edit::Edit;

/// Returns the names below a node, of all `names` in order.
pub(in crate::tree_reducer) fn within<'n>(
    outline: &Outline,
    names: &'n [NodeId],
    outer: NodeId,
) -> &'n [NodeId] {
    let from = names.partition_point(|&id| id < outer);
    let until = names.partition_point(|&id| id < outline.node(outer).end);
    &names[from..until]
}

/// Returns the name of a parameter.
pub(in crate::tree_reducer) fn parameter_name(
    outline: &Outline,
    names: &[NodeId],
    parameter: NodeId,
) -> Option<NodeId> {
    let known = outline.grammar().conventions().fields.bound;
    let inside = within(outline, names, parameter);
    // Next to a type, the name is the last word, as in C, or has a field.
    let named = inside.iter().find(|&&id| has_field(outline, id, known));
    named.or(inside.last()).copied()
}

/// Returns the innermost rule around a name that has a body.
pub(in crate::tree_reducer) fn with_body(outline: &Outline, name: NodeId) -> Option<NodeId> {
    let mut at = name;
    for _ in 0..6 {
        at = rule_around(outline, at);
        if part(outline, at, outline.grammar().conventions().fields.body).is_some() {
            return Some(at);
        }
        if at == ROOT {
            break;
        }
    }
    None
}

/// Returns whether a name is the name of a parameter, in the function with this parameter.
pub(in crate::tree_reducer) fn is_of_parameter(
    outline: &Outline,
    names: &[NodeId],
    id: NodeId,
) -> bool {
    function_of_parameter(outline, names, id).is_some()
}

/// Returns the innermost function around a name that has a parameter of this name.
pub(in crate::tree_reducer) fn function_of_parameter(
    outline: &Outline,
    names: &[NodeId],
    id: NodeId,
) -> Option<NodeId> {
    let fields = &outline.grammar().conventions().fields;
    let mut at = id;
    loop {
        at = rule_around(outline, at);
        // A file has no parameters, and may have many parts.
        if at == ROOT {
            return None;
        }
        let Some(parameters) = part(outline, at, fields.parameters) else {
            continue;
        };
        let body = part(outline, at, fields.body);
        let is_inside = |part: NodeId| outline.covers(part, id);
        if is_inside(parameters) || body.is_some_and(is_inside) {
            let text = outline.text_of(id);
            let mut inside = within(outline, names, parameters).iter();
            if inside.any(|&id| outline.text_of(id) == text) {
                return Some(at);
            }
        }
    }
}

/// Returns the edit that replaces each use of a parameter in `whole` with a text, or `None` if the
/// parameter has no use.
pub(in crate::tree_reducer) fn substitution(
    outline: &Outline,
    names: &[NodeId],
    whole: NodeId,
    parameter: NodeId,
    text: &[u8],
) -> Option<Edit> {
    let name = outline.text_of(parameter_name(outline, names, parameter)?);
    let member = outline.grammar().conventions().fields.member;
    let uses = within(outline, names, whole).iter().filter(|&&id| {
        let is_use = outline.text_of(id) == name && !has_field(outline, id, member);
        is_use && !outline.covers(parameter, id)
    });
    let edits = uses.map(|&id| outline.replace(id, text));
    edits.reduce(|all, edit| all.combine(&edit).unwrap_or(all))
}

/// Puts a value in brackets if it is more than one word, number, string, or bracket group.
pub(in crate::tree_reducer) fn bracketed(value: &[u8]) -> Vec<u8> {
    let is_word =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.') || *byte >= 0x80;
    let is_closed = |open: u8, close: u8| {
        let inner = value
            .strip_prefix(&[open])
            .and_then(|rest| rest.strip_suffix(&[close]));
        inner.is_some_and(|inner| !inner.contains(&open) && !inner.contains(&close))
    };
    let pairs = [(b'(', b')'), (b'[', b']'), (b'"', b'"'), (b'\'', b'\'')];
    if value.iter().all(is_word) || pairs.iter().any(|&(open, close)| is_closed(open, close)) {
        return value.to_vec();
    }
    [b"(", value, b")"].concat()
}
