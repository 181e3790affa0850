//! Plain productions, with notes for the nodes of the tree.

use crate::byte_set::ByteSet;
use crate::grammar::{ExprId, SymbolId};
use crate::scc;

/// A plain context-free grammar for the chart, with notes for the tree.
#[derive(Debug, Default)]
pub(super) struct Lowered {
    pub(super) nonterminals: Vec<Nonterminal>,
    pub(super) productions: Vec<Production>,
    /// The symbol of each byte, for terminals that merge several tokens of single bytes.
    pub(super) merged: Vec<Merged>,
    pub(super) start: u32,
    /// The nonterminals of rules and repetitions, which can be islands, in the order of preference:
    /// the start, the other rules as in the grammar, then the repetitions.
    pub(super) islands: Vec<u32>,
}

#[derive(Debug)]
pub(super) struct Nonterminal {
    pub(super) makes: Makes,
    /// The productions, in the order of preference.
    pub(super) productions: Vec<u32>,
}

/// The node that a tree has for a nonterminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Makes {
    Rule(SymbolId),
    /// One leaf. Nodes below the leaf are not shown.
    Token(SymbolId),
    Optional(ExprId),
    Repeat(ExprId),
    /// No node. The children take its place.
    Splice,
    /// A rule from one level of precedence on. It has no node. Its phrase is an instance of the
    /// rule at the mention of this nonterminal.
    Level,
}

#[derive(Debug)]
pub(super) struct Production {
    pub(super) lhs: u32,
    pub(super) rhs: Vec<Step>,
    /// Groups of steps with a node around them, in order and disjoint.
    pub(super) wraps: Vec<Wrap>,
    pub(super) level: i32,
    /// The index of the alternative in its choice.
    pub(super) decision: Option<(ExprId, u32)>,
    /// Whether the preferred tree has the shortest earlier children, instead of later ones.
    pub(super) right: bool,
    /// Whether the first step is the part before: the iterations of a repetition so far, or the
    /// left operand.
    pub(super) goes_on: bool,
    /// Whether the derivation with the fewest continuations is preferred.
    pub(super) lazy: bool,
}

/// The steps of an iteration, or of the separator between two iterations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wrap {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) separator: bool,
    pub(super) expr: ExprId,
}

/// One step of a production.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Byte `index` of the `len` bytes of a token.
    Byte {
        set: ByteSet,
        leaf: Leaf,
        index: u32,
        len: u32,
    },
    /// A token of a text that is given as tokens.
    Token { symbol: SymbolId, expr: ExprId },
    /// A nonterminal, and the expression that mentions it.
    Nonterminal { symbol: u32, expr: ExprId },
}

/// The token of a terminal.
#[derive(Clone, Copy, Debug)]
pub(super) enum Leaf {
    Symbol {
        symbol: SymbolId,
        expr: ExprId,
    },
    /// The byte determines the token. The value is an index into [`Lowered::merged`].
    Merged(u32),
}

/// For each byte, the symbol and expression of its token.
#[derive(Debug)]
pub(super) struct Merged {
    pub(super) choice: ExprId,
    pub(super) by_byte: Vec<(u8, u32, SymbolId, ExprId)>,
}

impl Merged {
    pub(super) fn get(&self, byte: u8) -> Option<(SymbolId, ExprId)> {
        let at = self
            .by_byte
            .binary_search_by_key(&byte, |entry| entry.0)
            .ok()?;
        let (_, _, symbol, expr) = self.by_byte[at];
        Some((symbol, expr))
    }

    /// Returns the alternative of a choice that matches a byte.
    pub(super) fn decision(&self, byte: u8) -> Option<(ExprId, u32)> {
        let at = self
            .by_byte
            .binary_search_by_key(&byte, |entry| entry.0)
            .ok()?;
        Some((self.choice, self.by_byte[at].1))
    }
}

impl Lowered {
    /// Returns for each nonterminal the component of the nonterminals that it can derive alone. A
    /// derivation may be an infinite cycle within a component.
    pub(super) fn unit_components(&self, nullable: &[bool]) -> Vec<u32> {
        let mut edges = vec![vec![]; self.nonterminals.len()];
        for production in &self.productions {
            let needed = |step: &&Step| match step {
                Step::Nonterminal { symbol, .. } => !nullable[*symbol as usize],
                _ => true,
            };
            let mut needed = production.rhs.iter().filter(needed);
            let only = needed.next();
            if needed.next().is_some() {
                continue;
            }
            for step in &production.rhs {
                if let Step::Nonterminal { symbol, .. } = step
                    && (only.is_none() || !nullable[*symbol as usize])
                {
                    edges[production.lhs as usize].push(*symbol);
                }
            }
        }
        scc::components(&edges)
    }
}
