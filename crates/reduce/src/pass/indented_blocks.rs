use super::{Context, Forest, Nested, Pass};
use crate::input::File;
use crate::span::Span;
use crate::view::lines::{indent, lines};
use crate::work::{Spans, Work};

/// Deletes lines together with everything that is indented below them.
///
/// The nesting of Python, YAML, Haskell and Makefiles, and, since people indent, of most other
/// text as well, including what is too broken for brackets to be matched. A line is a unit with
/// all following lines that are indented more than it, blank ones in between included. Lines that
/// only close or continue (`}`, `else:`) are units of their own beside them.
///
/// Walked from the outside in, heavy lists first, see [`HeaviestFirst`](super::HeaviestFirst).
/// None where no line is indented more than another.
///
/// Cost: one test for each line that stays and whose parents stay, far less where runs go.
///
/// Source: hierarchical delta debugging (Misherghi, Su: HDD, ICSE 2006) with the indentation as
/// the tree, which is ours.
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

impl Pass for IndentedBlocks {
    fn id(&self) -> &'static str {
        "indented-blocks"
    }

    fn about(&self) -> &'static str {
        "deletes lines with what is indented below them"
    }

    fn source(&self) -> &'static str {
        "HDD (Misherghi, Su 2006) over indentation"
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let blocks = blocks(file);
        let nested = Nested::of(blocks);
        if nested.parents.iter().all(Option::is_none) {
            return None;
        }
        Forest::new(Spans::new(nested.spans), &nested.parents).walk(context.lists)
    }
}

/// Each line that is not blank with all that is indented more below it.
fn blocks(file: &File<'_>) -> Vec<Span> {
    let mut blocks: Vec<Span> = Vec::new();
    // Blocks that still go on, and their indentation.
    let mut open: Vec<(usize, u32)> = Vec::new();
    for line in lines(file.text) {
        let Some(columns) = indent(file.text.get(line.range()).unwrap_or_default()) else {
            continue;
        };
        let start = file.span.start + line.start;
        while let Some((block, _)) = open.pop_if(|&mut (_, outer)| outer >= columns) {
            blocks[block].end = start;
        }
        open.push((blocks.len(), columns));
        blocks.push(Span::new(start, file.span.end));
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::testing::{proposals, reduce_with, survives_odd_texts};

    #[test]
    fn a_block_goes_with_its_first_line() {
        let text = b"class A:\n\tdef f(self):\n\t\tx\n\n\t\ty\n\tdef g(self):\n\t\tz\nprint()\n";
        let legal = |text: &[u8]| {
            text.contains(&b'z')
                && text.starts_with(b"class")
                && text.windows(3).any(|w| w == b"def")
                && text.windows(5).any(|w| w == b"g(sel")
        };
        assert_eq!(
            reduce_with(&IndentedBlocks, text, legal),
            b"class A:\n\tdef g(self):\n\t\tz\n"
        );
    }

    #[test]
    fn flat_text_is_left_to_lines() {
        assert!(proposals(&IndentedBlocks, b"a\nb\n\nc").is_empty());
        survives_odd_texts(&IndentedBlocks);
    }
}
