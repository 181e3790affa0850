//! Random expressions from walks on a graph.

mod batch;
mod literals;
mod rank;
mod tables;

pub use batch::batch;

use crate::model::Graph;
use nubbin_choices::{Replay, Run, Value};
use nubbin_generate::Choices;
use rank::Rank;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tables::{ExpressionForm, Place, Step, Tables};

/// The greatest [`WalkOptions::max_height`]. An expression is made by recursion over its height.
pub const MOST_HEIGHT: u32 = 100;

/// The maximum number of arguments beyond those of a signature.
const MORE_ARGUMENTS: usize = 2;

// Probabilities, chosen by coverage: the figures are in notes/decisions/0040-prototype-graphs.md.

/// That an argument of a known type is a literal.
const ARGUMENT_IS_LITERAL: f32 = 0.6;
/// That an argument of which nothing is known is one.
const ANY_IS_LITERAL: f32 = 0.8;
/// That a receiver is one.
const RECEIVER_IS_LITERAL: f32 = 0.6;
/// That a function is called by `.call`.
const OTHER_RECEIVER: f32 = 0.3;
/// That a call has another number of arguments than its signature.
const OTHER_COUNT: f32 = 0.25;

/// The start of a walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// At a signature, all equally likely; then back to the global object.
    #[default]
    Signature,
    /// At the global object, forward along any edge, as in the thesis. Most of these walks end
    /// before they come to a call.
    Global,
}

/// The options for expressions that are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct WalkOptions {
    /// The start of the walks.
    pub start: Start,
    /// The maximum height of an expression: the depth of nested accesses, calls, and arguments, at
    /// most [`MOST_HEIGHT`].
    pub max_height: u32,
    /// Whether arguments and receivers can be literals, and other texts of values in the graph.
    pub literals: bool,
    /// Whether functions are called with receivers of other types, by `.call`. Only JavaScript has
    /// that; a [`Walker`] of another language takes it as `false`.
    pub receivers: bool,
    /// Whether calls have more or fewer arguments than their signature.
    pub vary_arguments: bool,
}

impl Default for WalkOptions {
    /// All variations are on.
    fn default() -> Self {
        WalkOptions {
            start: Start::Signature,
            max_height: 9,
            literals: true,
            receivers: true,
            vary_arguments: true,
        }
    }
}

impl WalkOptions {
    /// Returns the options of the thesis: forward from the global object, and nothing that is not
    /// in the graph.
    pub fn thesis() -> Self {
        WalkOptions {
            start: Start::Global,
            literals: false,
            receivers: false,
            vary_arguments: false,
            ..WalkOptions::default()
        }
    }
}

/// Makes random expressions of a graph.
///
/// An expression is a walk: forward along property, prototype, call, construct, and return edges.
/// At a signature, the walk returns along a parameter edge to a type, and along prototype edges
/// to one that inherits from it, and the argument is another walk to that type.
///
/// [`Start::Global`] draws the edges of a walk from the global object on. [`Start::Signature`]
/// draws the same walks from their ends: first the call, then how its function and receiver are
/// reached.
///
/// Every decision is a choice by index, so an expression can be recorded, replayed, and reduced,
/// and is one of the graph after every reduction. The graph and the options must be the same.
///
/// The tables take about 100 bytes for each edge, and an array for each type of all types that
/// inherit from it.
///
/// Source: R. Hodován's thesis, chapter 4, see [the crate](crate). Ours are the start at a
/// signature, literals, receivers by `.call`, and varied numbers of arguments.
pub struct Walker {
    tables: Tables,
    options: WalkOptions,
    /// The rank of the type of each call's result, so that calls are equally likely.
    results: Box<[u32]>,
}

impl Walker {
    /// Prepares walks on a graph.
    pub fn new(graph: &Graph, options: WalkOptions) -> Self {
        let tables = Tables::new(graph);
        let options = WalkOptions {
            max_height: options.max_height.min(MOST_HEIGHT),
            receivers: options.receivers && graph.language.has_receivers(),
            ..options
        };
        let results = (0..tables.ways.len()).flat_map(|rank| {
            let calls = tables.calls[rank].iter();
            let ways = &tables.ways[rank];
            let fits = calls.filter(|&&call| ways[call as usize].0 <= options.max_height);
            fits.map(move |_| rank as u32)
        });
        Walker {
            results: results.collect(),
            tables,
            options,
        }
    }

