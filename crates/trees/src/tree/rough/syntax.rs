use super::assembly::Assembly;
use super::reading::nodes;
use super::rules::Rules;
use nubbin_grammar::grammar::Grammar;
use nubbin_grammar::parse::ParseError;
use nubbin_grammar::syntax::Syntax;
use nubbin_grammar::tree::Tree;
use std::sync::Arc;

/// The rough trees of texts without a parser.
///
/// A text is divided into statements. A statement ends with a semicolon, after a closing brace, or,
/// if lines do not end in semicolons, at the end of the line. Lines that are indented more than a
/// statement belong to it. Brackets within a statement are groups of statements, groups of elements
/// between commas, or other groups. All other text cannot be removed from these trees; passes over
/// tokens do that.
///
/// Every text has such a tree. Tree reducers then remove statements with their content, and replace
/// a statement, an element, or a group with one within it. Prefer a grammar or a parser if there is
/// one: a rough tree knows neither declarations nor names, nor which parts are optional in a
/// language.
///
/// Source: nubbin. Trees of brackets and indentation in place of a grammar: HDD (Misherghi, Su,
/// ICSE 2006) and the passes over brackets in Shrink Ray (MacIver).
///
/// ```
/// use nubbin_reduce::tree::RoughSyntax;
/// use nubbin_reduce::tree_reducer::{Perses, trace_with};
/// use nubbin_reduce::work::Lists;
///
/// let text = b"a(); if (b) { c(1, 2); d(); } e();";
/// let fails = |text: &[u8]| text.contains(&b'c');
/// let run = trace_with(&Perses, &RoughSyntax::new(), text, &Lists::default(), fails);
/// assert_eq!(run.result, " c()  ");
/// ```
#[derive(Debug)]
pub struct RoughSyntax(Rules);

impl RoughSyntax {
    /// Creates the syntax. Its grammar is the same for all texts.
    pub fn new() -> Self {
        RoughSyntax(Rules::new())
    }
}

impl Default for RoughSyntax {
    fn default() -> Self {
        RoughSyntax::new()
    }
}

impl Syntax for RoughSyntax {
    fn name(&self) -> &str {
        self.0.grammar.name()
    }

    fn grammar(&self) -> &Arc<Grammar> {
        &self.0.grammar
    }

    fn tree(&self, text: &[u8]) -> Result<Tree, ParseError> {
        let mut assembly = Assembly::new(&self.0, text);
        nodes(text).into_iter().for_each(|node| assembly.add(node));
        Ok(assembly.finish()?)
    }

    fn is_tolerant(&self) -> bool {
        true
    }

    fn keeps_gaps(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::Kind;
    use super::*;
    use nubbin_grammar::tree::NodeKind;

    /// Returns the kinds and texts of all nodes but the root.
    fn shown(text: &str) -> Vec<(&'static str, &str)> {
        let nodes = nodes(text.as_bytes());
        let nodes = nodes[1..].iter();
        let shown = |kind: Option<Kind>| kind.map_or(",", Kind::name);
        nodes
            .map(|node| {
                (
                    shown(node.kind),
                    &text[node.start as usize..node.end as usize],
                )
            })
            .collect()
    }

    #[test]
    fn statements_end_with_semicolons_and_braces() {
        assert_eq!(
            shown("if (a) { b; } else { c }\ns { d; } e;\n"),
            [
                ("item", "if (a) { b; } else { c }\n"),
                ("plain", "(a)"),
                ("block", "{ b; }"),
                ("item", "b;"),
                ("block", "{ c }"),
                ("item", "c"),
                ("item", "s { d; } e;\n"),
                ("block", "{ d; }"),
                ("item", "d;"),
            ]
        );
    }

    #[test]
    fn elements_of_lists_have_commas_between_them() {
        assert_eq!(
            shown("f(1, [2, 3],)"),
            [
                ("item", "f(1, [2, 3],)"),
                ("list", "f(1, [2, 3],)"),
                ("item", "1"),
                (",", ","),
                ("item", "[2, 3]"),
                ("list", "[2, 3]"),
                ("item", "2"),
                (",", ","),
                ("item", "3"),
            ]
        );
    }

    #[test]
    fn without_semicolons_a_line_has_the_lines_indented_below_it() {
        assert_eq!(
            shown("a:\n  b\n  c(\n d)\n\n  e\nf\n"),
            [
                ("item", "a:\n  b\n  c(\n d)\n\n  e\n"),
                ("item", "  b\n"),
                ("item", "  c(\n d)\n"),
                ("plain", "  c(\n d)\n"),
                ("item", "  e\n"),
                ("item", "f\n"),
            ]
        );
    }

    #[test]
    fn lines_with_commas_in_them_are_statements() {
        let text = "f {\n  a = b c, d\n  e g, h\n}\n";
        let items = shown(text).into_iter().filter(|(kind, _)| *kind == "item");
        assert_eq!(
            items.map(|(_, text)| text).collect::<Vec<_>>(),
            [text, "  a = b c, d\n", "  e g, h\n"]
        );
    }

    #[test]
    fn every_text_has_a_tree_that_its_grammar_explains() {
        let syntax = RoughSyntax::new();
        let automata = syntax.grammar().automata();
        let mut state = 7u32;
        for _ in 0..2000 {
            let mut byte = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                b"(){}[];,a: \n\"/*#=\xff\0"[(state >> 16) as usize % 19]
            };
            let text: Vec<u8> = (0..60).map(|_| byte()).collect();
            let tree = syntax.tree(&text).unwrap();
            let rules = tree.nodes().filter(|(_, node)| node.kind == NodeKind::Rule);
            for (id, _) in rules {
                let children = tree.child_symbols(id);
                assert!(automata.accepts(tree.rule(id), &children), "{text:?}");
            }
        }
    }

    #[test]
    fn deep_nesting_needs_no_stack() {
        let deep = ["{".repeat(100_000), "}".repeat(100_000)].concat();
        assert!(RoughSyntax::new().tree(deep.as_bytes()).unwrap().len() > 100_000);
    }
}
