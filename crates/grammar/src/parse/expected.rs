//! The tokens that could follow at an error.

use super::chart::Chart;
use super::productions::{Leaf, Step};
use super::tables::{Next, State, Tables, each_bit};
use crate::byte_set::ByteSet;
use crate::grammar::{Grammar, SymbolId, SymbolKind};
use crate::text;

/// Describes the tokens expected at a position: single bytes together, other tokens by their text.
pub(super) fn expected(
    grammar: &Grammar,
    tables: &Tables,
    chart: &mut Chart<'_>,
    at: usize,
) -> Vec<String> {
    let (states, asked) = chart.expected(at);
    let mut found = Expected {
        grammar,
        tables,
        bytes: ByteSet::EMPTY,
        words: vec![],
        end: false,
    };
    for state in states {
        match tables.next[state as usize] {
            Next::Terminal => found.terminal(state),
            Next::Complete(symbol) => found.end |= at > 0 && symbol == tables.lowered.start,
            Next::Nonterminal(_) => {}
        }
    }
    for symbol in each_bit(&asked) {
        for &(after, _) in &tables.shifts[symbol] {
            found.terminal(after - 1);
        }
    }
    found.words()
}

struct Expected<'g> {
    grammar: &'g Grammar,
    tables: &'g Tables,
    bytes: ByteSet,
    words: Vec<String>,
    end: bool,
}

impl Expected<'_> {
    fn terminal(&mut self, state: State) {
        match self.tables.step_before(state + 1) {
            Step::Byte {
                leaf: Leaf::Symbol { symbol, .. },
                index,
                len: 2..,
                ..
            } => {
                if let SymbolKind::Literal(bytes) = &self.grammar.symbol(symbol).kind {
                    self.words.push(text::quoted(&bytes[index as usize..]));
                }
            }
            Step::Byte { set, .. } => self.bytes = self.bytes.union(set),
            Step::Token { symbol, .. } => self.words.push(self.name(symbol)),
            Step::Nonterminal { .. } => {}
        }
    }

    fn name(&self, symbol: SymbolId) -> String {
        let symbol = self.grammar.symbol(symbol);
        match &symbol.kind {
            SymbolKind::Literal(bytes) => text::quoted(bytes),
            _ => symbol.name.to_string(),
        }
    }

    fn words(mut self) -> Vec<String> {
        self.words.sort_unstable();
        self.words.dedup();
        // A few bytes are listed one by one, and many bytes as ranges.
        let ranges = self.bytes.ranges();
        let single = ranges.iter().flat_map(|&(first, last)| match last - first {
            0..=2 => (first..=last).map(|byte| text::quoted(&[byte])).collect(),
            _ => vec![format!(
                "{} to {}",
                text::quoted(&[first]),
                text::quoted(&[last])
            )],
        });
        let mut words: Vec<String> = single.collect();
        words.append(&mut self.words);
        if self.end {
            words.push("the end".into());
        }
        words
    }
}
