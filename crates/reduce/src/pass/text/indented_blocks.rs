use crate::input::File;
use crate::pass::{Context, Forest, Nested, Pass};
use crate::span::Span;
use crate::view::brackets::Brackets;
use crate::view::lines::{indent, lines};
use crate::work::{Spans, Work};

/// Deletes lines together with everything that is indented below them.
///
/// Indentation is the nesting of Python, YAML, Haskell, and Makefiles, and of most other text as
/// well, also of text that is too broken for brackets to be matched. A line is a unit with all
/// following lines that are indented more than it, blank ones in between included. The lines in
/// such a block are units too. Lines below a line that ends with an open bracket are deleted with
/// the bracket, in [pieces of each depth](crate::pass::DepthPieces), and lines with nothing below
/// them in [`Lines`](crate::pass::Lines).
///
/// The units are tried from the outside in, heavy lists first, see
/// [`HeaviestFirst`](crate::pass::HeaviestFirst). There are none where lines are indented only
/// within brackets.
///
/// Cost: one test for each line that stays and whose parents stay, far less where runs can be
/// deleted.
///
/// Source: hierarchical delta debugging (Misherghi, Su: HDD, ICSE 2006), with the indentation as
/// the tree, which is our own.
///
/// ```
/// use nubbin_reduce::pass::{IndentedBlocks, preview};
///
/// let text = b"def f():\n  a\n  if b:\n    c\n\nd\n";
/// let first = preview(&IndentedBlocks, text, 3);
/// assert_eq!(first[..2], ["d\n", "def f():\n  a\nd\n"]);
/// assert_eq!(first[2], "def f():\n  if b:\n    c\n\nd\n");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IndentedBlocks;

impl IndentedBlocks {
    /// Returns the share of a file that is in units.
    pub(crate) fn share(file: &File<'_>) -> f64 {
        let (mut covered, mut end) = (0, file.span.start);
        for span in blocks(file) {
            covered += u64::from(span.end.saturating_sub(span.start.max(end)));
            end = end.max(span.end);
        }
        covered as f64 / f64::from(file.span.len().max(1))
    }
}

impl Pass for IndentedBlocks {
    fn id(&self) -> &'static str {
        "indented-blocks"
    }

    fn about(&self) -> &'static str {
        "deletes lines with the lines indented below them"
    }

    fn source(&self) -> &'static str {
        "HDD (Misherghi, Su 2006) over indentation"
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        let nested = Nested::of(blocks(file));
        if nested.spans.is_empty() {
            return None;
        }
        Forest::new(Spans::new(nested.spans), &nested.parents).walk()
    }

    fn joins_files(&self) -> bool {
        true
    }
}

/// A line that is not blank with all that is indented more below it.
struct Block {
    span: Span,
    indent: u32,
    /// Whether lines are indented below it.
    has_more: bool,
    /// Whether these lines are deleted with the bracket that this line ends with.
    is_bracketed: bool,
    /// Whether the line is in a block that is a unit.
    is_within: bool,
}

/// The blocks that are units: those of several lines that no bracket holds together, and the lines
/// in them.
fn blocks(file: &File<'_>) -> Vec<Span> {
    let mut blocks: Vec<Block> = Vec::new();
    // Blocks that still go on.
    let mut open: Vec<usize> = Vec::new();
    for line in lines(file.text) {
        let text = file.text.get(line.range()).unwrap_or_default();
        let Some(indent) = indent(text) else {
            continue;
        };
        let start = file.span.start + line.start;
        while let Some(block) = open.pop_if(|&mut block| blocks[block].indent >= indent) {
            blocks[block].span.end = start;
        }
        let around = open.last().map(|&around| &mut blocks[around]);
        let is_within = around.is_some_and(|around| {
            around.has_more = true;
            around.is_within || !around.is_bracketed
        });
        open.push(blocks.len());
        blocks.push(Block {
            span: Span::new(start, file.span.end),
            indent,
            has_more: false,
            is_bracketed: matches!(text.trim_ascii_end().last(), Some(b'{' | b'(' | b'[')),
            is_within,
        });
    }
    let brackets = Brackets::of(file.text);
    let divided = |at: u32| brackets.divided(at - file.span.start);
    // A text is rarely valid without a block that has a bracket and not its partner.
    let is_balanced = |span: Span| divided(span.start) == divided(span.end);
    let is_unit = |block: &&Block| {
        (block.is_within || block.has_more && !block.is_bracketed) && is_balanced(block.span)
    };
    blocks
        .iter()
        .filter(is_unit)
        .map(|block| block.span)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{proposals, reduce_with, survives_odd_texts};

    #[test]
    fn a_block_is_removed_with_its_first_line() {
        let text = b"class A:\n\tdef f(self):\n\t\tx\n\n\t\ty\n\tdef g(self):\n\t\tz\nprint()\n";
        let legal = |text: &[u8]| {
            text.contains(&b'z')
                && text.starts_with(b"class")
                && text.windows(3).any(|w| w == b"def")
                && text.windows(5).any(|w| w == b"g(sel")
        };
        assert_eq!(
            reduce_with(&IndentedBlocks, text, legal),
            // The pass `lines` handles lines without an indented block that are in no block.
            b"class A:\n\tdef g(self):\n\t\tz\nprint()\n"
        );
    }

    #[test]
    fn lines_in_brackets_are_left_to_passes_over_brackets() {
        let text = b"f() {\n  a;\n}\nx = [\n  1,\n  2,\n]\n";
        assert!(proposals(&IndentedBlocks, text).is_empty());
        let text = b"class A {\n  def f\n    a\n  end\n}\n";
        let first = proposals(&IndentedBlocks, text).swap_remove(0);
        assert_eq!(first, b"class A {\n  end\n}\n");
    }

    #[test]
    fn a_block_has_both_brackets_or_none() {
        let text = b"f()\n{\n  if (a)\n    b;\n}\ng()\n{\n  c;\n}\n";
        let all = proposals(&IndentedBlocks, text);
        assert_eq!(all[0], b"f()\n{\n}\ng()\n{\n  c;\n}\n");
        let count = |text: &[u8], wanted| text.iter().filter(|&&byte| byte == wanted).count();
        assert!(
            all.iter()
                .all(|text| count(text, b'{') == 2 && count(text, b'}') == 2)
        );
    }

    #[test]
    fn a_text_without_indentation_is_left_to_the_pass_over_lines() {
        assert!(proposals(&IndentedBlocks, b"a\nb\n\nc").is_empty());
        survives_odd_texts(&IndentedBlocks);
    }
}
