use super::rebuild::Rebuild;
use super::{NodeId, Outline};
use nubbin_grammar::grammar::Expr;
use nubbin_grammar::tree::NodeKind;

/// Removes nodes without text: absent optional parts, and repetitions without an iteration.
///
/// Nothing can be removed from them, and each would be a unit of a list and be tried. An iteration
/// without text is kept where the repetition counts or separates its iterations.
///
/// The time is one pass over the nodes.
///
/// Source: part of the tree preparation of picireny (Hodován, Kiss).
///
/// ```
/// use nubbin_grammar::{parse::Parser, read};
/// use nubbin_reduce::tree::{self, Outline};
/// use std::sync::Arc;
///
/// let grammar = read::read("<s> ::= '-'? <d>+ ('.' <d>+)?\n<d> ::= [0-9]", None, "numbers")?;
/// let outline = Outline::of(&Parser::new(Arc::new(grammar))?, b"42", 0).unwrap();
/// let without = tree::empty(outline.clone());
/// assert_eq!(outline.len() - without.len(), 2); // the sign and the fraction
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn empty(outline: Outline) -> Outline {
    let mut new = Rebuild::new(outline);
    let mut ends: Vec<NodeId> = vec![];
    let mut id = 0;
    while id < new.from().len() {
        while ends.last().is_some_and(|&end| end <= id) {
            ends.pop();
            new.close();
        }
        let node = *new.from().node(id);
        if id > 0 && node.span.is_empty() && !counts(new.from(), id) {
            id = node.end;
            continue;
        }
        new.open(id, new.from().chains.of(id).to_vec().as_slice());
        ends.push(node.end);
        id += 1;
    }
    new.finish()
}

/// Returns whether the node is an iteration or separator whose presence matters.
fn counts(outline: &Outline, id: NodeId) -> bool {
    let node = outline.node(id);
    let matters = |expr| match outline.grammar.expr(expr) {
        Expr::Repeat(repeat) => repeat.min > 0 || repeat.separator.is_some(),
        _ => true,
    };
    matches!(node.kind, NodeKind::Iteration | NodeKind::Separator) && node.place.is_none_or(matters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Gone, Needed};
    use nubbin_grammar::grammar::Builder;
    use nubbin_grammar::parse::Parser;
    use std::sync::Arc;

    #[test]
    fn empty_iterations_are_kept_where_there_are_separators() {
        let mut builder = Builder::new("fields");
        let row = builder.rule("row");
        let [x, comma] = ["x", ","].map(|text| builder.literal(text.as_bytes()));
        let field = builder.optional(x);
        let body = builder.repeat(field, 0, None, Some(comma));
        builder.define(row, body);
        let parser = Parser::new(Arc::new(builder.finish(row).unwrap())).unwrap();
        let outline = empty(Outline::of(&parser, b",x,", 0).unwrap());
        let is_iteration = |id: &NodeId| outline.node(*id).kind == NodeKind::Iteration;
        let iterations: Vec<NodeId> = (0..outline.len()).filter(is_iteration).collect();
        assert_eq!(iterations.len(), 3);
        let cut = outline.cut([iterations[1]], &Gone::default(), Needed::Shrink);
        assert_eq!(cut.edit.render(b",x,"), b",");
    }
}
