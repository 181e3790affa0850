use super::{Grabr, TreeReducer};
use crate::tree::Outline;
use nubbin_engine::work::{Lists, PassInfo, Work};
use std::sync::Arc;

/// Form conversion: replaces a structure by one of another kind that is made of its own parts.
///
/// It works as [`Grabr::plain`], but a node may become an instance of any symbol that may stand in
/// its place, not only of its own symbol. Each alternative of each such symbol is filled with
/// subtrees found below the node, in up to eight ways, and with the literal words of the
/// alternative. A `for` becomes a `while` with its condition and body, a `while` a block, a block a
/// statement, a call its argument.
///
/// It finds reductions that neither deleting nor replacing a subtree by one of its own symbol
/// finds, in languages whose grammar says which symbols may stand for which. Run it last: it takes
/// one test for each smaller form of each node, which is many tests.
///
/// Cost: as [`Grabr::plain`], times the number of symbols that may stand in a place.
///
/// Source: structure form conversion in "SFC", OOPSLA 2025, as far as its abstract describes it;
/// its identifier elimination is [`Identifiers`](super::Identifiers) here.
///
/// Changed: the grammar decides which symbol may stand where, so every candidate fits it.
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
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "form-conversion",
            "replaces a structure by one of another kind that is made of its own parts",
            "after structure form conversion (SFC), OOPSLA 2025",
        )
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
