use nubbin_edit::{File, Span};
use nubbin_engine::work::{Context, Forest, Nested, Pass, PassInfo, Spans, Views, Work};
use nubbin_view::brackets::Brackets;
use nubbin_view::lines::{indent, lines};
use rustc_hash::{FxHashMap, FxHashSet};

/// Deletes lines together with everything that is indented below them.
///
/// Indentation is the nesting of Python, YAML, Haskell, and Makefiles, and of most other text as
/// well, also of text that is too broken for brackets to be matched. A line is a unit with all
/// following lines that are indented more than it, blank ones in between included. The lines in
/// such a block are units too. A block includes a line that is indented as much as its first if
/// that line begins with a word that ends blocks or continues them (`end`, `fi`, `else`,
/// `</div>`), which is found by where it occurs: it is the first word of two lines at least, and
/// seven in eight of them follow a line that is indented more, without a blank line in between.
/// Lines below a line that ends with an open bracket are deleted with the bracket, in
/// [pieces of each depth](crate::DepthPieces), and lines with nothing below them in
/// [`Lines`](crate::Lines).
///
/// The units are tried from the outside in, heaviest lists first, see
/// [`HeaviestFirst`](nubbin_engine::work::HeaviestFirst). A text whose lines are indented only
/// within brackets has no such blocks.
///
/// Cost: one test per needed line with needed parents, far less where runs can be
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
    /// Returns the share of a file that is in units, without the lines that end them.
    pub fn share(file: &File<'_>) -> f64 {
        let file = &file.beginning();
        let (mut covered, mut end) = (0, file.span.start);
        for span in blocks(&Views::default(), file, false) {
            covered += u64::from(span.end.saturating_sub(span.start.max(end)));
            end = end.max(span.end);
        }
        covered as f64 / f64::from(file.span.len().max(1))
    }
}

impl Pass for IndentedBlocks {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "indented-blocks",
            "deletes lines with the lines indented below them",
            "HDD (Misherghi, Su 2006) over indentation",
        )
        .joining_files()
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let nested = Nested::of(blocks(context.views, file, true));
        if nested.spans.is_empty() {
            return None;
        }
        Forest::new(Spans::new(nested.spans), &nested.parents).walk()
    }
}

/// A line that is not blank, with all lines below it that are indented more.
struct Block {
    span: Span,
    indent: u32,
    /// Whether lines are indented below the line.
    has_more: bool,
    /// Whether the lines are deleted with the bracket that ends this line.
    is_bracketed: bool,
    /// Whether the line is in a block that is a unit.
    is_within: bool,
    /// Whether the line continues or ends the block that contains it.
    is_part: bool,
}

/// A line that is not blank.
struct Row<'a> {
    start: u32,
    indent: u32,
    text: &'a [u8],
    /// Whether the line above is not blank and is indented more.
    follows_more: bool,
}

fn rows<'a>(file: &File<'a>) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    let mut above = None;
    for line in lines(file.text) {
        let text = file.text.get(line.range()).unwrap_or_default();
        let columns = indent(text);
        if let Some(indent) = columns {
            rows.push(Row {
                start: file.span.start + line.start,
                indent,
                text: text.trim_ascii(),
                follows_more: above.is_some_and(|above| above > indent),
            });
        }
        above = columns;
    }
    rows
}

/// Returns the beginning of a line: punctuation, if there is any, and a word.
fn first_word(line: &[u8]) -> &[u8] {
    let is_in_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let marks = line
        .iter()
        .take_while(|byte| byte.is_ascii_punctuation() && **byte != b'_');
    let marks = marks.count();
    let behind = line.get(marks..).unwrap_or_default();
    let word = behind.iter().take_while(|&byte| is_in_word(byte)).count();
    line.get(..marks + word).unwrap_or_default()
}

/// Returns the first words of lines that end blocks or continue them.
fn parts<'a>(rows: &[Row<'a>]) -> FxHashSet<&'a [u8]> {
    // For each first word, the number of lines that start with it, and the number of these lines
    // that follow an indented line.
    let mut counts: FxHashMap<&[u8], (u32, u32)> = FxHashMap::default();
    for row in rows {
        let (all, following) = counts.entry(first_word(row.text)).or_default();
        *all += 1;
        *following += u32::from(row.follows_more);
    }
    let is_part =
        |&(_, (all, following)): &(&[u8], (u32, u32))| all >= 2 && following >= all - all / 8;
    counts
        .into_iter()
        .filter(is_part)
        .map(|(word, _)| word)
        .collect()
}

/// Returns the blocks that are units: blocks of several lines that no bracket encloses, and the
/// lines in them. `with_ends` states whether a block includes the lines that end or continue it.
fn blocks(views: &Views, file: &File<'_>, with_ends: bool) -> Vec<Span> {
    let mut blocks: Vec<Block> = Vec::new();
    // The blocks that are still open.
    let mut open: Vec<usize> = Vec::new();
    let rows = rows(file);
    let parts = match with_ends {
        true => parts(&rows),
        false => FxHashSet::default(),
    };
    for row in rows {
        let is_part = row.follows_more && parts.contains(first_word(row.text));
        let is_over = |block: &Block| {
            block.indent > row.indent || block.indent == row.indent && (!is_part || block.is_part)
        };
        while let Some(block) = open.pop_if(|&mut block| is_over(&blocks[block])) {
            blocks[block].span.end = row.start;
        }
        let around = open.last().map(|&around| &mut blocks[around]);
        // The closing word of a removed block may be left over.
        let is_in = |around: &&mut Block| around.indent == row.indent;
        let is_part = is_part && around.as_ref().is_some_and(is_in);
        let is_within = around.is_some_and(|around| {
            around.has_more = true;
            around.is_within || !around.is_bracketed
        });
        open.push(blocks.len());
        blocks.push(Block {
            span: Span::new(row.start, file.span.end),
            indent: row.indent,
            has_more: false,
            is_bracketed: matches!(row.text.last(), Some(b'{' | b'(' | b'[')),
            is_within,
            is_part,
        });
    }
    let brackets = views.of::<Brackets>(file.text);
    let divided = |at: u32| brackets.divided(at - file.span.start);
    // A text is rarely valid without a block that contains only one bracket of a pair.
    let is_balanced = |span: Span| divided(span.start) == divided(span.end);
    let is_unit = |block: &&Block| {
        let is_last_line = block.is_part && !block.has_more;
        let is_block = block.is_within && !is_last_line || block.has_more && !block.is_bracketed;
        is_block && is_balanced(block.span)
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
    use nubbin_engine::testing::{proposals, reduce_with};

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
            // The pass `lines` handles lines that are outside of all blocks and have no indented
            // block.
            b"class A:\n\tdef g(self):\n\t\tz\nprint()\n"
        );
    }

    #[test]
    fn a_block_ends_with_its_last_line() {
        let text = b"class A
  def f
    if a
      b
    else
      c
    end
  end

  def g
    if d
      e
    else
      f
    end
  end
end
";
        let all = proposals(&IndentedBlocks, text);
        let second =
            b"class A\n  def g\n    if d\n      e\n    else\n      f\n    end\n  end\nend\n";
        assert!(all.contains(&second.to_vec()));
        assert!(
            all.iter()
                .any(|text| text.ends_with(b"def g\n  end\nend\n"))
        );
        let count =
            |text: &[u8], word: &[u8]| text.windows(word.len()).filter(|w| w == &word).count();
        for text in &all {
            let open = count(text, b"class") + count(text, b"def") + count(text, b"if");
            assert_eq!(open, count(text, b"end"), "{}", text.escape_ascii());
        }
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
    }
}