    /// Returns the options.
    pub fn options(&self) -> WalkOptions {
        self.options
    }

    /// Returns whether there is a call or construction of the greatest height or less.
    pub fn has_calls(&self) -> bool {
        !self.results.is_empty()
    }

    /// Returns the number of types of which no walk makes an expression.
    pub fn out_of_reach(&self) -> usize {
        self.tables
            .ways
            .iter()
            .filter(|ways| ways.is_empty())
            .count()
    }

    /// Makes an expression.
    pub fn generate(&self, choices: &mut Choices) -> Vec<u8> {
        let mut text = vec![];
        self.generate_into(choices, &mut text);
        text
    }

    /// Makes an expression at the end of `text`.
    pub fn generate_into(&self, choices: &mut Choices, text: &mut Vec<u8>) {
        match self.options.start {
            Start::Signature => self.start_at_signature(choices, text),
            Start::Global => self.start_at_global(choices, text),
        }
    }

    fn start_at_signature(&self, choices: &mut Choices, text: &mut Vec<u8>) {
        choices.begin("expression");
        let tables = &self.tables;
        let height = self.options.max_height;
        if self.results.is_empty() {
            // The graph has no calls that are low enough.
            text.extend_from_slice(b"this");
            choices.end();
            return;
        }
        // An argument has the same choices: whether it is a literal, its type, its way.
        choices.second_with(0.0);
        let at = choices.choose_among(tables.ways.len(), &self.results);
        let calls = &tables.calls[at];
        let ways = &tables.ways[at];
        let fits = calls.partition_point(|&call| ways[call as usize].0 <= height);
        let way = choices.choose_among(ways.len(), &calls[..fits]);
        self.way(ways[way].1, height, choices, text);
        choices.end();
    }

    /// Makes an expression for a place.
    fn expression(
        &self,
        place: &Place,
        is_receiver: bool,
        height: u32,
        choices: &mut Choices,
        text: &mut Vec<u8>,
    ) {
        choices.begin("expression");
        let tables = &self.tables;
        let literals = match place.is_any {
            true if place.literals.is_empty() => tables.literals.shared(),
            _ => &place.literals,
        };
        let all = match place.is_any {
            true => &tables.all,
            false => &place.types,
        };
        let types = tables.up_to(all, height);
        let can_be_literal = self.options.literals && !literals.is_empty();
        let weight = match (can_be_literal, types.is_empty()) {
            (false, _) => 0.0,
            (true, true) => 1.0,
            _ if is_receiver => RECEIVER_IS_LITERAL,
            _ if place.is_any => ANY_IS_LITERAL,
            _ => ARGUMENT_IS_LITERAL,
        };
        let is_literal = choices.second_with(weight);
        if can_be_literal && (is_literal || types.is_empty()) {
            let literal = choices.choose_among(tables.literals.count(), literals);
            put_literal(tables.literals.text(literal), is_receiver, text);
        } else if types.is_empty() {
            text.extend_from_slice(b"this");
        } else {
            let rank = choices.choose_among(tables.ways.len(), types);
            self.way_to(Rank(rank as u32), height, choices, text);
        }
        choices.end();
    }

    /// Makes an expression of a function to be called, as a part that can be reduced by itself.
    fn function(&self, rank: Rank, height: u32, choices: &mut Choices, text: &mut Vec<u8>) {
        choices.begin("function");
        self.way_to(rank, height, choices, text);
        choices.end();
    }

    /// Makes an expression of exactly this type.
    fn way_to(&self, rank: Rank, height: u32, choices: &mut Choices, text: &mut Vec<u8>) {
        let tables = &self.tables;
        let ways = &tables.ways[rank.index()];
        let fits = ways.partition_point(|(least, _)| *least <= height);
        // By its index among all ways, even if only one fits: the choice then means the same at
        // another height, and a part that is lifted out of an expression does not change.
        let way = choices.choose_among(ways.len(), &tables.indices[..fits.max(1)]);
        match ways.get(way) {
            Some((_, way)) => self.way(*way, height, choices, text),
            None => text.extend_from_slice(b"this"),
        }
    }

