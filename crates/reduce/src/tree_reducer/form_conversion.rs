use super::{Grabr, TreeReducer};
use crate::tree::Outline;
use crate::work::{Lists, Work};
use std::sync::Arc;

/// Form conversion: a structure becomes one of another kind, made of its own parts.
///
/// As [`Grabr::plain`], but a node may become an instance of any symbol that may stand in its place,
/// not only of its own: each alternative of each such symbol is filled with what is found below the
/// node, in up to eight ways, and with the words that belong to it. A `for` becomes a `while` with its condition and body, a `while` a block, a block a statement, a
/// call its argument.
///
/// Finds what neither deleting nor replacing like by like does, in languages whose grammar says what
/// may stand for what. Run it last: a test for each smaller form of each node is many tests.
///
/// Cost: as [`Grabr::plain`], times the symbols that may stand in a place.
///
/// Source: structure form conversion in "SFC", OOPSLA 2025, as far as its abstract tells; its
/// identifier elimination is [`Identifiers`](super::Identifiers) here.
///
/// Changed: what may stand where is asked of the grammar, so every candidate fits it.
///
/// ```
/// use nubbin_reduce::tree_reducer::{FormConversion, Grabr, trace};
///
/// let program = "<s> ::= <for> | <if> | '{}'\n<for> ::= 'for(' <e> ';' <e> ')' <s>\n<if> ::= 'if(' <e> ')' <s>\n<e> ::= [a-z]\n";
/// let fails = |text: &str| text.contains('c') && text.contains('{');
/// assert_eq!(trace(&Grabr::plain(), program, "for(i;c){}", fails).result, "for(i;c){}");
/// assert_eq!(trace(&FormConversion, program, "for(i;c){}", fails).result, "if(c){}");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct FormConversion;

impl TreeReducer for FormConversion {
    fn id(&self) -> &'static str {
        "form-conversion"
    }

    fn about(&self) -> &'static str {
        "a structure becomes one of another kind, made of its own parts"
    }

    fn source(&self) -> &'static str {
        "after structure form conversion (SFC), OOPSLA 2025"
    }

    fn open(&self, outline: &Arc<Outline>, lists: &Lists) -> Option<Work> {
        Grabr::forms().open(outline, lists)
    }
}

#[cfg(test)]
mod tests {
    use super::super::laws::cases::stays_in_the_grammar;
    use super::super::trace;
    use super::*;

    const LOOPS: &str = "<p> ::= <s>*\n<s> ::= <for> | <while> | <block>\n<for> ::= 'for(' <e> ';' <e> ')' <s>\n<while> ::= 'if(' <e> ')' <s>\n<block> ::= '{' <s>* '}'\n<e> ::= [a-z]\n";

    #[test]
    fn a_loop_becomes_a_condition() {
        let fails = |text: &str| text.contains('c') && text.contains('{');
        let text = "for(i;c){}";
        assert_eq!(
            trace(&Grabr::by_depth(), LOOPS, text, fails).result,
            "for(i;c){}"
        );
        assert_eq!(trace(&FormConversion, LOOPS, text, fails).result, "if(c){}");
    }

    #[test]
    fn every_candidate_fits_the_grammar() {
        stays_in_the_grammar(&FormConversion);
    }
}