    fn way(&self, way: ExpressionForm, height: u32, choices: &mut Choices, text: &mut Vec<u8>) {
        let below = height.saturating_sub(1);
        match way {
            ExpressionForm::Global => text.extend_from_slice(b"this"),
            ExpressionForm::Property { of, access } => {
                let place = &self.tables.places[of.index()];
                self.expression(place, true, below, choices, text);
                text.extend_from_slice(&self.tables.accesses[access as usize]);
            }
            ExpressionForm::Call { of, signature } => {
                self.function(of, below, choices, text);
                self.call(signature, below, choices, text);
            }
            ExpressionForm::Construct { of, signature } => {
                text.extend_from_slice(b"new (");
                self.function(of, below, choices, text);
                text.push(b')');
                // A construction has as many choices as a call, so that a reduction prefers the
                // call.
                if self.options.receivers {
                    choices.second_with(0.0);
                }
                self.arguments(signature, false, below, choices, text);
            }
        }
    }

    /// Appends the arguments of a call, and `.call` with a receiver.
    fn call(&self, signature: u32, height: u32, choices: &mut Choices, text: &mut Vec<u8>) {
        let with_receiver = self.options.receivers && choices.second_with(OTHER_RECEIVER);
        if with_receiver {
            text.extend_from_slice(b".call");
        }
        self.arguments(signature, with_receiver, height, choices, text);
    }

    fn arguments(
        &self,
        signature: u32,
        with_receiver: bool,
        height: u32,
        choices: &mut Choices,
        text: &mut Vec<u8>,
    ) {
        let call = &self.tables.signatures[signature as usize];
        let expected = call.parameters.len();
        let count = match self.options.vary_arguments {
            // No argument is simplest, so that a reduction leaves out what is not needed.
            true => {
                let others = expected + MORE_ARGUMENTS;
                let weight = |count| match count == expected {
                    true => 1.0 - OTHER_COUNT,
                    false => OTHER_COUNT / others as f32,
                };
                choices.choose_weighted((0..others + 1).map(weight), 0)
            }
            false => expected,
        };
        text.push(b'(');
        let any = Place {
            is_any: true,
            ..Place::default()
        };
        if with_receiver {
            self.expression(&call.receiver, false, height, choices, text);
        }
        for position in 0..count {
            if position > 0 || with_receiver {
                text.extend_from_slice(b", ");
            }
            let place = call.parameters.get(position).unwrap_or(&any);
            self.expression(place, false, height, choices, text);
        }
        text.push(b')');
    }

    fn start_at_global(&self, choices: &mut Choices, text: &mut Vec<u8>) {
        let start = text.len();
        text.extend_from_slice(b"this");
        let mut at = Some(self.tables.global);
        for height in (0..self.options.max_height).rev() {
            let Some(rank) = at else {
                return;
            };
            let steps = &self.tables.steps[rank.index()];
            // 0 is the end.
            let step = choices.choose(steps.len() + 1, 0);
            let Some(step) = step.checked_sub(1).and_then(|step| steps.get(step)) else {
                return;
            };
            let after = |signature: u32, choices: &mut Choices| {
                let returns = &self.tables.signatures[signature as usize].returns;
                returns.get(choices.choose(returns.len(), 0)).copied()
            };
            at = match *step {
                Step::Property { access, to } => {
                    text.extend_from_slice(&self.tables.accesses[access as usize]);
                    Some(to)
                }
                Step::Prototype { to } => Some(to),
                Step::Call { signature } => {
                    self.call(signature, height, choices, text);
                    after(signature, choices)
                }
                Step::Construct { signature } => {
                    text.splice(start..start, *b"new (");
                    text.push(b')');
                    self.arguments(signature, false, height, choices, text);
                    after(signature, choices)
                }
            };
        }
    }
}

/// Appends a literal, in parentheses where an access follows.
fn put_literal(literal: &str, is_receiver: bool, text: &mut Vec<u8>) {
    if is_receiver {
        text.push(b'(');
    }
    text.extend_from_slice(literal.as_bytes());
    if is_receiver {
        text.push(b')');
    }
}

impl Replay for Walker {
    fn replay(&self, values: &[Value]) -> Option<Arc<Run>> {
        let mut choices = Choices::of(values.to_vec());
        let text = self.generate(&mut choices);
        choices.into_run(text).map(Arc::new)
    }
}
